"""The second arm's controller, emulated: FRI 1 under Cartesian impedance, without socket and clock.

A cycle is `send`, `receive`, `advance`, as the first arm's. Poses of the tip move it in command state only.
It is entered once the link has been PERFECT for a while, and left when answers fail to come or a command
breaks a rule: then the tip stays where it was sent last, on its impedance, and the gripper as it is.
"""

from collections.abc import Callable

import numpy as np

from drivers.emulation.controller.answer_statistics import AnswerStatistics
from drivers.emulation.controller.krl_slots import KrlSlots
from drivers.emulation.grasp.partner_arm import PartnerArm
from drivers.fri.codec import NO_REALS, CommandDatagram, MonitorDatagram, decode_command, encode_monitor
from drivers.fri.layout import (
    ALL_DRIVES,
    SEQUENCE_MODULUS,
    CommandFlags,
    ControlStrategy,
    Quality,
    SessionState,
)
from drivers.fri.tip_session import GRIP_SLOT, pose_of_rows
from hil.common.arrays import Array
from hil.common.errors import BadMessage
from hil.common.poses import quat_of, turned_between, twist_between
from hil.configuration.frames import pose_of
from hil.configuration.schema import Configuration

GOOD_TIME = 0.2  # [s] of PERFECT quality before command state: an assumption, as of the first arm's
SPEED, TURNING = 0.5, 2.5  # [m/s, rad/s] of a commanded tip at most: assumptions
ROUNDING = 1e-5  # [m, rad]; poses travel as 32-bit floats
SQUARE = 1e-3  # by which the axes of a commanded pose may fail to be orthonormal
TOLD = 0.01  # share by which a commanded stiffness may be off the one that the grasp was judged by


