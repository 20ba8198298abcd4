"""Configurations from Python: changes as the commands take them, refused in their words."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zerog

from hil.api.changes import settings_of
from hil.configuration import load_configuration
from tests.conftest import ROOT

CUBE = ROOT / "configs/cube.toml"


def test_changes_are_the_settings_of_the_commands() -> None:
    """Dotted, nested, numpy's numbers, lists: all give what --set gives."""
    assert settings_of({"emulator.delay_ms": 20.0, "object": {"mass_kg": np.float64(30.0)}}) == (
        "emulator.delay_ms = 20.0",
        "object.mass_kg = 30.0",
    )
    changed = zerog.Configuration.read(
        CUBE, run={"seed": 5}, object={"initial_velocity_mm_s": np.array([1.0, 2.0, 3.0])}
    )
    same = load_configuration(CUBE, ["run.seed=5", "object.initial_velocity_mm_s=[1.0, 2.0, 3.0]"])
    assert (
        changed.items()
        == zerog.Configuration.read(CUBE)
        .changed(**{"run.seed": 5})
        .changed(**{"object.initial_velocity_mm_s": [1.0, 2.0, 3.0]})
        .items()
    )
    assert changed.values.run.seed == same.run.seed == 5
    assert changed.values.object.initial_velocity.tolist() == [0.001, 0.002, 0.003]
    assert zerog.Configuration.read(CUBE).values.run.seed != 5


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"emulator.dely_ms": 20.0}, "emulator.dely_ms is unknown; did you mean delay_ms"),
        ({"object.mass_kg": -3.0}, "object.mass_kg = -3.0 must be above 0"),
        ({"object": {"mass_kg": None}}, "object.mass_kg = None is no value of a configuration"),
        ({"object..mass_kg": 1.0}, "'object..mass_kg' is no key of a configuration"),
        ({"robot.kind": "fri"}, "with robot.kind = 'fri'"),
        ({"duration_s": -1.0}, "duration_s = -1.0 must be a number above 0"),
        ({"duration_s": "5"}, "duration_s = '5' must be a number above 0"),
        ({"duration_s": [5]}, "duration_s = [5] must be a number above 0"),
        ({"duration_s": 1e300}, "at most 1e+09"),
    ],
)
def test_what_is_wrong_is_refused_in_words(changes: dict, words: str) -> None:
    """Unknown keys, bounds, values that are none; before anything is simulated."""
    with pytest.raises(zerog.ZeroGError) as error:
        zerog.simulate(CUBE, **changes)
    assert words in str(error.value)


@pytest.mark.parametrize("changes", [5, 0, "emulator.delay_ms=5", "", ["a=1"], []])
def test_changes_that_are_no_keys_with_values_are_refused(changes: Any) -> None:
    """The form that the commands take is none here: the example says the right one."""
    with pytest.raises(zerog.ConfigurationError, match="are no keys with values: for example"):
        zerog.simulate(CUBE, changes)


def test_a_missing_file_and_a_real_robot_are_refused(tmp_path: Path) -> None:
    """One line each."""
    with pytest.raises(zerog.ConfigurationError, match=r"none\.toml: cannot be read"):
        zerog.simulate(tmp_path / "none.toml")
    with pytest.raises(zerog.ConfigurationError, match="only the emulated robot can be simulated"):
        zerog.simulate(ROOT / "configs/lwr_fri.toml")


def test_a_recorded_configuration_runs_again_with_a_change(tmp_path: Path) -> None:
    """Without one to the same numbers; with one it is what was changed that differs."""
    first = zerog.simulate(CUBE, duration_s=0.4, record=tmp_path / "run.mcap")
    known = zerog.load(tmp_path / "run.mcap").configuration
    again = zerog.simulate(known, duration_s=0.4)
    np.testing.assert_array_equal(again.arrays["q_command"], first.arrays["q_command"])
    other = zerog.simulate(known, {"object.initial_velocity_mm_s": [0.0, 60.0, 0.0]}, duration_s=0.4)
    assert other.arrays["twist_world_object_sim"][-1, 1] == pytest.approx(0.06, rel=0.05)
    with pytest.raises(zerog.RecordingError, match="is there already"):
        zerog.simulate(CUBE, duration_s=0.1, record=tmp_path / "run.mcap")
