"""The emulated force sensor between flange and mock-up: told what pushes it at the ends of cycles."""

from drivers.emulation.arm.arm import EmulatedArm
from drivers.emulation.sensor.felt import FeltWrench
from drivers.emulation.sensor.measuring import Measured, MeasuringSensor
from hil.common.arrays import Array
from hil.configuration.schema import Configuration


class EmulatedSensor(MeasuringSensor):
    """One sensor at an emulated arm; deterministic by seed."""

    def __init__(self, configuration: Configuration, arm: EmulatedArm, seed: int) -> None:
        """Hang it at the arm's flange; its clock starts now."""
        super().__init__(configuration.sensor, configuration.emulator.sensor, seed)
        self._felt = FeltWrench(configuration, arm)

    def measure(self, t: float, wrench_world: Array, fault: str) -> list[Measured]:
        """Return the records that were measured since the last call, those that get lost left out.

        Args:
            t: now [s].
            wrench_world: what pushes the mock-up, about the object's centre, world axes [N, N m], (6,).
            fault: what goes wrong with the wrench, see `drivers.emulation.disturbances`.
        """
        return self.take(t, self._felt.now(wrench_world), fault)
