"""The driver's core on its recorded samples, orders and plans."""

from collections.abc import Iterator

import numpy as np

from drivers.fri.session import NONE_HEARD, FriSample
from drivers.sensor.rdt import SensorRecord
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.carried.carried_arm import carried_by
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Counters, Cycle
from hil.loop.echo_bits import EchoBits
from hil.messaging.inside_messages import InsideState
from hil.messaging.messages import (
    INPUT_ANSWERED,
    INPUT_COMMANDING,
    INPUT_GAP,
    INPUT_MIRRORED,
    INPUT_NEW_SESSION,
    INPUT_POWER,
    Contact,
    DriverInputs,
    ImpulseSlice,
    Mode,
    Plan,
    RobotState,
    Witness,
)
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Expected, Verdict
from hil.recording.replaying.heard_base import HeardBase
from hil.recording.replaying.heard_grasp import HeardGrasp
from hil.recording.replaying.heard_inside import HeardInside
from hil.recording.replaying.sensed import SensedRecords
from hil.recording.replaying.source import Source
from hil.recording.replaying.stages import PlanFeed
from hil.recording.rows import Cycle as RecordedCycle
from planner.kinematics.arm_model import load_arm_model

DRIVER_CHANNELS = (
    *("/driver_inputs", "/sensor_inputs", "/mode", "/cycle", "/impulse", "/witness", "/contact"),
    *("/robot_state", "/inside_state", "/inside_taken", "/base_inputs"),
    *("/grasp_inputs", "/grasp_report"),
)


def driven(source: Source, c: Configuration, verdict: Verdict, plans: PlanFeed) -> Iterator[None]:
    """Run the driver's core again; yields now and then."""
    stage = _DriverStage(source, c, verdict, plans)
    for new, block in in_a_row(source.all_of("/driver_inputs", DriverInputs), verdict):
        if not stage.block(block, new):
            break
        yield
    plans.drain()


