"""The driver's share of a base, and who drives the vehicle, by what comes in order; that is booked. Pure."""

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.carried.base_log import BaseInputLog
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.vehicle import Vehicle
from hil.messaging.base_messages import BasePlan, BaseState
from hil.messaging.messages import Mode


class BaseDriver:
    """Hears the vehicle, follows plans, commands.

    Attributes:
        arm: what the driver knows of the base.
        log: what was consumed.
    """

    def __init__(self, configuration: Configuration, arm: CarriedArm, process: int) -> None:
        """Begin; `process` is named by what is booked."""
        self.arm, self.log = arm, BaseInputLog(process)
        self._vehicle = Vehicle(configuration)

    @property
    def velocity(self) -> Array:
        """The vehicle's last command: speeds x, y [m/s], heading [rad/s] in world, shape (3,)."""
        return self._vehicle.velocity

    def hear(self, place: int, state: BaseState) -> None:
        """Take the vehicle's newest state; `place` among the samples as in `BaseInputs`."""
        self.log.state(place, state)
        self.arm.hear(state)

    def take(self, plan: BasePlan) -> None:
        """Follow another plan of the base."""
        self._vehicle.take(plan)
        self.arm.take(plan)

    def command(self, place: int, t_ns: int, dt: float, order: Mode | None) -> Array:
        """Return the command at `t_ns`, `dt` [s] behind the one before, (3,); without an order it brakes."""
        velocity = self._vehicle.step(t_ns, dt, order, self.arm.state)
        self.arm.commanded(t_ns, velocity)
        self.log.command(place, t_ns, dt, order, velocity)
        return velocity
