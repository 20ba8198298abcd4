"""A user's joint stream: smooth, within limits, a function of the orders alone."""

import numpy as np
import pytest

from bench.acceptance import inside_trials as trials
from sim.world.flight.inside_setting import arm_of
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.joint_orders import RESTING, JointOrders


@pytest.fixture(scope="module")
def arm() -> ArmTree:
    """The arm of the shipped servicer."""
    return arm_of(trials.shipped("servicer"))


def test_orders_are_joined_smoothly_held_and_come_to_rest(arm: ArmTree) -> None:
    """The line of an order is met and kept to.

    After the silence the joints stand; no step in place or speed.
    """
    orders = JointOrders(arm, np.zeros(7), 1.0, 1.0)
    assert orders.take(0.5, np.full(7, 0.01), np.full(7, 0.1)) == 0.5
    q, dq = orders.path.at(1.0)
    assert q == pytest.approx(0.01 + 0.1 * 0.5) and dq == pytest.approx(0.1)
    end, still = orders.path.at(9.0)
    assert end == pytest.approx(0.01 + 0.1 * (1.0 + 0.5 * RESTING)) and not still.any()
    s = np.linspace(0.4, 1.8, 1401)
    found = [orders.path.at(float(t)) for t in s]
    q, dq = np.array([a for a, _ in found]), np.array([b for _, b in found])
    assert np.gradient(q, s, axis=0)[2:-2] == pytest.approx(dq[2:-2], abs=2e-2)
    assert np.abs(np.diff(dq, axis=0)).max() < 0.05
    assert np.abs(dq).max() <= arm.velocity.min()


def test_the_path_does_not_depend_on_when_orders_came(arm: ArmTree) -> None:
    """The same orders in any order of arrival give the same path, to the bit."""
    given = [(0.1 * k, np.full(7, 0.004 * k), np.full(7, 0.03 + 0.001 * k)) for k in range(1, 8)]
    one, other = JointOrders(arm, np.zeros(7), 3.0, 1.0), JointOrders(arm, np.zeros(7), 3.0, 1.0)
    for order in given:
        one.take(*order)
    for order in [*given[:2], *given[3:], given[2]]:
        other.take(*order)
    assert np.array_equal(one.path.breaks, other.path.breaks)
    assert np.array_equal(one.path.powers, other.path.powers)


def test_joints_stop_at_their_limits_and_refuse_what_is_beyond(arm: ArmTree) -> None:
    """Held speeds end before a limit; orders beyond a limit.

    Too fast or of other joints are refused and told.
    """
    orders = JointOrders(arm, np.zeros(7), 60.0, 1.0)
    orders.take(0.0, np.full(7, 1.0), np.full(7, 1.0))
    assert (orders.path.at(50.0)[0] <= arm.upper + 1e-9).all()
    assert orders.path.at(50.0)[0].max() > 1.9
    slow = JointOrders(arm, np.zeros(7), 60.0, 1.0)
    slow.take(0.0, np.zeros(7), np.full(7, 0.1))
    end, still = slow.path.at(59.0)
    assert (end <= arm.upper + 1e-9).all() and not still.any()
    assert end.max() == pytest.approx(arm.upper.min(), abs=1e-9)  # all come to rest with the first
    nan, seven = np.full(7, np.nan), np.zeros(7)
    for q, dq, told in (
        (np.full(7, 4.0), seven, "is not within"),
        (seven, np.full(7, 9.0), "is faster than"),
        (np.zeros(3), np.zeros(3), "the arm has 7"),
        (nan, seven, "not finite"),
    ):
        count = orders.refused
        assert orders.take(1.0, q, dq) is None
        assert orders.refused == count + 1 and told in orders.reason
