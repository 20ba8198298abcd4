"""What a recorded run has waited for a busy machine."""

from collections.abc import Mapping

from hil.messaging.messages import Wait
from hil.recording.columns import Columns


def waits_of(channels: Mapping[str, Columns]) -> tuple[Wait, ...]:
    """Return the waits of a recording in their order; none where nothing was waited for."""
    found = channels.get("/wait")
    if found is None:
        return ()
    values = (found[name].tolist() for name in ("t_ns", "process", "duration", "total"))
    return tuple(Wait(*row) for row in zip(*values, strict=True))
