"""The client of a Bota sensor, against a fake of the driver's interface and, where it is there, the real one.

The fake has the names, types and behaviour that `bota-driver` 1.1.16 showed with its own `Bota_Dummy`.
"""

import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from drivers.sensor.bota import BotaClient
from drivers.sensor.clients import client_of
from drivers.sensor.force_sensor import ForceSensor
from drivers.sensor.status import family_of, is_serious, status_in_words
from hil.common.errors import LinkError
from hil.common.run_clock import RunClock
from hil.configuration.schema import Sensor

RATE = 800.0
STEP_US = 1250
FORCE, TORQUE = [1.5, -2.25, 40.0], [0.125, -0.5, 0.0625]
WELL = {"invalid": 0, "overrange": 0, "raw": 0, "throttled": 0}


class Hands(RunClock):
    """A clock that a test sets."""

    ns = 5_000_000_000

    def now_ns(self) -> int:
        return self.ns


class Driver:
    """The driver's interface, whose frames a test makes."""

    made: ClassVar[list[Any]] = []

    def __init__(self, path: str) -> None:
        if "nowhere" in path:
            raise RuntimeError(f"Failed to open configuration file: {path}")
        self.asked = [path]
        self.frame: Any = None
        self.well = "broken" not in path
        Driver.made.append(self)

    def configure(self) -> bool:
        self.asked.append("configure")
        return self.well

    def activate(self) -> bool:
        self.asked.append("activate")
        return True

    def deactivate(self) -> bool:
        self.asked.append("deactivate")
        return True

    def shutdown(self) -> bool:
        self.asked.append("shutdown")
        return True

    def get_expected_timestep_us(self) -> int:
        return STEP_US

    def read_frame(self) -> Any:
        if self.frame is None:
            raise RuntimeError("Driver is not in streaming mode, no frame can be read")
        return self.frame

    def tick(self, timestamp: int, force: list[float] = FORCE, **flags: int) -> None:
        status = SimpleNamespace(**{**WELL, **flags})
        self.frame = SimpleNamespace(timestamp=timestamp, force=force, torque=TORQUE, status=status)


FAKE: Any = SimpleNamespace(BotaDriver=Driver)


def keys(settings: str = "sensor.json", **more: Any) -> Sensor:
    return Sensor.model_validate({"kind": "bota", "settings": settings, "rate_hz": RATE, **more})


@pytest.fixture
def opened() -> Iterator[tuple[BotaClient, Driver, Hands]]:
    clock = Hands()
    client = BotaClient(keys(), clock, FAKE)
    yield client, Driver.made[-1], clock
    client.close()


def test_it_opens_reads_and_closes(opened: tuple[BotaClient, Driver, Hands]) -> None:
    """Configured, then active; a frame is one record in counts, once; in the end it is released."""
    client, driver, clock = opened
    assert driver.asked == ["sensor.json", "configure", "activate"]
    driver.tick(10_000)
    (record,) = client.poll()
    assert record.counts == (1_500_000, -2_250_000, 40_000_000, 125_000, -500_000, 62_500)
    assert (record.arrival_ns, record.status, record.sequence) == (clock.ns, 0, 0)
    assert client.poll() == []
    client.close()
    assert driver.asked[-2:] == ["deactivate", "shutdown"] and "tare" not in driver.asked


def test_it_numbers_frames_by_their_time(opened: tuple[BotaClient, Driver, Hands]) -> None:
    """A period on is the next number, three on the third, with its clock's jitter; the past is new."""
    client, driver, _ = opened
    told = []
    for timestamp in (10_000, 11_250, 12_531, 16_240, 17_490, 900):
        driver.tick(timestamp)
        told += [record.sequence for record in client.poll()]
    assert told == [0, 1, 2, 5, 6, 0]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"invalid": 1}, "the measurement is invalid"),
        ({"overrange": 1}, "force or torque out of range"),
        ({"raw": 1}, "raw values, not those of the calibration"),
        ({"invalid": 1, "raw": 1}, "the measurement is invalid, raw values, not those of the calibration"),
        ({"throttled": 1}, ""),
    ],
)
def test_its_flags_are_its_status(
    opened: tuple[BotaClient, Driver, Hands], flags: dict[str, int], words: str
) -> None:
    """What must not be believed is serious, in words; frames left out are none of that."""
    client, driver, _ = opened
    driver.tick(10_000, **flags)
    (record,) = client.poll()
    assert status_in_words(record.status, family_of(keys())) == words
    assert is_serious(record.status) is bool(words)


