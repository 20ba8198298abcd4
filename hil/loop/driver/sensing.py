"""What the driver feels: the wrench at the object, pushes in it, and what the joints say of them. Pure."""

from collections import deque
from collections.abc import Sequence

import numpy as np

from drivers.fri.session import FriSample
from drivers.sensor.rdt import SensorRecord
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames, mockup_centre
from hil.configuration.sensor import has_own_sensor
from hil.force.setup import drive_of
from hil.loop.driver.external_wrench import ExternalWrench
from hil.loop.driver.touching import Touching
from hil.messaging.messages import ImpulseSlice, Mode, Witness
from hil.wrench.admittance import AdmittanceForce
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.push_report import PushReport
from hil.wrench.detector.thresholds import PushThresholds
from hil.wrench.held_body import object_wrench
from hil.wrench.load.compensation import LoadCompensation
from hil.wrench.load.held import held_parameters
from hil.wrench.plausibility import PlausibleWrench
from hil.wrench.witness.torques import TorqueWitness
from planner.kinematics.arm_model import ArmModel

UNWITNESSED = 64  # samples that may wait for the torque witness
RETIMED = 2e-4  # [s] by which the arm's delay must have changed to be taken anew


class Sensing:
    """Takes every sample's wrench, also of packets that came late.

    It is the robot's estimate, or that of a force sensor of its own clock, brought to the sample's instant.

    Attributes:
        wrench_object: of the newest sample, at the object's centre of mass in its axes [N, N m], (6,); zeros
            until a force sensor can be believed.
        faked: what is taken out of it beside, object axes [N, N m], shape (6,): what a base's acceleration
            looks like; None: there is no base.
        external: the force sensor; None: the robot's estimate counts.
    """

    def __init__(
        self, configuration: Configuration, model: ArmModel, frames: Frames, touching: Touching | None = None
    ) -> None:
        """Feel by the sensor of this configuration, at the flange of an arm.

        With `touching` every force acts as long as it lasts, and no pushes are detected.
        """
        c = configuration
        self._model, self._frames = model, frames
        own = has_own_sensor(c)
        self.external = ExternalWrench(c, model) if own else None
        # where the wrench is measured, and whether it is given in that frame's axes
        self._T_flange_measured = (
            frames.T_flange_tcp if self.external is None else self.external.T_flange_sensor
        )
        self._in_its_axes = own or c.fri.wrench_frame == "tool"
        # a sensor feels the load's inertia, which the controller takes out of its estimate
        self._drive = c.fri.sample_time, c.force.drive_lag, c.force.drive_damping
        self._lead = c.interpolation.lead_time
        drive = drive_of(self._lead, *self._drive)
        held = held_parameters(c, mockup_centre(c))
        self._held = LoadCompensation(c, model, held, drive) if own else None
        self._measured: Array | None = np.zeros(6)
        self._gap = False  # time has jumped in the sensor's stream, or there was none
        self._detector, self._touching = touching or _law_of(c), touching
        self._detection = c.detector
        self._tuned_by: Mode | None = None  # the order whose thresholds are in force
        self._thresholds = PushThresholds.of(c.detector)
        self._plausible = PlausibleWrench(c.detector)
        self._witness = TorqueWitness(c, model)
        self._load = LoadCompensation(c, model, drive=drive)
        self._unwitnessed: deque[tuple[FriSample, Array, bool]] = deque(maxlen=UNWITNESSED)
        self.wrench_object = np.zeros(6)
        self.faked: Array | None = None

    def warm(self) -> None:
        """Compile or load what a sample can need."""
        model, frames = self._model, self._frames
        object_wrench(model.geometry, np.zeros(7), frames.T_flange_tcp, frames.T_flange_object,
            np.zeros(6), True,
        )  # fmt: skip
        self._witness.warm()
        self._load.warm()
        if self._held is not None:
            self._held.warm()

    def sense(self, records: Sequence[SensorRecord], steady: bool) -> None:
        """Take the force sensor's records that have come; `steady`: the object floats, no stamp may step."""
        if self.external is not None:
            self._gap |= self.external.take(records, steady)

    def retime(self, lead: float) -> None:
        """Take the arm's identified delay [s]: how it answers commands, for its acceleration."""
        if abs(lead - self._lead) > RETIMED:
            self._lead = lead
            drive = drive_of(lead, *self._drive)
            for stage in (self._load, self._held):
                if stage is not None:
                    stage.retime(drive)

    def observe(self, sample: FriSample, q_command: Array) -> PushReport | None:
        """Take a sample and return what it tells of a push; `q_command`: the newest command [rad], (7,)."""
        model, frames = self._model, self._frames
        measured = sample.wrench if self.external is None else self.external.at(sample)
        self._measured = measured
        if measured is None:
            self._gap = True
            return None if self._touching is None else self._touching.lost()
        self.wrench_object = object_wrench(
            model.geometry,
            sample.q_measured,
            self._T_flange_measured,
            frames.T_flange_object,
            measured,
            self._in_its_axes,
        )
        if self._held is not None:
            self.wrench_object = self._held.taken_out(
                sample.t_ns, sample.q_measured, self.wrench_object, q_command
            )
        if sample.gap or self._gap:
            self._detector.mark_gap(sample.t_ns)
            self._gap = False
        felt = self._load.taken_out(sample.t_ns, sample.q_measured, self.wrench_object, q_command)
        if self.faked is not None:
            felt = felt - self.faked
        report = self._detector.take(sample.t_ns, felt)
        self._unwitnessed.append((sample, self.wrench_object, self._detector.quiet))
        return report

    def implausible(self, sample: FriSample) -> str:
        """Return why a sample's wrench is that of no hand, or its sensor is lost; empty if it may be."""
        if self.external is not None and (lost := self.external.missing(sample.arrival_ns)):
            return lost
        return "" if self._measured is None else self._plausible.judge(sample.t_ns, self._measured)

    @property
    def pressed(self) -> str:
        """Why no floating may begin: a contact that was cut off still presses; empty if none does."""
        return "" if self._touching is None else self._touching.refusal

    def refusal(self, now_ns: int) -> str:
        """Return why no floating may begin at host time `now_ns`; empty if one may."""
        missing = "" if self.external is None else self.external.missing(now_ns)
        return "; ".join(filter(None, (missing, self.pressed)))

    def rest(self, standing: bool) -> None:
        """Let a force sensor find its bias while the arm stands; another bias is no push."""
        free = standing and not (self._touching is not None and self._touching.held_on)
        if self.external is not None and self.external.rest(free):
            self._detector.restart()

    def restart(self) -> None:
        """Another floating begins: the arm's own start, from rest to the object's speed, is no push."""
        self._detector.restart()

    def retune(self, order: Mode | None) -> None:
        """Take the thresholds of the newest order, if they have changed."""
        if order is None or order is self._tuned_by:
            return
        self._tuned_by = order
        thresholds = PushThresholds.from_order(order.thresholds, self._detection)
        if thresholds != self._thresholds:
            self._thresholds = thresholds
            self._detector.retune(thresholds.within(self._detection))

    def testify(self, slices: list[ImpulseSlice]) -> list[Witness]:
        """Return what the joint torques say of slices."""
        while self._unwitnessed:
            sample, wrench_object, quiet = self._unwitnessed.popleft()
            self._witness.take(sample.t_ns, sample.q_measured, wrench_object, sample.torque_external, quiet)
        return self._witness.testify(slices)

    @property
    def warning(self) -> str:
        """What is to be told of a force sensor that can be believed, or of the drives; empty if nothing."""
        sensor = "" if self.external is None else self.external.warning
        return sensor or ("" if self._touching is None else self._touching.drives.warning)

    @property
    def wrench_witness(self) -> Array:
        """The same wrench as the joint torques have it [N, N m], shape (6,)."""
        return self.wrench_object - self._witness.now


def _law_of(c: Configuration) -> ImpulseDetector | AdmittanceForce:
    """Return what makes slices of the wrench."""
    if c.admittance is not None:
        return AdmittanceForce(c.admittance, c.filter.length, c.fri.sample_time)
    return ImpulseDetector(c.detector, c.filter, c.fri.sample_time)
