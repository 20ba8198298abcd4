"""Figures of an insertion past seals and latches, on courses whose answers are known by eye."""

from dataclasses import replace

import numpy as np

from hil.analysis.figures.insertion import Insertion, insertion_figures
from hil.analysis.figures.insertion_words import insertion_words
from hil.analysis.recorded.insertion import insertion_of

T = np.arange(11) * 0.1
RISING = Insertion(
    t=T,
    depth=2e-3 * np.arange(11.0),
    force=np.array([0.0, 1.0, 2.0, 7.0, 3.0, 2.0, -4.0, -8.0, 1.0, 0.5, 0.25]),
    work=1e-3 * np.arange(11.0),
    sealed=np.array([0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1]),
    closed=np.array([0, 0, 0, 0, 1, 2, 2, 1, 2, 2, 2]),
    seals=1,
    latches=2,
)


def test_greatest_force_where_and_when() -> None:
    """Against the insertion, not the largest in size; what held and let go again does not count."""
    found = insertion_figures(RISING)
    assert found["insertion_force_n"] == 7.0 and found["insertion_work_j"] == 0.01
    assert np.isclose(found["insertion_force_depth_mm"], 6.0) and np.isclose(found["insertion_force_s"], 0.3)
    assert np.isclose(found["seal_reached_s"], 0.6) and np.isclose(found["latch_closed_s"], 0.8)
    assert found["seal_reached"] is found["latch_closed"] is True
    assert [name for name, _ in insertion_words(found)] == [
        "insertion force", "insertion work", "seal reached", "latch closed",
    ]  # fmt: skip


def test_what_does_not_hold_at_the_end_is_not_reached() -> None:
    """A latch that is open at the end, and a scene without seals."""
    open_again = np.append(RISING.closed[:-1], 1)
    found = insertion_figures(replace(RISING, closed=open_again, sealed=0 * RISING.sealed, seals=0))
    assert found["latch_closed"] is False and found["latch_closed_s"] is None
    assert found["seal_reached"] is False and found["seal_reached_s"] is None
    assert dict(insertion_words(found))["latch closed"] == "no, 1 of 2 latches"
    assert "seal reached" not in dict(insertion_words(found)) and insertion_words({}) == []


def test_the_last_approach_of_a_recording_counts() -> None:
    """Two floatings, and states without a docking before them."""
    epoch = np.array([0, 1, 1, 2, 2, 2])
    fastened = np.array([[0, 0, 0, 0], *[[0, 1, 0, 4]] * 4, [1, 1, 4, 4]])
    insertion = np.arange(24.0).reshape(6, 4)
    columns = {"epoch": epoch, "fastened": fastened, "insertion": insertion}
    found = insertion_of(columns)
    assert found is not None and (found.seals, found.latches) == (1, 4)
    assert np.array_equal(found.t, insertion[3:, 0]) and np.array_equal(found.work, insertion[3:, 3])
    assert found.closed.tolist() == [0, 0, 4]
    assert insertion_of(None) is None
    assert insertion_of({**columns, "fastened": 0 * fastened}) is None
