"""Real contact in the driver: a measured force acts for as long as it lasts, and travels as slices do.

It stands in the detector's place. Outside a contact the simulated body is where plan and short cut have it
(`hil.loop.driver.believed_body`); from the onset on the driver integrates it itself (`hil.force`). What the
contact gives in every cycle goes to the world as slices, so that history, rewind, prediction and replay take
it as they take pushes; what the body will do within the arm's delay is added to the short cut.
"""

from collections import deque

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
from hil.configuration.sensor import has_own_sensor
from hil.force.contact_loop import WARM_POSE, ContactLoop
from hil.force.gate import BACK
from hil.force.setup import drive_of
from hil.loop.driver.believed_body import believed_body
from hil.loop.driver.contact_reports import ContactReports
from hil.loop.driver.contact_set_up import contact_setup
from hil.loop.driver.creeping_force import CreepingForce
from hil.loop.driver.cut_contact import CutContact
from hil.loop.driver.drive_timing import TimedDrives
from hil.loop.driver.stuck_wrench import StuckWrench
from hil.loop.driver.virtual_stops import VirtualStops
from hil.messaging.messages import Contact
from hil.wrench.detector.push_report import PushReport
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import ArmModel

MOST_MISSED = 25  # cycles without a sample that are flown over; more, and floating is over anyhow
MOST_GIVEN = 0.01  # share of the energy at the onset that a contact may have given when time is held
SHORT = 5  # cycles without a sample over which pose and wrench are taken to go straight on
RETIMED = 2e-4  # [s] by which the delay must have changed to be taken anew
LEAST_PACE = 0.1  # of object time that is taken in a contact


