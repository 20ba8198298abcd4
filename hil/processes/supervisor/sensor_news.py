"""What the daemon knows of a run's force sensor, as plain values; nothing without one."""

from typing import Any

from hil.configuration import Configuration
from hil.configuration.sensor import has_own_sensor
from hil.messaging.bus import Bus
from hil.messaging.sensor_messages import SensorState


class SensorNews:
    """Keeps the newest that the driver told."""

    def __init__(self, bus: Bus, configuration: Configuration) -> None:
        """Listen on a run's bus, if its configuration has a sensor."""
        own = has_own_sensor(configuration)
        self._states = bus.subscriber("sensor_state", SensorState) if own else None
        self._newest: SensorState | None = None

    def hear(self) -> None:
        """Take what has come since the last call."""
        if self._states is not None:
            self._newest = self._states.newest() or self._newest

    def status(self) -> dict[str, Any]:
        """Return how the sensor is, units in the names."""
        if self._states is None:
            return {"sensor": None}
        state = self._newest
        if state is None:
            return {"sensor": "not heard yet"}
        return {
            "sensor": state.trouble or "well",
            "sensor_lost": state.lost,
            "sensor_restarts": state.restarts,
            "sensor_jitter_ms": round(1e3 * state.jitter, 3),
            "sensor_drift_ppm": round(1e6 * state.drift, 1),
            "sensor_offset_s": 1e-9 * state.offset_ns,
            "sensor_bias": [round(value, 4) for value in state.bias.tolist()],
        }
