"""The contacts of a recorded run under continuous force."""

from collections.abc import Mapping

from hil.messaging.messages import Contact
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
