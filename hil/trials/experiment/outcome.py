"""How a trial ended."""

from typing import NamedTuple

from hil.loop.judging.state_machine import State
from hil.loop.trace.fields import Trace

DONE, FAULT, NO_PUSH, FAILED = "done", "fault", "no push", "failed"
REFUSED = "refused"  # its compensation must diverge at its port: it was not run


class Outcome(NamedTuple):
    """Status of a trial, one of the words above, and what went wrong in words."""

    status: str
    problem: str = ""


def outcome_of(trace: Trace) -> Outcome:
    """Return the outcome of a trial that was run to its end."""
    faults = trace.t[trace.state == State.FAULT]
    if not len(faults):
        return Outcome(DONE)
    return Outcome(FAULT, f"FAULT after {faults[0] - trace.t[0]:.2f} s")
