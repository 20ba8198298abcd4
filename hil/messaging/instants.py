"""Moving a message's instants from another host's monotonic clock into ours. Pure."""

import dataclasses
from typing import Any

import numpy as np

from hil.common.errors import BadMessage
from hil.messaging.codec import DTYPES, Kind, Message

FURTHEST_NS = 2**62  # no clock has run so long


def instants_of(cls: type[Message]) -> tuple[tuple[str, bool], ...]:
    """Return the fields that are instants (unit ns), and whether each is an array."""
    return tuple(
        (field.name, field.metadata["kind"] in DTYPES)
        for field in dataclasses.fields(cls)
        if field.metadata["unit"] == "ns"
    )


def shifted(msg: Kind, by_ns: int) -> Kind:
    """Return the message with every instant moved by `by_ns`; 0 and below mean "none" and stay.

    Raises:
        BadMessage: an instant is beyond what any clock shows.
    """
    changes: dict[str, Any] = {}
    for name, is_array in instants_of(type(msg)):
        value = getattr(msg, name)
        if (np.max(value, initial=0) if is_array else value) > FURTHEST_NS:
            raise BadMessage(f"bus: {type(msg).__name__}.{name} is no instant: above {FURTHEST_NS} ns")
        if is_array:
            changes[name] = np.where(value > 0, value + by_ns, value)
        else:
            changes[name] = value + by_ns if value > 0 else value
    return dataclasses.replace(msg, **changes)