class SecondController:
    """Controller of an emulated second arm.

    Attributes:
        arm: its tip and gripper.
        state: of its interface.
        power_on: its drives.
        statistics: answers to the packets sent.
        fall_back_reason: why command state was left last; empty if it never was.
    """

    def __init__(
        self, configuration: Configuration, arm: PartnerArm, joints: Callable[[Array], Array | None]
    ) -> None:
        """Stand where the arm is, in monitor state.

        Args:
            configuration: with [partner].
            arm: the emulated tip.
            joints: those of the arm for a pose of its tip in world (4, 4); None where it is out of reach.
        """
        partner = configuration.partner
        assert partner is not None
        self.arm, self._joints = arm, joints
        self.state, self.power_on, self.fall_back_reason = SessionState.MONITOR, True, ""
        self.statistics = AnswerStatistics()
        self._T = configuration.fri.sample_time
        self._krl, self._wait_for_request = KrlSlots(), configuration.fri.handshake == "krl_int"
        self._missed_answers = configuration.emulator.missed_answers
        self._T_world_base = pose_of(partner.mount_rotvec, partner.mount_position)
        self._T_base_world = np.linalg.inv(self._T_world_base)
        self._stiffness = np.repeat([partner.stiffness, partner.stiffness_turning], 3)
        self._q, self._cycle, self._received, self._last = np.zeros(7), 0, 0, -1
        self._reaches = True
        self._obeyed = 0  # cycle in which the tip was sent on last,
        self._commanded, self._course = arm.T_world_tip.copy(), np.zeros(6)  # where to, and how it goes on
        self._good = 0.0
        self._newest: CommandDatagram | None = None
        self._in_time, self._latency, self._sent = False, 0.0, False
        self._message = MonitorDatagram(sample_time=self._T, command_sample_time=self._T)

    @property
    def owed(self) -> bool:
        """Whether the cycle's packet has left, and whoever answered the last ones has not answered it."""
        there = self._last >= 0 and self.statistics.missed_in_row < self._missed_answers
        return there and self._sent and not self._in_time

    def send(self) -> bytes:
        """Return the datagram at the start of the present cycle."""
        m, arm = self._message, self.arm
        m.sequence, m.reflected = self._cycle % SEQUENCE_MODULUS, self._received
        m.timestamp, m.state, m.quality = self._cycle * self._T, int(self.state), int(self.statistics.quality)
        m.power, m.miss_counter = ALL_DRIVES if self.power_on else 0, self.statistics.missed
        m.control = int(ControlStrategy.CARTESIAN_IMPEDANCE)
        self._krl.echo_into(m)
        m.krl_real = (1e3 * arm.opening, *arm.pad_forces.tolist(), *NO_REALS[3:])
        found = self._joints(arm.T_world_tip)
        self._q, self._reaches = (self._q, False) if found is None else (found, True)
        m.part("q_measured")[:] = m.part("q_commanded")[:] = self._q
        m.part("pose_measured")[:] = (self._T_base_world @ arm.T_world_tip)[:3].ravel()
        m.part("pose_commanded")[:] = (self._T_base_world @ arm.T_world_aim)[:3].ravel()
        R = self._T_base_world[:3, :3]
        felt = arm.force_on_tip
        m.part("wrench_external")[:] = np.concatenate((R @ felt[:3], R @ felt[3:]))
        self._sent = True
        return encode_monitor(m)

    def receive(self, data: bytes, latency: float = 0.0) -> None:
        """Take an answer that came `latency` [s] after the present cycle's packet was sent.

        Raises:
            BadMessage: the bytes are no command datagram, or answer what was not sent yet.
        """
        command = decode_command(data)
        age = self._age(command.reflected)
        if age >= SEQUENCE_MODULUS // 2:
            raise BadMessage(f"FRI: an answer to packet {command.reflected}, which was not sent yet")
        if self._newest is not None and self._age(self._newest.reflected) <= age:
            return
        if self._last >= 0 and age >= self._age(self._last):
            return  # not newer than what has been used already
        self._newest, self._received = command, command.sequence
        self._krl.take(command)
        if age == 0:
            self._in_time, self._latency = True, latency

    def advance(self) -> None:
        """Judge the answers of the cycle and send the tip on; it moves with the first arm's grid."""
        if self._sent:
            self.statistics.add(self._in_time, self._latency, self._newest is not None)
        if self._newest is not None:
            self._last = self._newest.reflected
        perfect = self.statistics.quality == Quality.PERFECT and self.power_on
        self._good = self._good + self._T if perfect else 0.0
        if self.state == SessionState.COMMAND:
            self._obey()
        elif self._may_command():
            self.state, self._obeyed = SessionState.COMMAND, self._cycle
            self._commanded, self._course = self.arm.T_world_aim, np.zeros(6)
            self.statistics.forget_misses()
        self._newest, self._in_time, self._sent = None, False, False
        self._cycle += 1

    def _may_command(self) -> bool:
        asked = self._krl.starts or not self._wait_for_request
        return self._good >= GOOD_TIME - 1e-9 and asked and not self._krl.stops

    def _obey(self) -> None:
        """Send the tip where the newest answer has it; without one it goes on as it did."""
        if fault := self._fault():
            self.state, self.fall_back_reason, self._good = SessionState.MONITOR, fault, 0.0
            self.arm.stay()
            return
        if self._newest is None:
            self.arm.go_on(self._course)
            return
        T = self._T_world_base @ pose_of_rows(self._newest.part("pose"))
        self._course = twist_between(self._commanded, T, (self._cycle - self._obeyed) * self._T)
        self.arm.aim(T[:3, 3], quat_of(T), self._T)
        self._commanded, self._obeyed = T, self._cycle
        self.arm.closing = self._newest.krl_int[GRIP_SLOT] == 1

    def _fault(self) -> str:
        """Return why command state cannot go on, or nothing."""
        if not self.power_on:
            return "drives off"
        if not self._reaches:
            return "the tip has come to a place that the second arm does not reach"
        if self._krl.stops:
            return "the client asked for its stop"
        if self.statistics.quality == Quality.UNACCEPTABLE:
            return "the link's quality is unacceptable"
        if self.statistics.missed_in_row >= self._missed_answers:
            return f"{self.statistics.missed_in_row} answers missed in a row"
        return "" if self._newest is None else self._refused(self._newest)

    def _refused(self, command: CommandDatagram) -> str:
        """Return why a command is not obeyed, or nothing."""
        if not command.flags & CommandFlags.CARTESIAN_POSE:
            return (
                f"a command without a pose of the tip (flags {command.flags:#06x} lack "
                f"{CommandFlags.CARTESIAN_POSE:#06x}): this controller moves by poses only"
            )
        T = pose_of_rows(command.part("pose"))
        R = T[:3, :3]
        if not np.isfinite(T).all() or np.abs(R @ R.T - np.eye(3)).max() > SQUARE or np.linalg.det(R) < 0.0:
            return "a commanded pose is none: its axes are not orthonormal, or not finite"
        told = command.part("cartesian_stiffness")
        if command.flags & CommandFlags.CARTESIAN_STIFFNESS and not _close(told, self._stiffness):
            return (
                f"a stiffness of {told[0]:.0f} N/m, {told[3]:.0f} N m/rad is commanded; [partner] says "
                f"{self._stiffness[0]:.0f} and {self._stiffness[3]:.0f}, by which the grasp was judged"
            )
        return self._too_far(self._T_world_base @ T)

    def _too_far(self, T_world_tip: Array) -> str:
        way = float(np.linalg.norm(T_world_tip[:3, 3] - self._commanded[:3, 3]))
        turn = float(np.linalg.norm(turned_between(self._commanded, T_world_tip)))
        time = (self._cycle - self._obeyed) * self._T  # since the tip was sent on last
        if way > SPEED * time + ROUNDING or turn > TURNING * time + ROUNDING:
            return (
                f"the tip was commanded {1e3 * way:.2f} mm and {np.degrees(turn):.2f} deg on in "
                f"{1e3 * time:g} ms, {1e3 * SPEED * time:.2f} and {np.degrees(TURNING * time):.2f} at most"
            )
        return ""

    def _age(self, counter: int) -> int:
        return (self._cycle - counter) % SEQUENCE_MODULUS


def _close(told: Array, wanted: Array) -> bool:
    return bool((np.abs(told - wanted) <= TOLD * wanted).all())
