"""What a sensor does that ends the trust in it, with a hammer: each hazard alone, and its words."""

from collections.abc import Callable

import pytest

from drivers.sensor.force_sensor import ForceSensor
from drivers.sensor.rdt import SensorRecord
from hil.configuration.schema import Sensor

MS = 1_000_000
HOST_NS = 5_000_000_000
N = 1_000_000  # counts for a newton, and for a newton metre


class Fed:
    """A sensor that is given a record a millisecond."""

    def __init__(self, **keys: object) -> None:
        self.sensor = ForceSensor(
            Sensor.model_validate({"kind": "netft", "address": "10.0.0.7"} | keys), 0.002
        )
        self.n, self.now_ns = 0, HOST_NS

    def feed(self, count: int, counts: Callable[[int], tuple[int, ...]] | None = None, **changes: int) -> str:
        """So many records, and what is wrong then."""
        for _ in range(count):
            self.n, self.now_ns = self.n + 1, self.now_ns + MS
            read = (counts or (lambda n: (n % 7, 0, 0, 0, 0, 0)))(self.n)
            record = SensorRecord(
                self.now_ns, self.n, changes.get("measurement", self.n), changes.get("status", 0), read
            )
            self.sensor.take([record], steady=False)
        return self.trouble

    @property
    def trouble(self) -> str:
        return self.sensor.watch.trouble(self.now_ns)

    def silent(self, ms: float) -> str:
        """What is wrong after a silence."""
        return self.sensor.watch.trouble(self.now_ns + round(ms * MS))


def test_a_sensor_that_never_came_is_told_with_its_place() -> None:
    """Before the first record."""
    assert "10.0.0.7 port 49152 sends nothing" in Fed().trouble


def test_silence_is_told_after_its_time() -> None:
    """Not at 20 ms, but just beyond; the next record ends it."""
    fed = Fed()
    assert fed.feed(100) == ""
    assert fed.silent(20.0) == ""
    assert "has sent nothing for 21 ms (sensor.stale_ms = 20)" in fed.silent(21.0)
    fed.now_ns += 500 * MS
    assert fed.feed(1) == ""


def test_records_without_a_new_measurement_are_silence() -> None:
    """Numbers of the stream go on, that of the measurement does not."""
    fed = Fed()
    fed.feed(100)
    assert fed.feed(20, measurement=100) == ""
    assert "measured nothing new, though it sends" in fed.feed(1, measurement=100)


def test_six_counts_that_never_change_are_no_measurement() -> None:
    """0.1 s of the very same reading, whatever the counters say."""
    fed = Fed()
    assert fed.feed(100, lambda n: (5, 6, 7, 8, 9, 10)) == ""
    assert "the very same six counts" in fed.feed(2, lambda n: (5, 6, 7, 8, 9, 10))
    assert fed.feed(1) == ""


@pytest.mark.parametrize("status", [0x80020000, 0x80000010, 0x00000004])
def test_an_error_that_it_tells_of_counts_at_once(status: int) -> None:
    """With its words and its number; gone with the next record that is well."""
    fed = Fed()
    fed.feed(100)
    assert f"status {status:#010x}" in fed.feed(1, status=status)
    assert fed.feed(1) == ""


def test_a_latched_monitor_is_a_warning_only() -> None:
    """It is the user's own threshold on the device."""
    fed = Fed()
    assert fed.feed(100, status=0x80010000) == ""
    assert "monitor condition" in fed.sensor.watch.warning


@pytest.mark.parametrize(
    ("counts", "words"),
    [((-301 * N, 0, 0, 0, 0, 0), "301 N"), ((180 * N, 180 * N, 180 * N, 0, 0, 0), "312 N"),
     ((0, 0, 0, 0, 25 * N, -25 * N), "35.4 N m")],
)  # fmt: skip
def test_overload_counts_after_its_time(counts: tuple[int, ...], words: str) -> None:
    """The norm, not an axis; 4 ms and no less, and a single good record begins anew."""
    fed = Fed(overload_force_n=300.0, overload_torque_n_m=30.0, overload_time_ms=4.0)
    fed.feed(100)
    noisy = lambda n: (counts[0] - n % 3, *counts[1:])  # noqa: E731
    assert fed.feed(4, noisy) == ""
    assert fed.feed(1) == ""
    assert fed.feed(4, noisy) == ""
    assert words in fed.feed(1, noisy) and "overload" in fed.trouble


def test_another_rate_than_configured_is_found() -> None:
    """976 records a second, as an Axia at 1000 sends them; 1000.2 is a clock like any other."""
    for rate, found in ((976.5625, True), (1000.2, False)):
        fed = Fed()
        for n in range(3500):
            fed.now_ns = HOST_NS + round(1e9 * n / rate)
            fed.sensor.take([SensorRecord(fed.now_ns, n, n, 0, (n % 7,) * 6)], steady=False)
        assert ("976.6 records a second, sensor.rate_hz = 1000" in fed.trouble) == found


def test_losses_are_told_and_stop_nothing() -> None:
    """Every tenth record missing: a warning after 2 s, no trouble."""
    fed = Fed()
    for n in range(4200):
        if n % 10:
            fed.now_ns = HOST_NS + n * MS
            fed.sensor.take([SensorRecord(fed.now_ns, n, n, 0, (n % 7,) * 6)], steady=False)
    assert fed.trouble == ""
    assert fed.sensor.watch.warning == "10 % of the force sensor's records are lost"


def test_a_new_stream_must_settle() -> None:
    """Its clock is learned for a second."""
    fed = Fed()
    fed.feed(1500)
    assert fed.sensor.watch.unsettled(fed.now_ns) == ""
    fed.n, fed.now_ns = 0, fed.now_ns + 300 * MS
    assert fed.feed(1) == ""
    assert "clock is being learned" in fed.sensor.watch.unsettled(fed.now_ns)
