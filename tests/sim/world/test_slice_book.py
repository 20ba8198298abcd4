"""The book of slices: bounded for ever, and what it has forgotten is never taken for new."""

import numpy as np

from hil.messaging.messages import ImpulseSlice
from sim.world.slice_book import SETTLED_KEPT, SliceBook

MS = 1_000_000


def item(number, revision=0, size=1.0):
    t_ns = 1 + number * 100 * MS
    return ImpulseSlice(t_ns, number, 0, revision, True, True, False, False, *(t_ns,) * 3, np.full(6, size))


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
