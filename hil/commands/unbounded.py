"""Whether anything certified bounds the object: the warning of `check`, `run` and `simulate`."""

from pathlib import Path

from hil.configuration import Configuration
from hil.configuration.workspace_stamp import workspace_stamp


def unbounded(c: Configuration, path: Path) -> str:
    """Return a warning if nothing certified bounds the object that `path` describes; empty if something does.

    Where `run.follow` is false the arm stands, whatever the object does.
    """
    if not c.run.follow:
        return ""
    if not c.stops.enabled:
        return "warning: stops.enabled = false: nothing bounds the object; the arm will hold at its limits"
    if c.stops.certified != workspace_stamp(c):
        return f"warning: these stops are not certified: run `zerog workspace {path}`"
    return ""
