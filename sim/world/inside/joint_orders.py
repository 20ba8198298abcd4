"""The user's joint stream: orders over object time, and the path that the joints take by them.

theory: an order says where the joints shall be and how fast, from its instant on: `q + dq (s - s_order)`.
They
join that line by a cubic, as soon as their speeds allow, keep to it until they would pass a limit or nothing
has been ordered for long, and then come to rest. So neither place nor speed has a step. The path is a
function
of the orders alone, whenever they came.
"""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.joint_path import JointPath

JOINING = 0.05  # [s] in which the line of an order is joined at the earliest,
RESTING = 0.1  # and in which the joints come to rest
LONGEST_JOINING = 60.0  # [s]
KEPT = 2.0  # [s] of orders behind the newest that are kept beside the history


@dataclass(frozen=True, eq=False)
class Order:
    """Where the joints shall be [rad] and how fast [rad/s], shapes (n,), at an object time [s]."""

    s: float
    q: Array
    dq: Array


@dataclass(frozen=True, eq=False)
class _Leg:
    """The way by one order: from its instant `s` to rest at `end`, or until the next one acts [s]."""

    s: float
    begins: list[float]
    powers: list[Array]
    end: float
    order: Order | None = None

    @property
    def path(self) -> JointPath:
        """It alone."""
        return JointPath(np.array([*self.begins, self.end]), np.array(self.powers))


class JointOrders:
    """The orders that count, and the path they make.

    Attributes:
        path: of the joints.
        refused: orders that no joint can follow, and why the last one was.
    """

    def __init__(self, arm: ArmTree, start: Array, silence: float, history: float) -> None:
        """Stand at joints `start` [rad], shape (n,); orders are kept for `history` [s] and a little."""
        self._arm, self._start, self._silence = arm, start, silence
        self._kept = history + KEPT
        self.restart()

    def restart(self) -> None:
        """Forget all orders."""
        self.refused, self.reason = 0, ""
        still = 0.0 * self._start
        self._legs = [_Leg(0.0, [0.0], [np.array([self._start, still, still, still])], 1.0)]
        self._join()

    def take(self, s: float, q: Array, dq: Array) -> float | None:
        """Take an order of an object time [s]; return from where on the path changes, None if not at all."""
        reason = self._objection(q, dq)
        if reason:
            self.refused, self.reason = self.refused + 1, reason
            return None
        s = max(s, self._legs[0].s)
        at = next((k for k, leg in enumerate(self._legs) if leg.s > s), len(self._legs))
        orders = [Order(s, np.array(q, float), np.array(dq, float))]
        orders += [leg.order for leg in self._legs[at:] if leg.order is not None]
        del self._legs[at:]
        for order in orders:
            self._legs.append(self._along(*self._legs[-1].path.at(order.s), order))
        while len(self._legs) > 2 and self._legs[1].s < self._legs[-1].s - self._kept:
            del self._legs[0]
        self._join()
        return s

    def _join(self) -> None:
        """Make the path of the legs, each as far as the next one begins."""
        breaks, powers = [], []
        for leg, following in zip(self._legs, [*self._legs[1:], None], strict=True):
            until = np.inf if following is None else following.s
            for begin, power in zip(leg.begins, leg.powers, strict=True):
                if begin < until:
                    breaks.append(begin)
                    powers.append(power)
        self.path = JointPath(np.array([*breaks, self._legs[-1].end]), np.array(powers))

    def _objection(self, q: Array, dq: Array) -> str:
        """Return why no joint can follow an order; empty if they can."""
        arm, n = self._arm, len(self._arm.names)
        if len(q) != n or len(dq) != n:
            return f"it has {len(q)} joints and {len(dq)} speeds, the arm has {n}"
        if not (np.isfinite(q).all() and np.isfinite(dq).all()):
            return "it is not finite"
        for j, name in enumerate(arm.names):
            if not arm.lower[j] <= q[j] <= arm.upper[j]:
                low, high = math.degrees(arm.lower[j]), math.degrees(arm.upper[j])
                return (
                    f"joint {name!r} = {math.degrees(q[j]):.4g} deg is not within {low:.4g} to {high:.4g} deg"
                )
            if not abs(dq[j]) <= arm.velocity[j]:
                most = math.degrees(arm.velocity[j])
                return f"joint {name!r} at {math.degrees(dq[j]):.4g} deg/s is faster than {most:.4g} deg/s"
        return ""

    def _along(self, q: Array, dq: Array, order: Order) -> "_Leg":
        """Return the way from a place and speed, (n,) each, by an order to rest."""
        duration = self._joining(q, dq, order)
        (aim, speed), begin = self._line(order, duration), order.s + duration
        begins, powers = [order.s, begin], [_cubic(q, dq, aim, speed, duration)]
        held = self._held(aim, speed, self._silence - duration)
        if held > 0.0:
            powers.append(np.array([aim, speed, 0.0 * aim, 0.0 * aim]))
            aim, begin = aim + held * speed, begin + held
            begins.append(begin)
        rest = aim + 0.5 * RESTING * speed
        powers.append(_cubic(aim, speed, rest, 0.0 * aim, RESTING))
        return _Leg(order.s, begins, powers, begin + RESTING, order)

    def _line(self, order: Order, later: float) -> tuple[Array, Array]:
        """Return where an order wants the joints so much later, and how fast: at rest at their limits."""
        arm, wanted = self._arm, order.q + order.dq * later
        beyond = 0.5 * RESTING * order.dq
        aim = np.clip(wanted, arm.lower, arm.upper)
        within = (wanted + beyond >= arm.lower) & (wanted + beyond <= arm.upper)
        return aim, np.where(within, order.dq, 0.0)

    def _joining(self, q: Array, dq: Array, order: Order) -> float:
        """Return in what time the joints join the line of an order without being faster than they can."""
        duration = JOINING
        while duration < LONGEST_JOINING:
            cubic = _cubic(q, dq, *self._line(order, duration), duration)
            times = np.linspace(0.0, duration, 9)[:, None]
            speeds = np.abs(cubic[1] + times * (2.0 * cubic[2] + times * 3.0 * cubic[3]))
            if (speeds.max(axis=0) <= self._arm.velocity * (1.0 + 1e-9)).all():
                break
            duration *= 1.25
        return duration

    def _held(self, q: Array, dq: Array, most: float) -> float:
        """Return for how long the joints can keep to their speeds [s] before they must come to rest."""
        room = np.where(dq > 0.0, self._arm.upper - q, q - self._arm.lower) - 0.5 * RESTING * np.abs(dq)
        with np.errstate(divide="ignore", invalid="ignore"):
            times = np.where(dq != 0.0, room / np.abs(dq), np.inf)
        return max(0.0, min(most, float(times.min())))


def _cubic(q: Array, dq: Array, q_end: Array, dq_end: Array, duration: float) -> Array:
    """Return the powers (4, n) of the cubic from a place and speed to others within a duration [s]."""
    gap, T = q_end - q, duration
    return np.array([q, dq, (3.0 * gap / T - 2.0 * dq - dq_end) / T, ((dq + dq_end) - 2.0 * gap / T) / T**2])
