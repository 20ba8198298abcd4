"""Instants of another host's clock are moved into ours, and nothing else is touched."""

import dataclasses

import numpy as np
import pytest

from hil.common.errors import BadMessage
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.codec import Message, encode
from hil.messaging.instants import instants_of, shifted
from hil.messaging.messages import ImpulseSlice, SimTimes
from hil.messaging.topics import TOPICS


def test_scalars_and_arrays_are_shifted_and_none_stays() -> None:
    """Every instant moves by the same amount; 0 and -1 mean "none"; durations and counts stay."""
    push = ImpulseSlice(50, 1, 2, 3, True, False, False, False, 100, 0, -1, np.ones(6), np.zeros(6))
    moved = shifted(push, 1000)
    assert (moved.t_ns, moved.t_start_ns, moved.t_end_ns, moved.t_centroid_ns) == (1050, 1100, 0, -1)
    assert (moved.impulse_id, moved.slice_index, moved.revision) == (1, 2, 3)
    assert np.array_equal(moved.impulse_object, np.ones(6))
    stamps = np.array([[10, 0, -1], [20, 30, 40]])
    times = SimTimes(5, np.ones((2, 3), int), stamps, np.array([7, -1]))
    moved_times = shifted(times, -3)
    assert np.array_equal(moved_times.stamps, [[7, 0, -1], [17, 27, 37]])
    assert np.array_equal(moved_times.predictions, [7, -1])
    assert np.array_equal(stamps, [[10, 0, -1], [20, 30, 40]]), "the original is left as it was"


def test_there_and_back_is_the_same() -> None:
    """A shift and its opposite give the message back."""
    mode = Machine(State.FLOATING, 3).mode(10**15)
    back = shifted(shifted(mode, 12345), -12345)
    assert encode(back) == encode(mode)


@pytest.mark.parametrize("topic", TOPICS.values(), ids=lambda t: t.name)
def test_unit_ns_is_for_instants_only(topic) -> None:
    """The convention that the bridge rests on: integers of unit ns are instants, and are named so."""
    for name, _ in instants_of(topic.message):
        assert name.endswith("_ns") or name.endswith("stamps"), f"{topic.message.__name__}.{name}"
    named = {f.name for f in dataclasses.fields(topic.message) if f.name.endswith(("_ns", "stamps"))}
    assert named == {name for name, _ in instants_of(topic.message)}, topic.message.__name__


def test_what_is_no_instant_is_refused() -> None:
    """A number beyond any clock raises BadMessage instead of breaking the bridge; no host runs 200 years."""
    year_ns = 31_557_600 * 10**9
    for beyond in (200 * year_ns, 2**64 - 1):
        with pytest.raises(BadMessage, match="no instant"):
            shifted(Message(beyond), 5)
    assert shifted(Message(100 * year_ns), 5).t_ns == 100 * year_ns + 5
    stamps = np.array([[10, 200 * year_ns, -1]])
    with pytest.raises(BadMessage, match=r"SimTimes\.stamps is no instant"):
        shifted(SimTimes(5, np.ones((1, 3), int), stamps, np.array([7])), 5)