class Touching:
    """Continuous force on the simulated body.

    Attributes:
        quiet: no contact is open.
        drives: whether their model is in time with the arm.
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
        self.drives = TimedDrives(self._step, self._loop.setup.drive)
        self._reports = ContactReports(self._step, c.filter.length)
        self._cut, self._stops = CutContact(c.force.gate), VirtualStops(c)
        self._creeping = CreepingForce(c.force.gate, c.force.stop_force, self._step)
        self._stuck = None if has_own_sensor(c) else StuckWrench(c)
        self._stands = False  # the arm, with object time
        self._paces = deque([1.0], BACK + 1)  # of object time at the newest samples: a contact began before
        self._begun = False
        self._t_ns = 0
        self._arm = np.eye(4)
        self._newest: tuple[Array, Array, Array] | None = None  # pose and wrench that were taken last
        self._commanded: Array | None = None  # pose of the last command
        self._twist, self._gap = np.zeros(6), 0  # with which it was reached, and the cycles before it missed
        self._believed: tuple[Array, Array] | None = None
        self._body = *WARM_POSE, np.zeros(6)  # where plan and short cut have it
        self.quiet, self.fault = True, ""

    def warm(self) -> None:
        """Compile or load everything."""
        zero, still = np.zeros(7), np.zeros((3, 6))
        frames = self._frames
        believed_body(self._geometry, zero, zero, still, frames.T_world_base, frames.T_flange_object)
        self._stops.at(*WARM_POSE, np.zeros(6))
        self._loop.warm()
        self.drives.warm()

    def restart(self) -> None:
        """Nothing is followed, or another floating begins: a contact that lasts is cut off."""
        self._cut_off()
        self._creeping.begin()
        self.fault = ""

    @property
    def held_on(self) -> bool:
        """Whether something is known to hold on to the body: what is then felt is no bias."""
        return False

    @property
    def closing_rate(self) -> float:
        """At which the command closes its gap [1/s]; 0: as gently as ever."""
        return 0.0

    @property
    def refusal(self) -> str:
        """Why no floating may begin, in words; empty if one may."""
        if not self._cut.pressed:
            return ""
        return (
            f"the mock-up has been pressed with {self._cut.pressed:.0f} N ever since a contact was cut off: "
            "bring it away first (`zerog approach`), or let it go"
        )

    def retune(self, detector: Detector) -> None:
        """Do nothing: there are no thresholds of pushes."""

    def mark_gap(self, t_ns: int) -> None:
        """Do nothing: missing samples are counted by their stamps."""

    def place(
        self,
        sample: FriSample,
        q_command: Array,
        planned: Array | None,
        missing: Array | None,
        held: bool = False,
        pace: float = 1.0,
    ) -> None:
        """Hear where arm, command and body are, before the sample's wrench is taken.

        Args:
            sample: whose wrench comes next.
            q_command: the last command [rad], shape (7,).
            planned: the plan's joints and their velocity at the sample's instant, shape (2, 7); None: none.
            missing: what the plan lacks at that instant, see `believed_body`; None for nothing.
            held: the order is to hold object time.
            pace: of object time then.
        """
        frames = self._frames
        self._paces.append(min(1.0, max(0.0, pace)))  # whatever a plan says, object time never runs faster
        self._stands = held and planned is not None and (self._stands or self._may_not_act(planned[1]))
        if self._stuck is not None and planned is not None:
            self.fault = self.fault or self._stuck.judge(sample)
        self._arm = object_pose(
            self._geometry, sample.q_measured, frames.T_world_base, frames.T_flange_object
        )
        self._tell_command(q_command)
        assert self._commanded is not None
        self.drives.take(sample, self._commanded[:3, 3], self._arm[:3, 3], self.quiet)
        self._believed = None
        if planned is not None:
            self._believed = believed_body(
                self._geometry, planned[0], planned[1],
                np.zeros((3, 6)) if missing is None else self._paces[-1] * missing,
                frames.T_world_base, frames.T_flange_object,
            )  # fmt: skip

    def _may_not_act(self, dq: Array) -> bool:
        """Return whether no force may act any more on its way to a hold, at the plan's joint velocity.

        Object time stands; or a contact gives energy, which no port does: the hold may be for that.
        """
        state = self._loop.state
        gives = not self.quiet and state.energy > MOST_GIVEN * state.onset_energy
        return gives or not dq.any()

    def take(self, t_ns: int, wrench: Array) -> PushReport | None:
        """Take one sample and return the slices that it begins or changes.

        Args:
            t_ns: when it was measured [ns].
            wrench: about the object's centre of mass, object axes [N, N m], shape (6,).
        """
        R, p, quat = self._arm[:3, :3], self._arm[:3, 3], quat_from_matrix(self._arm[:3, :3])
        in_world = np.concatenate((R @ wrench[:3], R @ wrench[3:]))
        self._cut.feel(in_world, self._stands)
        if self._believed is None:
            self.restart()
            return None
        if self._stands:  # nothing moves in object time, so no force acts
            return self._cut_off()
        self._follow(*self._believed)
        if self._cut.still_leaves(in_world, self._believed[1][:3]) and self._cut.bias is not None:
            in_world = self._cut.bias.copy()
        state = self._loop.state
        missed, was_open = self._missed(t_ns), state.in_contact
        self._fly_over(missed, p, quat, in_world)  # in which a contact may begin as well
        self._fly(p, quat, in_world)
        self._t_ns, self._gap, self._newest = t_ns, missed, (p.copy(), quat, in_world)
        self.quiet = not state.in_contact
        if not (was_open or state.in_contact):
            if self._loop.settled:
                self.fault = self.fault or self._creeping.judge(state.bias)
            return None
        self._creeping.touched()
        self._cut.over()
        if state.force > self._most_force:
            self.fault = (
                f"contact force {state.force:.0f} N is above force.stop_force_n = {self._most_force:g}: "
                "the arm brakes"
            )
        return self._reports.felt(t_ns, state, not was_open, self._loop.pace)

    def lost(self) -> PushReport | None:
        """End a contact that nothing tells of any more, and return its last slices."""
        return self._cut_off()

    def led(self, missing: Array | None, ahead: float) -> Array | None:
        """Return what the plan lacks with what a contact, felt or foreseen, will do until then.

        Args:
            missing: twist, displacement and acceleration, object axes, shape (3, 6); None for nothing.
            ahead: from the newest sample to that instant [s].
        """
        state = self._loop.state
        missing = None if missing is None else self._paces[-1] * missing
        if not self._begun or (self.quiet and not state.foresees):
            return missing
        R, free = matrix_from_quat(state.quat), max(0.0, ahead - self._step)
        stops = self._stops.acceleration(R, self._loop.pace)  # what they do until then, the plan has
        way = free * (state.twist + 0.5 * free * stops)
        quat = quat_multiply(quat_from_rotvec(way[3:]), state.quat)
        turned = rotvec_from_quat(quat_multiply(state.led_quat, quat_conjugate(quat)))
        led = np.array(
            (
                state.led_twist - state.twist - free * stops,
                np.concatenate((state.led_p - state.p - way[:3], turned)),
                state.led_acceleration - stops,
            )
        )
        more = np.hstack((led[:, :3] @ R, led[:, 3:] @ R))
        return more if missing is None else missing + more

    def retime(self, lead: float) -> None:
        """Take the identified delay [s], between contacts."""
        if self.quiet and abs(lead - self._lead) > RETIMED:
            self._lead = lead
            drive = drive_of(lead, self._step, *self._drive)
            self._loop.retime(max(0.0, lead - self._step), drive)
            self.drives.retime(drive)

    def told(self) -> list[Contact]:
        """Return what is to be told of contacts since the last question."""
        return self._reports.told()

    def _follow(self, T_world_object: Array, twist: Array) -> None:
        """Put the body where it is believed, as long as nothing touches."""
        p, quat = T_world_object[:3, 3], quat_from_matrix(T_world_object[:3, :3])
        self._body = p, quat, twist
        if not self._begun:
            if not self._cut.pressed:
                self._cut.over()
            self._loop.repace(max(LEAST_PACE, self._paces[0]))
            self._loop.begin(p, quat, twist, self._cut.bias)
            self._begun, self._t_ns, self._gap, self._newest = True, 0, 0, None
            self._twist = np.zeros(6)
        elif not self._loop.state.in_contact:
            self._loop.repace(max(LEAST_PACE, self._paces[0]))
            self._loop.follow(p, quat, twist)

    def _missed(self, t_ns: int) -> int:
        if self._t_ns == 0:
            return 0
        return min(MOST_MISSED, max(0, round(1e-9 * (t_ns - self._t_ns) / self._step) - 1))

    def _fly_over(self, missed: int, p: Array, quat: Array, wrench: Array) -> None:
        """Fly over cycles without a sample: what lies between two is known now, if they are not far apart.

        Over a short gap pose and wrench go straight on, which keeps the law of a linear contact. Over a long
        one the identified contact tells, at the pose that the observer has.
        """
        before = self._newest
        for i in range(missed):
            if missed > SHORT or before is None:
                self._fly(p, quat, wrench, False)
                continue
            share = (i + 1) / (missed + 1)
            turned = share * rotvec_from_quat(quat_multiply(quat, quat_conjugate(before[1])))
            self._fly(
                before[0] + share * (p - before[0]),
                quat_multiply(quat_from_rotvec(turned), before[1]),
                before[2] + share * (wrench - before[2]),
            )

    def _fly(self, p: Array, quat: Array, wrench: Array, usable: bool = True) -> None:
        """Fly on for a cycle; the world's stops push the body besides."""
        state = self._loop.state
        body = (state.p, state.quat, state.twist) if state.in_contact else self._body
        self._loop.step(p, quat, wrench, usable, self._stops.at(*body))

    def _cut_off(self) -> PushReport | None:
        """End a contact that lasts, and keep the bias by which it is known what still presses."""
        report = None
        if self._begun and (self._stands or not self.quiet) and self._loop.settled:
            self._cut.cut(self._loop.state.bias)
        if self._begun and not self.quiet:
            report = self._reports.cut_off(self._t_ns, self._loop.state)
        self._begun, self.quiet = False, True
        return report

    def _tell_command(self, q_command: Array) -> None:
        """Tell the loop with which twist the mock-up was sent on.

        A command that covers missed cycles is told less what these went on by: the robot goes straight on.
        """
        frames = self._frames
        T = object_pose(self._geometry, q_command, frames.T_world_base, frames.T_flange_object)
        before, self._commanded = self._commanded, T
        if before is None or not self._begun:
            return
        turned = quat_multiply(quat_from_matrix(T[:3, :3]), quat_conjugate(quat_from_matrix(before[:3, :3])))
        way = np.concatenate((T[:3, 3] - before[:3, 3], rotvec_from_quat(turned)))
        self._twist = way / self._step - self._gap * self._twist
        self._loop.command(self._twist)
