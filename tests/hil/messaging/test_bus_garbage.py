"""Garbage and other versions on every topic: refused, counted, and what comes after is heard."""

import dataclasses
import time
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

from hil.messaging.bus import Bus
from hil.messaging.codec import DTYPES, Message, decode, encode
from hil.messaging.topics import TOPICS

PLAIN = {"int": 3, "float": 0.5, "bool": True, "str": "text"}


def example(kind: type[Message]) -> Message:
    """A message of a class with plausible fields."""
    values: list[Any] = []
    for field in dataclasses.fields(kind):
        shape = tuple(2 if n == -1 else n for n in field.metadata["shape"])
        what = field.metadata["kind"]
        values.append(np.ones(shape, DTYPES[what]) if what in DTYPES else PLAIN[what])
    return kind(*values)


def garbage(kind: type[Message], rng: np.random.Generator) -> list[bytes]:
    """Bytes that are no message of this version: noise, pieces, other fingerprints, types and shapes."""
    whole = encode(example(kind))
    parts = msgpack.unpackb(whole)
    other = next(t.message for t in TOPICS.values() if t.message is not kind)
    return [
        b"",
        rng.bytes(200),
        whole[: len(whole) // 2],
        msgpack.packb([parts[0], "0" * 16, *parts[2:]]),
        msgpack.packb([*parts[:4], parts[4][:-1]]),
        msgpack.packb([*parts[:4], [None] * len(parts[4])]),
        msgpack.packb({"state": "FLOATING"}),
        encode(example(other)),
    ]


@pytest.mark.parametrize("topic", TOPICS)
def test_garbage_and_old_versions_on_every_topic_are_refused(tmp_path: Path, topic: str) -> None:
    """Not one of them is heard, each is counted, and a right message afterwards is heard as it was sent."""
    bus = Bus(tmp_path)
    kind = TOPICS[topic].message
    publisher, subscriber = bus.publisher(topic), bus.subscriber(topic, kind)
    right = example(kind)
    deadline = time.monotonic() + 10.0
    while not subscriber.drain():  # until they see each other
        assert time.monotonic() < deadline
        publisher.send(right)
        time.sleep(0.005)
    time.sleep(0.02)
    subscriber.drain()
    bad = garbage(kind, np.random.default_rng(7))
    for data in bad:
        publisher._sockets[0].send(data)
        time.sleep(0.005 if TOPICS[topic].queued else 0.01)  # of topics that do not queue the newest is kept
        assert subscriber.drain() == []
    assert 0 < subscriber.refused <= len(bad)
    publisher.send(right)
    heard: list[Message] = []
    while not heard:
        assert time.monotonic() < deadline
        heard = subscriber.drain()
    assert encode(heard[0]) == encode(right) == encode(decode(encode(right))[0])
    bus.close()
