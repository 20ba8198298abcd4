"""The guard: the last look at every command before it is sent; its verdict is a stop.

It sees the stream of commanded positions only (float64, before the robot's protocol rounds them) and
takes divided differences of what is really sent, from the first command on. (Rounded to float32 a
position of 3 rad moves in steps of 2.4e-7 rad, which at 2 ms is 0.2 rad/s2 and 100 rad/s3 of noise: limits
are judged before that.) A command passes if its differences keep the limits and if, from it, full
braking still ends within position and velocity limits. So from every command that has passed there is
a way to rest, and that way is what goes out from the first command on that does not pass.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.configuration.schema import Limits
from planner.following.discrete_brake import brake_extremes, brake_positions_into
from planner.following.limits import ACCELERATION, JERK, LOWER, UPPER, VELOCITY, MotionLimits
from planner.following.stopping import stop_range
from planner.kinematics.arm_model import ArmModel

RELATIVE_TOLERANCE = 1e-6  # of velocity, acceleration and jerk limits: rounding of commands near 3 rad
POSITION_TOLERANCE = 1e-9  # [rad]
COARSE_STEPS = 10.0  # cycles at peak speed: allowance of the quick look at where a stop ends
LONGEST_BRAKE = 4096  # cycles of a brake that can be stored

PASSED, NOT_FINITE, OVER_POSITION, OVER_VELOCITY, OVER_ACCELERATION, OVER_JERK = range(6)
WILL_PASS_POSITION, WILL_PASS_VELOCITY = 6, 7
QUANTITIES = {
    NOT_FINITE: ("position", "rad"),
    OVER_POSITION: ("position", "rad"),
    OVER_VELOCITY: ("velocity", "rad/s"),
    OVER_ACCELERATION: ("acceleration", "rad/s2"),
    OVER_JERK: ("jerk", "rad/s3"),
    WILL_PASS_POSITION: ("position", "rad"),
    WILL_PASS_VELOCITY: ("velocity", "rad/s"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What to send, and why it is not what was asked for."""

    q: Array  # [rad], (7,): safe to send whatever was asked
    violation: str  # joint, quantity, value, bound; empty if what was asked is what is sent


@njit(cache=True)
def differences(q: float, past: Array, spans: Array, i: int) -> tuple[float, float, float]:
    """Return velocity, acceleration and jerk of joint `i` were `q` sent next.

    Args:
        q: position [rad].
        past: rows position, velocity, acceleration so far (divided differences), shape (3, 7).
        spans: durations of this step and of the two before [s], shape (3,).
        i: joint.
    """
    v = (q - past[0, i]) / spans[0]
    a = (v - past[1, i]) / (0.5 * (spans[0] + spans[1]))
    return v, a, (a - past[2, i]) * 3.0 / (spans[0] + spans[1] + spans[2])


@njit(cache=True)
def examine(q: Array, past: Array, spans: Array, bounds: Array, dt: float) -> tuple[int, int, float, float]:
    """Return a finding, the joint, the value and the bound; PASSED if nothing is found."""
    for i in range(q.shape[0]):
        if not np.isfinite(q[i]):
            return NOT_FINITE, i, q[i], 0.0
        lower, upper = bounds[LOWER, i] - POSITION_TOLERANCE, bounds[UPPER, i] + POSITION_TOLERANCE
        if q[i] < lower or q[i] > upper:
            return OVER_POSITION, i, q[i], bounds[LOWER, i] if q[i] < lower else bounds[UPPER, i]
        V, A, J = bounds[VELOCITY, i], bounds[ACCELERATION, i], bounds[JERK, i]
        v, a, j = differences(q[i], past, spans, i)
        if abs(v) > V * (1.0 + RELATIVE_TOLERANCE):
            return OVER_VELOCITY, i, v, V
        if abs(a) > A * (1.0 + RELATIVE_TOLERANCE):
            return OVER_ACCELERATION, i, a, A
        if abs(j) > J * (1.0 + RELATIVE_TOLERANCE):
            return OVER_JERK, i, j, J
        peak = abs(v) + a * a / J
        low, high = stop_range(q[i], v, a, A, J)
        allowance = COARSE_STEPS * dt * (peak + abs(a) * dt)
        if low - allowance >= lower and high + allowance <= upper and peak + COARSE_STEPS * dt * abs(a) <= V:
            continue  # far from every bound
        low, high, speed = brake_extremes(q[i], v, a, A, J, dt, spans[0], spans[1])
        if low < lower:
            return WILL_PASS_POSITION, i, low, bounds[LOWER, i]
        if high > upper:
            return WILL_PASS_POSITION, i, high, bounds[UPPER, i]
        if speed > V * (1.0 + RELATIVE_TOLERANCE):
            return WILL_PASS_VELOCITY, i, speed, V
    return PASSED, 0, 0.0, 0.0


@njit(cache=True)
def record(q: Array, past: Array, spans: Array) -> None:
    """Take a command that goes out into `past`."""
    for i in range(q.shape[0]):
        v, a, _ = differences(q[i], past, spans, i)
        past[0, i], past[1, i], past[2, i] = q[i], v, a


