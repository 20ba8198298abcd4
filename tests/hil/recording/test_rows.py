"""Blocks of the bus as single cycles and instants of a recording."""

import numpy as np

from hil.messaging.messages import (
    CYCLE_COMMANDING,
    CYCLE_FOLLOWING,
    CYCLE_NEW_SESSION,
    CycleBlock,
    TruthBlock,
)
from hil.recording.rows import cycles_of, truths_of


def test_every_cycle_stands_for_itself() -> None:
    """Durations count from the sample; flags, counters and arrays are those of the cycle's own row."""
    stamps = np.array([[1000, 1010, 1020, 1030, 1040, 1050], [2000, 2001, 2002, 2003, 2004, 2005]])
    flags = [CYCLE_COMMANDING, CYCLE_COMMANDING | CYCLE_FOLLOWING]
    counts = np.array([[7, 70, 1, 2, flags[0]], [8, 80, 3, 4, flags[1]]])
    q = np.arange(28.0).reshape(2, 14)
    block = CycleBlock(2005, stamps, counts, q[:, :7], q[:, 7:], np.arange(12.0).reshape(2, 6))
    first, second = cycles_of(block)
    assert [first.t_ns, second.t_ns] == [1000, 2000]
    names = ("arrival_ns", "wake_ns", "judged_ns", "decided_ns", "sent_ns")
    assert [getattr(first, name) for name in names] == [10, 20, 30, 40, 50]
    assert [getattr(second, name) for name in names] == [1, 2, 3, 4, 5]
    assert (first.sequence, first.count, first.lost, first.missed) == (7, 70, 1, 2)
    assert (first.commanding, first.following, first.new_session) == (True, False, False)
    assert (second.commanding, second.following, second.new_session) == (True, True, False)
    for row, cycle in enumerate((first, second)):
        np.testing.assert_array_equal(cycle.q_command, q[row, :7])
        np.testing.assert_array_equal(cycle.q_measured, q[row, 7:])
        np.testing.assert_array_equal(cycle.wrench_object, np.arange(6.0) + 6.0 * row)
    counts[0, 4] = CYCLE_NEW_SESSION
    assert [cycle.new_session for cycle in cycles_of(block)] == [True, False]


def test_an_answer_that_never_came_is_told_apart() -> None:
    """Its time is -1, not minus the instant."""
    z = np.zeros
    stamps = np.array([[1000, 1700], [2000, 0]])
    block = TruthBlock(
        2000, np.array([1, 2]), stamps, z((2, 7)), z((2, 3)), z((2, 4)), z((2, 6)), z((2, 6)), 0, ""
    )
    assert [truth.answer_ns for truth in truths_of(block)] == [700, -1]
    assert [truth.t_ns for truth in truths_of(block)] == [1000, 2000]
