"""The configuration refuses every fault, all in one report, in words that name key, value and bound."""

import copy
import tomllib
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.force import Force, force_faults
from hil.configuration.loading import configuration_from

ROOT = Path(__file__).resolve().parents[3]
CUBE = ROOT / "configs" / "cube.toml"

FAULTS = [
    ("object", "mass_kg", -3.0, "object.mass_kg = -3.0 must be above 0"),
    ("limits", "velcity_deg_s", 1.0, "limits.velcity_deg_s is unknown; did you mean velocity_deg_s?"),
    ("object", "mass_g", 1.0, "object.mass_g is unknown; did you mean mass_kg?"),
    ("object", "mass", 1.0, "object.mass is unknown; did you mean mass_kg?"),
    ("robot", "kind", "iiwa", "robot.kind = 'iiwa' must be one of 'emulated' or 'fri'"),
    ("stops", "swing_deg", float("nan"), "stops.swing_deg = nan"),
    ("stops", "swing_deg", 200.0, "stops.swing_deg = 200.0 must be at most 180"),
    ("object", "position_mm", [1.0, 2.0], "object.position_mm has 2 values, expected 3"),
    ("object", "mass_kg", "heavy", "object.mass_kg = 'heavy'"),
    (
        "object",
        "inertia_kg_m2",
        [1.0, 1.0, 3.0],
        "= [1, 1, 3] is no body's: the largest must be at most the sum of the other two",
    ),
    ("robot", "model", "robots/none.urdf", "is no file"),
    ("robot", "model", 5, "robot.model = 5 must be the name of a file"),
    ("mockup", "found", 5, "mockup.found = 5 must be a table"),
    ("mockup", "found", [0] * 9999, "0, 0… must be a table"),
    ("run", "seed", -1, "run.seed = -1 must be at least 0"),
]


def table() -> dict:
    """The default configuration as a plain table."""
    return tomllib.loads(CUBE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("section", "key", "value", "words"), FAULTS)
def test_each_fault_is_named(section: str, key: str, value: object, words: str) -> None:
    """Every rule has a file that breaks it and the text that says so."""
    data = table()
    data.setdefault(section, {})[key] = value
    with pytest.raises(ConfigurationError) as caught:
        configuration_from(data, CUBE)
    assert words in str(caught.value)
    assert str(CUBE) in str(caught.value)


def test_all_faults_in_one_report() -> None:
    """Three faults in three tables give three lines."""
    data = table()
    data["object"]["mass_kg"] = 0.0
    del data["robot"]["start_deg"]
    data["operator"]["push"] = [{"time_s": 1.0, "force_n": [1.0, 2.0], "duration_ms": 50.0}]
    with pytest.raises(ConfigurationError) as caught:
        configuration_from(data, CUBE)
    lines = str(caught.value).splitlines()
    assert len(lines) == 3
    assert any(line.endswith("robot.start_deg is missing") for line in lines)
    assert any("operator.push[0].force_n has 2 values, expected 3" in line for line in lines)


def test_units_become_si() -> None:
    """A key in mm, deg or ms arrives in m, rad or s."""
    c = load_configuration(CUBE)
    raw = table()
    np.testing.assert_allclose(c.stops.centre, np.array(raw["stops"]["centre_mm"]) / 1000.0, rtol=1e-15)
    assert c.stops.swing == pytest.approx(np.pi * raw["stops"]["swing_deg"] / 180.0, rel=1e-15)
    np.testing.assert_allclose(c.limits.velocity, np.deg2rad(raw["limits"]["velocity_deg_s"]), rtol=1e-15)


def test_configuration_is_frozen() -> None:
    """Neither a field nor an array in it can be changed after loading."""
    c = load_configuration(CUBE)
    with pytest.raises(ValueError, match="frozen"):
        c.object.mass = 1.0  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        c.stops.centre[0] = 1.0


def test_real_robot_is_never_floated_at_start() -> None:
    """A restart never moves a real arm."""
    data = table()
    data["robot"]["kind"] = "fri"
    with pytest.raises(ConfigurationError, match="float it by hand"):
        configuration_from(data, CUBE)


def test_patience_is_refused_with_a_real_robot() -> None:
    """No real robot waits: the key may not even say so; without it the configuration stands."""
    data = table()
    data["robot"]["kind"] = "fri"
    data["run"]["float_at_start"] = False
    configuration_from(data, CUBE)
    for patient in (True, False):
        with pytest.raises(ConfigurationError, match=r"emulator\.patient is refused"):
            configuration_from(data | {"emulator": {"patient": patient}}, CUBE)


def test_contact_on_a_real_robot_needs_what_its_load_data_misses() -> None:
    """Else that weight would act as a force without end; pushes do without, and so does an emulated arm."""
    data = table() | {"force": {"mode": "contact"}}
    configuration_from(data, CUBE)
    data["robot"]["kind"] = "fri"
    data["run"]["float_at_start"] = False
    with pytest.raises(ConfigurationError, match=r"needs \[mockup\.found\].*`zerog calibrate load`"):
        configuration_from(data, CUBE)
    assert force_faults(Force(mode="contact"), [], load_known=True) == []
    assert force_faults(Force(mode="pushes"), [], load_known=False) == []


def test_no_toml_and_no_file(tmp_path: Path) -> None:
    """A missing file and one that is no TOML are named."""
    with pytest.raises(ConfigurationError, match=r"none\.toml: cannot be read"):
        load_configuration(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("[object\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"bad\.toml: is no TOML"):
        load_configuration(bad)


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.toml")), ids=lambda p: p.name)
def test_every_shipped_configuration_loads(path: Path) -> None:
    """What we ship is sound."""
    assert load_configuration(path).robot.model.is_file()


def test_defaults_obey_their_own_bounds() -> None:
    """Writing every default out into a file, in the file's unit, is accepted: defaults are in SI."""
    c = load_configuration(CUBE)
    data = copy.deepcopy(table())
    for name in ("filter", "detector", "simulation", "planner", "interpolation"):
        section = getattr(c, name)
        from hil.configuration.quantities import UNITS, file_key

        data[name] = {}
        for field, info in type(section).model_fields.items():
            key = file_key(field, info.metadata)
            value = getattr(section, field)
            unit = key.removeprefix(field).lstrip("_")
            data[name][key] = value / UNITS[unit] if isinstance(value, float) else value
    again = configuration_from(data, CUBE)
    assert again.filter.tau == pytest.approx(c.filter.tau)
    assert again.detector.slice_time == pytest.approx(c.detector.slice_time)


ADMITTANCE = {
    "damping_n_s_per_m": 5.0, "spin_damping_n_m_s_per_rad": 0.1, "filter_ms": 20.0,
    "dead_band_force_n": 1.0, "dead_band_torque_n_m": 0.1,
}  # fmt: skip


def test_an_admittance_is_for_the_emulation_and_the_stops_alone() -> None:
    """Beside a real arm, walls or a docking it is refused; beside stops its units are SI."""
    data = table() | {"admittance": ADMITTANCE}
    assert configuration_from(data, CUBE).admittance.filter == pytest.approx(0.02)
    room = {"scene": {"file": "scenes/room.xml"}}
    with pytest.raises(ConfigurationError, match="admittance and scene are both given"):
        configuration_from(data | room, CUBE)
    for name in ("lwr_fri.toml", "docking.toml"):
        path = CUBE.parent / name
        with pytest.raises(ConfigurationError, match=r"admittance is refused|admittance and docking"):
            configuration_from(tomllib.loads(path.read_text("utf-8")) | {"admittance": ADMITTANCE}, path)
