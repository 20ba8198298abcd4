"""`zerog partner`: what it refuses before anything moves, in one line."""

from pathlib import Path

import pytest

from hil.commands.cli import main

CONFIGS = Path(__file__).parents[3] / "configs"
DRAG = CONFIGS / "grasps" / "drag.toml"


def test_a_configuration_without_a_second_arm_says_so_before_a_run_is_looked_for(tmp_path, capsys):
    """In one line; with one, what is missing is the run."""
    for name, words in (("cube", "cube.toml: has no second arm: [grasp]"), ("two_arms", "no daemon answers")):
        command = ["partner", str(DRAG), str(CONFIGS / f"{name}.toml"), "--runtime-directory", str(tmp_path)]
        assert main(command) == 2
        told = capsys.readouterr().err
        assert words in told
        assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("none.toml", "none.toml: cannot be read: No such file or directory"),
        (str(CONFIGS / "cube.toml"), "cube.toml: is the configuration of a run"),
        (str(DRAG), "no daemon answers at"),
    ],
)
def test_what_cannot_be_led_is_told_in_a_line(tmp_path, capsys, plan, words):
    """No file, no plan, no run."""
    assert main(["partner", plan, "--runtime-directory", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert "Traceback" not in told
