"""The driver's cycle: one robot packet in, one command out. Pure: no socket, no clock.

Sample -> wrench at the object's centre of mass -> filter and detector -> plan looked ahead by the
interface delay, bent by the short cut -> limiter -> guard -> command. The caller wraps `cycle` once:
whatever it raises becomes a fault and a stop; from then on a command has always been chosen.
"""

from dataclasses import dataclass, field

import numpy as np
from planner.guard import Guard

from drivers.fri_session import FriSample
from hil.arrays import Array
from hil.configuration import Configuration
from hil.frames import Frames
from hil.held_body import object_pose, object_wrench
from hil.impulse_detector import ImpulseDetector
from hil.interface_delay import InterfaceDelay
from hil.live_slices import LiveSlices
from hil.messages import ImpulseSlice, Mode, Plan, RobotState
from hil.state_machine import MOVING
from planner.arm_model import ArmModel
from planner.interpolator import Interpolator

MODE_TIMEOUT_NS = 500_000_000  # without the supervisor's order for so long the arm brakes


@dataclass
class Cycle:
    """What a cycle decided. `q_command` is None outside command mode: the session then mirrors."""

    q_command: Array | None
    slices: list[ImpulseSlice] = field(default_factory=list)


class DriverCore:
    """Everything between a measured sample and a checked command."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        self._c = c
        self._model = model
        self._frames = Frames.from_configuration(c)
        self._dt = c.fri.sample_time
        self._in_tool_axes = c.fri.wrench_frame == "tool"
        self._detector = ImpulseDetector(c.detector, c.filter)
        self._interpolator = Interpolator(model, c.limits, c.interpolation, self._dt)
        self._guard = Guard(model, c.limits, self._dt)
        self._delay = InterfaceDelay(c.interpolation.lead_time, self._dt)
        self._live = LiveSlices(c.object.mass, c.object.inertia)
        self._plan: Plan | None = None
        self._epoch = 0
        self._sample: FriSample | None = None
        self._wrench_object = np.zeros(6)
        self._commanding = False
        self.following = False
        self.reason = ""
        self.fault = ""

    @property
    def lead(self) -> float:
        """How far the plan is looked ahead [s]."""
        setting = self._c.interpolation
        if setting.lead == "none":
            return 0.0
        return setting.lead_time if setting.lead == "fixed" else self._delay.estimate

    @property
    def wrench_object(self) -> Array:
        """The last wrench about the object's centre of mass, object axes [N, N m], shape (6,)."""
        return self._wrench_object

    def cycle(self, sample: FriSample, mode: Mode | None, plan: Plan | None) -> Cycle:
        """Answer one robot packet.

        Args:
            sample: the decoded packet.
            mode: the supervisor's newest order, however old.
            plan: a plan that came since the last cycle, or None.
        """
        self._sample = sample
        slices = self._observe(sample)
        moving = mode is not None and mode.state in MOVING and sample.t_ns - mode.t_ns < MODE_TIMEOUT_NS
        if mode is not None and mode.epoch != self._epoch:
            self._epoch, self._plan = mode.epoch, None
            self._live.clear()
        if mode is not None and mode.state != "FAULT" and self.fault and mode.state != "FLOATING":
            self._release()
        if plan is not None and plan.epoch == self._epoch:
            self._plan = plan
            self._interpolator.accept(plan)
        if not sample.commanding:
            return self._idle(sample, slices)
        if not self._commanding or sample.new_session:
            # a new session continues from what the controller commands, never from an old set-point
            self._interpolator.reset(sample.q_commanded)
            self._guard.reset(sample.q_commanded)
            self._commanding = True
        return Cycle(self._command(sample, moving), slices)

    def _observe(self, sample: FriSample) -> list[ImpulseSlice]:
        model, frames = self._model, self._frames
        self._wrench_object = object_wrench(
            model.lengths,
            model.signs,
            sample.q_measured,
            frames.T_flange_tcp,
            frames.T_flange_object,
            sample.wrench,
            self._in_tool_axes,
        )
        slices = self._detector.step(sample.t_ns, self._wrench_object)
        for item in slices:
            self._live.add(item)
        return slices

    def _idle(self, sample: FriSample, slices: list[ImpulseSlice]) -> Cycle:
        self._commanding = False
        self.following, self.reason = False, f"robot in {session_name(sample)} mode"
        return Cycle(None, slices)

    def _command(self, sample: FriSample, moving: bool) -> Array:
        plan = self._plan
        follow = moving and plan is not None and not self.fault
        missing = None
        if follow and plan is not None and self._c.interpolation.short_cut:
            missing = self._live.missing_twist(sample.t_ns, plan)
        if missing is not None:
            missing = self._in_world(missing, sample.q_measured)
        step = self._interpolator.step(sample.t_ns, self.lead, missing, follow)
        verdict = self._guard.check(step.q)
        if verdict.violation:
            self.fault = verdict.violation
        elif step.fault:
            self.fault = step.fault
        self.following, self.reason = step.following, step.reason
        self._delay.step(verdict.q, sample.q_measured)
        return verdict.q

    def _in_world(self, twist_object: Array, q: Array) -> Array:
        frames = self._frames
        T = object_pose(
            self._model.lengths, self._model.signs, q, frames.T_world_base, frames.T_flange_object
        )
        R = T[:3, :3]
        return np.concatenate([R @ twist_object[:3], R @ twist_object[3:]])

    def _release(self) -> None:
        """An operator's reset: the fault is forgotten, the stream goes on from where it stands."""
        if self._interpolator.at_rest:
            self.fault = ""
            self._interpolator.reset(self._interpolator.q)
            self._guard.reset(self._interpolator.q)

    def state(self, t_ns: int, counters: "Counters") -> RobotState:
        """Return what the others want to know about the last cycle."""
        sample = self._sample
        assert sample is not None
        return RobotState(
            t_ns=t_ns,
            session=session_name(sample),
            quality=sample.quality,
            power_on=sample.power_on,
            q_measured=sample.q_measured,
            q_command=self._interpolator.q if self._commanding else sample.q_commanded,
            dq_command=self._interpolator.dq if self._commanding else np.zeros(7),
            wrench_object=self._wrench_object,
            delay=self.lead,
            following=self.following,
            braking_reason=self.reason,
            fault=self.fault,
            cycles=counters.cycles,
            missed=counters.missed,
            cycle_p50=counters.cycle_p50,
            sample_to_command_p50=counters.sample_to_command_p50,
        )


def session_name(sample: FriSample) -> str:
    """Return in a word whether commands move the arm: monitor, command, or power off."""
    if not sample.power_on:
        return "power off"
    return "command" if sample.commanding else "monitor"


@dataclass
class Counters:
    """What the driver's shell counts; in lock-step all zero."""

    cycles: int = 0
    missed: int = 0
    cycle_p50: float = 0.0
    sample_to_command_p50: float = 0.0
