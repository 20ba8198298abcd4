"""Object time after changes of pace, against its integral by hand: the rate slews by 5 per second."""

import pytest

from sim.world.object_time import ObjectTime

START_NS = 5_000_000_000
MS = 1_000_000


def at(time, t_ms):
    """Return object time and rate at `t_ms` after the start."""
    return time.at(START_NS + t_ms * MS)


def test_a_change_of_pace_counts_at_once():
    """The instant asked for last is answered anew: 1 s at full pace, 0.1 s within the ramp, then 0."""
    time = ObjectTime(START_NS)
    assert at(time, 2000) == (pytest.approx(2.0), 1.0)
    time.retarget(START_NS + 1000 * MS, 0.0)
    assert at(time, 2000) == (pytest.approx(1.1), 0.0)


def test_a_change_of_pace_from_before_the_last_one_acts_from_that_on():
    """Halted at 1 s, told at 2 s to run: what is told of 1.5 s leaves the halt up to 2 s as it was."""
    time = ObjectTime(START_NS)
    time.retarget(START_NS + 1000 * MS, 0.0)
    time.retarget(START_NS + 2000 * MS, 1.0)
    time.retarget(START_NS + 1500 * MS, 0.5)
    for t_ms in (1200, 1550, 1700, 2000):
        assert at(time, t_ms) == (pytest.approx(1.1), 0.0)
    assert at(time, 2060) == (pytest.approx(1.1 + 0.5 * 5.0 * 0.06**2), pytest.approx(0.3))
    assert at(time, 3000) == (pytest.approx(1.1 + 0.5 * 0.5 * 0.1 + 0.5 * 0.9), 0.5)
