"""Which of the driver's cycles are kept: those of the newest motion."""

import numpy as np

from hil.loop.calibration.newest_motion import KEPT_NS, NewestMotion
from hil.messaging.messages import CycleBlock


def block(t: float) -> CycleBlock:
    rows = np.zeros((1, 7))
    return CycleBlock(
        round(1e9 * t), np.zeros((1, 6), np.int64), np.zeros((1, 5), np.int64), rows, rows, rows[:, :6]
    )


def times(motion: NewestMotion) -> list[float]:
    return [1e-9 * kept.t_ns for kept in motion.blocks]


def test_a_motion_that_was_broken_off_counts_for_nothing() -> None:
    """It begins anew with the state; what comes behind it still belongs to it."""
    motion = NewestMotion()
    motion.take(False, [block(1.0)])
    motion.take(True, [block(2.0)])
    motion.take(True, [block(3.0)])
    motion.take(False, [block(4.0)])
    assert times(motion) == [2.0, 3.0, 4.0]
    motion.take(True, [])
    assert not times(motion)
    motion.take(True, [block(6.0)])
    assert times(motion) == [6.0]


def test_what_is_too_old_is_forgotten() -> None:
    """A dashboard hears cycles for days."""
    motion = NewestMotion()
    for k in range(100):
        motion.take(False, [block(float(k))])
    assert times(motion)[-1] == 99.0 and times(motion)[0] == 99.0 - round(1e-9 * KEPT_NS)
