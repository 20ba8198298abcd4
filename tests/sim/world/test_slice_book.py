"""The book of slices: bounded for ever, and what it has forgotten is never taken for new."""

import numpy as np
import pytest

from hil.messaging.messages import ImpulseSlice
from sim.world.slice_book import SETTLED_KEPT, SliceBook

MS = 1_000_000


def item(number, revision=0, size=1.0):
    t_ns = 1 + number * 100 * MS
    return ImpulseSlice(
        t_ns, number, 0, revision, True, True, False, False, *(t_ns,) * 3, np.full(6, size), np.zeros(6)
    )


def test_a_floating_of_days_keeps_no_more_than_the_last_slices() -> None:
    """Five thousand pushes; the old ones are refused when told again, whatever their revision."""
    book = SliceBook(0.002)
    for number in range(5000):
        assert book.add(item(number), 0.1 * number) is not None
        book.settle(0.1 * number - 2.0)
        assert len(book._settled) <= SETTLED_KEPT and len(book._live) < 30
    for number in range(0, 4000, 500):
        assert book.add(item(number, revision=7, size=2.0), 500.0) is None
    assert book.add(item(4990, revision=0), 500.0) is None, "known, and no newer"
    for number, acts in ((4990, 1.5), (4900, 0.5)):  # within the history, and settled: by its difference
        assert book.add(item(number, revision=1, size=1.5), 500.0) is not None
        (row,) = [row for row in book.acting.slices if row[7] == number]
        assert row[1:7].tolist() == [acts] * 6


def test_settled_slices_are_named_as_long_as_they_are_young() -> None:
    """Four slices 100 ms apart, two of them settled: named are those since the instant asked for."""
    book = SliceBook(0.002)
    for number in range(4):
        book.add(item(number, revision=number + 5), 0.1 * number)
    book.settle(0.15)
    assert len(book._settled) == 2
    names = [[number, 0, number + 5] for number in range(4)]
    for oldest in range(4):
        t_ns = item(oldest).t_centroid_ns
        assert book.known_since(t_ns).tolist() == names[oldest:]
        assert book.known_since(t_ns + 1).tolist() == names[oldest + 1 :]


@pytest.mark.parametrize("first_told", [True, False], ids=["revised", "late"])
def test_an_old_slice_that_settles_last_hides_no_younger_one(first_told: bool) -> None:
    """One of 100 ms, revised or told after 3 s, settles behind two of then: those are named, it is not."""
    book = SliceBook(0.002)
    if first_told:
        book.add(item(1), 0.1)
        book.settle(2.0)
    book.add(item(30), 3.0)
    book.add(item(31), 3.1)
    book.add(item(1, revision=1), 3.1)
    book.settle(3.2)
    assert len(book._settled) == 3 and not book._live
    assert book.known_since(item(30).t_centroid_ns).tolist() == [[30, 0, 0], [31, 0, 0]]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_named_is_what_was_told_and_is_young(seed: int) -> None:
    """Two hundred slices, up to 3 s late, many revised: those of the last 2 s by their newest revision."""
    rng, book = np.random.default_rng(seed), SliceBook(0.002)
    told: dict[int, int] = {}
    for now in np.arange(1.0, 21.0, 0.1):
        number = int(10 * now) - int(rng.integers(0, 31) * rng.integers(0, 2))
        revision = int(rng.integers(0, 4))
        if number >= 0:
            book.settle(now - 1.0)
            book.add(item(number, revision), max(0.1 * number, now - 1.0))
            told[number] = max(revision, told.get(number, 0))
        since = item(int(10 * now) - 20).t_centroid_ns
        young = [[n, 0, told[n]] for n in sorted(told) if item(n).t_centroid_ns >= since]
        assert book.known_since(since).tolist() == young, (seed, now)
    assert len(book._settled) > 100
