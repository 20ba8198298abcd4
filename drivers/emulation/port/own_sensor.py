"""The sensor in an emulated port: what it says of the wrench on the port itself, with noise of its own."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.port import Port

SEED_STREAM = 107


class OwnSensor:
    """Measures the reaction about the point of the port's face, world axes; deterministic by seed.

    Attributes:
        reading: on the port [N, N m], shape (6,); zero where the port has no sensor.
    """

    def __init__(self, port: Port, seed: int) -> None:
        """Begin unloaded."""
        self._there = port.sensor_noise is not None
        noise = (port.sensor_noise or 0.0, port.sensor_noise_torque)
        self._noise = np.repeat(noise, 3)
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM]))
        self.reading = np.zeros(6)

    def read(self, wrench: Array, p: Array, point: Array) -> None:
        """Measure what the mock-up exerts on the port, equal and opposite to what it feels.

        Args:
            wrench: on the mock-up about `p`, world axes [N, N m], shape (6,).
            p: the object's centre, world [m], shape (3,).
            point: of the port's face, world [m], shape (3,).
        """
        if not self._there:
            return
        self.reading[:3] = -wrench[:3]
        self.reading[3:] = -wrench[3:] - np.cross(p - point, wrench[:3])
        self.reading += self._noise * self._rng.standard_normal(6)
