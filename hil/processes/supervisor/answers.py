"""What the desk answers to an order that it has carried out: what comes of it, or that it was so already."""

import numpy as np

from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import Push
from hil.wrench.detector.thresholds import PushThresholds

RESET = "reset: it becomes READY as soon as all is there"


def answer_to(verb: str, before: Machine, after: Machine) -> str:
    """Return what to say of float, hold, reset or stop that led from one machine to another."""
    state = before.state
    if verb == "stop":
        return _stopped(before)
    if verb == "hold":
        if state is not State.HOLDING:
            return "held: the object's time comes to a stand"
        by_itself = before.reason == after.reason
        return "was held already" if by_itself else "was held already, and goes on no more by itself"
    if verb == "reset":
        had_cause = state is State.FAULT or before.stopped_by_operator
        return RESET if had_cause else "there was nothing to reset"
    return {State.FLOATING: "floats already", State.HOLDING: "floats on"}.get(state, "floats")


def _stopped(before: Machine) -> str:
    if before.state is State.FAULT:
        return "stands already, in FAULT: remove the cause, then reset"
    if before.stopped_by_operator:
        return "was stopped already"
    if before.state in (State.STOPPED, State.READY):
        return "stopped; the arm stood already"
    return "stopped: the arm brakes and stands"


def pushed(push: Push) -> str:
    """Return what to say of a push that was sent to the emulation."""
    force, at = float(np.linalg.norm(push.force_world)), 1e3 * push.point_object
    where = "" if not np.any(at) else f" at {', '.join(f'{x:.0f}' for x in at.tolist())} mm"
    return f"pushed: {force:.3g} N for {1e3 * push.duration:.0f} ms{where}"


def thresholds_in_force(now: PushThresholds) -> str:
    """Return what a push must pass from now on."""
    return (
        f"thresholds: start {now.start_sigma:g} standard deviations, derivative {now.floor:g} N/s, "
        f"change {now.level_floor:g} N"
    )
