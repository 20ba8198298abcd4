"""The plan as a function of wall time."""

import numpy as np
import pytest

from hil.common.time_map import object_time_at
from planner.following.reference import BEFORE_START, BEYOND_END, INSIDE, Reference, reference_into
from tests.planner.following.following_cases import HOME, line, plan_of, swing


def quintic(seed):
    """A random polynomial of degree 5 for each joint, and its derivatives."""
    c = np.random.default_rng(seed).normal(size=(6, 7))

    def motion(s):
        powers = np.concatenate([s**k for k in range(6)], axis=1)
        first = np.concatenate([0 * s] + [k * s ** (k - 1) for k in range(1, 6)], axis=1)
        second = np.concatenate([0 * s] * 2 + [k * (k - 1) * s ** (k - 2) for k in range(2, 6)], axis=1)
        return powers @ c, first @ c, second @ c

    return motion


def test_a_polynomial_of_degree_five_is_reproduced_between_nodes():
    """Quintic Hermite interpolation is exact on degree five, in value and both derivatives."""
    motion = quintic(3)
    reference = Reference(plan_of(motion, 0.0, begin=0.0, end=1.0, step=0.1))
    for t in np.linspace(0.0, 1.0, 37):
        out, where = reference.at(round(t * 1e9))
        assert where == INSIDE
        for got, want in zip(out, motion(np.array([[round(t * 1e9) * 1e-9]])), strict=True):
            np.testing.assert_allclose(got, want[0], atol=1e-9)


def test_error_falls_with_the_sixth_power_of_the_step():
    """The method's order is six: half the step, a 64th of the error."""
    motion = swing(np.ones(7), 1.5)
    errors = []
    for step in (0.2, 0.1):
        reference = Reference(plan_of(motion, 0.0, begin=0.0, end=2.0, step=step))
        t = np.linspace(0.0, 2.0, 101)
        got = np.array([reference.at(round(x * 1e9))[0][0] for x in t])
        errors.append(np.abs(got - motion(t[:, None])[0]).max())
    assert 45.0 < errors[0] / errors[1] < 90.0


@pytest.mark.parametrize("t", [0.05, 0.15, 0.29, 0.6])
def test_derivatives_by_wall_time_while_object_time_slows(t):
    """Velocity and acceleration are the derivatives of position by wall time, also while the lead slews."""
    time_map = np.array([0.1, 0.1, 1.0, 0.2])
    reference = Reference(plan_of(swing(np.ones(7), 2.0), 0.0, time_map=time_map))
    rate, slew = 0.02, 0.04

    def look(x):
        return t + (1.0 + rate) * x + 0.5 * slew * x * x

    def at(x):
        out = np.empty((3, 7))
        r = reference
        reference_into(out, r.nodes, r.s_0, r.step, r.time_map, look(x), 1.0 + rate + slew * x, slew)
        return out

    h = 1e-4
    before, now, after = at(-h), at(0.0), at(h)
    np.testing.assert_allclose((after[0] - before[0]) / (2 * h), now[1], atol=1e-5)
    np.testing.assert_allclose((after[1] - before[1]) / (2 * h), now[2], atol=1e-4)
    s, _, _ = object_time_at(time_map, t)
    np.testing.assert_allclose(now[0], swing(np.ones(7), 2.0)(np.array([[s]]))[0][0], atol=1e-7)


def test_outside_the_plan_is_said_and_continued_at_constant_velocity():
    """Before the first and behind the last node the flag is set and the position runs on straight."""
    velocity = np.linspace(-0.2, 0.3, 7)
    reference = Reference(plan_of(line(velocity), 0.0, begin=0.0, end=1.0))
    for t, flag in ((-0.1, BEFORE_START), (1.2, BEYOND_END)):
        out, where = reference.at(round(t * 1e9))
        assert where == flag
        np.testing.assert_allclose(out[0], HOME + velocity * t, atol=1e-12)
        np.testing.assert_allclose(out[2], 0.0)


def test_behind_the_end_the_last_node_goes_on():
    """From its place and at its velocity, which are those of no other node."""
    motion = swing(np.ones(7), 2.0)
    reference = Reference(plan_of(motion, 0.0, begin=0.0, end=0.6))
    q, dq, _ = motion(np.array([[0.6]]))
    out, where = reference.at(round(0.7e9))
    assert where == BEYOND_END
    np.testing.assert_allclose(out[0], q[0] + 0.1 * dq[0], atol=1e-12)
    np.testing.assert_allclose(out[1], dq[0], atol=1e-12)


def test_plans_that_cannot_be_followed_say_why():
    """One node, or a value that is not finite, is a fault with the plan's number in it."""
    good = plan_of(line(np.zeros(7)), 0.0, number=17)
    assert Reference(good).fault == ""
    short = plan_of(line(np.zeros(7)), 0.0, begin=0.0, end=0.0, number=17)
    assert "plan 17 has 1 nodes" in Reference(short).fault
    bad = plan_of(line(np.full(7, np.nan)), 0.0, number=17)
    assert "plan 17 holds values that are not finite" in Reference(bad).fault
