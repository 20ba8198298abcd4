"""Two balls that touch: opposite forces at one point, and a bounce of two free bodies as it should be."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from drivers.emulation.port.noses import Noses
from hil.configuration.shared_pair import Touch

STEP = 1e-4  # [s]
STIFFNESS, DAMPING = 2e4, 60.0
MASSES = 60.0, 40.0


def pose(p) -> np.ndarray:
    """A pose that is not turned."""
    T = np.eye(4)
    T[:3, 3] = p
    return T


def facing(gap: float, beside: float = 0.0) -> tuple[Noses, list[np.ndarray]]:
    """Two bodies along x with their noses apart, one of them beside the line."""
    places = [np.zeros(3), np.array([0.36 + gap, beside, 0.0])]
    touch = Touch(stiffness_n_per_m=STIFFNESS, damping_n_s_per_m=DAMPING)
    noses = np.array([[0.15, 0.0, 0.0], [-0.15, 0.0, 0.0]])
    return Noses(touch, noses, np.array([0.04, 0.02]), (pose(places[0]), pose(places[1]))), places


def test_what_one_feels_the_other_feels_the_opposite_of() -> None:
    """Force and angular momentum sum up to nothing, though one is a step ahead of the other."""
    noses, (a, b) = facing(-0.002, 0.01)
    twists = np.array([0.02, 0.0, 0.0, 0.0, 0.3, 0.1]), np.array([-0.01, 0.0, 0.01, 0.2, 0.0, 0.0])
    first, second = noses.ends
    for k in range(4):  # as the controllers do: two steps of the one, then the same two of the other
        wrenches = []
        for end, p, twist in ((first, a, twists[0]), (second, b, twists[1])):
            for i in range(2):
                t = (2 * k + i) * STEP
                end.step(t, t + STEP, pose(p + twist[:3] * (t + STEP)), twist)
                wrenches.append((p + twist[:3] * (t + STEP), end.wrench_world.copy()))
        for (p_1, one), (p_2, other) in ((wrenches[0], wrenches[2]), (wrenches[1], wrenches[3])):
            assert np.linalg.norm(one[:3]) > 10.0
            assert one[:3] == pytest.approx(-other[:3], abs=1e-12)
            moments = one[3:] + np.cross(p_1, one[:3]) + other[3:] + np.cross(p_2, other[:3])
            assert np.abs(moments).max() < 1e-12
    assert np.abs(wrenches[0][1][3:]).max() > 0.01  # the line of the force passes the centre


def test_balls_that_are_apart_feel_nothing_and_nothing_pulls() -> None:
    """The gap is told; a damper does not hold on to what parts fast."""
    noses, (a, _) = facing(0.005)
    end = noses.ends[0]
    end.step(0.0, STEP, pose(a), np.zeros(6))
    assert not end.wrench_world.any()
    assert end.penetration == pytest.approx(-0.005)
    noses, _ = facing(-0.0001)
    noses.ends[0].step(0.0, STEP, pose(a), np.array([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    assert noses.depth > 0.0
    assert not noses.ends[0].wrench_world.any()


def test_two_free_bodies_bounce_as_the_law_says() -> None:
    """Beside the same bodies in one equation of their distance, integrated by scipy; momentum is kept."""
    noses, (a, b) = facing(0.001)
    v, p = [np.array([0.03, 0.0, 0.0]), np.array([0.01, 0.0, 0.0])], [a.copy(), b.copy()]
    for k in range(2500):
        for i, (end, m) in enumerate(zip(noses.ends, MASSES, strict=True)):
            p[i] = p[i] + STEP * v[i]
            end.step(k * STEP, (k + 1) * STEP, pose(p[i]), np.array([*v[i], 0.0, 0.0, 0.0]))
            v[i] = v[i] + STEP / m * end.wrench_world[:3]
    reduced = 1.0 / sum(1.0 / m for m in MASSES)

    def rate(_, y):
        return [y[1], max(0.0, STIFFNESS * y[0] + DAMPING * y[1]) / -reduced if y[0] > 0.0 else 0.0]

    true = solve_ivp(rate, (0.0, 0.25), [-0.001, 0.02], max_step=1e-4, rtol=1e-9, atol=1e-12).y[1, -1]
    assert v[0][0] - v[1][0] == pytest.approx(true, rel=5e-3)
    assert MASSES[0] * v[0][0] + MASSES[1] * v[1][0] == pytest.approx(2.2, abs=1e-9)
    assert [len(end.touches.records) for end in noses.ends] == [1, 1]
