"""Dead time, lag and damping of drives from one motion, against a plant with known ones."""

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.force.timing.drive_fit import found_drive
from tests.hil.force.timing.plant import STEP, followed, motion

NOISE = 1e-5  # [rad]
CASES = [
    (0.002, 0.010, 0.8),
    (0.0075, 0.014, 0.6),
    (0.02, 0.025, 1.2),
    (0.1, 0.012, 0.5),
    (0.0031, 0.009, 0.9),
]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("dead_time", "lag", "damping"), CASES)
def test_the_drives_are_found_through_noise_and_sag(
    seed: int, dead_time: float, lag: float, damping: float
) -> None:
    """Each within twice its interval, the sum to 0.1 ms; an offset of every joint does not matter."""
    rng, u = np.random.default_rng(seed), motion(seed)
    y = followed(u, dead_time, lag, damping) + rng.normal(0.0, NOISE, u.shape) + rng.normal(0.0, 1e-3, 7)
    found = found_drive(u, y, STEP)
    case = f"seed {seed}: {found}"
    assert found.apart and found.suits, case
    errors = np.abs([found.dead_time - dead_time, found.lag - lag, found.damping - damping])
    assert (errors <= 2.0 * found.intervals).all(), case
    assert (found.intervals < [5e-4, 5e-4, 0.05]).all(), case
    assert abs(found.total - dead_time - lag) < min(1e-4, 2.0 * found.total_interval + 1e-6), case


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    """95 % of the seeds: of 24, at least 19 (of a binomial 99.9 % are), each of the three."""
    hits = np.zeros(3)
    u = motion(7)
    y = followed(u, 0.006, 0.01, 0.8)
    for seed in range(24):
        found = found_drive(u, y + np.random.default_rng(seed).normal(0.0, 3e-5, u.shape), STEP)
        hits += np.abs([found.dead_time - 0.006, found.lag - 0.01, found.damping - 0.8]) <= found.intervals
    assert (hits >= 19).all(), hits
    assert (found.intervals[:2] < 1e-3).all(), "so wide that anything would be covered"


def test_noise_that_hangs_together_widens_the_intervals() -> None:
    """The same noise, smeared over 60 ms at the same size: it does not average out."""
    u = motion(8)
    y, white = followed(u, 0.006, 0.01, 0.8), np.random.default_rng(8).normal(0.0, 3e-5, u.shape)
    smeared = np.stack([np.convolve(x, np.ones(30) / np.sqrt(30.0), "same") for x in white.T], axis=1)
    narrow, wide = found_drive(u, y + white, STEP), found_drive(u, y + smeared, STEP)
    assert (wide.intervals > 2.0 * narrow.intervals).all(), (narrow, wide)


def test_a_slow_motion_tells_the_sum_only_and_says_so() -> None:
    """0.2 Hz: lag and dead time are the same there, their sum is not; no key of them would be honest."""
    t = np.arange(0.0, 6.0, STEP)[:, None]
    u = 0.05 * (1.0 - np.cos(2.0 * np.pi * 0.2 * t)) * np.ones((1, 7))
    y = followed(u, 0.004, 0.010, 0.8) + np.random.default_rng(1).normal(0.0, 5e-5, u.shape)
    found = found_drive(u, y, STEP)
    assert not found.apart
    assert found.total == pytest.approx(0.014, abs=3.0 * found.total_interval + 1e-5)


def test_drives_that_are_no_lag_are_told() -> None:
    """A joint with a play of 0.5 mrad, of which no lag is the model."""
    u = motion(3)
    y = followed(u, 0.002, 0.01, 0.8)
    played = y.copy()
    for k in range(1, len(y)):
        played[k] = np.clip(played[k - 1], y[k] - 5e-4, y[k] + 5e-4)
    assert found_drive(u, y, STEP).suits
    assert not found_drive(u, played, STEP).suits


def test_joints_that_differ_are_told() -> None:
    """One joint 3 ms later than the others: the spread says so, and the sum is theirs together."""
    u = motion(4)
    y = followed(u, 0.002, 0.01, 0.8)
    y[:, 2] = followed(u[:, 2:3], 0.005, 0.01, 0.8)[:, 0]
    found = found_drive(u, y, STEP)
    assert found.spread > 1.5e-3 and found_drive(u, followed(u, 0.002, 0.01, 0.8), STEP).spread < 1e-5


def test_what_does_not_follow_or_move_is_refused() -> None:
    """An arm that stands, one that does something else, and too few cycles."""
    u = motion(5)
    with pytest.raises(OperatorError, match="does not follow"):
        found_drive(u, u[::-1] + 0.1 * np.random.default_rng(1).standard_normal(u.shape), STEP)
    with pytest.raises(OperatorError, match="too little"):
        found_drive(np.zeros((500, 7)), np.zeros((500, 7)), STEP)
    with pytest.raises(OperatorError, match="too little"):
        found_drive(u[:50], u[:50], STEP)
