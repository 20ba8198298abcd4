"""Figures of a comparison against values that are known beforehand."""

import numpy as np
import pytest

from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import Comparison, JointComparison, compare, worst_of
from hil.trials.validation.schema import Bounds

N = 2000
T = np.linspace(0.0, 10.0, N)


def pair(offset: float = 0.0, noise: float = 0.0, external: bool = False) -> tuple[ArmRun, ArmLog]:
    """A run whose joints swing by 0.1 rad and torques by 2 N m, and a log that is off."""
    rng = np.random.default_rng(3)
    swing = np.sin(T)[:, None] * np.linspace(0.1, 1.0, 7)
    gravity = np.tile(np.linspace(-5.0, 5.0, 7), (N, 1))
    torque = 2.0 * swing + gravity
    run = ArmRun(T, swing, 0.1 * swing, torque, gravity, np.zeros((N, 3)), np.zeros((N, 3)))
    measured = gravity - torque if external else torque
    log = ArmLog("log", T, 0.1 * swing + offset, measured + noise * rng.normal(size=(N, 7)), external)
    return run, log


def test_equal_runs_differ_by_nothing() -> None:
    """No deviation, full correlation where the torque moves by more than 1 N m, none elsewhere."""
    found = compare(*pair())
    assert found.max_deviation_rad == 0.0 and found.sigma_rad == 0.0
    moves = [4.0 * share > 1.0 for share in np.linspace(0.1, 1.0, 7)]
    assert [joint.torque_correlation is not None for joint in found.joints] == moves
    assert found.torque_correlation == pytest.approx(1.0)
    assert [joint.name for joint in found.joints] == ["A1", "A2", "A3", "A4", "A5", "A6", "A7"]


def test_a_constant_offset_is_deviation_and_sigma() -> None:
    """Sigma is about zero, not about the mean: an offset is not forgiven."""
    found = compare(*pair(offset=0.003))
    assert found.max_deviation_rad == pytest.approx(0.003)
    assert found.sigma_rad == pytest.approx(0.003)


def test_one_late_sample_counts_in_full() -> None:
    """Nothing is aligned in time, and the largest deviation is that of a single sample."""
    run, log = pair()
    q = np.array(log.q)
    q[700, 2] += 0.04
    found = compare(run, ArmLog("log", T, q, log.torque))
    assert found.joints[2].max_deviation_rad == pytest.approx(0.04)
    assert found.joints[2].sigma_rad == pytest.approx(0.04 / np.sqrt(N))
    assert found.sigma_rad == pytest.approx(0.04 / np.sqrt(7 * N))


def test_noise_of_the_sensors_lowers_the_correlation_as_it_must() -> None:
    """With noise of variance s^2 on a course of variance S^2 it is 1 / sqrt(1 + s^2 / S^2)."""
    found = compare(*pair(noise=0.5))
    variance = np.var(2.0 * np.sin(T))
    assert found.joints[6].torque_correlation == pytest.approx(1.0 / np.sqrt(1.0 + 0.25 / variance), abs=0.01)
    # the bound for such a log is that much lower
    told = compare(*pair(noise=0.5), torque_noise=0.5)
    assert told.joints[6].correlation_ceiling == pytest.approx(1.0 / np.sqrt(1.0 + 0.25 / variance), abs=0.01)
    bounds = Bounds.model_validate({"deviation_rad": 0.03, "sigma_rad": 0.02})
    assert told.within(bounds) and not found.within(bounds)
    # noise alone is no movement
    quiet = compare(*pair(noise=0.1))
    assert quiet.joints[0].torque_correlation is None and quiet.joints[0].torque_range_n_m < 1.0


def test_external_torques_are_compared_with_external_ones() -> None:
    """A log without gravity is compared with gravity less the sensors' torque."""
    assert compare(*pair(external=True)).torque_correlation == pytest.approx(1.0)


def test_logs_of_other_rates_are_compared_at_their_own_samples() -> None:
    """A log with a sample in seven, unevenly spaced, has the same figures to the curve between samples."""
    run, log = pair(offset=0.002)
    rows = np.sort(np.random.default_rng(1).choice(N, N // 7, replace=False))
    found = compare(run, ArmLog("log", T[rows] + 0.0, log.q[rows], log.torque[rows]))
    assert found.sigma_rad == pytest.approx(0.002, rel=1e-6)


def test_bounds_and_the_worst_of_many() -> None:
    """A pair is within its bounds only if every figure is; the worst is taken joint by joint."""
    good = Comparison(
        (JointComparison("A1", 0.01, 0.002, 0.99, 3.0), JointComparison("A2", 0.0, 0.0, None, 0.1))
    )
    bad = Comparison(
        (JointComparison("A1", 0.005, 0.004, 0.9, 2.0), JointComparison("A2", 0.02, 0.01, None, 0.2))
    )
    bounds = Bounds.model_validate({"deviation_rad": 0.03, "sigma_rad": 0.02})
    assert good.within(bounds) and not bad.within(bounds)
    assert not good.within(bounds.model_copy(update={"deviation": 0.009}))
    assert not good.within(bounds.model_copy(update={"sigma": 0.001}))
    worst = worst_of([good, bad])
    assert worst[0] == JointComparison("A1", 0.01, 0.004, 0.9, 3.0)
    assert worst[1] == JointComparison("A2", 0.02, 0.01, None, 0.2)
