"""Drives and skew by the motion by hand: the driver on virtual time, with no look at the emulator's keys."""

from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import CONFIGS
from bench.load_campaign import Campaign
from hil.common.errors import OperatorError
from hil.configuration import Configuration, load_configuration
from hil.configuration.tables.emulation import Emulator
from hil.loop.calibration.circled_rows import circled_rows
from hil.loop.calibration.shape import DURATION
from hil.loop.calibration.shown_timing import FoundTiming, timing_shown
from hil.loop.calibration.timing_words import timing_lines
from hil.messaging.messages import CycleBlock

DRIVES = ("emulator.lag_ms=14", "emulator.damping=0.6", "emulator.delay_ms=5")
TRUTH = np.array([0.007, 0.014, 0.6])


def shown(name: str, *settings: str) -> tuple[FoundTiming, Configuration]:
    """What the motion shows of an emulated arm with these keys, by a configuration that has none of them."""
    c = load_configuration(Path(CONFIGS / name), list(settings))
    blind = c.model_copy(update={"emulator": Emulator()})
    return timing_shown(Campaign(c).blocks, blind), blind


def test_drives_and_skew_of_the_estimate() -> None:
    """A mock-up of which the load data knows nothing; noise as in the default run."""
    found, c = shown(
        "contact.toml", *DRIVES, "emulator.wrench.skew_ms=4", "mockup.uncompensated=1.0",
        "approach.contact_force_n=25",
    )  # fmt: skip
    drive = found.drive
    assert drive.apart and drive.suits
    np.testing.assert_allclose([drive.dead_time, drive.lag, drive.damping], TRUTH, atol=1e-4)
    assert found.skew.shown and abs(found.skew.skew - 0.004) < 5e-4, found.skew
    lines = timing_lines(found, c)
    assert "drive_lag_ms = 14.00" in lines and "drive_damping = 0.600" in lines
    assert "lead_time_ms = 21.00" in lines and any(line.startswith("wrench_skew_ms = ") for line in lines)


def test_a_force_sensor_shows_its_lateness_by_the_whole_load() -> None:
    """Its filter's 3 ms; weight and inertia that the driver has taken out are put back first."""
    found, _ = shown("sensor.toml", "emulator.sensor.lag_ms=3")
    assert found.skew.shown and abs(found.skew.skew - 0.003) < 2e-4, found.skew


def test_good_load_data_show_no_skew_and_that_is_said() -> None:
    """0.5 kg missed: the interval is wide, covers the truth, and no key of it is printed."""
    found, c = shown("contact.toml", "emulator.wrench.skew_ms=3")
    assert not found.skew.shown and abs(found.skew.skew - 0.003) < 1.5 * found.skew.interval
    lines = timing_lines(found, c)
    assert not any("wrench_skew_ms" in line for line in lines) and "drive_lag_ms = 10.00" in lines
    assert any("zerog calibrate spring" in line for line in lines)


def blocks_of(command: np.ndarray) -> list[CycleBlock]:
    n = len(command)
    stamps = np.zeros((n, 6), np.int64)
    return [CycleBlock(0, stamps, np.zeros((n, 5), np.int64), command, command, np.zeros((n, 6)))]


def test_the_last_long_stretch_is_taken_and_short_ones_are_not() -> None:
    """Legs between poses, a motion that was broken off: they show too little, and nothing else moved."""
    step = 0.01
    long, short, rest = round(DURATION / step), round(1.0 / step), round(0.4 / step)
    still = np.zeros((rest, 7))
    moves = np.arange(1.0, long + 1.0)[:, None] * np.ones((1, 7))
    before = np.concatenate([still, moves[:short], moves[short - 1] + still])
    after = moves[-1] + np.concatenate([still, moves[:short], still])
    command = np.concatenate([before, moves[short - 1] + moves, moves[short - 1] + after])
    part = circled_rows(blocks_of(command), step)
    assert part.start == len(before) - 1 and part.stop == len(before) + long + round(0.1 / step)
    with pytest.raises(OperatorError, match="hold on until"):
        circled_rows(blocks_of(np.concatenate([still, moves[:short], moves[short] + still])), step)
    with pytest.raises(OperatorError, match="no cycles"):
        circled_rows([], step)
