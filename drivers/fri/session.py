"""The client's side of the Fast Research Interface 1.0 without socket and clock.

Every datagram of the controller is answered with exactly one command. Outside command mode, with the
drives off, in the first cycle of a session and whenever no usable command is given, the answer mirrors
what the controller commands itself (its own share plus this interface's): a set-point that differs
from it in the first cycle of a session makes the controller refuse, one left over from the last
session makes the arm jump.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from drivers.fri.cadence import Cadence
from drivers.fri.clock import FriClock, Order
from drivers.fri.codec import NO_INTS, CommandDatagram, MonitorDatagram, decode_monitor, encode_command
from drivers.fri.layout import (
    ALL_DRIVES,
    JOINTS,
    KRL_PRESENT,
    KRL_START,
    SEQUENCE_MODULUS,
    CommandFlags,
    ControlStrategy,
    Quality,
    SessionState,
)
from hil.common.arrays import Array
from hil.common.errors import BadMessage, LinkError
from hil.configuration.schema import Fri

SAMPLE_TIME_TOLERANCE = 1e-5  # [s]
PRESENT, READY = (KRL_PRESENT, *NO_INTS[1:]), (KRL_START, *NO_INTS[1:])
LARGEST_JOINT_POSITION = 10.0  # [rad]; beyond it a number is no joint position
ANSWERS_KEPT = 1024  # until the controller says that it has one of them
NONE_HEARD = -1


@dataclass(slots=True, eq=False)
class FriSample:
    """One sample of the robot.

    Attributes:
        t_ns: host time at which it was taken, from the packet counter (smooth).
        arrival_ns: host time at which it arrived: by it alone is judged whether orders and plans are fresh.
        count: unwrapped packet counter of the stream.
        q_measured: measured joint positions [rad], shape (7,).
        q_commanded: what the controller commands in total [rad], shape (7,).
        wrench: estimate of the external wrench exerted on the tool, moment about tcp, axes x, y, z of
            the configured frame [N, N m], shape (6,); see `wrench_tcp_in_base`.
        torque_external: estimate of the external joint torques, sign as the controller has it [N m], (7,).
        state: `SessionState` of the controller.
        quality: `Quality` of the link.
        power_on: all drives are on.
        commanding: commands move the arm: command state and drives on.
        new_session: first sample of a session in which commands move the arm: the set-point must start
            again from `q_commanded`.
        late: an older sample overtaken by newer ones; not to be fed to filters.
        lost: packets lost since the start.
        missed_answers: answers that the controller has missed so far, by its own count.
        sequence: the datagram's counter, which the answer reflects.
        gap: stamps jump, or begin to be corrected by more than drift explains, with this sample.
        answered: the answer has been built.
        heard: the counter (as `count`) of the datagram whose answer the controller had received last when it
            sent this one; `NONE_HEARD` where that is not known.
        drives: which drives are on, one bit each.
        control: `ControlStrategy` of the controller.
        error: drives in error, one bit each.
        warning: drives that warn, one bit each.
    """

    t_ns: int
    arrival_ns: int
    count: int
    q_measured: Array
    q_commanded: Array
    wrench: Array
    torque_external: Array
    state: int
    quality: int
    power_on: bool
    commanding: bool
    new_session: bool
    late: bool
    lost: int
    missed_answers: int
    sequence: int
    gap: bool = False
    answered: bool = False
    heard: int = NONE_HEARD
    drives: int = ALL_DRIVES
    control: int = ControlStrategy.POSITION
    error: int = 0
    warning: int = 0


class FriSession:
    """Takes the controller's datagrams and builds the answers.

    Attributes:
        refused: datagrams dropped: foreign source, wrong size or identifier, numbers that are none.
        duplicates: datagrams that came twice.
        last_refusal: why the last datagram or command was refused.
        unheard: why the newest datagram was refused; empty if it was not.
        cadence: how often packets come.
        refused_commands: commands that were not finite and were answered with the mirror.
    """

    ADDRESS_KEY = "fri.controller_address"  # that says where its datagrams come from

    def __init__(self, fri: Fri) -> None:
        """Prepare a session with the interface that `fri` describes."""
        _plausible(np.zeros(JOINTS))  # compiled here, not when the first datagram waits
        self._fri = fri
        self._clock, self.cadence = FriClock(fri.sample_time), Cadence(fri.sample_time)
        self._sequence = 0
        self._answers = [(NONE_HEARD, NONE_HEARD)] * ANSWERS_KEPT  # own counter, that of the packet (`count`)
        self._mirror: Array = np.zeros(JOINTS)  # total command of the newest datagram in order
        self._commanding = False
        self._last_q: Array | None = None  # last set-point of this session
        self.refused = 0
        self.duplicates = 0
        self.last_refusal = ""
        self.refused_commands = 0
        self.unheard = ""

    def keep_steady(self, floating: bool) -> None:
        """Let no stamp step while the object floats; what stamps owe is then given back little by little."""
        self._clock.steady = floating

    def receive(self, data: bytes, address: str, t_ns: int) -> FriSample | None:
        """Return the sample in a datagram, or None if it is to be dropped without an answer.

        Args:
            data: the datagram.
            address: numeric address of its sender.
            t_ns: arrival, host monotonic time.

        Raises:
            LinkError: the controller's sample time is not the configured one.
        """
        try:
            datagram, q_commanded = self._checked(data, address)
        except BadMessage as error:
            self.refused += 1
            self.last_refusal = self.unheard = str(error)
            return None
        self.unheard = ""
        order = self._clock.receive(datagram.sequence, t_ns)
        if order is Order.DUPLICATE:
            self.duplicates += 1
            return None
        if order is Order.NEW_STREAM:
            self.cadence.begin()
            self._answers = [(NONE_HEARD, NONE_HEARD)] * ANSWERS_KEPT
        sample = self._sample(datagram, q_commanded, t_ns, order)
        if order is not Order.LATE:
            self._mirror = q_commanded
            self._commanding = sample.commanding
            self.cadence.take(sample.count, t_ns)
        return sample

    def answer(self, sample: FriSample, q_command: Array | None) -> bytes:
        """Return the one answer to a sample's datagram.

        Args:
            sample: the sample, not answered so far.
            q_command: joint positions [rad], shape (7,), or None for the mirror.

        Raises:
            LinkError: the datagram has been answered already.
        """
        if sample.answered:
            raise LinkError(f"FRI: datagram {sample.sequence} has been answered; each is answered once")
        sample.answered = True
        self._sequence = (self._sequence + 1) % SEQUENCE_MODULUS
        self._answers[self._sequence % ANSWERS_KEPT] = self._sequence, sample.count
        q = self._set_point(q_command, sample)
        return answer_bytes(self._fri, self._sequence, sample.sequence, sample.quality, q)

    def _checked(self, data: bytes, address: str) -> tuple[MonitorDatagram, Array]:
        """Return a datagram that can be believed, and the controller's total command."""
        if address != self._fri.controller_address:
            raise BadMessage(
                f"FRI: datagrams come from {address}, {self.ADDRESS_KEY} is "
                f"{self._fri.controller_address}: set the key to the address of the controller"
            )
        datagram = decode_monitor(data)
        total = datagram.q_commanded_total
        if not _plausible(datagram.q_measured) or not _plausible(total):
            raise BadMessage("FRI: a datagram's joint positions are no numbers within 10 rad")
        if abs(datagram.sample_time - self._fri.sample_time) > SAMPLE_TIME_TOLERANCE:
            raise LinkError(
                f"FRI: the controller sends every {1e3 * datagram.sample_time:.3g} ms, fri.sample_time_ms "
                f"is {1e3 * self._fri.sample_time:g}: change the key or the argument of friOpen"
            )
        return datagram, total

    def _sample(self, datagram: MonitorDatagram, q_commanded: Array, t_ns: int, order: Order) -> FriSample:
        late = order is Order.LATE
        power_on = (datagram.power & ALL_DRIVES) == ALL_DRIVES
        commanding = datagram.state == SessionState.COMMAND and power_on
        continued = self._commanding and order is not Order.NEW_STREAM
        return FriSample(
            t_ns=self._clock.stamp_ns(),
            arrival_ns=t_ns,
            count=self._clock.count,
            q_measured=datagram.q_measured,
            q_commanded=q_commanded,
            wrench=self._fri.wrench_sign * datagram.wrench_external,
            torque_external=datagram.part("torque_external"),
            state=datagram.state,
            quality=datagram.quality,
            power_on=power_on,
            commanding=commanding,
            new_session=commanding and not continued and not late,
            late=late,
            lost=self._clock.lost,
            missed_answers=datagram.miss_counter,
            sequence=datagram.sequence,
            gap=self._clock.gap and not late,
            heard=self._heard(datagram.reflected),
            drives=datagram.power,
            control=datagram.control,
            error=datagram.error,
            warning=datagram.warning,
        )

    def _heard(self, reflected: int) -> int:
        """Return the counter of the datagram that the answer `reflected` replied to, if it is known."""
        sequence, count = self._answers[reflected % ANSWERS_KEPT]
        return count if sequence == reflected else NONE_HEARD

    def _set_point(self, q_command: Array | None, sample: FriSample) -> Array:
        """Return what to command: the given position where it may move the arm, else the mirror."""
        mirror = self._mirror
        if not self._commanding:
            self._last_q = None
            return mirror
        if sample.new_session or q_command is None:
            self._last_q = mirror
        elif _plausible(q_command):
            self._last_q = np.array(q_command, dtype=np.float64)
        else:
            self.refused_commands += 1
            self.last_refusal = f"FRI: command {q_command} is refused: no finite joint positions"
            self._last_q = mirror if self._last_q is None else self._last_q
        return self._last_q


