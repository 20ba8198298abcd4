"""Which heartbeats count."""

import numpy as np

from hil.loop.approach.fresh_beats import FreshBeats

MS = 1_000_000


def test_only_new_numbers_of_the_session_count() -> None:
    """Repeated, older and foreign ones do not; a gap in the numbers does."""
    beats = FreshBeats(7, own_clock=True)
    assert not beats.refusal(7, 1, 0, 0)
    assert "has been heard" in beats.refusal(7, 1, 10 * MS, 10 * MS)
    assert "another session" in beats.refusal(8, 2, 10 * MS, 10 * MS)
    assert not beats.refusal(7, 5, 20 * MS, 20 * MS)
    assert "has been heard" in beats.refusal(7, 4, 30 * MS, 30 * MS)
    assert (beats.number, beats.sent_ns) == (5, 20 * MS)


def test_in_one_clock_age_decides_on_both_sides() -> None:
    """300 ms is the most, however it came to be; from later on none comes."""
    beats = FreshBeats(1, own_clock=True)
    assert not beats.refusal(1, 1, 0, 300 * MS)
    assert "old" in beats.refusal(1, 2, 0, 301 * MS)
    assert not beats.refusal(1, 3, 430 * MS, 400 * MS)
    assert "later on" in beats.refusal(1, 4, 1000 * MS, 500 * MS)


def test_of_a_foreign_clock_what_comes_later_than_the_quickest_is_old() -> None:
    """Any offset between the clocks, drift of 500 ppm for a minute; a heap that waited does not count."""
    offset, beats = 987_654_321_000, FreshBeats(1, own_clock=False)
    rng = np.random.default_rng(1)
    for k in range(1, 1201):  # a minute at 20 Hz
        sent = offset + round(50 * MS * k * 1.0005)
        assert not beats.refusal(1, k, sent, 50 * MS * k + round(rng.uniform(1, 20) * MS))
    last, now = 1200, 50 * MS * 1200
    heap = [
        beats.refusal(1, last + k, offset + round(1.0005 * (now + 50 * MS * k)), now + 800 * MS)
        for k in range(1, 9)
    ]
    assert "old" in heap[0]
    assert not beats.refusal(1, 2000, offset + round(1.0005 * (now + 900 * MS)), now + 905 * MS)


def test_a_quick_one_makes_those_old_that_came_slowly_before() -> None:
    """The first of a session was late: from the second on that is known."""
    beats = FreshBeats(1, own_clock=False)
    assert not beats.refusal(1, 1, 0, 2000 * MS)
    assert not beats.refusal(1, 2, 2000 * MS, 2001 * MS)
    assert "old" in beats.refusal(1, 3, 2100 * MS, 2500 * MS)
