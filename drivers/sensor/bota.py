"""A Bota sensor, read by the maker's driver (package `bota-driver`, extra `bota`); it never waits once open.

What the driver offers, as of its version 1.1.16: `BotaDriver(file)` with `configure`, `activate`,
`deactivate` and `shutdown`; `get_expected_timestep_us`; `read_frame`, which returns the newest frame at once,
the same one until the next: force [N], torque [N m], timestamp [us] of the sensor's clock, and status flags
`invalid`, `overrange`, `raw`, `throttled`. Frames have no number: they are numbered here by their timestamps.
Its own tare is left alone: the bias is found where the pose is known.
"""

import importlib
import math
from types import ModuleType
from typing import Any

from drivers.sensor.rdt import SEQUENCE_MODULUS, SensorRecord
from hil.common.errors import LinkError
from hil.common.run_clock import RunClock
from hil.configuration.schema import Sensor

PACKAGE, EXTRA = "bota_driver", "bota"
LARGEST = (1 << 31) - 1  # counts of a record have 32 bits
SUMMARY, INVALID, OUT_OF_RANGE, RAW = 1 << 31, 1 << 30, 1 << 29, 1 << 28  # see `drivers.sensor.status.BOTA`
RATE_TOLERANCE = 0.01


class BotaClient:
    """One sensor, opened.

    Attributes:
        refused: times that the driver gave no frame: the sensor is gone, or stopped.
    """

    def __init__(
        self, sensor: Sensor, clock: RunClock | None = None, package: ModuleType | None = None
    ) -> None:
        """Open it, which takes seconds; `clock` stamps what arrives, None: the monotonic one.

        Args:
            sensor: `settings` names the driver's file.
            clock: of the host.
            package: the maker's; None: the installed one.

        Raises:
            LinkError: the package is missing, the sensor cannot be opened, or sends at another rate.
        """
        self._sensor, self._clock = sensor, clock or RunClock()
        self._step_us = 1e6 / sensor.rate
        self._timestamp: int | None = None
        self._sequence = 0
        self.refused = 0
        package = package or _installed()
        try:
            self._driver: Any = package.BotaDriver(str(sensor.settings))
            opened = self._driver.configure() and self._driver.activate()
            step_us = self._driver.get_expected_timestep_us()
        except Exception as error:  # its library has no class of errors of its own
            raise LinkError(f"sensor.settings = {str(sensor.settings)!r}: {error}") from error
        if not opened:
            raise LinkError(
                f"sensor.settings = {str(sensor.settings)!r}: the sensor cannot be opened: look at supply, "
                "cable and interface; the driver's own lines say more"
            )
        if step_us > 0 and abs(step_us / self._step_us - 1.0) > RATE_TOLERANCE:
            self.close()
            raise LinkError(
                f"the force sensor sends {1e6 / step_us:.6g} measurements a second, sensor.rate_hz = "
                f"{sensor.rate:g}: change the key, or {sensor.settings}"
            )

    def poll(self) -> list[SensorRecord]:
        """Return the newest measurement if it is new, else nothing."""
        now_ns = self._clock.now_ns()
        try:
            frame = self._driver.read_frame()
        except Exception:  # the silence that follows is told
            self.refused += 1
            return []
        if frame.timestamp == self._timestamp:
            return []
        self._count(frame.timestamp)
        counts, status = self._counts(frame), _status(frame.status)
        if counts is None:
            counts, status = (0,) * 6, status | SUMMARY | INVALID
        return [SensorRecord(now_ns, self._sequence, self._sequence, status, counts)]

    def close(self) -> None:
        """End the stream and release the sensor."""
        for end in (self._driver.deactivate, self._driver.shutdown):
            try:
                end()
            except Exception:  # it is gone already
                self.refused += 1

    def _count(self, timestamp: int) -> None:
        """Number a frame by the periods since the one before; one from the past begins anew."""
        before, self._timestamp = self._timestamp, timestamp
        passed = 0 if before is None else timestamp - before
        steps = max(1, round(passed / self._step_us)) if passed > 0 else 0
        self._sequence = (self._sequence + steps) % SEQUENCE_MODULUS if steps else 0

    def _counts(self, frame: Any) -> tuple[int, ...] | None:
        """Return what it reads in counts; None where it is no number."""
        s = self._sensor
        values = [x * s.force_counts for x in frame.force] + [x * s.torque_counts for x in frame.torque]
        if len(values) != 6 or not all(map(math.isfinite, values)):
            return None
        return tuple(max(-LARGEST, min(LARGEST, round(x))) for x in values)


def _status(flags: Any) -> int:
    """Return the status word of a frame's flags.

    `throttled` is none of them: frames that were left out show as lost.
    """
    told = ((flags.invalid, INVALID), (flags.overrange, OUT_OF_RANGE), (flags.raw, RAW))
    word = sum(bit for flag, bit in told if flag)
    return word | SUMMARY if word else 0


def _installed() -> ModuleType:
    try:
        return importlib.import_module(PACKAGE)
    except ImportError as error:
        raise LinkError(
            f"sensor.kind = 'bota': the package {PACKAGE} is missing: pip install 'zerog-emulator[{EXTRA}]'"
        ) from error
