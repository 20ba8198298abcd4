"""The plan as a function of wall time: where the joints should be, how fast, and how they accelerate.

theory: between two nodes a quintic Hermite polynomial in object time s takes on both positions,
velocities and accelerations. With s(t) of rate r and slew c, the chain rule gives
dq/dt = q' r and d2q/dt2 = q'' r^2 + q' c. The look-ahead t + lead, whose lead itself slews, is one
more inner function of the same kind.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.time_map import object_time_at
from hil.messaging.messages import Plan

INSIDE, BEFORE_START, BEYOND_END = 0, -1, 1


@njit(cache=True)
def hermite_into(out: Array, nodes: Array, index: int, step: float, x: float) -> None:
    """Write the quintic between nodes `index` and `index + 1` at the fraction `x` of the step.

    Args:
        out: position, first and second derivative by object time, shape (3, 7).
        nodes: the same at every node, shape (N, 3, 7).
        index: number of the earlier node.
        step: object time between nodes [s].
        x: in [0, 1].
    """
    for i in range(nodes.shape[2]):
        p0, p1 = nodes[index, 0, i], nodes[index + 1, 0, i]
        v0, v1 = nodes[index, 1, i] * step, nodes[index + 1, 1, i] * step
        a0, a1 = nodes[index, 2, i] * step * step, nodes[index + 1, 2, i] * step * step
        gap, dv, da = p1 - p0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
        c3 = 10.0 * gap - 4.0 * dv + 0.5 * da
        c4 = -15.0 * gap + 7.0 * dv - da
        c5 = 6.0 * gap - 3.0 * dv + 0.5 * da
        out[0, i] = p0 + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
        out[1, i] = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / step
        out[2, i] = (a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (step * step)


@njit(cache=True)
def reference_into(
    out: Array, nodes: Array, s_0: float, step: float, time_map: Array, t: float, pace: float, slew: float
) -> int:
    """Write the plan's position, velocity and acceleration by wall time; return where `t` lies.

    Args:
        out: [rad], [rad/s], [rad/s2], shape (3, 7).
        nodes: q, dq, ddq by object time, shape (N, 3, 7).
        s_0: object time of the first node [s].
        step: object time between nodes [s].
        time_map: of the plan (see `hil.common.time_map`), shape (4,).
        t: wall time that is looked at, from the plan's `t_ns` [s].
        pace: how fast `t` runs with wall time (1 but while the lead slews).
        slew: rate of change of `pace` [1/s].

    Returns:
        INSIDE, BEFORE_START or BEYOND_END; outside, the nearest node is continued at its velocity.
    """
    s, rate, rate_slew = object_time_at(time_map, t)
    last = nodes.shape[0] - 1
    x = (s - s_0) / step
    where = INSIDE
    if x < 0.0 or x > last:
        where = BEFORE_START if x < 0.0 else BEYOND_END
        node = 0 if x < 0.0 else last
        for i in range(nodes.shape[2]):
            out[0, i] = nodes[node, 0, i] + nodes[node, 1, i] * (x - node) * step
            out[1, i] = nodes[node, 1, i]
            out[2, i] = 0.0
    else:
        index = min(int(x), last - 1)
        hermite_into(out, nodes, index, step, x - index)
    first = rate * pace
    second = rate_slew * pace * pace + rate * slew
    for i in range(nodes.shape[2]):
        out[2, i] = out[2, i] * first * first + out[1, i] * second
        out[1, i] *= first
    return where


class Reference:
    """A plan laid out for evaluation."""

    def __init__(self, plan: Plan) -> None:
        """Copy `plan`; see `fault` for whether it can be followed at all."""
        self.t_ns = plan.t_ns
        self.number = plan.number
        self.s_0 = plan.object_time_0
        self.step = plan.step
        self.time_map = np.array(plan.time_map)
        self.nodes = np.stack((plan.q, plan.dq, plan.ddq), axis=1)

    @property
    def fault(self) -> str:
        """What is wrong with the plan; empty if nothing."""
        if self.nodes.shape[0] < 2 or not self.step > 0.0:
            return (
                f"plan {self.number} has {self.nodes.shape[0]} nodes {self.step} s apart, at least 2 needed"
            )
        if not (np.isfinite(self.nodes).all() and np.isfinite(self.time_map).all() and np.isfinite(self.s_0)):
            return f"plan {self.number} holds values that are not finite"
        return ""

    def at(self, t_ns: int) -> tuple[Array, int]:
        """Return position, velocity, acceleration (3, 7) at the wall time `t_ns`, and where that lies."""
        out = np.empty((3, self.nodes.shape[2]))
        t = (t_ns - self.t_ns) * 1e-9
        where = reference_into(out, self.nodes, self.s_0, self.step, self.time_map, t, 1.0, 0.0)
        return out, where

    def pace(self, t_ns: int) -> float:
        """Return the rate of object time at the wall time `t_ns`."""
        return float(object_time_at(self.time_map, (t_ns - self.t_ns) * 1e-9)[1])