@njit(cache=True)
def brake_into(out: Array, past: Array, spans: Array, bounds: Array, dt: float) -> int:
    """Write the brake of all joints (M, 7), one row a cycle; return the rows until all rest."""
    longest = 1
    for i in range(out.shape[1]):
        steps = brake_positions_into(
            out[:, i], past[0, i], past[1, i], past[2, i], bounds[ACCELERATION, i], bounds[JERK, i], dt,
            spans[0], spans[1],
        )  # fmt: skip
        longest = max(longest, steps)
    return longest


class Guard:
    """Passes commands on, or brakes along the last good ones; a verdict stays until `reset`."""

    def __init__(self, model: ArmModel, limits: Limits, dt: float) -> None:
        """Watch the full limits on a cycle of `dt` seconds; call `reset` first."""
        self._bounds = MotionLimits.from_configuration(model, limits).bounds
        self._dt = dt
        joints = self._bounds.shape[1]
        self._brake = np.zeros((LONGEST_BRAKE, joints))
        self.violations = 0  # commands that were not let through as they were
        self.reset(np.zeros(joints))

    def reset(self, q: Array) -> None:
        """Stand at `q` [rad], shape (7,), where the robot's own command stands; forget the verdict."""
        self._past = np.zeros((3, len(q)))
        self._past[0] = q
        self._spans = np.full(3, self._dt)
        self._fault = ""
        self._row, self._rows = 0, 0
        outside = np.flatnonzero((q < self._bounds[LOWER]) | (q > self._bounds[UPPER]) | ~np.isfinite(q))
        if outside.size:
            i = int(outside[0])
            self._brake[:1] = q
            self._rows = 1
            self._fault = (
                f"A{i + 1} stands at {q[i]:.4f} rad, outside {self._bounds[LOWER, i]:.4f} to "
                f"{self._bounds[UPPER, i]:.4f} rad: move it back by the controller's own means"
            )

    @property
    def fault(self) -> str:
        """The verdict that is in force; empty while commands pass."""
        return self._fault

    @property
    def at_rest(self) -> bool:
        """Whether the brake, if there is one, has ended."""
        return not self._fault or self._row >= self._rows

    @property
    def q(self) -> Array:
        """The last command that went out [rad], shape (7,)."""
        return self._brake[max(self._row, 1) - 1].copy() if self._fault else self._past[0].copy()

    def check(self, q_next: Array, dt: float, objection: str = "") -> Verdict:
        """Return `q_next` (7,) [rad] if it may be sent `dt` [s] after the command before, else a brake.

        Whoever knows why it may not be sent though it keeps the joints' limits, gives the reason as
        `objection`.
        """
        cycles = max(1, round(dt / self._dt))
        if not self._fault:
            self._spans[2], self._spans[1] = self._spans[1], self._spans[0]
            self._spans[0] = cycles * self._dt
            finding, joint, value, bound = examine(q_next, self._past, self._spans, self._bounds, self._dt)
            if finding == PASSED and not objection:
                record(q_next, self._past, self._spans)
                return Verdict(q_next, "")
            passed = finding == PASSED
            self._condemn(objection if passed else self._words(finding, joint, value, bound, q_next))
        self._row = min(self._row + cycles, self._rows)
        return Verdict(self.q, self._fault)

    def warm(self) -> None:
        """Compile all that a check can need, then stand where it stood."""
        q, violations = self._past[0].copy(), self.violations
        middle = 0.5 * (self._bounds[LOWER] + self._bounds[UPPER])
        self.reset(middle)
        self.check(middle, self._dt)
        self.check(middle + 1.0, self._dt)
        brake_extremes(0.0, 0.1, 0.0, 1.0, 1.0, self._dt, self._dt, self._dt)
        self.violations = violations
        self.reset(q)

    def _words(self, finding: int, joint: int, value: float, bound: float, q_next: Array) -> str:
        """Return a finding in words."""
        quantity, unit = QUANTITIES[finding]
        name = f"A{joint + 1}"
        if finding == NOT_FINITE:
            return f"{name} was commanded to {value}: no command that is not finite is sent"
        if finding in (WILL_PASS_POSITION, WILL_PASS_VELOCITY):
            after = self._time_to(finding, joint, q_next[joint], bound)
            return (
                f"{name} will pass its {quantity} limit {bound:.4f} {unit} in {1e3 * after:.0f} ms even "
                f"under full deceleration (it would reach {value:.4f} {unit})"
            )
        return f"{name} {quantity} {value:.4f} {unit} is beyond its limit {bound:.4f} {unit}"

    def _condemn(self, reason: str) -> None:
        """Latch the verdict and lay out the brake from the last good command."""
        self.violations += 1
        self._fault = reason
        before = self._spans[1:].copy()
        self._rows = brake_into(self._brake, self._past, before, self._bounds, self._dt)
        self._row = 0

    def _time_to(self, finding: int, i: int, q: float, bound: float) -> float:
        """Return after how long [s] joint `i` would pass `bound` if it were braked from `q` on."""
        v, a, _ = differences(q, self._past, self._spans, i)
        way = np.empty(LONGEST_BRAKE)
        A, J = self._bounds[ACCELERATION, i], self._bounds[JERK, i]
        brake_positions_into(way, q, v, a, A, J, self._dt, self._spans[0], self._spans[1])
        if finding == WILL_PASS_POSITION:
            beyond = way < bound if bound == self._bounds[LOWER, i] else way > bound
        else:
            beyond = np.abs(np.diff(way, prepend=q)) / self._dt > bound
        return float((1 + beyond.argmax()) * self._dt)
