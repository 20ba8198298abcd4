"""May a sensor be believed? Silence, a reading that stands still, its status, overload: judged. Pure."""

import math

from drivers.sensor.pace import Pace
from drivers.sensor.rdt import SensorRecord
from drivers.sensor.status import MONITOR, family_of, is_serious, status_in_words
from drivers.sensor.stream import RecordStream, StampedRecord
from hil.configuration.schema import Sensor

SETTLING_NS = 1_000_000_000  # of a stream, until its clock is known well enough to begin a motion
FROZEN_NS = 100_000_000  # six counts that stay the same for so long are no measurement: noise moves them
LOSS_NS = 2_000_000_000  # over which the share of lost records is taken
LOSS_SHARE = 0.02  # of them, from which on it is told


def place_of(sensor: Sensor) -> str:
    """Return where a sensor is, in words."""
    return str(sensor.settings) if sensor.kind == "bota" else f"{sensor.address} port {sensor.port}"


class SensorWatch:
    """Watches one sensor.

    Attributes:
        status: of the newest record.
    """

    def __init__(self, sensor: Sensor, stream: RecordStream) -> None:
        self._sensor, self._stream = sensor, stream
        self._place = place_of(sensor)
        self._pace = Pace(sensor.rate)
        self._stale_ns = round(1e9 * sensor.stale)
        self._overload_ns = round(1e9 * sensor.overload_time)
        self._newest: SensorRecord | None = None
        self._moved_ns = self._changed_ns = 0  # when a new measurement came last, and one of other counts
        self._over_ns: int | None = None  # stamp of the first of the records in a row that were overloaded
        self._overload = ""
        self._loss_ns, self._loss_from, self._loss = 0, (0, 0), ""
        self.status = 0

    def take(self, stamped: StampedRecord) -> None:
        """Take a record in order."""
        record, before = stamped.record, self._newest
        if self._stream.count == 0:
            self._pace.begin()
            before = None
        self._pace.take(self._stream.count, record.arrival_ns)
        if before is None or record.measurement != before.measurement:
            self._moved_ns = record.arrival_ns
        if before is None or record.counts != before.counts:
            self._changed_ns = record.arrival_ns
        self._newest, self.status = record, record.status
        self._weigh(stamped)
        self._count_losses(record.arrival_ns)

    def trouble(self, now_ns: int) -> str:
        """Return why the sensor cannot be believed at host time `now_ns`; empty if it can."""
        if self._newest is None:
            return f"the force sensor at {self._place} sends nothing: look at its supply, cable and address"
        silent_ns = now_ns - self._newest.arrival_ns
        if silent_ns > self._stale_ns:
            return self._silent(silent_ns, "sent nothing")
        if now_ns - self._moved_ns > self._stale_ns:
            return self._silent(now_ns - self._moved_ns, "measured nothing new, though it sends,")
        if is_serious(self.status):
            said = status_in_words(self.status, family_of(self._sensor))
            return f"the force sensor says: {said} (status {self.status:#010x})"
        if now_ns - self._changed_ns > FROZEN_NS:
            return self._silent(now_ns - self._changed_ns, "read the very same six counts")
        return self._overload or self._pace.trouble

    def unsettled(self, now_ns: int) -> str:
        """Return why its clock is not known well enough yet to begin a motion; empty if it is."""
        settled = now_ns >= self._stream.began_ns + SETTLING_NS
        return "" if settled else "the force sensor's stream has begun: its clock is being learned"

    @property
    def warning(self) -> str:
        """What is to be told of a sensor that can be believed; empty if nothing."""
        latched = "the force sensor says: a monitor condition has latched" if self.status == MONITOR else ""
        return latched or self._loss

    def _silent(self, time_ns: int, what: str) -> str:
        return (
            f"the force sensor at {self._place} has {what} for {1e-6 * time_ns:.0f} ms "
            f"(sensor.stale_ms = {1e3 * self._sensor.stale:g}): look at supply, cable and the settings of it"
        )

    def _weigh(self, stamped: StampedRecord) -> None:
        """Note a load that has been beyond what is allowed for too long."""
        s, counts = self._sensor, stamped.record.counts
        force = math.hypot(*counts[:3]) / s.force_counts
        torque = math.hypot(*counts[3:]) / s.torque_counts
        if force <= s.overload_force and torque <= s.overload_torque:
            self._over_ns, self._overload = None, ""
            return
        if self._over_ns is None:
            self._over_ns = stamped.t_ns
        if stamped.t_ns - self._over_ns >= self._overload_ns:
            self._overload = (
                f"the force sensor reads {force:.0f} N, {torque:.1f} N m: overload "
                f"(sensor.overload_force_n = {s.overload_force:g}, overload_torque_n_m = "
                f"{s.overload_torque:g})"
            )

    def _count_losses(self, now_ns: int) -> None:
        if now_ns - self._loss_ns < LOSS_NS:
            return
        lost, count = self._stream.lost - self._loss_from[0], self._stream.count - self._loss_from[1]
        self._loss_ns, self._loss_from = now_ns, (self._stream.lost, self._stream.count)
        share = lost / count if count > 0 else 0.0
        self._loss = (
            f"{100 * share:.0f} % of the force sensor's records are lost" if share > LOSS_SHARE else ""
        )
