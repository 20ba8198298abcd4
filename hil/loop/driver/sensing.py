"""What the driver feels: the wrench at the object, pushes in it, and what the joints say of them. Pure."""

from collections import deque

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.driver.touching import Touching
from hil.messaging.messages import ImpulseSlice, Mode, Witness
from hil.wrench.admittance import AdmittanceForce
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.push_report import PushReport
from hil.wrench.detector.thresholds import PushThresholds
from hil.wrench.held_body import object_wrench
from hil.wrench.load.compensation import LoadCompensation
from hil.wrench.plausibility import PlausibleWrench
from hil.wrench.witness.torques import TorqueWitness
from planner.kinematics.arm_model import ArmModel

UNWITNESSED = 64  # samples that may wait for the torque witness


class Sensing:
    """Takes every sample's wrench, also of packets that came late.

    Attributes:
        wrench_object: of the newest sample, at the object's centre of mass in its axes [N, N m], (6,).
    """

    def __init__(
        self, configuration: Configuration, model: ArmModel, frames: Frames, touching: Touching | None = None
    ) -> None:
        """Feel by the sensor of this configuration, at the flange of an arm.

        With `touching` every force acts as long as it lasts, and no pushes are detected.
        """
        c = configuration
        self._model, self._frames = model, frames
        self._in_tool_axes = c.fri.wrench_frame == "tool"
        self._detector = touching or _law_of(c)
        self._detection = c.detector
        self._tuned_by: Mode | None = None  # the order whose thresholds are in force
        self._thresholds = PushThresholds.of(c.detector)
        self._plausible = PlausibleWrench(c.detector)
        self._witness = TorqueWitness(c, model)
        self._load = LoadCompensation(c, model)
        self._unwitnessed: deque[tuple[FriSample, Array, bool]] = deque(maxlen=UNWITNESSED)
        self.wrench_object = np.zeros(6)

    def warm(self) -> None:
        """Compile or load what a sample can need."""
        model, frames = self._model, self._frames
        object_wrench(model.geometry, np.zeros(7), frames.T_flange_tcp, frames.T_flange_object,
            np.zeros(6), True,
        )  # fmt: skip
        self._witness.warm()
        self._load.warm()

    def observe(self, sample: FriSample) -> PushReport | None:
        """Take a sample and return what it tells of a push."""
        model, frames = self._model, self._frames
        self.wrench_object = object_wrench(
            model.geometry,
            sample.q_measured,
            frames.T_flange_tcp,
            frames.T_flange_object,
            sample.wrench,
            self._in_tool_axes,
        )
        if sample.gap:
            self._detector.mark_gap(sample.t_ns)
        felt = self._load.taken_out(sample.t_ns, sample.q_measured, self.wrench_object)
        report = self._detector.take(sample.t_ns, felt)
        self._unwitnessed.append((sample, self.wrench_object, self._detector.quiet))
        return report

    def implausible(self, sample: FriSample) -> str:
        """Return why a sample's wrench is that of no hand; empty if it may be."""
        return self._plausible.judge(sample.t_ns, sample.wrench)

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
    def wrench_witness(self) -> Array:
        """The same wrench as the joint torques have it [N, N m], shape (6,)."""
        return self.wrench_object - self._witness.now


def _law_of(c: Configuration) -> ImpulseDetector | AdmittanceForce:
    """Return what makes slices of the wrench."""
    if c.admittance is not None:
        return AdmittanceForce(c.admittance, c.filter.length, c.fri.sample_time)
    return ImpulseDetector(c.detector, c.filter, c.fri.sample_time)