def answer_bytes(fri: Fri, sequence: int, reflected: int, quality: int, q: Array) -> bytes:
    """Return the answer to a datagram.

    Args:
        fri: says whether the client asks for command mode through its first KRL integer.
        sequence: the answer's own counter.
        reflected: counter of the datagram that is answered.
        quality: of the link, as that datagram has it.
        q: set-point [rad], shape (7,).
    """
    reply = CommandDatagram(sequence, reflected, flags=int(CommandFlags.JOINT_POSITION))
    if fri.handshake == "krl_int":
        reply.krl_int = READY if quality >= Quality.OK else PRESENT
    reply.q[:] = q
    return encode_command(reply)


def joined(samples: list[FriSample]) -> list[FriSample]:
    """Return the samples taken at one go that came in order; the last knows of a session begun by any."""
    in_order = [sample for sample in samples if not sample.late]
    for sample in in_order[:-1]:
        in_order[-1].new_session |= sample.new_session and in_order[-1].commanding
    return in_order


def wrench_tcp_in_base(wrench: Array, frame: str, R_base_tcp: Array) -> Array:
    """Return a wrench at the tcp in base axes, given in the axes of `frame` ('tool' or 'base').

    The moment point is the tcp in both frames; only the axes differ.
    """
    if frame == "base":
        return wrench
    return np.concatenate((R_base_tcp @ wrench[:3], R_base_tcp @ wrench[3:]))


@njit(cache=True)
def _plausible(q: Array) -> bool:
    """Whether `q` holds finite joint positions (a comparison with NaN is false)."""
    for i in range(q.shape[0]):
        if not abs(q[i]) < LARGEST_JOINT_POSITION:
            return False
    return q.shape[0] == JOINTS
