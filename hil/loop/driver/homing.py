"""The motion to the start pose by hand: on the line of the joints, which it never leaves, within the caps."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.approach.caps import CORNER_SPEED, JOINT_SPEED
from hil.loop.approach.held_cube import HeldCube
from hil.loop.judging.approaching import ARRIVED
from hil.messaging.messages import Mode
from planner.following.limits import MotionLimits
from planner.following.line_motion import LineMotion
from planner.kinematics.arm_model import ArmModel

ENFORCED = 0.99  # of the caps, at which it brakes: on the way to rest the caps are kept


class Homing:
    """For the attributes see `by_hand.HandMotion`. No certificate is needed: the caps stand in its place."""

    done = ARRIVED
    certified = False

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        self._goal = np.array(c.robot.start)
        self._limits = MotionLimits.from_configuration(model, c.limits).scaled(c.limits.command_fraction)
        self._cube = HeldCube(c)
        self._motion: LineMotion | None = None
        self._begin: Array = self._goal

    @property
    def moves(self) -> bool:
        """Whether it moves the arm, or brings it to rest."""
        return self._motion is not None

    def warm(self) -> None:
        """Lay out a motion once: ruckig's first call is slow."""
        LineMotion(np.zeros(7), np.ones(7), 0.1, self._limits).brake()
        self._cube.corners(np.zeros((2, 7)))

    def refusal(self, mode: Mode, q: Array) -> str:
        """Return why it does not begin with this order; empty if it may."""
        if mode.approach_speed.shape != (1,) or not 0.0 < mode.approach_speed[0] <= JOINT_SPEED:
            return "the speed asked for is none"
        return "" if (self._goal != q).any() else ARRIVED

    def begin(self, mode: Mode, q: Array) -> str:
        """Begin."""
        speed = min(float(mode.approach_speed[0]), JOINT_SPEED)
        self._begin, self._motion = q, LineMotion(q, self._goal, speed, self._limits)
        return ""

    def brake(self) -> None:
        """Come to rest on the line."""
        assert self._motion is not None
        self._motion.brake()

    def forget(self) -> None:
        """Move no more."""
        self._motion = None

    def step(self, h: float) -> Array:
        """Return the next state on the line; at rest it is over."""
        motion = self._motion
        assert motion is not None
        state = motion.step(h)
        if motion.over:
            self._motion = None
        return state

    def objection(self, q: Array, h: float) -> str:
        """Return in words which cap the next step would pass, or a brake after it; empty if none."""
        motion = self._motion
        assert motion is not None
        q_next, speed = motion.ahead(h)
        way = np.abs(self._goal - self._begin)
        joint = float(way.max()) * speed
        if not joint <= ENFORCED * JOINT_SPEED:
            return f"a joint would turn at {np.degrees(joint):.2f} deg/s"
        turned = float(np.abs(q_next - q).max())
        if not turned:
            return ""
        before, after = self._cube.corners(np.array((q, q_next)))
        corner = float(np.linalg.norm(after - before, axis=1).max()) / turned * joint
        if not corner <= ENFORCED * CORNER_SPEED:
            return f"a corner of the mock-up would move at {1e3 * corner:.1f} mm/s"
        return ""
