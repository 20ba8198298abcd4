"""Where a plan has the tip of a second arm, moment by moment, by where the object is. Pure.

A way goes from rest to rest in its own frame by the quintic `10 u^3 - 15 u^4 + 6 u^5`. In the frame of
the object the tip moves with it. Where a phase is told in the world the tip first gives up the motion that
it had: its speed falls linearly to nothing within the plan's `brake_s`.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_rotvec
from hil.common.poses import pose_from, pose_moved, turned_between, twist_between
from hil.configuration.grasp_plan import CLOSED, FASTEST, GraspPlan, PlanPhase

THERE = 1e-4, 1e-3  # [m, rad] within which the tip is where its plan begins
PACE_SLEW = 5.0  # [1/s] with which a plan's time comes to a stand and goes on, as object time does


@dataclass(frozen=True, eq=False)
class TipTarget:
    """Where a tip is to be.

    Attributes:
        T: pose in world, (4, 4).
        closed: whether its gripper is to be closed.
        phase: of the plan.
    """

    T: Array
    closed: bool
    phase: str


class FollowedPlan:
    """A plan at its own time, which stands while all is held.

    Attributes:
        t: of the plan [s].
        pace: of that time; 1 runs, 0 stands.
        released: the gripper is to be open whatever the plan says, and the tip stays.
    """

    def __init__(self, plan: GraspPlan, T_object_tool: Array) -> None:
        """Begin before the first phase; `T_object_tool` is the pose of a grasp, (4, 4)."""
        self._plan, self._T_object_tool = plan, T_object_tool
        self._ends = np.cumsum([phase.wait + phase.duration for phase in plan.phase])
        self.t, self.pace, self.released = 0.0, 1.0, False
        self._index = -1
        self._begun = placed(plan.start, np.zeros(3))  # of the phase, in its own frame
        self._motion = np.zeros(6)  # that the tip had when a phase in the world began
        self._T, self._before = np.eye(4), np.eye(4)  # of the last two targets
        self._step = 0.0
        self._object = np.eye(4)  # when the last target was made

    @property
    def over(self) -> bool:
        """Whether all phases are over."""
        return bool(self.t >= self._ends[-1])

    def first(self, T_world_object: Array, T_world_tip: Array | None = None) -> Array:
        """Return where the tip begins, (4, 4): by the plan, or where it is."""
        self._T = T_world_object @ self._T_object_tool @ self._begun if T_world_tip is None else T_world_tip
        self._before, self._object = self._T.copy(), T_world_object.copy()
        return self._T

    def step(self, dt: float, T_world_object: Array, held: bool) -> TipTarget:
        """Return the target a time `dt` [s] further on.

        Args:
            dt: of a cycle.
            T_world_object: where the object is, as the second arm sees it, (4, 4).
            held: all is held: the plan's time comes to a stand.
        """
        self.pace = max(0.0, self.pace - PACE_SLEW * dt) if held else min(1.0, self.pace + PACE_SLEW * dt)
        if not self.released:
            self.t = min(self.t + self.pace * dt, float(self._ends[-1]))
        index = min(int(np.searchsorted(self._ends, self.t, side="right")), len(self._ends) - 1)
        if index != self._index:
            self._enter(index)
        phase = self._plan.phase[index]
        if not self.released:
            self._before, self._step = self._T, dt
            self._T = self._target(phase, self.t - self._began(index), T_world_object)
        self._object = T_world_object.copy()
        closed = phase.phase in CLOSED and not self.released
        return TipTarget(self._T, closed, phase.phase)

    def _began(self, index: int) -> float:
        return float(self._ends[index - 1]) if index else 0.0

    def _enter(self, index: int) -> None:
        """Begin a phase from where the tip was sent last."""
        self._index = index
        if self._plan.phase[index].frame == "object":
            self._begun = np.linalg.inv(self._object @ self._T_object_tool) @ self._T
        else:
            self._begun = self._T.copy()
            self._motion[:] = twist_between(self._before, self._T, self._step)

    def _target(self, phase: PlanPhase, t: float, T_world_object: Array) -> Array:
        """Return the pose at a phase's time [s], in world (4, 4)."""
        u = min(1.0, max(0.0, (t - phase.wait) / phase.duration))
        share = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
        if phase.frame == "object":
            end = placed(phase.place, phase.turned)
            return np.asarray(T_world_object @ self._T_object_tool @ _between(self._begun, end, share))
        brake = min(t, self._plan.brake)
        slid = self._motion * (brake - brake**2 / (2.0 * self._plan.brake))
        return pose_moved(self._begun, slid[:3] + share * phase.place, slid[3:] + share * phase.turned)


def placed(p: Array, rotvec: Array) -> Array:
    """Return a pose (4, 4) by its place [m] and rotation vector [rad], both (3,)."""
    return pose_from(p, quat_from_rotvec(np.array(rotvec)))


def led_there(plan: GraspPlan, T_tool: Array) -> GraspPlan:
    """Return a plan with a way to where it begins, if the tip is elsewhere.

    Args:
        plan: to be followed.
        T_tool: the tip, from the pose of a grasp and in its axes, (4, 4).
    """
    start = placed(plan.start, np.zeros(3))
    way = float(np.linalg.norm(start[:3, 3] - T_tool[:3, 3]))
    turn = float(np.linalg.norm(turned_between(T_tool, start)))
    if way <= THERE[0] and turn <= THERE[1]:
        return plan
    duration = FASTEST * max(way / plan.speed, turn / plan.turning)
    first = PlanPhase.model_construct(
        phase="approach", frame="object", place=plan.start, turned=np.zeros(3), wait=0.0, duration=duration
    )
    return plan.model_copy(update={"phase": (first, *plan.phase)})


def _between(a: Array, b: Array, share: float) -> Array:
    return pose_moved(a, share * (b[:3, 3] - a[:3, 3]), share * turned_between(a, b))
