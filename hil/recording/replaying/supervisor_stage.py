"""The supervisor's core on what it saw and on the orders that it was given."""

import dataclasses
import json
from collections.abc import Iterator

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.input_log import name_of
from hil.loop.judging.judge import HELD, Evidence, Judge
from hil.loop.judging.state_machine import State
from hil.messaging.messages import ImpulseSlice, Mode, RobotState, SimState, SupervisorTurn, Witness
from hil.recording.protobuf import coder_of
from hil.recording.replaying.comparison import Verdict, changes
from hil.recording.replaying.source import Instants, Source
from hil.recording.rows import PlanNews

SUPERVISOR_CHANNELS = (
    "/supervisor_turn", "/mode", "/impulse", "/witness", "/plan", "/sim_state", "/robot_state",
)  # fmt: skip
SHORT = 20  # turns between two reports of progress


def judged(source: Source, c: Configuration, verdict: Verdict) -> Iterator[None]:
    """Judge every turn again; yields now and then."""
    modes, states = source.instants("/mode", Mode), source.instants("/sim_state", SimState)
    plans, robots = source.instants("/plan", PlanNews), source.instants("/robot_state", RobotState)
    slices = {name_of(item): item for item in source.all_of("/impulse", ImpulseSlice)}
    witnesses = {
        (item.impulse_id, item.slice_index, item.t_ns): item for item in source.all_of("/witness", Witness)
    }
    judge, process, following = Judge(c), None, 0
    for turn in source.all_of("/supervisor_turn", SupervisorTurn):
        if turn.process != process:
            judge = judge if process is None else Judge(c)
            process, following = turn.process, 0
            if _nothing_yet(modes.at(turn.t_ns)):  # turns in which it only waited are no loss
                following = turn.turn
        if turn.turn != following:
            verdict.note(f"inputs are missing from turn {following} on: it is followed no further")
            return
        following = turn.turn + 1
        heard = [slices.get(tuple(key)) for key in turn.slices.tolist()]
        told = [witnesses.get(tuple(key)) for key in turn.witnesses.tolist()]
        plan, state = plans.at(turn.plan_ns), states.at(turn.sim_ns)
        orders: list[tuple[str, str]] = [(verb, argument) for verb, argument in json.loads(turn.orders)]
        robot, lacking = _held(orders, robots, turn.t_ns)
        missing = (turn.plan_ns and not plan) or (turn.sim_ns and not state) or lacking
        if missing or None in heard or None in told:
            verdict.lacks("messages")
            return
        judge.hear([item for item in heard if item], [item for item in told if item])
        seen = Evidence(turn.missing, turn.stuck, turn.fault, turn.moving, plan, state, robot)
        _judge_again(judge, turn.t_ns, orders, seen, verdict)
        _compare(judge, modes.at(turn.t_ns), turn.t_ns, verdict)
        verdict.turns += 1
        if verdict.turns % SHORT == 0:
            yield


def _nothing_yet(mode: Mode | None) -> bool:
    return mode is not None and mode.epoch == 0 and mode.state == State.STOPPED


def _held(
    orders: list[tuple[str, str]], robots: Instants[RobotState], t_ns: int
) -> tuple[RobotState | None, bool]:
    """Return the robot's state from which a turn's floating began, and whether the recording lacks it.

    A recording that does not tell which one it was has the newest.
    """
    noted = [int(argument) for verb, argument in orders if verb == HELD]
    if noted:
        robot = robots.at(noted[-1])
        return robot, robot is None
    return (robots.newest(t_ns) if any(verb == "float" for verb, _ in orders) else None), False


def _judge_again(
    judge: Judge, t_ns: int, orders: list[tuple[str, str]], seen: Evidence, verdict: Verdict
) -> None:
    for verb, argument in orders:
        if verb == HELD:
            continue
        if verb == "judge":
            judge.step(t_ns, seen)
            continue
        try:
            judge.order(verb, argument)
        except OperatorError as refusal:
            verdict.count("order", t_ns, f"{verb} was obeyed then, now: {refusal}")
    judge.taken()


def _compare(judge: Judge, then: Mode | None, t_ns: int, verdict: Verdict) -> None:
    """Compare the order; the thresholds in it are an operator's and no judgement."""
    if then is None:
        return
    now = dataclasses.replace(judge.machine.mode(t_ns), thresholds=then.thresholds)
    coder = coder_of(Mode)
    same = coder.encode(now) == coder.encode(then)
    verdict.count("mode", t_ns, "" if same else changes(then, now))
