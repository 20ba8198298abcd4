"""The reading at an instant, against a straight line and NumPy's own fit."""

import numpy as np
import pytest

from drivers.sensor.rdt import SensorRecord
from drivers.sensor.stream import StampedRecord
from drivers.sensor.window import ReadingWindow

PERIOD_NS = 1_000_000
SLOPE = np.array([3e6, -2e6, 1e6, 5e5, -4e5, 7e5])  # counts a second


def stamped(t_ns: int, counts: np.ndarray) -> StampedRecord:
    return StampedRecord(t_ns, SensorRecord(t_ns, 0, 0, 0, tuple(int(c) for c in counts)))


@pytest.mark.parametrize("cycle", [0.002, 0.02])
@pytest.mark.parametrize("at", [-0.3, 0.0, 0.4, 0.99, 1.5])
def test_a_ramp_is_read_without_skew(cycle: float, at: float) -> None:
    """Whatever the phase between packet and record, also up to 1.5 periods beyond the newest."""
    window = ReadingWindow(1e-9 * PERIOD_NS, cycle)
    for n in range(40):
        window.add(stamped(n * PERIOD_NS, np.rint(1e6 + SLOPE * 1e-9 * n * PERIOD_NS)))
    t_ns = round((39 + at) * PERIOD_NS)
    found = window.at(t_ns)
    assert found == pytest.approx(1e6 + SLOPE * 1e-9 * t_ns, abs=3.0)  # of rounding to counts


def test_it_is_the_line_of_least_squares() -> None:
    """Over noise it is NumPy's fit through the last four records, evaluated at the instant."""
    rng, window = np.random.default_rng(5), ReadingWindow(1e-9 * PERIOD_NS, 0.002)
    rows = [np.rint(1e5 * rng.standard_normal(6)) for _ in range(30)]
    for n, row in enumerate(rows):
        window.add(stamped(n * PERIOD_NS, row))
    t = 29.4
    expected = [np.polyval(np.polyfit(np.arange(26, 30), np.array(rows)[26:, i], 1), t) for i in range(6)]
    assert window.at(round(t * PERIOD_NS)) == pytest.approx(expected, rel=1e-9)


def test_a_lost_stretch_is_not_guessed() -> None:
    """Of 20 ms without a record it is the value 1.5 periods on, not that of 20 ms of slope."""
    window = ReadingWindow(1e-9 * PERIOD_NS, 0.002)
    for n in range(20):
        window.add(stamped(n * PERIOD_NS, np.full(6, 1000.0 * n)))
    assert window.at(39 * PERIOD_NS) == pytest.approx(np.full(6, 20_500.0))


def test_before_the_first_record_there_is_nothing() -> None:
    """And a single one is held."""
    window = ReadingWindow(1e-3, 0.002)
    assert window.at(5) is None
    window.add(stamped(7, np.arange(6)))
    assert window.at(5) == pytest.approx(np.arange(6))
    window.clear()
    assert window.at(5) is None
