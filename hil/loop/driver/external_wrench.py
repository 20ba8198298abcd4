"""The wrench of a force sensor between flange and mock-up, as the driver needs it. Pure.

Its reading at the packet's instant, without bias and without the load's weight; what the load shows when it
moves is taken out behind (`hil.wrench.load.compensation`).
"""

from collections.abc import Sequence

from drivers.fri.session import FriSample
from drivers.sensor.force_sensor import ForceSensor
from drivers.sensor.rdt import SensorRecord
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import mockup_centre, pose_of
from hil.messaging.sensor_messages import SensorState
from hil.wrench.load.held import HeldWeight
from hil.wrench.tare import Tare
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose


class ExternalWrench:
    """One sensor at one arm.

    Attributes:
        T_flange_sensor: where it is, shape (4, 4).
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        self._sensor = ForceSensor(c.sensor, c.fri.sample_time)
        self._weight = HeldWeight.of(c, mockup_centre(c))
        self._tare = Tare(c.sensor, c.fri.sample_time, c.filter.length)
        self._geometry = model.geometry
        self.T_flange_sensor = pose_of(c.sensor.rotvec, c.sensor.position)
        self._began_ns = 0
        self._unloaded: Array | None = None  # of the newest sample

    def take(self, records: Sequence[SensorRecord], steady: bool) -> bool:
        """Take records as they came; return whether time has a gap within them."""
        gap = self._sensor.take(records, steady)
        if self._sensor.stream.began_ns != self._began_ns:  # whoever switched it off may have changed it
            self._began_ns = self._sensor.stream.began_ns
            self._tare.forget()
        return gap

    def at(self, sample: FriSample) -> Array | None:
        """Return the wrench at a sample's instant and pose; None while there is none to be believed.

        Returns:
            What the environment exerts on the mock-up about the sensor's origin, sensor axes [N, N m], (6,).
        """
        read = self._sensor.at(sample.t_ns)
        if read is None or self.trouble(sample.arrival_ns):
            self._unloaded = None
            return None
        R_base_flange = flange_pose(self._geometry, sample.q_measured)[:3, :3]
        self._unloaded = read - self._weight.read(R_base_flange)
        return self._unloaded - self._tare.bias if self._tare.tared else None

    def rest(self, standing: bool) -> bool:
        """Let the newest sample's reading count for the bias if the arm stands; whether that changed it."""
        if not standing or self._unloaded is None:
            self._tare.interrupt()
            return False
        return self._tare.rest(self._unloaded)

    def trouble(self, now_ns: int) -> str:
        """Return why the sensor cannot be believed at host time `now_ns`; empty if it can."""
        return self._sensor.watch.trouble(now_ns)

    def missing(self, now_ns: int) -> str:
        """Return why no motion may begin, in words; empty if one may."""
        return self.trouble(now_ns) or self._sensor.watch.unsettled(now_ns) or self._tare.missing

    @property
    def warning(self) -> str:
        """What is to be told of it while it can be believed; empty if nothing."""
        return self._sensor.watch.warning or self._tare.loaded

    def state(self, t_ns: int) -> SensorState:
        """Return how its stream is."""
        stream = self._sensor.stream
        return SensorState(
            t_ns,
            offset_ns=stream.offset_ns,
            drift=stream.drift,
            jitter=stream.jitter,
            lost=stream.lost,
            duplicates=stream.duplicates,
            late=stream.late,
            restarts=stream.restarts,
            status=self._sensor.watch.status,
            tared=self._tare.tared,
            bias=self._tare.bias.copy(),
            trouble=self.missing(t_ns),
        )
