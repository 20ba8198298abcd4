"""A driver fed by hand, whose wrench comes from a force sensor that is fed by hand as well."""

import numpy as np

from drivers.sensor.rdt import SensorRecord
from hil.configuration import Configuration
from hil.configuration.frames import mockup_centre
from hil.loop.driver.cycle import Cycle
from hil.loop.judging.state_machine import State
from hil.messaging.messages import Plan
from hil.wrench.load.held import HeldWeight
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose
from tests.hil.loop.driven import Driven

BIAS = np.array([4.0, -3.0, 6.0, 0.1, -0.2, 0.05])
RECORDS = 2  # a cycle


def with_sensor(c: Configuration, **keys: object) -> Configuration:
    """The same arm with a force sensor at its flange."""
    return c.model_copy(update={"sensor": c.sensor.model_copy(update={"kind": "emulated"} | keys)})


class Sensed(Driven):
    """A sensor of 1 kHz reads the mock-up's weight, its bias, a little noise, and what a test adds.

    Attributes:
        load: added to what it reads, sensor axes [N, N m], (6,).
        sends: whether it sends; `measures`: something new; `status`: its word; `frozen`: the same counts.
    """

    def __init__(self, configuration: Configuration) -> None:
        self.load, self.status = np.zeros(6), 0
        self.sends = self.measures = True
        self.frozen = False
        self._counts: tuple[int, ...] = (0,) * 6
        self._number = self._measurement = 0
        self._weight = HeldWeight.of(configuration, mockup_centre(configuration))
        self._geometry = load_arm_model(configuration.robot.model).geometry
        self._noise = np.random.default_rng(1)
        super().__init__(configuration)

    def cycle(
        self,
        state: State = State.FLOATING,
        epoch: int = 1,
        plan: Plan | None = None,
        failing: bool = False,
        **changes,
    ) -> Cycle:
        """The sensor's records of the last cycle, then a packet as ever."""
        self.driver.sense(self.records())
        return super().cycle(state, epoch, plan, failing, **changes)

    def records(self) -> list[SensorRecord]:
        """What the sensor sends in a cycle, the last record with the packet."""
        made = []
        for behind in range(RECORDS - 1, -1, -1):
            self._number += 1
            self._measurement += self.measures
            R = flange_pose(self._geometry, self.q)[:3, :3]
            noise = np.repeat([0.02, 0.001], 3) * self._noise.standard_normal(6)
            read = self._weight.read(R) + BIAS + self.load + noise
            if not self.frozen:
                self._counts = tuple(np.rint(1e6 * read).astype(int).tolist())
            arrival_ns = self.t_ns - round(behind * 1e9 * self.dt / RECORDS)
            made.append(SensorRecord(arrival_ns, self._number, self._measurement, self.status, self._counts))
        return made if self.sends else []

    def restart(self) -> None:
        """Its numbers begin anew."""
        self._number = 0

    def rested(self, seconds: float = 1.6) -> None:
        """Stand in READY until the clock is known and the sensor tared."""
        for _ in range(round(seconds / self.dt)):
            self.cycle(State.READY)

    def braked(self, most: int = 400) -> int:
        """Float until the driver has a fault, then until the arm stands; the cycles until the fault."""
        cycles = 0
        while not self.driver.fault:
            self.cycle()
            cycles += 1
            assert cycles < most, "no fault"
        for _ in range(300):
            self.cycle()
        assert not self.driver.moving and not self.driver.following
        return cycles

    def seen(self, **changes) -> np.ndarray:
        """The wrench at the object after another cycle at rest."""
        self.cycle(State.READY, **changes)
        return self.driver.wrench_object


def placed(c: Configuration, **keys: object) -> Configuration:
    """A configuration with other keys of its sensor."""
    return c.model_copy(update={"sensor": c.sensor.model_copy(update=keys)})
