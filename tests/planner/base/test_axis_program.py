"""The program of an axis against another solver, its bounds, and the closed form of a push."""

import numpy as np
import pytest
from scipy.optimize import minimize

from planner.base.axis_program import CHANGE, EFFORT, KNOT, KNOTS, axis_program, solve_axis_into

V, A, SCALE = 0.35, 0.3, 0.06
PROGRAM = axis_program(V, A, SCALE)
SUMS = KNOT * np.tril(np.ones((KNOTS, KNOTS)))


def solved(x, v, a_0, wanted, apart=np.inf):
    """The accelerations, and the iterations."""
    a = np.empty(KNOTS)
    used = solve_axis_into(a, np.zeros((2, KNOTS)), PROGRAM, x, v, a_0, np.asarray(wanted, float), apart)
    return a, used


def cost(a, x, v, a_0, wanted):
    """What the program minimises, written down anew: the motion is integrated knot by knot."""
    total, before = 0.0, a_0
    for k in range(KNOTS):
        x, v = x + v * KNOT + 0.5 * a[k] * KNOT**2, v + a[k] * KNOT
        total += (
            ((x - wanted[k]) / SCALE) ** 2 + EFFORT * (a[k] / A) ** 2 + CHANGE * ((a[k] - before) / A) ** 2
        )
        before = a[k]
    return total


def cases(count):
    """Seeded starts and wishes, most of them beyond what the axis can do."""
    rng = np.random.default_rng(3)
    for _ in range(count):
        x, v, a_0 = rng.normal(0.0, 0.05), rng.uniform(-V, V), rng.uniform(-A, A)
        yield x, v, a_0, rng.normal(0.0, 0.1) + rng.uniform(-0.035, 0.035) * np.arange(1, KNOTS + 1)


def test_no_other_path_is_cheaper():
    """Of wishes in and out of reach the cost is that of a general solver, to a hundredth.

    Oracle: SLSQP with both bounds; where it ends above ours it has not converged.
    """
    bound = 0
    for case in cases(25):
        v = case[1]
        a, used = solved(*case)
        limits = {"type": "ineq", "fun": lambda a, v=v: np.concatenate((V - v - SUMS @ a, V + v + SUMS @ a))}
        other = minimize(cost, np.zeros(KNOTS), case, "SLSQP", bounds=[(-A, A)] * KNOTS, constraints=limits)
        assert cost(a, *case) <= 1.01 * other.fun + 1e-6, case
        bound += used > 0
    assert 5 < bound < 25  # some with and some without bounds in force


def test_bounds_hold_whatever_is_wished():
    """Speeds and accelerations keep their bounds, also where the iterations end before they converge."""
    for x, v, a_0, wanted in cases(300):
        a, _ = solved(x, v, a_0, 40.0 * wanted)
        assert np.abs(a).max() <= A * (1.0 + 1e-12)
        assert np.abs(v + SUMS @ a).max() <= V * (1.0 + 1e-12)


def test_a_speed_beyond_its_bound_is_braked():
    """An axis that is too fast already brakes at its full acceleration until it is not."""
    a, _ = solved(0.0, 0.5, 0.0, 10.0 * np.ones(KNOTS))
    assert a[:4] == pytest.approx(-A * np.ones(4))
    assert (0.5 + SUMS @ a)[-1] <= V * (1.0 + 1e-12)


def test_what_is_wanted_is_caught_up_with_no_faster_than_is_allowed():
    """Behind by 0.2 m, what is wanted moves on: 0.05 m/s faster than that, and as cheap as another solver's.

    Oracle: SLSQP with the bound on the speed; the acceleration lets it be kept from the second knot on.
    """
    wanted, apart = 0.2 + 0.06 * KNOT * np.arange(1, KNOTS + 1), 0.05
    free, _ = solved(0.0, 0.05, 0.0, wanted)
    assert (0.05 + SUMS @ free).max() > 0.06 + 2.0 * apart
    a, used = solved(0.0, 0.05, 0.0, wanted, apart)
    assert used > 0 and (0.05 + SUMS @ a).max() <= 0.06 + apart + 1e-12
    limits = {"type": "ineq", "fun": lambda a: 0.06 + apart - 0.05 - SUMS @ a}
    case = (0.0, 0.05, 0.0, wanted)
    other = minimize(cost, np.zeros(KNOTS), case, "SLSQP", bounds=[(-A, A)] * KNOTS, constraints=limits)
    assert cost(a, *case) <= 1.01 * other.fun


def test_what_moves_away_too_fast_is_followed_at_the_full_acceleration():
    """At rest, and what is wanted runs at 0.2 m/s: W of 0.05 m/s is kept as soon as the axis can."""
    a, _ = solved(0.0, 0.0, 0.0, 0.2 * KNOT * np.arange(1, KNOTS + 1), 0.05)
    speeds = SUMS @ a
    assert a[:5] == pytest.approx(A * np.ones(5)) and np.abs(speeds[5:] - 0.2).max() <= 0.05 + 1e-9
