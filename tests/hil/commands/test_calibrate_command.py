"""`zerog calibrate`: what each calibration asks the daemon for."""

from pathlib import Path
from typing import Any

import pytest

from hil.commands import motion_trial
from hil.commands.cli import parser
from hil.commands.key_terminal import KeyTerminal
from hil.commands.motion_trial import MotionTrial, load_words, timing_words


class Asked(Exception):
    """The daemon was asked."""


class Hand:
    """Notes the errand that is asked for."""

    def __init__(self, bus: object, directory: Path, errand: str, values: dict[str, Any]) -> None:
        raise Asked(errand, values)


@pytest.mark.parametrize("shown", [load_words, timing_words])
def test_timing_asks_for_the_motion_of_the_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: motion_trial.Shown
) -> None:
    """The same errand without arguments: whatever bounds the one motion bounds the other."""
    monkeypatch.setattr(motion_trial, "Holding", Hand)
    trial = MotionTrial(tmp_path, shown)
    try:
        with pytest.raises(Asked) as asked:
            trial.held(KeyTerminal.__new__(KeyTerminal))
    finally:
        trial.close()
    assert asked.value.args == ("calibrate", {})


def test_the_grammar_knows_three_calibrations() -> None:
    """And how many contacts are waited for."""
    read = parser().parse_args
    assert read(["calibrate", "spring", "--contacts", "4"]).contacts == 4
    assert read(["calibrate", "timing", "configs/cube.toml"]).configuration == Path("configs/cube.toml")
    for wrong in (["calibrate", "nothing"], ["calibrate", "spring", "--contacts", "0"]):
        with pytest.raises(SystemExit):
            read(wrong)
