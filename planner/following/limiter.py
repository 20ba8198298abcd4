"""The jerk-limited limiter: ruckig, asked for velocities only.

theory: the target moves, v_t(t) = v_t0 + a_t t. Seen from a frame that moves along with it, the task is
to bring w = v - v_t and w' = a - a_t to zero soonest, with |jerk| <= J and -A - a_t <= w' <= A - a_t.
Solved there, the joint meets the target with its velocity and its acceleration and stays on it; aimed
at where the target is now, it would trail behind and swing about it.

Ruckig's free build ignores position limits, and a velocity task knows no velocity limit: the caller
checks both (`planner.following.stopping`). It raises on bad input: the caller answers with a stop.
"""

import math

import numpy as np
import ruckig
from numba import njit

from hil.common.arrays import Array
from hil.common.errors import ZeroGError
from planner.following.limits import MotionLimits

TARGET_ACCELERATION = 0.9  # of the limit at most: what is left brings the joint onto the target


class LimiterError(ZeroGError):
    """Ruckig refused its input or found no profile."""


@njit(cache=True)
def aim_into(aim: Array, state: Array, target: Array, acceleration: Array, h: float) -> None:
    """Write what ruckig is given, seen from the moving target.

    Args:
        aim: current velocity and acceleration, largest and least acceleration, shape (4, 7).
        state: position, velocity, acceleration now, shape (3, 7).
        target: velocity that is wanted after `h`, and its acceleration, shape (2, 7).
        acceleration: limits, shape (7,).
        h: [s].
    """
    for i in range(state.shape[1]):
        a_t = _target_acceleration(target[1, i], acceleration[i])
        aim[0, i] = state[1, i] - (target[0, i] - a_t * h)
        aim[1, i] = state[2, i] - a_t
        aim[2, i] = acceleration[i] - a_t
        aim[3, i] = -acceleration[i] - a_t


@njit(cache=True)
def land_into(moved: Array, state: Array, target: Array, acceleration: Array, h: float) -> bool:
    """Turn ruckig's state after `h` (3, 7) back from the moving view; return whether it is finite."""
    finite = True
    for i in range(state.shape[1]):
        a_t = _target_acceleration(target[1, i], acceleration[i])
        moved[0, i] += state[0, i] + h * (target[0, i] - 0.5 * h * a_t)
        moved[1, i] += target[0, i]
        moved[2, i] += a_t
        finite &= math.isfinite(moved[0, i]) and math.isfinite(moved[1, i]) and math.isfinite(moved[2, i])
    return finite


@njit(cache=True)
def _target_acceleration(wanted: float, limit: float) -> float:
    highest = TARGET_ACCELERATION * limit
    return min(max(wanted, -highest), highest)


class Limiter:
    """One step of all joints towards moving target velocities, within acceleration and jerk."""

    def __init__(self, limits: MotionLimits) -> None:
        """Prepare ruckig for the number of joints in `limits`."""
        joints = len(limits.velocity)
        self._limits = limits
        self._acceleration = np.array(limits.acceleration)
        self._aim = np.zeros((4, joints))
        self._solver = ruckig.Ruckig(joints)
        self._trajectory = ruckig.Trajectory(joints)
        self._input = ruckig.InputParameter(joints)
        self._input.control_interface = ruckig.ControlInterface.Velocity
        self._input.synchronization = ruckig.Synchronization.No
        self._input.target_velocity = [0.0] * joints
        self._input.target_acceleration = [0.0] * joints
        self._input.max_jerk = limits.jerk.tolist()

    def step(self, state: Array, target: Array, h: float) -> Array:
        """Return the joints' state after `h` seconds.

        Args:
            state: position, velocity, acceleration now [rad, rad/s, rad/s2], shape (3, 7).
            target: velocity that is wanted after `h`, and its acceleration, shape (2, 7).
            h: [s].

        Raises:
            LimiterError: ruckig raised, or found no profile.
        """
        given = self._input
        aim_into(self._aim, state, target, self._acceleration, h)
        (
            given.current_velocity,
            given.current_acceleration,
            given.max_acceleration,
            given.min_acceleration,
        ) = self._aim.tolist()
        try:
            result = self._solver.calculate(given, self._trajectory)
            p, w, dw = self._trajectory.at_time(h)
        except ruckig.RuckigError as error:
            raise LimiterError(f"limiter: {error}") from error
        if result not in (ruckig.Result.Working, ruckig.Result.Finished):
            raise LimiterError(f"limiter: ruckig answers {result}")
        moved = np.array((p, w, dw))
        if not land_into(moved, state, target, self._acceleration, h):
            raise LimiterError("limiter: ruckig's profile is not finite")
        return moved
