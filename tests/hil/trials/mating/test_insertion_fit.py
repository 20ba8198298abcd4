"""Friction, clearance and stiffness fitted to made-up insertions whose truth is known."""

import json
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.errors import ExperimentError
from hil.trials.mating.adjustable import adjustables, hardness_of
from hil.trials.mating.fitting import fit_insertion, force_along
from hil.trials.mating.loading import Experiment, load_mating

RING = ["mu=0.36", "hole_mm=25.94", "c1_n_per_mm2=18.4", "c2_n_per_mm3=49.45"]
SNAP = ["snap.mu=0.23", "offset_z_mm=0.12", "modulus_mpa=3000.0"]
CASES = {"o-ring": (RING, (0.36, 25.94, 18.4), 1.0), "snap-beam": (SNAP, (0.23, 0.12, 3000.0), 0.5)}


def made_up(name: str, seed: int, count: int = 160) -> tuple[Experiment, np.ndarray, np.ndarray]:
    """The shipped experiment, and what a sensor with noise would tell of the true part."""
    settings, _, noise = CASES[name]
    shipped, true = load_mating(name), load_mating(name, settings)
    depth = np.linspace(shipped.motion.begin, shipped.motion.end, count)
    return shipped, depth, force_along(true, depth) + np.random.default_rng(seed).normal(0.0, noise, count)


@pytest.mark.parametrize("name", CASES)
def test_the_truth_is_found(name: str) -> None:
    """Close, within the intervals of all seeds but one at most, and the sensor's noise is what is left."""
    truth, noise, inside = CASES[name][1], CASES[name][2], 0
    for seed in range(4):
        found = fit_insertion(*made_up(name, seed))
        assert found.converged and found.noise == pytest.approx(noise, rel=0.25)
        left_out = int((~found.used).sum())
        assert 0 < left_out < 16  # where a corner passes, or the ring enters so steeply that it looks like it
        for estimate, true in zip(found.estimates, truth, strict=True):
            assert estimate.identified
            assert estimate.value == pytest.approx(true, rel=0.1, abs=0.03)
            assert estimate.value != pytest.approx(estimate.start, rel=1e-3)
        inside += all(e.holds(true) for e, true in zip(found.estimates, truth, strict=True))
    assert inside >= 3


def test_a_few_wrong_samples_do_not_count() -> None:
    """A sensor's three spikes are left out, and the intervals stay what they were; of many none is."""
    shipped, depth, force = made_up("o-ring", 2)
    spiked, plain = force.copy(), fit_insertion(shipped, depth, force)
    spiked[[30, 80, 120]] += [900.0, -4000.0, 60.0]
    found = fit_insertion(shipped, depth, spiked)
    assert not found.used[[30, 80, 120]].any() and (~found.used).sum() <= (~plain.used).sum() + 3
    for mine, other, true in zip(found.estimates, plain.estimates, CASES["o-ring"][1], strict=True):
        assert mine.holds(true) and mine.value == pytest.approx(other.value, rel=5e-3)
    spiked[::9] += 300.0
    assert fit_insertion(shipped, depth, spiked).used[[36, 81]].all()


def test_a_value_far_off_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ring thirty times as stiff as its file says comes of a log in other units, or of another ring."""
    depth = made_up("o-ring", 1)[1]
    log = tmp_path / "measured.csv"
    stiff = load_mating("o-ring", ["c1_n_per_mm2=480", "c2_n_per_mm3=1290"])
    rows = np.column_stack((1e3 * depth, force_along(stiff, depth)))
    np.savetxt(log, rows, delimiter=",", header="depth_mm,force_n", comments="")
    assert main(["validate", "o-ring", "--log", str(log), "--fit"]) == 0
    assert "30 times as configured: are the log's units right?" in " ".join(capsys.readouterr().out.split())


def test_what_a_measurement_does_not_tell_is_not_told() -> None:
    """Within the hole alone the force is one number: nothing of friction and rubber by itself."""
    shipped, depth, force = made_up("o-ring", 1)
    within = (depth > 1e-3) & (depth < 14e-3)
    found = fit_insertion(shipped, depth[within], force[within])
    assert not any(estimate.identified for estimate in found.estimates)
    assert all(estimate.fitted is None and estimate.low is None for estimate in found.estimates)


def test_each_parameter_is_changed_by_its_factor() -> None:
    """And nothing else of the experiment; a ring by hardness gets the one of so much more modulus."""
    for name in CASES:
        shipped = load_mating(name)
        for each in adjustables(shipped):
            changed = each.times(shipped, 1.1)
            others = [a for a in adjustables(shipped) if a.name != each.name]
            assert each.value(changed) != each.value(shipped)
            assert all(a.value(changed) == a.value(shipped) for a in others)
    soft = load_mating("o-ring").o_ring.model_copy(update={"c1": None, "c2": None, "shore_a": 70.0})  # type: ignore[union-attr]
    assert hardness_of(soft.modulus) == pytest.approx(70.0)
    with pytest.raises(ExperimentError, match="printed matrix has no modulus to fit"):
        adjustables(load_mating("snap-plate"))


def test_the_command(tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a CSV file to table, figures and picture."""
    _, depth, force = made_up("o-ring", 3)
    log = tmp_path / "measured.csv"
    rows = np.column_stack((force, 1e3 * depth))
    np.savetxt(log, rows, delimiter=",", header="force_n,depth_mm", comments="")
    file, out = str(root / "configs" / "mating" / "o_ring.toml"), tmp_path / "figures.json"
    command = [
        "validate",
        file,
        "--log",
        str(log),
        "--fit",
        "--json",
        str(out),
        "--out",
        str(tmp_path / "fit"),
    ]
    assert main(command) == 0
    assert "noise 1" in capsys.readouterr().out.replace("noise 0.9", "noise 1")
    told = json.loads(out.read_text())["fit"]
    assert [row["name"] for row in told["parameters"]] == ["mu", "hole", "c1"]
    assert (tmp_path / "fit" / "fit.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("depth_mm,newton\n1,2\n", "force_n must stand there once, among depth_mm, newton"),
        ("depth_mm,force_n\n1,x\n", "line 2: force_n = 'x' must be a finite number"),
        ("depth_mm,force_n\n1\n", "line 2: force_n = '' must be a finite number"),
        ("depth_mm,force_n\n1,2,3\n", "line 2 has 3 values, line 1 names 2 columns"),
        ("depth_mm,force_n\n1,1e300\n", "line 2: force_n = 1e300 is beyond 1e+09: wrong units?"),
        ("depth_mm,force_n\n" + 20 * "500,1\n", "at none of these depths does the part touch"),
        ("depth_mm,force_n\n1,2\n", "1 rows; at least 20 are needed"),
        ("", "is empty; line 1 must name depth_mm and force_n"),
    ],
)
def test_bad_measurements_are_told(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2 and a line with file, place and what would do."""
    log = tmp_path / "measured.csv"
    log.write_text(text)
    assert main(["validate", "o-ring", "--log", str(log), "--fit"]) == 2
    assert message in capsys.readouterr().err


def test_parts_are_not_compared_without_a_fit(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither without --fit nor without a log."""
    assert main(["validate", "o-ring", "--fit"]) == 2
    assert "give --fit, and --log with a CSV file of depth_mm and force_n" in capsys.readouterr().err
