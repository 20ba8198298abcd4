"""Motion along a straight line of the joints, jerk-limited and in proportion; and its brake on the line.

All joints share one coordinate, 0 to 1, which ruckig moves: the line that is followed does not depend on
the pace. The bounds of the coordinate are the least of the joints' bounds divided by their ways.
"""

import numpy as np
import ruckig

from hil.common.arrays import Array
from planner.following.limiter import LimiterError
from planner.following.limits import MotionLimits

GENTLE = 0.1  # share of acceleration and jerk with which a motion along the line begins and ends


class LineMotion:
    """The motion from one joint position to another, over the time that is passed to it."""

    def __init__(self, begin: Array, end: Array, speed: float, limits: MotionLimits) -> None:
        """Lay out the motion from rest to rest.

        Args:
            begin: joint positions [rad], shape (7,).
            end: the same; another place than `begin`.
            speed: of the joint that turns farthest, at most [rad/s].
            limits: of the joints.

        Raises:
            LimiterError: ruckig raised, or found no profile.
        """
        self._begin, self._end, self._turn = begin, end, end - begin
        way = np.abs(self._turn)
        turning = way > 0.0
        self._acceleration = float((limits.acceleration[turning] / way[turning]).min())
        self._jerk = float((limits.jerk[turning] / way[turning]).min())
        self._speed = min(speed / float(way.max()), float((limits.velocity[turning] / way[turning]).min()))
        self._solver = ruckig.Ruckig(1)
        self._trajectory = ruckig.Trajectory(1)
        self._t = 0.0
        self._braking = False
        given = self._input((0.0, 0.0, 0.0), GENTLE)
        given.target_position, given.max_velocity = [1.0], [self._speed]
        self._calculate(given)

    @property
    def over(self) -> bool:
        """Whether it has come to rest."""
        return bool(self._t >= self._trajectory.duration)

    def brake(self) -> None:
        """Come to rest on the line as soon as the limits allow.

        Raises:
            LimiterError: ruckig raised, or found no profile.
        """
        if self._braking or self.over:
            return
        given = self._input(self._now(), 1.0)
        given.control_interface = ruckig.ControlInterface.Velocity
        given.target_velocity = [0.0]
        self._calculate(given)
        self._t, self._braking = 0.0, True

    def ahead(self, h: float) -> tuple[Array, float]:
        """Return where the joints will be `h` [s] later, (7,), and the speed that a brake from there reaches.

        theory: what accelerates goes on to; with jerk -J from (v, a) the speed peaks at v + a^2 / (2 J). The
        speed is the line's coordinate's [1/s]: of a joint, times its way.
        """
        (s,), (v,), (a,) = self._trajectory.at_time(self._t + h)
        return self._begin + s * self._turn, v + max(a, 0.0) ** 2 / (2.0 * self._jerk)

    def step(self, h: float) -> Array:
        """Return the joints' positions, velocities and accelerations `h` [s] later, shape (3, 7)."""
        self._t += h
        s, v, a = self._now()
        if self.over:
            v = a = 0.0
            if not self._braking:
                return np.array((self._end, np.zeros(7), np.zeros(7)))
        return np.array((self._begin + s * self._turn, v * self._turn, a * self._turn))

    def _now(self) -> tuple[float, float, float]:
        (s,), (v,), (a,) = self._trajectory.at_time(self._t)
        return s, v, a

    def _input(self, state: tuple[float, float, float], share: float) -> ruckig.InputParameter:
        given = ruckig.InputParameter(1)
        (given.current_position, given.current_velocity, given.current_acceleration) = ([x] for x in state)
        given.max_acceleration, given.max_jerk = [share * self._acceleration], [share * self._jerk]
        return given

    def _calculate(self, given: ruckig.InputParameter) -> None:
        try:
            result = self._solver.calculate(given, self._trajectory)
        except ruckig.RuckigError as error:
            raise LimiterError(f"approach: {error}") from error
        if result not in (ruckig.Result.Working, ruckig.Result.Finished):
            raise LimiterError(f"approach: ruckig answers {result}")
