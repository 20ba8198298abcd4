"""The simulation's turn of the loop: impulses in, world to now, state and prediction out. Pure."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.common.errors import SimulationError
from hil.common.geometry import quat_from_matrix
from hil.common.planar import carried_pose
from hil.common.time_map import TIME_RATE_SLEW
from hil.configuration import Configuration
from hil.configuration.base_rules import pace_slew
from hil.configuration.frames import Frames
from hil.loop.initial_motion import initial_twist
from hil.loop.judging.state_machine import MOVING, Machine, State
from hil.messaging.codec import over_the_wire
from hil.messaging.inside_messages import InsideJoints, InsideState
from hil.messaging.messages import ImpulseSlice, Mode, Prediction, RobotState, SimState
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import ArmModel
from sim.world.body import is_finite
from sim.world.flight.free import NO_DOCKING, NOWHERE
from sim.world.world import World

SET_OFF = 0.05  # [s] from the beginning of floating until the first plan is followed, at most
BUSY_NS = 8_000_000  # after a prediction the planner is taken to be idle again, plan or no plan
REHEARSED_TURNS = 12
GENTLE_NS = 40_000_000  # between two steps of the pace, where it changes gently


class Pace(Protocol):
    """What the simulation obeys of a plan."""

    @property
    def t_ns(self) -> int:
        """The instant of the prediction that it answers."""

    @property
    def epoch(self) -> int:
        """Which floating it is meant for."""

    @property
    def time_rate(self) -> float:
        """The pace of object time that it asks for."""


class SimCore:
    """Owns the world; starts it from where the arm holds the mock-up.

    Attributes:
        base_pose: where what carries the arm is, x, y [m] and heading [rad], shape (3,); None: nothing does.
    """

    base_pose: Array | None = None

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        self._world = World(configuration)
        self._model = model
        self._frames = Frames.from_configuration(configuration)
        self._configuration = configuration
        self._period_ns = nanoseconds(1.0 / configuration.simulation.prediction_rate)
        self._slew, self._next_rate_ns = pace_slew(configuration), 0
        self._epoch = 0
        self._rate = self._asked = 1.0  # of object time: in force, and as the planner last asked
        self._next_prediction_ns = 0
        self._predicted_ns = 0
        self._unpredicted = False  # slices have acted since the last prediction
        self._due = False

    def warm(self) -> None:
        """Compile or load what a turn needs, by a rehearsal with messages as they come off the wire."""
        self._world.warm()
        rehearsal = SimCore(self._configuration, self._model)
        robot = over_the_wire(_standing_robot(self._configuration.robot.start))
        for turn in range(REHEARSED_TURNS):
            t_ns = 1 + turn * 50_000_000
            mode = Machine(State.FLOATING if turn else State.READY, min(turn, 1)).mode(t_ns)
            push = over_the_wire(
                ImpulseSlice(
                    t_ns, 1, turn, 0, True, False, False, False, t_ns, t_ns, t_ns, np.ones(6), np.zeros(6)
                )
            )
            rehearsal.step(t_ns, mode, robot, [push] if turn > REHEARSED_TURNS // 2 else [], None)
            rehearsal.inside(t_ns)
            rehearsal.predict(t_ns)

    def step(
        self,
        t_ns: int,
        mode: Mode | None,
        robot: RobotState | None,
        slices: Sequence[ImpulseSlice],
        plan: Pace | None,
        joints: Sequence[InsideJoints] = (),
    ) -> SimState | None:
        """Bring the world to `t_ns` and return the object's state.

        Args:
            t_ns: now.
            mode: the supervisor's newest order; None before the first.
            robot: the driver's newest state; floating begins at its commanded pose.
            slices: the impulse slices that came since the last step.
            plan: the newest plan, or None if none came since the last step; its `time_rate` is obeyed.
            joints: orders to joints inside that came since the last step; while nothing floats they are lost.
        """
        self._due = False
        if robot is None or mode is None:
            return None
        if mode.state not in MOVING:
            return self._standing(t_ns, robot)
        if mode.epoch != self._epoch:
            self._restart(t_ns, mode, robot)
        self._pace(t_ns, mode, plan)
        for item in _newest_revisions(slices):
            self._world.apply(item)
        for order in joints:
            self._world.order(order)
        self._world.advance(t_ns)
        self._unpredicted |= bool(slices)
        if self._unpredicted:
            self._next_prediction_ns = min(self._next_prediction_ns, self.soonest_ns(plan))
        self._due = t_ns >= self._next_prediction_ns
        return self._sound(self._world.state(t_ns))

    def soonest_ns(self, plan: Pace | None) -> int:
        """Return the instant before which no prediction leaves: correcting the world earlier gains nothing.

        The planner is not asked oftener than it can answer: again when the plan for the newest prediction
        has come.

        Args:
            plan: the newest.
        """
        if plan is not None and plan.t_ns >= self._predicted_ns:
            return self._predicted_ns
        return self._predicted_ns + BUSY_NS

    def predict(self, t_ns: int) -> Prediction | None:
        """Return the prediction from `t_ns`, to which `step` brought the world, if one is due."""
        if not self._due:
            return None
        self._predicted_ns, self._next_prediction_ns = t_ns, t_ns + self._period_ns
        self._unpredicted = False
        return self._world.predict(t_ns)

    def inside(self, t_ns: int) -> InsideState | None:
        """Return how the object answers a push now, if it has bodies inside and a prediction was due."""
        return self._world.inside(t_ns) if self._due else None

    def _sound(self, state: SimState) -> SimState:
        """Return the state of a world that can be believed: nothing else leaves the simulation.

        Raises:
            SimulationError: the world has blown up.
        """
        if is_finite(state.p_world_object, state.quat_world_object, state.twist_world_object):
            return state
        self._due = False
        raise SimulationError(
            f"simulation: the object's state is no longer finite at object time {state.object_time:.3f} s: "
            "the world has blown up; check simulation.step_ms and the scene's contacts"
        )

    def _restart(self, t_ns: int, mode: Mode, robot: RobotState) -> None:
        p, quat = self._held_pose(robot.q_command)
        twist = mode.initial_twist.copy()  # off the wire it is read-only: another type to the kernels
        if not len(twist):
            twist = initial_twist(self._configuration, mode.epoch, p)
        # object time gains pace only when the first plan can be in effect, so that the arm, which looks
        # ahead by its delay, sets off smoothly and without a gap
        stand = max(robot.delay + SET_OFF, 1e-9 * (mode.begin_ns - t_ns))
        self._world.restart(t_ns, mode.epoch, p, quat, twist, stand)
        self._epoch, self._rate, self._asked, self._next_prediction_ns = mode.epoch, 1.0, 1.0, t_ns
        self._next_rate_ns = t_ns

    def _pace(self, t_ns: int, mode: Mode, plan: Pace | None) -> None:
        if plan is not None and plan.epoch == self._epoch:
            self._asked = plan.time_rate
        rate = self._gently(t_ns, 0.0 if mode.hold else self._asked)
        if rate != self._rate:
            self._world.set_time_rate(t_ns, rate)
            self._rate = rate

    def _gently(self, t_ns: int, asked: float) -> float:
        """Return the pace to be in force, which a base can follow: it takes longer to stop than an arm."""
        if asked == self._rate or self._slew >= TIME_RATE_SLEW:
            return asked
        if t_ns < self._next_rate_ns:
            return self._rate
        self._next_rate_ns = t_ns + GENTLE_NS
        step = 1e-9 * GENTLE_NS * self._slew
        return min(max(asked, self._rate - step), self._rate + step)

    def _standing(self, t_ns: int, robot: RobotState) -> SimState:
        p, quat = self._held_pose(robot.q_command)
        return SimState(
            t_ns, self._epoch, 0.0, 0.0, p, quat, np.zeros(6), False, 0.0, np.zeros((0, 3), np.int64),
            np.zeros((0, 6)), 0.0, self._world.other_poses_at_start, NOWHERE, False, *NO_DOCKING,
        )  # fmt: skip

    def _held_pose(self, q: Array) -> tuple[Array, Array]:
        T_world_base = self._frames.T_world_base
        if self.base_pose is not None:
            T_world_base = carried_pose(np.ascontiguousarray(T_world_base), np.array(self.base_pose))
        T_world_object = object_pose(
            *(self._model.geometry, np.array(q)), *(T_world_base, self._frames.T_flange_object)
        )
        return T_world_object[:3, 3].copy(), quat_from_matrix(T_world_object[:3, :3])


def _newest_revisions(slices: Sequence[ImpulseSlice]) -> list[ImpulseSlice]:
    """Return the slices without those that a newer revision among them replaces."""
    newest: dict[tuple[int, int], ImpulseSlice] = {}
    for item in slices:
        key = (item.impulse_id, item.slice_index)
        if key not in newest or item.revision >= newest[key].revision:
            newest[key] = item
    return list(newest.values())


def _standing_robot(q: Array) -> RobotState:
    return RobotState(
        t_ns=0, arrival_ns=0, session="command", quality=3, power_on=True, q_measured=q, q_command=q,
        dq_command=np.zeros(7), wrench_object=np.zeros(6), wrench_witness=np.zeros(6), delay=0.01,
        following=False, braking_reason="", fault="", refusal="",
        cycles=0, missed=0, cycle_p50=0.0, sample_to_command_p50=0.0, ring_p50=0.0,
        unsent=0, unsent_reason="", warning="", approach_session=0, approach_end="",
    )  # fmt: skip
