"""A contact's cells as slices: momentum and its moment are kept, and only what changed is told again."""

import numpy as np

from hil.loop.driver.contact_slices import ContactSlices

STEP, LENGTH, T_NS = 0.002, 0.2, 5_000_000_000


def slices(cells: np.ndarray, *, frozen: int = 0, over: bool = False) -> list:
    """Return the slices of one report on a new contact of these cells."""
    made = ContactSlices(STEP, LENGTH)
    made.begin(T_NS)
    report = made.report(T_NS + 10**9, cells, 0, frozen, over)
    return [] if report is None else report.messages()


def test_momentum_and_where_it_acts_are_the_cells_own() -> None:
    """What a free body goes on by after the last cell is the same as if every cell acted by itself."""
    cells = np.random.default_rng(3).normal(size=(37, 6)) * 0.1
    cells[:, 1:] = 0.0
    cells[:, 0] = np.abs(cells[:, 0])
    told = slices(cells)
    assert len(told) == 4 and [item.slice_index for item in told] == [0, 1, 2, 3]
    assert np.allclose(sum(item.impulse_object for item in told), cells.sum(axis=0))
    end_s = 37 * STEP
    way = sum(item.impulse_object[0] * (end_s - 1e-9 * (item.t_centroid_ns - T_NS)) for item in told)
    assert np.isclose(way, float(cells[:, 0] @ (end_s - STEP * (np.arange(37) + 0.5))), rtol=1e-6)


def test_only_what_has_changed_is_told_and_with_a_new_revision() -> None:
    """The slice at hand in every cycle, the older ones when they were integrated anew."""
    made = ContactSlices(STEP, LENGTH)
    assert made.begin(T_NS) == 1
    cells = np.ones((25, 6)) * 1e-3
    (first,) = made.report(T_NS, cells[:5], made.first_told(4, 0, False), 0, False).messages()
    assert (first.slice_index, first.revision, first.final) == (0, 0, False)
    (again,) = made.report(T_NS, cells[:6], made.first_told(5, 0, False), 0, False).messages()
    assert (again.slice_index, again.revision) == (0, 1)
    (third,) = made.report(T_NS, cells[20:25], made.first_told(24, 0, False), 0, False).messages()
    assert (third.slice_index, third.revision) == (2, 0)
    anew = made.report(T_NS, 2.0 * cells, 0, 0, False).messages()
    assert [(item.slice_index, item.revision) for item in anew] == [(0, 2), (1, 0), (2, 1)]
    assert made.begin(T_NS) == 2


def test_what_can_change_no_more_is_final_and_the_end_is_said() -> None:
    """A slice that is final too early would be counted twice when it is revised."""
    cells = np.ones((25, 6)) * 1e-3
    assert [item.final for item in slices(cells, frozen=12)] == [True, False, False]
    over = slices(cells, over=True)
    assert [item.final for item in over] == [True] * 3 and [item.ended for item in over] == [
        False,
        False,
        True,
    ]


def test_a_slice_that_can_change_no_more_is_told_once_more() -> None:
    """When the window has left it, though nothing in it has changed."""
    made, cells = ContactSlices(STEP, LENGTH), np.ones((40, 6)) * 1e-3
    made.begin(T_NS)
    made.report(T_NS, cells[:25], 0, 0, False)
    assert made.first_told(25, 9, False) == 20 and made.first_told(25, 10, False) == 0
    told = made.report(T_NS, cells[:26], 0, 10, False).messages()
    assert [item.final for item in told] == [True, False, False]
    assert made.first_told(26, 12, False) == 20 and made.first_told(39, 12, True) == 10


def test_nothing_is_told_of_nothing() -> None:
    """Cells without an impulse, before the force has passed the gate."""
    assert slices(np.zeros((5, 6))) == []
