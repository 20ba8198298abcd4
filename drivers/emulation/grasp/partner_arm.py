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
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    quat_normalized,
    rotvec_from_quat,
)
from hil.configuration.schema import Configuration

OPENED = 0.5  # share of the opening beyond which a gripper counts as open


class PartnerArm:
    """Tip, gripper and pads, by the true motion of what the first arm holds.

    Attributes:
        touches: of pads and bar so far.
        wrench_world: on the mock-up about the object's centre, world axes [N, N m], shape (6,), live.
        closing: whether the gripper is told to close.
        obeys: whether its controller hears what is sent; else its tip stays where it was sent last.
        grips: whether the gripper can press; a lost one presses with nothing.
    """

    def __init__(self, configuration: Configuration, T_world_object: Array) -> None:
        """Wait with an open gripper where the bar's middle is, until `begin` says where.

        Args:
            configuration: with [grasp] and [partner].
            T_world_object: pose of what the first arm holds, (4, 4).
        """
        grasp, partner = configuration.grasp, configuration.partner
        assert grasp is not None and partner is not None
        self._law, self._pads = law_of(grasp, partner), untouched()
        self._tip = Tip(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(2))
        self._aim = Aim(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
        self._before = T_world_object.copy()
        self._T_world_tip = np.eye(4)
        self.touches, self.wrench_world = Touches(), self._pads.on_object
        self.closing, self.obeys, self.grips = False, True, True
        self.begin(T_world_object @ grasp.T_object_tool)

    def begin(self, T_world_tip: Array) -> None:
        """Stand at a pose (4, 4) with an open gripper, sent there."""
        tip, aim = self._tip, self._aim
        tip.p[:] = aim.p[:] = T_world_tip[:3, 3]
        tip.quat[:] = aim.quat[:] = quat_from_matrix(np.ascontiguousarray(T_world_tip[:3, :3]))
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
        if not self.obeys:
            self._aim.twist[:] = 0.0
            return
        turned = rotvec_from_quat(quat_multiply(quat, quat_conjugate(self._aim.quat)))
        self._aim.twist[:3] = (p - self._aim.p) / duration
        self._aim.twist[3:] = turned / duration

    @property
    def T_world_tip(self) -> Array:
        """Pose of the tip, (4, 4)."""
        pose_into(self._T_world_tip, self._tip.p, self._tip.quat)
        return self._T_world_tip

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

    @property
    def is_open(self) -> bool:
        """Whether its fingers stand open."""
        return bool(self._tip.fingers[0] > OPENED * self._law.opening)

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
