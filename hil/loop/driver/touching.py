"""Real contact in the driver: a measured force acts for as long as it lasts, and travels as slices do.

It stands in the detector's place. Outside a contact the simulated body is where plan and short cut have it
(`hil.loop.driver.believed_body`); from the onset on the driver integrates it itself (`hil.force`). What the
contact gives in every cycle goes to the world as slices, so that history, rewind, prediction and replay take
it as they take pushes; what the body will do within the arm's delay is added to the short cut.
"""

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.common.geometry import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
    rotvec_from_quat,
)
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.schema import Detector
from hil.force.contact_loop import ContactLoop
from hil.force.contact_state import ContactState
from hil.loop.driver.believed_body import believed_body
from hil.loop.driver.contact_record import ContactRecord
from hil.loop.driver.contact_set_up import contact_setup, drive_of
from hil.loop.driver.contact_slices import ContactSlices
from hil.messaging.messages import Contact
from hil.wrench.detector.push_report import PushReport
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import ArmModel

MOST_MISSED = 25  # cycles without a sample that are flown over; more, and floating is over anyhow
RETIMED = 2e-4  # [s] by which the delay must have changed to be taken anew


class Touching:
    """Continuous force on the simulated body.

    Attributes:
        quiet: no contact is open.
        fault: why the arm must brake; empty while it need not.
    """

    def __init__(self, configuration: Configuration, model: ArmModel, frames: Frames) -> None:
        """Prepare for an arm that holds the mock-up at these frames."""
        c = configuration
        self._geometry, self._frames = model.geometry, frames
        self._step, self._most_force = c.fri.sample_time, c.force.stop_force
        self._lead = c.interpolation.lead_time
        self._drive = c.force.drive_lag, c.force.drive_damping
        self._loop = ContactLoop(contact_setup(c, self._lead))
        self._slices = ContactSlices(self._step, c.filter.length)
        self._record = ContactRecord(self._step)
        self._begun = False
        self._t_ns = 0
        self._arm = np.eye(4)
        self._commanded: Array | None = None  # pose of the last command
        self._believed: tuple[Array, Array] | None = None
        self.quiet, self.fault = True, ""

    def warm(self) -> None:
        """Compile or load everything."""
        zero, still = np.zeros(7), np.zeros((3, 6))
        frames = self._frames
        believed_body(self._geometry, zero, zero, still, frames.T_world_base, frames.T_flange_object)
        self._loop.warm()

    def restart(self) -> None:
        """Another floating begins: what was touched before is no matter."""
        self._begun, self.quiet, self.fault = False, True, ""
        self._record.break_off()

    def retune(self, detector: Detector) -> None:
        """Do nothing: there are no thresholds of pushes."""

    def mark_gap(self, t_ns: int) -> None:
        """Do nothing: missing samples are counted by their stamps."""

    def place(
        self, sample: FriSample, q_command: Array, planned: Array | None, missing: Array | None
    ) -> None:
        """Hear where arm, command and body are, before the sample's wrench is taken.

        Args:
            sample: whose wrench comes next.
            q_command: the last command [rad], shape (7,).
            planned: the plan's joints and their velocity at the sample's instant, shape (2, 7); None: none.
            missing: what the plan lacks at that instant, see `believed_body`; None for nothing.
        """
        frames = self._frames
        self._arm = object_pose(
            self._geometry, sample.q_measured, frames.T_world_base, frames.T_flange_object
        )
        self._tell_command(q_command)
        self._believed = None
        if planned is not None:
            self._believed = believed_body(
                self._geometry, planned[0], planned[1], np.zeros((3, 6)) if missing is None else missing,
                frames.T_world_base, frames.T_flange_object,
            )  # fmt: skip

    def take(self, t_ns: int, wrench: Array) -> PushReport | None:
        """Take one sample and return the slices that it begins or changes.

        Args:
            t_ns: when it was measured [ns].
            wrench: about the object's centre of mass, object axes [N, N m], shape (6,).
        """
        if self._believed is None:
            self.restart()
            return None
        self._follow(*self._believed)
        R, p, quat = self._arm[:3, :3], self._arm[:3, 3], quat_from_matrix(self._arm[:3, :3])
        in_world = np.concatenate((R @ wrench[:3], R @ wrench[3:]))
        state = self._loop.state
        missed = self._missed(t_ns)
        for _ in range(missed):
            self._loop.step(p, quat, in_world, usable=False)
        was_open = state.in_contact
        self._loop.step(p, quat, in_world)
        self._t_ns = t_ns
        self.quiet = not state.in_contact
        if not (was_open or state.in_contact):
            return None
        return self._felt(t_ns, state, was_open)

    def led(self, missing: Array | None, ahead: float) -> Array | None:
        """Return what the plan lacks with what a contact, felt or foreseen, will do until then.

        Args:
            missing: twist, displacement and acceleration, object axes, shape (3, 6); None for nothing.
            ahead: from the newest sample to that instant [s].
        """
        state = self._loop.state
        if not self._begun or (self.quiet and not state.foresees):
            return missing
        free = max(0.0, ahead - self._step)
        p = state.p + free * state.twist[:3]
        quat = quat_multiply(quat_from_rotvec(free * state.twist[3:]), state.quat)
        turned = rotvec_from_quat(quat_multiply(state.led_quat, quat_conjugate(quat)))
        R = matrix_from_quat(state.quat)
        more = np.empty((3, 6))
        for row, (linear, angular) in enumerate(
            (
                (state.led_twist[:3] - state.twist[:3], state.led_twist[3:] - state.twist[3:]),
                (state.led_p - p, turned),
                (state.led_acceleration[:3], state.led_acceleration[3:]),
            )
        ):
            more[row, :3], more[row, 3:] = linear @ R, angular @ R
        return more if missing is None else missing + more

    def retime(self, lead: float) -> None:
        """Take the identified delay [s], between contacts."""
        if self.quiet and abs(lead - self._lead) > RETIMED:
            self._lead = lead
            self._loop.retime(max(0.0, lead - self._step), drive_of(lead, self._step, *self._drive))

    def told(self) -> list[Contact]:
        """Return what is to be told of contacts since the last question."""
        return self._record.told()

    def _follow(self, T_world_object: Array, twist: Array) -> None:
        """Put the body where it is believed, as long as nothing touches."""
        p, quat = T_world_object[:3, 3], quat_from_matrix(T_world_object[:3, :3])
        if not self._begun:
            self._loop.begin(p, quat, twist)
            self._begun, self._t_ns = True, 0
        elif not self._loop.state.in_contact:
            self._loop.follow(p, quat, twist)

    def _missed(self, t_ns: int) -> int:
        if self._t_ns == 0:
            return 0
        return min(MOST_MISSED, max(0, round(1e-9 * (t_ns - self._t_ns) / self._step) - 1))

    def _tell_command(self, q_command: Array) -> None:
        """Tell the loop with which twist the mock-up was sent on."""
        frames = self._frames
        T = object_pose(self._geometry, q_command, frames.T_world_base, frames.T_flange_object)
        before, self._commanded = self._commanded, T
        if before is None or not self._begun:
            return
        turned = quat_multiply(quat_from_matrix(T[:3, :3]), quat_conjugate(quat_from_matrix(before[:3, :3])))
        twist = np.concatenate((T[:3, 3] - before[:3, 3], rotvec_from_quat(turned))) / self._step
        self._loop.command(twist)

    def _felt(self, t_ns: int, state: ContactState, was_open: bool) -> PushReport | None:
        """Return the slices of a contact that is open or has just ended, and keep its record."""
        cycle_ns = round(1e9 * self._step)
        if not was_open:
            first_ns = t_ns - (state.cycle - state.onset) * cycle_ns
            self._record.begin(self._slices.begin(first_ns), first_ns, state)
        over = not state.in_contact
        if state.force > self._most_force:
            self.fault = (
                f"contact force {state.force:.0f} N is above force.stop_force_n = {self._most_force:g}: "
                "the arm brakes"
            )
        changed, frozen = max(0, state.revision - state.onset), state.start - state.onset
        first = self._slices.first_told(changed, frozen, over)
        impulses = state.impulses_since(state.onset + first)
        report = self._slices.report(t_ns, impulses, first, frozen, over)
        self._record.take(t_ns + cycle_ns, state, over)
        return report
