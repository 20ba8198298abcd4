"""The partner: it leads a second arm's tip through a plan, over its controller's packets. Pure.

It stands where the controller has the tip until the object floats, goes to where its plan begins, and
follows the plan. It stands when the run says so or falls silent, and opens its gripper when it must.
"""

from typing import NamedTuple

import numpy as np

from drivers.fri.session import FriSample
from drivers.fri.tip_session import Tip
from hil.common.arrays import Array
from hil.common.poses import pose_from, pose_moved, quat_of, turned_between
from hil.configuration import Configuration
from hil.configuration.frames import pose_of
from hil.configuration.grasp_plan import GraspPlan
from hil.loop.grasp.followed_plan import FollowedPlan, led_there
from hil.messaging.grasp_messages import GraspReport, PartnerWords

OPENED = 0.5  # share of the opening beyond which a gripper counts as open
AHEAD = 0.05  # [s] for which the object is taken to go on as it did when it was last heard of
SILENT = 0.1  # [s] without word of the run, until the plan stands
LOST = 1.0  # [s] without one, until the gripper opens


class Led(NamedTuple):
    """What a packet is answered with.

    Attributes:
        T_base_tip: where the tip is to be, in its arm's base (4, 4); None: where the controller has it.
        closed: whether the gripper is to be closed.
    """

    T_base_tip: Array | None
    closed: bool


class PartnerCore:
    """Follows a plan once.

    Attributes:
        failed: why it gave up; empty if it did not.
        phase: what it does.
    """

    def __init__(self, configuration: Configuration, plan: GraspPlan) -> None:
        """Lead the second arm of a configuration through a plan."""
        grasp, partner = configuration.grasp, configuration.partner
        assert grasp is not None and partner is not None
        self._grasp, self._partner, self._plan = grasp, partner, plan
        self._T_world_base = pose_of(partner.mount_rotvec, partner.mount_position)
        self._T_base_world = np.linalg.inv(self._T_world_base)
        self._followed: FollowedPlan | None = None
        self._report: GraspReport | None = None
        self._heard_ns = 0
        self._count = 0  # of the packet before
        self._dt = configuration.fri.sample_time
        self._object = np.eye(4)
        self._closed = False
        self.failed, self.phase = "", "waiting"

    @property
    def over(self) -> bool:
        """Whether the plan is over."""
        return self._followed is not None and self._followed.over

    @property
    def begun(self) -> bool:
        """Whether the plan has begun."""
        return self._followed is not None

    @property
    def pace(self) -> float:
        """Of the plan's time; 0: it stands."""
        return 0.0 if self._followed is None else self._followed.pace

    def hear(self, report: GraspReport, now_ns: int) -> None:
        """Take what the run says."""
        self._report, self._heard_ns = report, now_ns

    def give_up(self, why: str) -> None:
        """Stand, for this reason."""
        self.failed = self.failed or why

    def turn(self, tip: Tip, sample: FriSample, now_ns: int) -> Led:
        """Return what a packet is answered with.

        Args:
            tip: what the packet says.
            sample: the same, as any controller says it.
            now_ns: on the run's clock.
        """
        cycles, self._count = max(1, sample.count - self._count), sample.count
        report, silent = self._report, 1e-9 * (now_ns - self._heard_ns)
        if not sample.commanding or sample.new_session:
            if self._followed is not None:
                self.give_up("its controller has left command state")
            return Led(None, self._closed)
        if report is None or (self._followed is None and (report.held or silent > SILENT)):
            return Led(None, False)
        if silent <= SILENT:
            self._object = _moved_on(report, 1e-9 * (sample.t_ns - report.t_ns))
        if self._followed is None:
            self._begin(self._T_world_base @ tip.T_base_commanded)
        assert self._followed is not None
        if report.open and silent <= SILENT:
            self.give_up(report.why or "the run has the gripper opened")
            self._followed.released = True
        if silent > LOST:
            self.give_up(f"the run has been silent for {silent:.1f} s")
            self._followed.released = True
        held = report.held or silent > SILENT or bool(self.failed)
        target = self._followed.step(cycles * self._dt, self._object, held)
        self.phase, self._closed = target.phase, target.closed
        T = self._leashed(target.T, self._T_world_base @ tip.T_base_tip)
        return Led(self._T_base_world @ T, target.closed)

    def words(self, tip: Tip, t_ns: int, trouble: str = "") -> PartnerWords:
        """Return what it says of itself."""
        T = self._T_world_base @ tip.T_base_tip
        closed = self._closed and tip.opening <= OPENED * self._grasp.opening
        return PartnerWords(
            t_ns, T[:3, 3], quat_of(T), tip.q, tip.opening, tip.pads, closed, self.phase,
            trouble or self.failed,
        )  # fmt: skip

    def _begin(self, T_world_tip: Array) -> None:
        """Go from where the tip is to where the plan begins, then follow the plan."""
        T_object_tool = self._grasp.T_object_tool
        there = np.linalg.inv(self._object @ T_object_tool) @ T_world_tip
        self._followed = FollowedPlan(led_there(self._plan, there), T_object_tool)
        self._followed.first(self._object, T_world_tip)

    def _leashed(self, T: Array, T_tip: Array) -> Array:
        """Return a target so near to the tip that its impedance pulls with no more than the limits."""
        partner, out = self._partner, T
        way, turn = T[:3, 3] - T_tip[:3, 3], turned_between(T_tip, T)
        far, turned = float(np.linalg.norm(way)), float(np.linalg.norm(turn))
        most, most_turned = (
            partner.force_limit / partner.stiffness,
            partner.torque_limit / partner.stiffness_turning,
        )
        if far > most or turned > most_turned:
            way = way * min(1.0, most / far) if far else way
            turn = turn * min(1.0, most_turned / turned) if turned else turn
            out = pose_moved(T_tip, way, turn)
        return out


def _moved_on(report: GraspReport, ahead: float) -> Array:
    """Return where the mock-up is a time [s] after it was told of, (4, 4)."""
    T = pose_from(report.p_world_object, report.quat_world_object)
    ahead = min(AHEAD, max(-AHEAD, ahead))
    twist = report.twist_world_object
    return pose_moved(T, ahead * twist[:3], ahead * twist[3:])