def test_no_number_is_no_measurement(opened: tuple[BotaClient, Driver, Hands]) -> None:
    """NaN is told as invalid, with counts of nothing; what a record cannot hold stays at its end."""
    client, driver, _ = opened
    driver.tick(10_000, [math.nan, 0.0, 0.0])
    (record,) = client.poll()
    assert is_serious(record.status) and record.counts == (0,) * 6
    driver.tick(11_250, [1e9, 0.0, 0.0])
    assert client.poll()[0].counts[0] == 2**31 - 1


def test_a_sensor_that_is_gone_is_silent(opened: tuple[BotaClient, Driver, Hands]) -> None:
    """No error of its driver leaves the client: the watch tells the silence, as of any sensor."""
    client, driver, clock = opened
    sensor = ForceSensor(keys(), 0.002)
    for k in range(1000):
        driver.tick(10_000 + STEP_US * k, [0.001 * k, 0.0, 0.0])
        clock.ns = 5_000_000_000 + 1000 * STEP_US * k
        sensor.take(client.poll(), steady=False)
    assert sensor.watch.trouble(clock.ns) == "" and sensor.stream.lost == 0
    driver.frame = None
    clock.ns += 30_000_000
    assert client.poll() == [] and client.refused == 1
    assert "sensor.json has sent nothing for 30 ms" in sensor.watch.trouble(clock.ns)


@pytest.mark.parametrize(
    ("settings", "rate", "words"),
    [
        ("nowhere.json", RATE, "sensor.settings = 'nowhere.json': Failed to open configuration file"),
        ("broken.json", RATE, "sensor.settings = 'broken.json': the sensor cannot be opened"),
        ("sensor.json", 1000.0, "sends 800 measurements a second, sensor.rate_hz = 1000"),
    ],
)
def test_what_cannot_be_opened_is_told(settings: str, rate: float, words: str) -> None:
    """In a line, with the key."""
    with pytest.raises(LinkError, match=words.replace(".", r"\.")):
        BotaClient(keys(settings, rate_hz=rate), Hands(), FAKE)


def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line says what to install."""

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("drivers.sensor.bota.importlib.import_module", missing)
    with pytest.raises(LinkError, match=r"pip install 'zerog-emulator\[bota\]'"):
        client_of(keys())


def test_the_real_driver_is_as_the_fake(tmp_path: Path) -> None:
    """The maker's own dummy sensor, ten measurements a second: read, numbered, released."""
    package: Any = pytest.importorskip("bota_driver", reason="bota-driver is not installed (extra `bota`)")
    file = tmp_path / "dummy.json"
    told = {
        "communication_interface_name": "Bota_Dummy",
        "communication_interface_params": {},
        "sensor_operation_params": {"app_mode": 0, "app_submode": 0},
        "driver_operation_params": {"runtime_verbosity": False},
        "product_name": "BFT-DUMMY-DUMMY-DUMMY",
        "serial_number": "SN000001",
    }
    file.write_text(json.dumps({"driver_config": told}))
    slow = keys(str(file)).model_copy(update={"rate": 10.0})
    client = BotaClient(slow, package=package)
    records, until = [], time.monotonic() + 5.0
    while len(records) < 4 and time.monotonic() < until:
        records += client.poll()
        time.sleep(0.01)
    client.close()
    assert [record.sequence for record in records[:4]] == [0, 1, 2, 3]
    # the dummy reads about 1, 2, 3 N and 0.1, 0.2, 0.3 N m, as of the version named above
    assert all(abs(records[0].counts[k] - (k + 1) * 1e6) < 3e5 for k in range(3))
    assert client.poll() == [] and client.refused == 1
