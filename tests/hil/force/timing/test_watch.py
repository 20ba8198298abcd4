"""Whether the drives' model is in time with the arm, against a plant with known drives."""

import numpy as np
import pytest

from hil.common.arrays import Array
from hil.force.setup import DriveModel
from hil.force.timing.watch import DriveWatch, _go_on
from tests.hil.force.timing.plant import STEP, followed

NOISE = 5e-6  # [m]


def flight(seed: int, seconds: float = 12.0) -> Array:
    """Return the commanded centre [m], (n, 3): flights at 30 mm/s, turned about now and then."""
    rng = np.random.default_rng(seed)
    count = round(seconds / STEP)
    v = np.repeat(rng.normal(0.0, 0.02, (count // 1000 + 1, 3)), 1000, axis=0)[:count]
    v[:100] = 0.0
    kernel = np.hanning(102)[1:-1] / np.hanning(102)[1:-1].sum()
    smooth = np.stack([np.convolve(x, kernel, "full")[:count] for x in v.T], axis=1)
    return np.cumsum(smooth, axis=0) * STEP


def watched(drive: DriveModel, u: Array, x: Array, cycles: int = 1) -> DriveWatch:
    """Let a watch see a flight, or every so many cycles of it."""
    watch = DriveWatch(STEP, drive)
    for k in range(0, len(u), cycles):
        watch.take(u[k], x[k], cycles if k else 1)
    return watch


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("wrong", [0.0, 0.002, -0.002, 0.0007])
def test_a_model_that_is_wrong_is_noticed(seed: int, wrong: float) -> None:
    """By how much, within 0.1 ms and the interval, through noise and an offset; warned of beyond 1 ms."""
    rng, u = np.random.default_rng(seed), flight(seed)
    x = followed(u, 0.006, 0.01, 0.8) + rng.normal(0.0, NOISE, u.shape) + rng.normal(0.0, 1e-4, 3)
    found = watched(DriveModel(0.006 - wrong, 0.01, 0.8), u, x).lateness()
    assert found is not None
    assert abs(found.late - wrong) < 1e-4 and abs(found.late - wrong) <= 1.5 * found.interval + 2e-5, found
    assert found.wrong == (abs(wrong) > 1e-3), found


def test_the_interval_covers_the_truth() -> None:
    """Noise that hangs together over 50 ms, as a swinging arm's: of 20 seeds at least 16 are within."""
    hits, u = 0, flight(4)
    x = followed(u, 0.006, 0.01, 0.8)
    kernel = np.ones(25) / 5.0
    for seed in range(20):
        white = np.random.default_rng(seed).normal(0.0, 2e-5, u.shape)
        noise = np.stack([np.convolve(row, kernel, "same") for row in white.T], axis=1)
        found = watched(DriveModel(0.006, 0.01, 0.8), u, x + noise).lateness()
        assert found is not None and found.interval < 1e-3
        hits += abs(found.late) <= found.interval
    assert hits >= 16, hits


def test_a_delay_that_is_taken_anew_is_carried_over() -> None:
    """Half way the model learns 2 ms more: at once nothing is wrong, though the past was not so."""
    u = flight(5)
    x = followed(u, 0.008, 0.01, 0.8)
    watch = DriveWatch(STEP, DriveModel(0.006, 0.01, 0.8))
    for k in range(len(u)):
        if k == len(u) // 2:
            found = watch.lateness()
            assert found is not None and abs(found.late - 0.002) < 1e-4
            watch.retime(DriveModel(0.008, 0.01, 0.8))
        watch.take(u[k], x[k])
    found = watch.lateness()
    assert found is not None and abs(found.late) < 1e-4 and not found.wrong


def test_samples_that_are_missing_shift_nothing() -> None:
    """Every second one only: the model goes on over the others."""
    u = flight(6)
    u[1::2] = 0.5 * (u[:-1:2] + np.concatenate([u[2::2], u[-1:]])[: len(u[1::2])])
    x = followed(u, 0.008, 0.01, 0.8)
    found = watched(DriveModel(0.006, 0.01, 0.8), u, x, cycles=2).lateness()
    assert found is not None and abs(found.late - 0.002) < 1e-4


def test_what_was_warmed_is_all_that_is_compiled() -> None:
    """Places come as columns of poses, which lie apart in memory: another kernel would hold up the cycle."""
    watch = DriveWatch(STEP, DriveModel(0.002, 0.01, 0.8))
    watch.warm()
    compiled = len(_go_on.signatures)
    pose = np.eye(4)
    watch.take(pose[:3, 3], pose[:3, 3])
    watch.take(pose[:3, 3], pose[:3, 3], 2, False)
    assert len(_go_on.signatures) == compiled


def test_at_rest_and_soon_after_a_beginning_nothing_is_said() -> None:
    """Noise at rest is no motion."""
    still = np.zeros((2000, 3))
    x = still + np.random.default_rng(1).normal(0.0, NOISE, still.shape)
    assert watched(DriveModel(0.002, 0.01, 0.8), still, x).lateness() is None
    u = flight(7)[:300]
    assert watched(DriveModel(0.002, 0.01, 0.8), u, u).lateness() is None
