"""Waiting for a person who pushes: saying what to do, counting what is detected, giving up in time."""

import time
from collections.abc import Callable

from hil.loop.judging.state_machine import State
from hil.processes.own_run import OwnRun
from hil.trials.experiment.outcome import FAULT, NO_PUSH, Outcome
from hil.trials.experiment.plan import UP_WITHIN_S, OperatorPushes

POLL_S = 0.1
FULL_PACE = 0.99  # of object time, which comes up from a stand

Told = Callable[[str], None]


def wait_for_pushes(run: OwnRun, wanted: OperatorPushes, doing: Told, say: Told) -> Outcome | None:
    """Wait until all pushes are detected and the last one has had its effect.

    Args:
        run: that floats.
        wanted: how many pushes, and for how long each is waited for.
        doing: told what is going on.
        say: tells the person what to do.

    Returns:
        What was wrong, or None.

    Raises:
        LinkError: the run has ended.
    """
    if run.configuration.robot.kind == "emulated":
        say(
            "the arm is emulated: push it with `zerog push --force-n 30 0 0 --duration-ms 100 "
            f"--runtime-directory {run.directory}`"
        )
    _wait_for_pace(run, doing)
    for number in range(1, wanted.pushes + 1):
        say(f"push {number} of {wanted.pushes}: {wanted.say} (within {wanted.within:g} s)")
        outcome = _detected(run, number, wanted, doing)
        if outcome is not None:
            return outcome
        say(f"push {number} of {wanted.pushes}: detected")
    doing("seeing what the last push does")
    time.sleep(wanted.after)
    return None


def _wait_for_pace(run: OwnRun, doing: Told) -> None:
    """Wait until object time runs: what is felt of the arm as it sets off is no push, nor is a hand then."""
    deadline = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < deadline:
        run.check()
        if run.bus.status()["rate"] >= FULL_PACE:
            return
        doing("object time comes up to its pace")
        time.sleep(POLL_S)


def _detected(run: OwnRun, number: int, wanted: OperatorPushes, doing: Told) -> Outcome | None:
    """Wait for the push with this number and return what was wrong, or None."""
    deadline = time.monotonic() + wanted.within
    while (left := deadline - time.monotonic()) > 0.0:
        run.check()
        status = run.bus.status()
        if status["state"] == State.FAULT:
            return Outcome(FAULT, f"FAULT: {status['reason']}")
        if status["pushes"] >= number:
            return None
        doing(f"waiting for push {number} of {wanted.pushes}: {left:.0f} s left")
        time.sleep(POLL_S)
    return Outcome(NO_PUSH, f"push {number} of {wanted.pushes} did not come within {wanted.within:g} s")
