"""A second arm in the emulated cell: it goes where its controller sends its tip, and grips the mock-up's bar.

Seen from the first arm it is a port: it stands in the held mock-up's way, and what it exerts goes the same
way through the first arm's estimate. The opposite acts on the second arm's tip.
"""

import numpy as np

from drivers.emulation.grasp.law import law_of
from drivers.emulation.grasp.pads import untouched
from drivers.emulation.grasp.tip import Aim, Tip, pose_into, tip_step
from drivers.emulation.port.touches import Touches
from hil.common.arrays import Array
from hil.common.geometry import (
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    quat_normalized,
    rotvec_from_quat,
)
from hil.common.poses import pose_from, quat_of
from hil.configuration.schema import Configuration


class PartnerArm:
    """Tip, gripper and pads, by the true motion of what the first arm holds.

    Attributes:
        touches: of pads and bar so far.
        wrench_world: on the mock-up about the object's centre, world axes [N, N m], shape (6,), live.
        closing: whether the gripper is told to close.
        grips: whether the gripper can press; a lost one presses with nothing.
    """

    def __init__(
        self, configuration: Configuration, T_world_object: Array, start: Array | None = None
    ) -> None:
        """Wait with an open gripper.

        Args:
            configuration: with [grasp] and [partner].
            T_world_object: pose of what the first arm holds, (4, 4).
            start: where, from the place of a grasp, in the tool's axes there [m], (3,); None: just there.
        """
        grasp, partner = configuration.grasp, configuration.partner
        assert grasp is not None and partner is not None
        self._law, self._pads = law_of(grasp, partner), untouched()
        self._tip = Tip(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(2))
        self._aim = Aim(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
        self._before = T_world_object.copy()
        self._T_world_tip = np.eye(4)
        self.touches, self.wrench_world = Touches(), self._pads.on_object
        self.closing, self.grips = False, True
        T_world_tip = T_world_object @ grasp.T_object_tool
        if start is not None:
            T_world_tip[:3, 3] += T_world_tip[:3, :3] @ start
        self.begin(T_world_tip)

    def begin(self, T_world_tip: Array) -> None:
        """Stand at a pose (4, 4) with an open gripper, sent there."""
        tip, aim = self._tip, self._aim
        tip.p[:] = aim.p[:] = T_world_tip[:3, 3]
        tip.quat[:] = aim.quat[:] = quat_of(T_world_tip)
        tip.twist[:], aim.twist[:] = 0.0, 0.0
        tip.fingers[:] = self._law.opening, 0.0
        self.closing = False

    def aim(self, p: Array, quat: Array, duration: float) -> None:
        """Send the tip on in a straight line; what comes before it has arrived is sent from there.

        Args:
            p: place in world at the end [m], (3,).
            quat: attitude then, (4,).
            duration: until then [s].
        """
        turned = rotvec_from_quat(quat_multiply(quat, quat_conjugate(self._aim.quat)))
        self._aim.twist[:3] = (p - self._aim.p) / duration
        self._aim.twist[3:] = turned / duration

    def go_on(self, twist: Array) -> None:
        """Send the tip on with a twist, world axes (6,), from where it was sent."""
        self._aim.twist[:] = twist

    def stay(self) -> None:
        """Let the tip stay where it was sent last."""
        self._aim.twist[:] = 0.0

    @property
    def opening(self) -> float:
        """Way of each finger from the middle [m]."""
        return float(self._tip.fingers[0])

    @property
    def T_world_tip(self) -> Array:
        """Pose of the tip, (4, 4)."""
        pose_into(self._T_world_tip, self._tip.p, self._tip.quat)
        return self._T_world_tip

    @property
    def T_world_aim(self) -> Array:
        """Pose where the tip is sent now, (4, 4)."""
        return pose_from(self._aim.p, self._aim.quat)

    @property
    def gap(self) -> float:
        """Between the bar and the nearest point of a pad [m]; negative within it."""
        return -float(self._pads.deepest[0])

    @property
    def penetration(self) -> float:
        """How deep the deepest point of a pad is in the bar [m]; negative: the gap."""
        return -self.gap

    @property
    def pad_forces(self) -> Array:
        """What each pad presses with [N], (2,), live."""
        return self._pads.normal

    @property
    def force_on_tip(self) -> Array:
        """What pads exert on the tool about its tip, world axes [N, N m], (6,), live."""
        return self._pads.on_tool

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> None:
        """Go on from `t_0` to `t_1` [s].

        Args:
            t_0: start of the grid step.
            t_1: its end.
            T_world_object: the object's pose at the end of the step, shape (4, 4).
            twist: its twist, world axes, shape (6,).
        """
        step, aim = t_1 - t_0, self._aim
        if step > 0.0:
            went_on(aim, step)
            came = twist.copy()
            came[:3] = (T_world_object[:3, 3] - self._before[:3, 3]) / step
            law = self._law if self.grips else self._law._replace(grip=0.0)
            tip_step(self._tip, self._pads, law, aim, T_world_object, came, step, self.closing)
        self._before[:] = T_world_object
        self.touches.add(t_0, t_1, self.wrench_world)

    def told(self) -> Array:
        """Return the same row as `EmulatedPort.told`, of pads and tip, shape (22,)."""
        tip = self._tip
        return np.concatenate((self.wrench_world, [self.penetration], tip.p, tip.twist[:3], np.zeros(9)))


def went_on(aim: Aim, step: float) -> None:
    """Move an aim on by its own twist for a time [s]."""
    aim.p[:] += step * aim.twist[:3]
    aim.quat[:] = quat_normalized(quat_multiply(quat_from_rotvec(step * aim.twist[3:]), aim.quat))
