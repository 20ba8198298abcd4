"""The state in plain words: what it means, what to do next, and which controls it allows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hil.common.errors import OperatorError
from hil.loop.approach.permit import Permit
from hil.loop.judging.state_machine import BY_HAND, NO_PATH, RUN_OVER, Machine, State

NO_CONNECTION = "NO CONNECTION"
MEANINGS = {
    State.STOPPED: "The arm stands.",
    State.READY: "The arm stands; everything is there.",
    State.APPROACHING: "The arm comes to its start pose, as long as a hand holds on.",
    State.CALIBRATING: "The arm circles to show what its load data misses, as long as a hand holds on.",
    State.FLOATING: "The arm moves the mock-up as in micro-gravity.",
    State.HOLDING: "Object time stands still; the mock-up is held.",
    State.FAULT: "The arm has been braked. Somebody must look.",
}
UNCHECKED = "Float is refused until this configuration is checked for a real arm: docs/use/commissioning.md."
OUTSIDE = (
    "Float is refused here: hold Approach to bring the arm to its start pose, or begin with less motion."
)
REFUSED = {"float": "float", "motion": "float", "approach": "approach", "calibrate": "calibrate"}
OPEN: Mapping[str, str] = dict.fromkeys(REFUSED, "")
NO_PERMIT = Permit(0, 0, 0, (), 0.0)
LOST = "Nothing is heard of the run. What is shown is old."
FIND_OUT = "Use the emergency stop if the arm must stand. Then look whether the run is still going."


def what_next(state: State, reason: str, needs_reset: bool, emulated: bool) -> str:
    """Return what an operator does next."""
    if state is State.FAULT:
        return "Remove the cause, look at the arm, then press Reset. Reset does not move the arm."
    if state is State.STOPPED and reason == RUN_OVER:
        return "Nothing: this run has ended. `zerog run` begins another."
    if state is State.STOPPED:
        return "Press Reset, then Float." if needs_reset else "Wait: it becomes READY when all is there."
    if state is State.READY:
        return "Press Float. Nobody within reach of the arm?"
    if state in BY_HAND:
        return "Hold on, and look; let go to stop the arm."
    if state is State.HOLDING:
        if reason.startswith(NO_PATH):
            return "It goes on by itself when the arm finds a path; else Stop, Reset, Float."
        return "Press Float to let it go on."
    how = "by dragging it, or with the form" if emulated else "by hand"
    return f"Push the mock-up {how}; or press Hold."


def forbidden(machine: Machine, emulated: bool, refused: Mapping[str, str] = OPEN) -> dict[str, str]:
    """Return by control why it is of no use now, empty where it is allowed; the daemon judges once more.

    `stop` is always there. `refused` says why what it names, `motion` whatever it is, may not begin from
    where the arm is; empty if it may.
    """
    trials: dict[str, Callable[[], object]] = {
        "float": machine.float,
        "hold": machine.hold,
        "reset": machine.reset,
        "motion": lambda: machine.float((0.0,) * 6),
        "approach": lambda: machine.held_on(NO_PERMIT),
        "calibrate": lambda: machine.held_on(replace(NO_PERMIT, errand="calibrate")),
    }
    found = {name: _refusal(trial) for name, trial in trials.items()} | {"stop": "", "thresholds": ""}
    if machine.state is State.READY:
        found |= {name: f"{REFUSED[name]} is refused: {why}" for name, why in refused.items() if why}
    if machine.state is State.FLOATING:
        found["float"] = "it floats already"
    if not emulated:
        found["push"] = "a real mock-up is pushed by hand"
    else:
        found["push"] = "" if machine.moving else f"nothing floats in {machine.state}"
    return found


def _refusal(trial: Callable[[], object]) -> str:
    try:
        trial()
    except OperatorError as error:
        return str(error)
    return ""


def words(
    machine: Machine,
    emulated: bool,
    held: str = "",
    refused: Mapping[str, str] = OPEN,
    lacking: Sequence[str] = (),
    overridden: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the page says of the state.

    Args:
        machine: the state.
        emulated: whether the robot is.
        held: where the arm holds the object to the stops, in words; empty while it floats.
        refused: see `forbidden`.
        lacking: what the configuration lacks before a real arm may move.
        overridden: what it lacks and is set aside by hand, with the reasons; shown in every state.
    """
    meaning, following = MEANINGS[machine.state], _next(machine, emulated)
    if held and not machine.moving:
        meaning += f" The object is held {held}."
    if machine.state is State.READY and refused["float"]:
        following = UNCHECKED if lacking else OUTSIDE
    if lacking and not machine.moving:
        meaning += f" Not checked for a real arm: {'; '.join(lacking)}."
    if overridden:
        meaning += f" OVERRIDDEN by hand: {'; '.join(overridden)}."
    return {
        "state": machine.state.value,
        "reason": machine.reason,
        "meaning": meaning,
        "next": following,
        "forbidden": forbidden(machine, emulated, refused),
    }


def _next(machine: Machine, emulated: bool) -> str:
    return what_next(machine.state, machine.reason, machine.stopped_by_operator, emulated)


def no_connection() -> dict[str, Any]:
    """Return the same when nothing is heard of the run: everything is forbidden but a try to stop."""
    controls = ("float", "approach", "calibrate", "hold", "reset", "motion", "push", "thresholds")
    return {
        "state": NO_CONNECTION,
        "reason": "",
        "meaning": LOST,
        "next": FIND_OUT,
        "forbidden": dict.fromkeys(controls, "no connection to the run") | {"stop": ""},
    }
