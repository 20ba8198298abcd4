"""The states of an unattended campaign, and how each peg and the campaign can end."""

from enum import StrEnum


class State(StrEnum):
    """What the cell does."""

    RECOVERING = "recovering"  # a campaign that was cut off: what hangs at the flange goes back first
    WEIGHING_EMPTY = "weighing the empty flange"
    PICKING = "picking"
    WEIGHING = "weighing"
    RUNNING = "running"
    PLACING = "placing"
    DONE = "done"  # the rack is through
    STOPPED = "stopped"  # the arm rests at the start joints, nothing is picked any more


class Outcome(StrEnum):
    """How a peg ended."""

    DONE = "done"
    PICK_FAILED = "pick failed"
    TOOL_MISSING = "tool missing"
    LOAD_WRONG = "load wrong"
    DIVERGED = "diverged"
    TOOL_LOST = "tool lost"
    PLACE_FAILED = "place failed"
    SENSOR_LOST = "sensor lost"


# after these nothing may move: a tool lies in the cell or hangs where it should not, or nobody weighs it
ALWAYS_STOP = frozenset({Outcome.TOOL_LOST, Outcome.PLACE_FAILED, Outcome.SENSOR_LOST})
