"""Records in order and in time, against clocks whose offset and drift are known."""

import numpy as np
import pytest

from drivers.sensor.rdt import SEQUENCE_MODULUS, SensorRecord
from drivers.sensor.stream import RecordStream

RATE = 1000.0
HOST_NS = 77_000_000_000_000  # of the first measurement


def record(sequence: int, arrival_ns: int) -> SensorRecord:
    return SensorRecord(arrival_ns, sequence % SEQUENCE_MODULUS, sequence % SEQUENCE_MODULUS, 0, (0,) * 6)


@pytest.mark.parametrize("ppm", [-400.0, 40.0, 400.0])
def test_offset_and_drift_are_found_under_jitter(ppm: float) -> None:
    """A clock fast by so many millionths, arrivals to 0.8 ms late: stamps within 0.1 ms, drift to 5 ppm."""
    rng, stream = np.random.default_rng(7), RecordStream(RATE)
    period_ns = 1e9 / RATE / (1.0 + 1e-6 * ppm)
    late_ns = 200_000 + 800_000 * rng.random(12_000) ** 4
    errors = []
    for n, late in enumerate(late_ns):
        true_ns = HOST_NS + n * period_ns
        stamped = stream.take(record(n, round(true_ns + late)), steady=False)
        assert stamped is not None
        errors.append(stamped.t_ns - true_ns - 200_000)  # what every record is late by shows in no arrival
    assert np.abs(errors[3000:]).max() < 100_000
    assert stream.drift == pytest.approx(-1e-6 * ppm, abs=5e-6)
    assert stream.offset_ns == pytest.approx(
        HOST_NS + 200_000 + 11_999 * (period_ns - 1e9 / RATE), abs=100_000
    )
    assert 0.4e-3 < stream.jitter < 1.2e-3


def test_losses_count_over_the_end_of_the_numbers() -> None:
    """Every third record missing around 2^32: all of them counted, none twice, stamps go on."""
    stream, begin = RecordStream(RATE), SEQUENCE_MODULUS - 50
    stamps = []
    for n in range(100):
        if n % 3 != 1:
            stamped = stream.take(record(begin + n, HOST_NS + n * 1_000_000), steady=False)
            assert stamped is not None
            stamps.append(stamped.t_ns)
    assert stream.lost == 33
    assert stream.restarts == 0
    assert stamps == [HOST_NS + n * 1_000_000 for n in range(100) if n % 3 != 1]


def test_a_long_silence_is_counted_in_full() -> None:
    """More records missing than the robot's counter has numbers, and within the time that bridges it."""
    stream = RecordStream(8000.0)
    stream.take(record(1, HOST_NS), steady=False)
    stream.take(record(70_001, HOST_NS + 8_750_000_000), steady=False)
    assert (stream.lost, stream.restarts) == (69_999, 0)


def test_what_comes_twice_or_late_is_left_out() -> None:
    """Numbers 0 1 1 3 2 4: two of them are not used, and the overtaken one counts as lost."""
    stream = RecordStream(RATE)
    used = [
        n
        for k, n in enumerate((0, 1, 1, 3, 2, 4))
        if stream.take(record(n, HOST_NS + k * 1_000_000), steady=False) is not None
    ]
    assert used == [0, 1, 3, 4]
    assert (stream.duplicates, stream.late, stream.lost) == (1, 1, 1)


def test_numbers_that_begin_anew_are_another_stream() -> None:
    """A sensor that was switched off counts from 1 again: a restart, with a gap in time, and no loss."""
    stream = RecordStream(RATE)
    for n in range(5000):
        stream.take(record(n, HOST_NS + n * 1_000_000), steady=False)
    assert stream.take(record(1, HOST_NS + 5_300_000_000), steady=False) is not None
    assert (stream.restarts, stream.lost, stream.count, stream.gap) == (1, 0, 0, True)
    assert stream.began_ns == HOST_NS + 5_300_000_000
