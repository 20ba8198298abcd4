"""The jerk-limited limiter: ruckig, asked for velocities only.

theory: the target moves, v_t(t) = v_t0 + a_t t. Seen from a frame that moves along with it, the task is
to bring w = v - v_t and w' = a - a_t to zero soonest, with |jerk| <= J and -A - a_t <= w' <= A - a_t.
Solved there, the joint meets the target with its velocity and its acceleration and stays on it; aimed
at where the target is now, it would trail behind and swing about it.

Ruckig's free build ignores position limits, and a velocity task knows no velocity limit: the caller
checks both (`planner.stopping`). It raises on bad input: the caller answers with a stop.
"""

import numpy as np
import ruckig

from hil.arrays import Array
from hil.errors import ZeroGError
from planner.limits import MotionLimits

TARGET_ACCELERATION = 0.9  # of the limit at most: what is left brings the joint onto the target


class LimiterError(ZeroGError):
    """Ruckig refused its input or found no profile."""


class Limiter:
    """One step of all joints towards moving target velocities, within acceleration and jerk."""

    def __init__(self, limits: MotionLimits) -> None:
        """Prepare ruckig for the number of joints in `limits`."""
        joints = len(limits.velocity)
        self._limits = limits
        self._acceleration = np.array(limits.acceleration)
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
        highest = TARGET_ACCELERATION * self._acceleration
        a_t = np.minimum(np.maximum(target[1], -highest), highest)
        v_t0 = target[0] - a_t * h
        given = self._input
        given.current_velocity = (state[1] - v_t0).tolist()
        given.current_acceleration = (state[2] - a_t).tolist()
        given.max_acceleration = (self._acceleration - a_t).tolist()
        given.min_acceleration = (-self._acceleration - a_t).tolist()
        try:
            result = self._solver.calculate(given, self._trajectory)
            p, w, dw = self._trajectory.at_time(h)
        except ruckig.RuckigError as error:
            raise LimiterError(f"limiter: {error}") from error
        if result not in (ruckig.Result.Working, ruckig.Result.Finished):
            raise LimiterError(f"limiter: ruckig answers {result}")
        moved = np.array((p, w, dw))
        moved[0] += state[0] + h * (v_t0 + 0.5 * h * a_t)
        moved[1] += target[0]
        moved[2] += a_t
        if not np.isfinite(moved).all():
            raise LimiterError("limiter: ruckig's profile is not finite")
        return moved
