"""The contacts of a recorded run under continuous force, and whether its drives were in time."""

from collections.abc import Mapping

from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming
from hil.recording.columns import Columns


def contacts_of(channels: Mapping[str, Columns]) -> tuple[Contact, ...]:
    """Return the last word on each contact of a recording, in their order; none where nothing touched.

    One that is not `ended` was open when the recording or the floating was over.
    """
    found = channels.get("/contact")
    if found is None:
        return ()
    rows = zip(*(found[name] for name in Contact.__match_args__), strict=True)
    last: dict[tuple[int, int], Contact] = {}
    for row in rows:
        told = Contact(*(value if value.ndim else value.item() for value in row))
        last[told.number, told.t_start_ns] = told  # a driver that began anew counts from 1 again
    return tuple(sorted(last.values(), key=lambda contact: contact.t_start_ns))


def timing_of(channels: Mapping[str, Columns]) -> DriveTiming | None:
    """Return the last word on whether the drives were in time with their model; None if there was none."""
    found = channels.get("/drive_timing")
    if found is None:
        return None
    last = int(found["t_ns"].argmax())
    return DriveTiming(*(found[name][last].item() for name in DriveTiming.__match_args__))