class _DriverStage:
    def __init__(self, source: Source, c: Configuration, verdict: Verdict, plans: PlanFeed) -> None:
        self._c, self._verdict, self._plans = c, verdict, plans
        self._model = load_arm_model(c.robot.model)
        self._modes = source.instants("/mode", Mode)
        self._cycles = source.instants("/cycle", RecordedCycle)
        self._robots = source.instants("/robot_state", RobotState)
        self._slices = Expected(verdict, "impulse", ImpulseSlice, source.raw("/impulse"))
        self._witnesses = Expected(verdict, "witness", Witness, source.raw("/witness"))
        self._contacts = Expected(verdict, "contact", Contact, source.raw("/contact"))
        self._states = Expected(verdict, "robot_state", RobotState, source.raw("/robot_state"))
        self._sensed = SensedRecords(source, verdict)
        self._inside = HeardInside(source)
        self._base = None if c.base.kind == "none" else HeardBase(source, c, verdict, self._modes)
        self._grasp = None if c.grasp is None else HeardGrasp(source, c, verdict)
        self._begin()

    def _begin(self) -> None:
        arm = carried_by(self._c, self._model)
        self._core = DriverCore(self._c, self._model, arm)
        self._core.warm()
        if self._base is not None and arm is not None:
            self._base.begin(arm)
        if self._grasp is not None:
            self._grasp.begin(self._core)
        self._observed: list[FriSample] = []
        self._bits = EchoBits()

    def block(self, block: DriverInputs, new: bool) -> bool:
        """Run through a block's samples; return whether the core can be followed further."""
        if new and self._verdict.turns:
            self._begin()
        taken = block.start - len(self._observed)  # samples before the turn at hand
        told = zip(
            block.arrival_stamps.tolist(), block.rows.tolist(), block.values.astype(np.float64),
            block.echoes, block.controller.tolist(), strict=True,
        )  # fmt: skip
        for arrival_ns, row, values, echo, controller in told:
            heard = row[1] - controller[4] if controller[4] else NONE_HEARD
            q_commanded = self._bits.echo(echo, heard, bool(row[3] & INPUT_MIRRORED))
            self._observed.append(_sample(arrival_ns, row, values, q_commanded, controller, heard))
            if row[3] & INPUT_ANSWERED:
                samples, self._observed = self._observed, []
                records = self._sensed.before(block.process, taken)
                place, taken = (block.process, taken), taken + len(samples)
                insides = self._inside.before(block.process, taken)
                if not self._cycle(samples, records, row[4], row[5], insides, place):
                    return False
        begin_ns, end_ns = int(block.rows[0, 0]), int(block.rows[-1, 0])
        for expected in (self._slices, self._witnesses, self._contacts):
            expected.rest(begin_ns, end_ns)
        if self._grasp is not None:
            self._grasp.rest(begin_ns, end_ns)
        return True

    def _cycle(
        self,
        samples: list[FriSample],
        records: list[SensorRecord],
        mode_ns: int,
        plan_ns: int,
        insides: list[InsideState | None],
        place: tuple[int, int],
    ) -> bool:
        """Do what the driver's process does with a packet; see `hil.processes.mains.driver`.

        `place`: whose core, and how many samples it has taken before.
        """
        core, newest = self._core, samples[-1]
        mode, plan = self._modes.at(mode_ns), self._plans.at(plan_ns) if plan_ns else None
        if (mode_ns and mode is None) or (plan_ns and plan is None) or None in insides:
            self._verdict.lacks("orders, plans or states of bodies inside")
            return False
        if not self._hear_base(place[0], 2 * place[1]):
            return False
        if self._grasp is not None:  # what came before the first packet
            self._grasp.until(*place)
        try:
            core.sense(records)
            for sample in samples:
                core.observe(sample)
            cycle = core.cycle(newest, mode)
        except Exception as error:
            cycle = core.emergency(newest, error)
        self._bits.sent(newest.count, core.q_command)
        slices = core.slices_of(cycle)
        if not self._hear_base(place[0], 2 * (place[1] + len(samples)) - 1, plan):
            return False
        for state in insides:
            if state is not None:
                core.hear_inside(state)
        conclusion = core.conclude(newest, slices, plan)
        self._verdict.turns += 1
        for item in slices:
            self._slices.hear(item)
        for statement in conclusion.witnesses:
            self._witnesses.hear(statement)
        for touch in conclusion.contacts:
            self._contacts.hear(touch)
        self._compare(newest, cycle)
        if self._grasp is not None and not self._grasp.until(place[0], place[1] + len(samples)):
            self._verdict.lacks("words of a second arm")
            return False
        return True

    def _hear_base(self, process: int, place: int, plan: Plan | None = None) -> bool:
        """Give what came of a base up to a place among the samples, and the plan that is of the arm's."""
        base, made = self._base, self._plans.base
        if base is None:
            return True
        if plan is not None and made is not None:
            base.follow(made)
        if base.until(process, place):
            return True
        self._verdict.lacks("orders to the vehicle")
        return False

    def _compare(self, sample: FriSample, cycle: Cycle) -> None:
        core = self._core
        then = self._cycles.at(sample.t_ns)
        if then is not None:
            self._verdict.count("cycle", sample.t_ns, _changes(then, core))
        state = self._robots.at(sample.t_ns)
        if state is not None:  # what only the process counts is taken from the recording
            counters = Counters(
                state.cycles,
                state.missed,
                state.cycle_p50,
                state.sample_to_command_p50,
                state.ring_p50,
                state.unsent,
                state.unsent_reason,
            )
            self._states.hear(core.state(sample.t_ns, counters))


def _changes(then: RecordedCycle, core: DriverCore) -> str:
    """Return in words what is not as it was."""
    found = []
    if then.q_command.tobytes() != core.q_command.tobytes():
        largest = float(np.abs(then.q_command - core.q_command).max())
        found.append(f"command by up to {largest:.3g} rad")
    if then.wrench_object.tobytes() != core.wrench_object.astype(np.float32).tobytes():
        found.append("wrench")
    if then.following != core.following:
        found.append(f"following {then.following} then, {core.following} now")
    return "; ".join(found)


def _sample(
    arrival_ns: int, row: list[int], values: Array, q_commanded: Array, controller: list[int], heard: int
) -> FriSample:
    t_ns, count, quality, flags, *_ = row
    drives, control, error, warning, _ = controller
    return FriSample(
        t_ns=t_ns, arrival_ns=arrival_ns, count=count, q_measured=values[:7], q_commanded=q_commanded,
        wrench=values[7:13], torque_external=values[13:], state=0, quality=quality,
        power_on=bool(flags & INPUT_POWER), commanding=bool(flags & INPUT_COMMANDING),
        new_session=bool(flags & INPUT_NEW_SESSION), late=False, lost=0, missed_answers=0, sequence=0,
        gap=bool(flags & INPUT_GAP),
        heard=heard, drives=drives, control=control, error=error, warning=warning,
    )  # fmt: skip
