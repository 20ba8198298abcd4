"""The robot's part against a plant known by its frequency response."""

from dataclasses import replace

import numpy as np
import pytest

from hil.analysis.latency.robot_part import robot_part
from hil.messaging.messages import CYCLE_NEW_SESSION
from tests.hil.analysis.latency.recordings import closed_form_robot, with_delay

WITHIN = 0.5e-3  # [s]


def some_missing(rng, count):
    """Irregular cycles: 5 % are missing one by one, and now and then ten in a row."""
    kept = rng.random(count) > 0.05
    for start in rng.integers(0, count, count // 1000):
        kept[start : start + 10] = False
    return kept


@pytest.mark.parametrize("sample_time", [0.001, 0.002])
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.12, 0.25])
def test_the_configured_delay_is_identified_within_half_a_millisecond(cube, delay, sample_time):
    """Low frequencies see T + delay + 2 z / w; with noise, 32-bit floats and missing cycles."""
    c = with_delay(cube, delay, sample_time)
    found = robot_part(closed_form_robot(c, 8.0, 3, some_missing))
    assert found.identified == pytest.approx(delay, abs=WITHIN)
    assert found.total == pytest.approx(sample_time + delay + c.emulator.lag, abs=WITHIN)
    assert found.cross_correlation == pytest.approx(found.total, abs=WITHIN)
    assert found.residual < 1e-3


def test_the_lag_is_told_from_the_dead_time(cube):
    """A slow, heavily damped plant (30 ms, two real poles) is mostly lag, a sharp delay none."""
    slow = robot_part(closed_form_robot(with_delay(cube, 0.0, lag=0.03, damping=2.5), 8.0, 5))
    sharp = robot_part(closed_form_robot(with_delay(cube, 0.03, lag=0.001), 8.0, 5))
    assert slow.lag > 0.025 and slow.dead_time < 0.007
    assert sharp.lag < 0.003 and sharp.dead_time > 0.029


def test_the_on_line_estimate_agrees_where_no_cycle_is_missing(cube):
    """Two methods, one plant: within a millisecond of each other."""
    found = robot_part(closed_form_robot(with_delay(cube, 0.02), 10.0, 8))
    assert found.on_line == pytest.approx(found.total, abs=1e-3)


def test_an_arm_that_stands_or_moves_on_its_own_tells_nothing(cube):
    """Noise, and motion that no command explains, give no figure instead of a wrong one."""
    recording = closed_form_robot(cube, 8.0, 2)
    cycles = recording.cycles
    still = replaced(recording, q_command=0.0 * cycles.q_command, q_measured=1e-6 * cycles.q_measured)
    assert robot_part(still) is None
    assert robot_part(replaced(recording, q_measured=cycles.q_measured[::-1].copy())) is None


def test_nothing_is_learned_across_a_new_session(cube):
    """A jump of command and arm between two sessions is no motion: the figure stays."""
    recording = closed_form_robot(cube, 16.0, 4)
    cycles, half = recording.cycles, len(recording.cycles.counts) // 2
    jump = np.where(np.arange(2 * half) < half, 0.0, 0.3)[:, None]
    counts = cycles.counts.copy()
    counts[half, 4] |= CYCLE_NEW_SESSION
    moved = replaced(
        recording, q_command=cycles.q_command + jump, q_measured=cycles.q_measured + jump, counts=counts
    )
    assert robot_part(moved).total == pytest.approx(robot_part(recording).total, abs=1e-4)


def replaced(recording, **columns):
    """The recording with other columns of its cycles."""
    return replace(recording, cycles=replace(recording.cycles, **columns))
