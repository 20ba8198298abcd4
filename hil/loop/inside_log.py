"""What cores consumed of bodies inside, for running them again: orders to joints, and states."""

from collections.abc import Sequence

import numpy as np

from hil.messaging.inside_messages import InsideJoints, InsideTurn


def inside_turn(t_ns: int, process: int, orders: Sequence[InsideJoints]) -> InsideTurn:
    """Return what tells of the orders that the simulation's core took at `t_ns`, at least one."""
    named = np.array([(order.t_ns, len(order.q), len(order.dq)) for order in orders], np.int64)
    q, dq = (np.concatenate([getattr(order, name) for order in orders]) for name in ("q", "dq"))
    return InsideTurn(t_ns, process, named, q, dq)


def orders_of(turn: InsideTurn) -> list[InsideJoints]:
    """Return the orders that a turn took."""
    found, i, j = [], 0, 0
    for t_ns, joints, speeds in turn.orders.tolist():
        found.append(InsideJoints(t_ns, turn.q[i : i + joints], turn.dq[j : j + speeds]))
        i, j = i + joints, j + speeds
    return found
