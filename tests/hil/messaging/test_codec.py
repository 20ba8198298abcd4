"""Any bytes decode to a message or raise `BadMessage`; any message survives the wire."""

import dataclasses
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hil.common.errors import BadMessage
from hil.loop.judging.state_machine import Machine, State
from hil.messaging import (
    base_messages,
    codec,
    drive_messages,
    grasp_messages,
    inside_messages,
    link_messages,
    messages,
    observer_messages,
    sensor_messages,
    timing_messages,
)
from hil.messaging.codec import DTYPES, Message, array_field, decode, encode, message, scalar_field
from hil.messaging.topics import TOPICS

KINDS = [
    kind
    for module in (
        *(messages, link_messages, drive_messages, sensor_messages, timing_messages),
        base_messages,
        grasp_messages,
        inside_messages,
        observer_messages,
    )
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Message) and kind is not Message
]


def example(kind: type[Message], rng: np.random.Generator) -> Message:
    """A message of a kind with random contents."""
    values: list[Any] = []
    for field in dataclasses.fields(kind):
        shape = tuple(int(rng.integers(0, 5)) if n == -1 else n for n in field.metadata["shape"])
        name = field.metadata["kind"]
        if name in DTYPES:
            number = rng.normal(size=shape).astype(DTYPES[name])
            values.append(rng.integers(-9, 9, shape) if name == "i8" else number)
        else:
            values.append(
                {"int": int(rng.integers(2**60)), "float": 0.5, "bool": True, "str": "Straße"}[name]
            )
    return kind(*values)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_round_trip(kind: type[Message], seed: int) -> None:
    """decode(encode(m)) equals m field by field, and its arrays are read-only."""
    sent = example(kind, np.random.default_rng(seed))
    received, seq = decode(encode(sent, 7))
    assert type(received) is kind and seq == 7
    for field in dataclasses.fields(kind):
        a, b = getattr(sent, field.name), getattr(received, field.name)
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
            assert not b.flags.writeable
        else:
            assert a == b


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    """Random bytes are refused, never a crash."""
    with pytest.raises(BadMessage):
        decode(data)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 255), st.integers(0, len(KINDS) - 1))
def test_flipped_bytes(position: int, value: int, index: int) -> None:
    """A message with one byte changed is a message or is refused."""
    data = bytearray(encode(example(KINDS[index], np.random.default_rng(index))))
    data[position % len(data)] = value
    try:
        decoded, _ = decode(bytes(data))
    except BadMessage:
        return
    assert type(decoded) is KINDS[index]


json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(json_like, max_size=5), st.integers(0, len(KINDS) - 1))
def test_any_payload(payload: list[Any], index: int) -> None:
    """Well-formed msgpack with a right header and any payload gives a message or is refused."""
    kind = KINDS[index]
    try:
        decode(msgpack.packb([kind.__name__, kind.FINGERPRINT, 0, 0, payload]))
    except BadMessage:
        pass


def damaged(kind: str, shape: tuple[int, ...], value: Any) -> list[Any]:
    """What a field of a kind and shape must not hold, beside a value that it may hold."""
    if kind in codec.SCALARS:
        return [None, b"", [value], {"int": True, "float": True, "bool": 1, "str": 7}[kind]]
    size, content = value
    width = DTYPES[kind].itemsize
    wrong = [None, size, content, [size], [[*size, 1], content], [[-1] * len(size), content]]
    wrong += [[size, content + bytes(width)], [size, content[:-1] if content else b"x"]]
    for axis, length in enumerate(shape):  # whole and consistent, but of another length
        if length != -1:
            other = [*size[:axis], length + 1, *size[axis + 1 :]]
            wrong.append([other, bytes(width * int(np.prod(other)))])
    return wrong


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_a_field_of_another_type_or_shape_is_refused(kind: type[Message]) -> None:
    """Each field alone: truth for number, another length, bytes too few or too many; all else is right."""
    parts = msgpack.unpackb(encode(example(kind, np.random.default_rng(1))))
    for number, field in enumerate(dataclasses.fields(kind)):
        for wrong in damaged(field.metadata["kind"], field.metadata["shape"], parts[4][number]):
            payload = [*parts[4][:number], wrong, *parts[4][number + 1 :]]
            with pytest.raises(BadMessage, match=field.name):
                decode(msgpack.packb([*parts[:4], payload]))


def test_other_version_is_named() -> None:
    """A fingerprint that differs says that the programs are of different versions."""
    parts = msgpack.unpackb(encode(Machine(State.READY, 1).mode(1)))
    parts[1] = "0123456789abcdef"
    with pytest.raises(BadMessage, match="different versions"):
        decode(msgpack.packb(parts))


def test_fingerprints_differ() -> None:
    """No two kinds share a fingerprint."""
    assert len({kind.FINGERPRINT for kind in KINDS}) == len(KINDS)


@pytest.fixture
def unregistered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that a test makes are forgotten with it."""
    monkeypatch.setattr("hil.messaging.codec._MESSAGES", dict(codec._MESSAGES))
    monkeypatch.setattr("hil.messaging.codec._LAYOUTS", dict(codec._LAYOUTS))


@pytest.mark.usefixtures("unregistered")
@pytest.mark.parametrize(
    "other",
    [
        {"x": array_field((3,), "mm"), "y": scalar_field("float", "s")},
        {"x": array_field((3,), "m"), "y": scalar_field("float", "ms")},
        {"x": array_field((-1,), "m"), "y": scalar_field("float", "s")},
        {"x": array_field((3,), "m", "f4"), "y": scalar_field("float", "s")},
        {"x": array_field((3,), "m"), "y": scalar_field("int", "s")},
        {"x": array_field((3,), "m"), "z": scalar_field("float", "s")},
        {"y": scalar_field("float", "s"), "x": array_field((3,), "m")},
    ],
    ids=["unit", "unit of a number", "shape", "precision", "kind", "name", "order"],
)
def test_every_part_of_a_field_is_in_the_fingerprint(other: dict[str, Any]) -> None:
    """Equal but for a unit, a shape, a type, a name or the order: another fingerprint, so refused."""

    def made(fields: dict[str, Any]) -> type[Message]:
        return message(type("Sent", (Message,), {"__annotations__": dict.fromkeys(fields, Any), **fields}))

    plain = made({"x": array_field((3,), "m"), "y": scalar_field("float", "s")})
    same = made({"x": array_field((3,), "m"), "y": scalar_field("float", "s")})
    assert plain.FINGERPRINT == same.FINGERPRINT != made(other).FINGERPRINT


def test_every_topic_has_a_registered_message() -> None:
    """Topics name messages that exist, and publishers: of the table of processes, or of a driven arm."""
    from hil.processes.table import PROCESSES

    for topic in TOPICS.values():
        assert topic.message in KINDS
        assert topic.publisher in {*PROCESSES, "daemon", "drive", "outside"}
