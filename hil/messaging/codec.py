"""Messages on the wire: `[type, fingerprint, seq, t_ns, payload]`, packed with msgpack.

A message is a frozen, slotted dataclass whose fields carry shape and unit in their metadata. The
fingerprint is a hash of names, types, shapes and units, so two versions cannot talk past each other.
Decoding any bytes whatever gives a message or raises `BadMessage`. Nothing is ever pickled.
"""

import dataclasses
import hashlib
import math
from typing import Any, ClassVar, TypeVar, dataclass_transform

import msgpack
import numpy as np

from hil.common.errors import BadMessage

SCALARS = {"int": int, "float": float, "bool": bool, "str": str}
DTYPES: dict[str, np.dtype[Any]] = {"f8": np.dtype("<f8"), "f4": np.dtype("<f4"), "i8": np.dtype("<i8")}
Kind = TypeVar("Kind", bound="Message")
Layout = tuple[tuple[str, str, tuple[int, ...]], ...]
_MESSAGES: dict[str, type["Message"]] = {}
_LAYOUTS: dict[type["Message"], Layout] = {}  # name, kind and shape of the fields


def array_field(shape: tuple[int, ...], unit: str, dtype: str = "f8") -> Any:
    """Declare an array field; a length of -1 is free (the same for all fields is not required)."""
    return dataclasses.field(metadata={"kind": dtype, "shape": shape, "unit": unit})


def scalar_field(kind: str, unit: str = "1") -> Any:
    """Declare a scalar field of kind int, float, bool or str."""
    return dataclasses.field(metadata={"kind": kind, "shape": (), "unit": unit})


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Message:
    """Base of all messages: when what it says was measured or became true [monotonic ns]."""

    FINGERPRINT: ClassVar[str] = ""
    t_ns: int = dataclasses.field(metadata={"kind": "int", "shape": (), "unit": "ns"})


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(array_field, scalar_field))
def message(cls: type) -> type:
    """Turn a class into a registered message: frozen, slotted, arrays read-only, with a fingerprint."""
    made: Any = dataclasses.dataclass(frozen=True, slots=True, eq=False)(cls)
    text = ";".join(
        f"{f.name}:{f.metadata['kind']}:{f.metadata['shape']}:{f.metadata['unit']}"
        for f in dataclasses.fields(made)
    )
    made.FINGERPRINT = hashlib.sha256(f"{made.__name__};{text}".encode()).hexdigest()[:16]
    _MESSAGES[made.__name__] = made
    _LAYOUTS[made] = tuple(
        (f.name, f.metadata["kind"], f.metadata["shape"]) for f in dataclasses.fields(made)
    )
    return made


def encode(msg: Message, seq: int = 0) -> bytes:
    """Return the bytes of a message; `seq` counts the publisher's messages."""
    payload = []
    for name, kind, _ in _LAYOUTS[type(msg)]:
        value = getattr(msg, name)
        if kind in SCALARS:
            payload.append(SCALARS[kind](value))
        else:
            array = np.ascontiguousarray(value, DTYPES[kind])
            payload.append([list(array.shape), array.tobytes()])
    packed: bytes = msgpack.packb([type(msg).__name__, type(msg).FINGERPRINT, seq, msg.t_ns, payload])
    return packed


def decode(data: bytes) -> tuple[Message, int]:
    """Return the message and its sequence number.

    Raises:
        BadMessage: the bytes are damaged, of an unknown type, or of another version.
    """
    try:
        parts = msgpack.unpackb(data)
    except Exception as error:
        raise BadMessage(f"bus: {len(data)} bytes are no msgpack message: {error}") from error
    if not isinstance(parts, list) or len(parts) != 5:
        raise BadMessage("bus: a message has five parts: type, fingerprint, seq, t_ns, payload")
    name, fingerprint, seq, t_ns, payload = parts
    cls = _MESSAGES.get(name) if isinstance(name, str) else None
    if cls is None:
        raise BadMessage(f"bus: message type {name!r} is unknown; known: {', '.join(sorted(_MESSAGES))}")
    if fingerprint != cls.FINGERPRINT:
        raise BadMessage(
            f"bus: {name} has fingerprint {fingerprint!r}, this program's is {cls.FINGERPRINT!r}: "
            "the two programs are of different versions; stop both and start them from one installation"
        )
    layout = _LAYOUTS[cls]
    if not _is_int(seq) or not _is_int(t_ns) or not isinstance(payload, list) or len(payload) != len(layout):
        raise BadMessage(f"bus: {name} is damaged: wrong header or number of fields")
    values = [_decoded_value(name, field, value) for field, value in zip(layout, payload, strict=True)]
    return cls(*values), seq


def over_the_wire(msg: Kind) -> Kind:
    """Return a message as its reader gets it: encoded, decoded, its arrays read-only."""
    received, _ = decode(encode(msg))
    assert isinstance(received, type(msg))
    return received


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _decoded_value(name: str, field: tuple[str, str, tuple[int, ...]], value: Any) -> Any:
    field_name, kind, shape = field
    if kind in SCALARS:
        if not isinstance(value, SCALARS[kind]) or (kind == "int" and isinstance(value, bool)):
            raise BadMessage(f"bus: {name}.{field_name} is {type(value).__name__}, expected {kind}")
        return value
    if not _well_formed(value, DTYPES[kind], shape):
        raise BadMessage(f"bus: {name}.{field_name} is no array of shape {shape}")
    return np.frombuffer(value[1], DTYPES[kind]).reshape(value[0])


def _well_formed(value: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> bool:
    """Return whether a value off the wire is an array of the shape, with as many bytes as it needs."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    found, content = value
    if not isinstance(found, list) or len(found) != len(shape) or not isinstance(content, bytes):
        return False
    for size, wanted in zip(found, shape, strict=True):
        if not _is_int(size) or size < 0 or (wanted != -1 and size != wanted):
            return False
    return len(content) == dtype.itemsize * math.prod(found)
