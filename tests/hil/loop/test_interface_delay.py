"""The identified interface delay, against a plant that is integrated independently (exact matrices)."""

import numpy as np
import pytest
from scipy.linalg import expm

from hil.loop.driver.interface_delay import InterfaceDelay

DT, LAG, DAMPING = 0.002, 0.010, 0.8


def commands(t, seed):
    """Smooth joint paths of about 0.1 rad/s that begin at rest."""
    rng = np.random.default_rng(seed)
    f, phase = rng.uniform(0.1, 0.4, (2, 7, 1)), rng.uniform(0, 2 * np.pi, (7, 1))
    start = 1.0 - np.exp(-((np.maximum(t, 0.0) / 0.3) ** 2))
    return (0.1 / (2 * np.pi * f[0]) * np.sin(2 * np.pi * f[0] * t + phase) * start).T


def measurements(delay, duration, seed, sag=0.0, fine=10):
    """Command and measurement (N, 7): dead time, lag by its matrix exponential, noise, float32."""
    w = 2 * DAMPING / LAG
    h = DT / fine
    M = np.zeros((3, 3))
    M[0, 1], M[1, 0], M[1, 1], M[1, 2] = 1.0, -w * w, -2 * DAMPING * w, w * w
    step = expm(M * h)
    t = np.arange(0.0, duration, DT)
    fine_t = np.arange(len(t) * fine) * h
    u = commands(fine_t - delay + 0.5 * h, seed)  # held over a fine step at its middle
    state, measured = np.zeros((2, 7)), np.empty((len(t), 7))
    state[0] = u[0]
    for n in range(len(fine_t)):
        if n % fine == 0:
            measured[n // fine] = state[0]
        state = step[:2, :2] @ state + np.outer(step[:2, 2], u[n])
    noise = np.random.default_rng(seed + 1).normal(0.0, 1e-5, measured.shape)
    return commands(t, seed), (measured + sag + noise).astype(np.float32).astype(float)


@pytest.mark.parametrize("delay", [0.0, 0.002, 0.0137, 0.06, 0.25, 0.4])
def test_delay_is_found_within_a_millisecond_after_two_seconds_of_motion(delay):
    """Dead time plus 2 z / w is what low frequencies see; a standing offset does not matter."""
    c, y = measurements(delay, 5.0, seed=11, sag=2e-3)
    estimator = InterfaceDelay(0.012, DT)
    estimates = np.array([estimator.step(a, b) for a, b in zip(c, y, strict=True)])
    late = estimates[round((2.0 + delay) / DT) :]
    assert np.abs(late[:, 0] - delay - LAG).max() < 1e-3 and late[:, 1].all()


def test_estimate_holds_without_motion_and_follows_a_change():
    """Nothing is learned at rest, from noise; a robot that becomes slower is noticed when it moves again."""
    c, y = measurements(0.02, 3.0, seed=4)
    estimator = InterfaceDelay(0.012, DT)
    for a, b in zip(c, y, strict=True):
        learned, _ = estimator.step(a, b)
    rng = np.random.default_rng(0)
    for _ in range(3000):
        held, _ = estimator.step(c[-1], y[-1] + rng.normal(0, 1e-5, 7))
    assert abs(held - learned) < 3e-4
    estimator.interrupt()
    c, y = measurements(0.05, 12.0, seed=6)
    for a, b in zip(c, y, strict=True):
        changed, _ = estimator.step(a, b)
    assert abs(changed - 0.06) < 1e-3


def test_a_measurement_that_does_not_follow_teaches_nothing():
    """A robot that stands, shakes on its own, or sends what is not finite leaves the first estimate alone."""
    c, y = measurements(0.02, 4.0, seed=1)
    shaking = np.random.default_rng(3).normal(0.0, 0.01, y.shape)
    for measured in (shaking, np.zeros_like(y), np.full_like(y, np.nan)):
        estimator = InterfaceDelay(0.012, DT)
        for a, b in zip(c, measured, strict=True):
            estimate, confident = estimator.step(a, b)
        assert not confident and estimate == 0.012


def test_the_estimate_never_leaves_its_range():
    """Measurements of quite another motion may mislead it, never beyond the lags that it knows."""
    t = np.arange(0.0, 6.0, DT)
    for seed in range(4):
        estimator = InterfaceDelay(0.012, DT)
        for a, b in zip(commands(t, seed), commands(t, seed + 50), strict=True):
            estimate, _ = estimator.step(a, b)
            assert 0.0 <= estimate <= 0.51


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.25])
def test_missing_answers_do_not_shorten_the_delay(delay):
    """One answer in ten missing, some three at a time: lags count in the robot's cycles all the same."""
    c, y = measurements(delay, 6.0, seed=21)
    rng = np.random.default_rng(5)
    estimator = InterfaceDelay(0.012, DT)
    last, found = 0, []
    for k in range(len(c)):
        if k - last < 4 and k % 10 and rng.random() < 0.1:
            continue
        found.append(estimator.step(c[k], y[k], max(1, k - last)))
        last = k
    late = np.array(found)[-500:]
    assert np.abs(late[:, 0] - delay - LAG).max() < 1e-3 and late[:, 1].all()


def test_an_interruption_begins_the_stream_anew():
    """What came before, elsewhere and too slow to teach anything, leaves no trace: as of a fresh stream."""
    c, y = measurements(0.02, 4.0, seed=3)
    elsewhere = np.linspace(0.5, 1.5, 7)
    interrupted, fresh = InterfaceDelay(0.012, DT), InterfaceDelay(0.012, DT)
    for k in range(400):
        slow = elsewhere + 1e-3 * np.sin(2.0 * DT * k)  # 5 mm/s in the norm: half of what counts as motion
        interrupted.step(slow, slow - 1e-4 * k * DT)
    assert interrupted.estimate == 0.012 and not interrupted.confident
    interrupted.interrupt()
    for a, b in zip(c, y, strict=True):
        assert interrupted.step(a, b) == fresh.step(a, b)
    assert fresh.confident


@pytest.mark.parametrize("delay", [0.0124, 0.0128, 0.0132, 0.0136])
def test_the_delay_is_found_within_a_fraction_of_a_cycle(delay):
    """Between two lags the parabola tells: to a twentieth of the cycle."""
    c, y = measurements(delay, 6.0, seed=8)
    estimator = InterfaceDelay(0.012, DT)
    estimates = np.array([estimator.step(a, b)[0] for a, b in zip(c, y, strict=True)])
    assert np.abs(estimates[-500:] - delay - LAG).max() < 0.05 * DT


def test_a_delay_beyond_the_longest_is_not_taken_for_the_longest():
    """A robot a little slower than what is looked for: the first estimate stays, and is not relied on."""
    longest = 0.05
    c, y = measurements(longest + 0.0035 - LAG, 4.0, seed=2)
    estimator = InterfaceDelay(0.012, DT, max_delay=longest)
    for a, b in zip(c, y, strict=True):
        estimate, confident = estimator.step(a, b)
        assert not confident
    assert estimate == 0.012


@pytest.mark.parametrize("broken", ["command", "measured"])
def test_numbers_that_are_none_are_passed_over(broken):
    """In the midst of motion, for some cycles: what comes after them is learned as before."""
    c, y = measurements(0.02, 6.0, seed=9)
    (c if broken == "command" else y)[1000:1005, 3] = np.nan
    estimator = InterfaceDelay(0.012, DT)
    for a, b in zip(c, y, strict=True):
        estimate, confident = estimator.step(a, b)
        assert np.isfinite(estimate)
    assert confident and abs(estimate - 0.02 - LAG) < 1e-3
