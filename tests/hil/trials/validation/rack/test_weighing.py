"""What hangs at the flange, weighed: against weights and moments by hand, and a peg that is another one."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.trials.validation.rack.cell import Cell, read_all
from hil.trials.validation.rack.loading import RackPlan, is_rack, load_rack
from hil.trials.validation.rack.weighing import MISSING, WELL, WRONG, gravities, verdict, weighed

RACK = Path(__file__).resolve().parents[5] / "configs" / "validation" / "racks" / "rim_pegs.toml"
PLACED = (
    'settings=["sensor.kind=emulated", "sensor.position_mm=[5, -8, 20]", "sensor.rotvec_deg=[10, 20, 30]"]'
)


@pytest.fixture(scope="module")
def plan() -> RackPlan:
    return load_rack(RACK, [PLACED])


def test_gravity_is_that_of_each_attitude(plan: RackPlan) -> None:
    """Of one size in all; along the flange's z where the peg stands upright; they span space."""
    g = gravities(plan)
    np.testing.assert_allclose(np.linalg.norm(g, axis=1), 9.81, rtol=1e-12)
    from hil.configuration.frames import pose_of

    sensor = plan.setups[0].experiment.sensor
    upright = pose_of(sensor.rotvec, sensor.position)[:3, :3] @ g[0]
    np.testing.assert_allclose(upright, [0.0, 0.0, 9.81], atol=0.01)
    assert np.linalg.svd(g)[1].min() > 1.0


def test_mass_and_centre_are_found(plan: RackPlan) -> None:
    """From forces and moments computed by hand: `f = m g`, `tau = r x f`, to rounding; bias is nothing."""
    mass, centre = 0.83, np.array([0.012, -0.007, 0.105])
    sensor = plan.setups[0].experiment.sensor
    from hil.configuration.frames import pose_of

    T = pose_of(sensor.rotvec, sensor.position)
    arm = T[:3, :3].T @ (centre - T[:3, 3])
    bias = np.array([4.0, -3.0, 6.0, 0.1, -0.2, 0.05])
    rows = [np.concatenate((mass * g, np.cross(arm, mass * g))) for g in gravities(plan)]
    load = weighed(plan, np.tile(bias, (3, 1)), np.array(rows) + bias, np.full(6, 1e-3))
    assert load.mass == pytest.approx(mass, abs=1e-12)
    np.testing.assert_allclose(load.centre, centre, atol=1e-12)


def test_each_peg_of_the_rack_is_told_from_the_others(plan: RackPlan) -> None:
    """By the emulated sensor with its noise, bias and drift: mass within a gram, centre within half a mm."""
    cell = Cell(plan)
    for peg in plan.rack.peg:
        empty, _ = read_all(cell, plan)
        assert cell.pick(peg)
        load = weighed(plan, empty, *read_all(cell, plan))
        assert load.mass == pytest.approx(peg.mass, abs=1e-3)
        np.testing.assert_allclose(load.centre, peg.centre, atol=5e-4)
        for other in plan.rack.peg:
            said, line = verdict(load, other, plan.rack.changer, plan.rack.peg)
            assert said == (WELL if other is peg else WRONG)
            assert other is peg or f"it is as peg {peg.name!r} declares" in line
        assert cell.place()


@pytest.mark.parametrize(
    ("mass", "shift", "said"),
    [(0.2, 0.0, MISSING), (1.24, 0.0, WELL), (1.26, 0.0, WRONG), (1.2, 0.0049, WELL), (1.2, 0.0051, WRONG)],
)
def test_tolerances_are_those_of_the_file(plan: RackPlan, mass: float, shift: float, said: str) -> None:
    """50 g and 5 mm: just inside and just beyond; far less than the declared mass is no tool at all."""
    from hil.trials.validation.rack.weighing import Load

    peg = plan.rack.peg[0]
    load = Load(mass, peg.centre + np.array([shift, 0.0, 0.0]), 1e-4)
    assert verdict(load, peg, plan.rack.changer, (peg,))[0] == said


def test_a_rack_is_known_by_its_pegs() -> None:
    """An experiment has one peg, a rack a list."""
    assert is_rack(str(RACK))
    assert not is_rack(str(RACK.parent.parent / "rim_contact.toml")) and not is_rack("rim-contact")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("settings=[]", "sensor.kind = 'robot' must be 'emulated'"),
        ("changer.turns_deg=[[0, 0], [-300, 0]]", "turns_deg[1] takes A6 to"),
        ("changer.mass_tolerance_kg=0", "changer.mass_tolerance_kg = 0 must be above 0"),
        ('experiment="none"', "there is no experiment 'none'"),
        ("peg=[]", "peg"),
    ],
)
def test_mistakes_are_told(setting: str, words: str) -> None:
    """With file, key and value."""
    with pytest.raises(ConfigurationError) as told:
        load_rack(RACK, [setting])
    assert words in str(told.value) and str(RACK) in str(told.value)


def test_pegs_must_differ_and_fit(tmp_path: Path) -> None:
    """Two in a slot, two of a name, and one that is too thick for the hole are refused, by name."""
    text = RACK.read_text()
    for old, new, words in (
        ("slot = 2", "slot = 1", "peg.slot = 1 stands there more than once"),
        ('name = "34.0"', 'name = "34.9"', "peg.name = '34.9' stands there more than once"),
        ("radius_mm = 17.0", "radius_mm = 17.6", "peg '34.0': "),
    ):
        file = tmp_path / "rack.toml"
        file.write_text(text.replace(old, new))
        with pytest.raises(ConfigurationError, match=words):
            load_rack(file)
