"""A recorded docking's insertion: seals and latches over the time of the last approach."""

import numpy as np

from hil.analysis.figures.insertion import Insertion
from hil.recording.columns import Columns


def insertion_of(columns: Columns | None) -> Insertion | None:
    """Return the insertion that a recording tells of; None where there is nothing with seals or latches.

    Where floating began more than once the servicer came anew each time: the last time counts.

    Args:
        columns: of `/sim_state`, or None where it was not recorded.
    """
    if columns is None:
        return None
    told = columns["fastened"][:, [1, 3]].any(axis=1)
    if not told.any():
        return None
    rows = np.flatnonzero(told & (columns["epoch"] == columns["epoch"][told][-1]))
    t, depth, force, work = columns["insertion"][rows].T
    sealed, seals, closed, latches = columns["fastened"][rows].T
    return Insertion(t, depth, force, work, sealed, closed, int(seals[-1]), int(latches[-1]))
