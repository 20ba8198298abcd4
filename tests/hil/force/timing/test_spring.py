"""The wrench's skew by bounces off a spring, against integrated bounces whose force is read later."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.common.arrays import Array
from hil.force.timing.spring import Loop, closed_loop, compression, spring_skew

STEP, MASS, RATE = 0.002, 60.0, 0.5 / 0.013  # [s, kg, rad/s]
FORCE_NOISE, POSITION_NOISE = 0.06, 5e-6  # [N, m]


def bounce(skew: float, seed: int, power: float = 1.0, damping: float = 0.0) -> tuple[Array, Array]:
    """Return compression and force of a bounce at 14 to 26 mm/s; the force is read `skew` late."""
    rng = np.random.default_rng(seed)
    speed = 0.02 * rng.uniform(0.7, 1.3)
    k = MASS * RATE**2 * (RATE / speed) ** (power - 1.0)

    def force(x: Array, v: Array) -> Array:
        return np.where(x > 0.0, np.maximum(k * np.maximum(x, 0.0) ** power + damping * v, 0.0), 0.0)

    def rates(_: float, y: Array) -> Array:
        return np.array([y[1], -float(force(y[0], y[1])) / MASS])

    path = solve_ivp(rates, (0.0, 0.3), [-0.1 * speed, speed], rtol=1e-8, atol=1e-11, max_step=1e-3,
                     dense_output=True).sol  # fmt: skip
    t = np.arange(0.0, 0.28, STEP) + rng.uniform(0.0, STEP)
    x = path(t)[0] + POSITION_NOISE * rng.standard_normal(len(t))
    late = path(np.maximum(t - skew, 0.0))
    return x, force(late[0], late[1]) + FORCE_NOISE * rng.standard_normal(len(t))


def loops(skew: float, seed: int, count: int = 4, **port: float) -> list[Loop]:
    found = [closed_loop(*bounce(skew, 100 * seed + k, **port), STEP) for k in range(count)]
    assert all(loop is not None for loop in found)
    return [loop for loop in found if loop is not None]


@pytest.mark.parametrize("skew", [0.0, 0.001, 0.0027, 0.006])
@pytest.mark.parametrize("power", [1.0, 1.5])
def test_the_skew_is_found_to_a_fifth_of_a_millisecond(skew: float, power: float) -> None:
    """Springs and Hertz contacts, four bounces, two seeds, the noise of an arm's estimate."""
    for seed in range(2):
        found = spring_skew(loops(skew, seed, power=power))
        assert found is not None and found.shown and not found.damped
        assert abs(found.skew - skew) < 2e-4, (seed, found)
        assert abs(found.skew - skew) < 2.0 * found.interval, (seed, found)


def test_a_damped_port_is_no_spring() -> None:
    """It looks like a wrench that is early by d / k, and is told."""
    d = 2.0 * 0.1 * MASS * RATE
    found = spring_skew(loops(0.0, 1, damping=d))
    assert found is not None and found.damped
    assert found.skew == pytest.approx(-d / (MASS * RATE**2), rel=0.1)


def test_contacts_that_disagree_widen_the_interval() -> None:
    """Each alone is sure, together they are not."""
    sure = [Loop(0.002, 1e-5), Loop(0.0021, 1e-5), Loop(0.0019, 1e-5)]
    apart = [Loop(0.001, 1e-5), Loop(0.003, 1e-5), Loop(0.002, 1e-5)]
    narrow, wide = spring_skew(sure), spring_skew(apart)
    assert narrow is not None and wide is not None
    assert narrow.shown and not wide.shown and wide.interval > 2e-3
    # theory: half of Student's interval of three values that scatter by 1 ms is 4.30 / sqrt(3) ms
    assert wide.interval == pytest.approx(4.303e-3 / math.sqrt(3.0), rel=1e-3)


def test_too_short_and_too_few_contacts_say_nothing() -> None:
    """Eight samples of a touch; two contacts."""
    x = np.zeros(100)
    x[50:58] = 1e-4 * np.hanning(10)[1:-1]
    assert closed_loop(x, 1e5 * x, STEP) is None
    assert spring_skew([Loop(0.001, 1e-5)] * 2) is None


def test_the_line_of_a_contact_carries_turns() -> None:
    """A foot beside the centre: the port is compressed by the foot's way, whatever turns."""
    foot, normal = np.array([0.1, 0.05, -0.15]), np.array([0.0, 0.0, 1.0])
    rng = np.random.default_rng(3)
    p, turns = rng.normal(0.0, 1e-3, (50, 3)), rng.normal(0.0, 1e-3, (50, 3))
    turns[0] = 0.0
    size = rng.uniform(1.0, 5.0, 50)
    wrench = np.hstack([size[:, None] * normal, size[:, None] * np.cross(foot, normal)])
    depth, force = compression(p, turns, wrench)
    feet = p + np.cross(turns, foot)
    np.testing.assert_allclose(depth, -(feet - feet[0])[:, 2], atol=1e-15)
    np.testing.assert_allclose(force, size)
