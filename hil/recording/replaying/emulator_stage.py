"""The emulated controller's core on the answers, pushes and disturbances that it got.

What an answer commanded follows from the driver's records, as `drivers.fri.session` makes answers: the
recorded command where it moves the arm, the mirror elsewhere.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.emulation_log import PUSH, SENT, STOOD_STILL, WAITED
from drivers.emulation.process import LONGEST_FREEZE
from drivers.fri.codec import decode_monitor
from drivers.fri.layout import SEQUENCE_MODULUS
from drivers.fri.session import answer_bytes
from hil.common.arrays import Array, IntArray, SingleArray
from hil.common.geometry import quat_from_matrix
from hil.configuration import Configuration
from hil.loop.echo_bits import whole_echoes
from hil.loop.partner.found import second_of
from hil.loop.real_port import port_of
from hil.messaging.base_messages import BaseRide
from hil.messaging.messages import INPUT_MIRRORED, Disturbance, EmulatorInputs, Push
from hil.recording.columns import Columns, read_columns
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Verdict
from hil.recording.replaying.second_answers import SecondAnswers
from hil.recording.replaying.source import Source

EMULATOR_CHANNELS = ("/emulator_inputs", "/push", "/disturbance", "/base_ride", "/second_inputs")
TOLD = ("/cycle", "/driver_inputs", "/truth", "/port")  # read as columns
PORT = (
    *("wrench_world", "penetration", "p_world_port", "v_world_port", "deflection_world", "measured_world"),
)
TRUE = ("q", "p_world_object", "quat_world_object", "twist_world_object", "wrench_world")


def emulated(path: Path, source: Source, c: Configuration, verdict: Verdict) -> Iterator[None]:
    """Run the emulated controller again; yields now and then."""
    head = source.summary.head
    if head.get("wrench"):
        verdict.note(f"the recorded wrench {head['wrench']} acted, which the recording does not contain")
        return
    if c.shared is not None:
        verdict.note("the other arm's mock-up was in this one's way, and moved by what its own run recorded")
        return
    if not source.summary.counts["/emulator_inputs"]:
        return
    columns = read_columns(path, TOLD)[1]
    told = _Told(c, columns)
    stage = _EmulatorStage(source, c, verdict, told)
    for new, block in in_a_row(source.all_of("/emulator_inputs", EmulatorInputs), verdict):
        if new and verdict.turns:
            verdict.note("the controller was started anew: it is followed no further")
            return
        if not stage.block(block):
            return
        yield


class _Told:
    """What driver and emulation told of each packet, by the controller's cycle; `last`: the driver's last."""

    def __init__(self, c: Configuration, columns: dict[str, Columns]) -> None:
        cycle, inputs, truth = columns["/cycle"], columns["/driver_inputs"], columns["/truth"]
        rows = inputs["rows"]
        place = {t_ns: k for k, t_ns in enumerate(rows[:, 0].tolist())}
        mirrored = (rows[:, 3] & INPUT_MIRRORED) != 0
        truth_cycle = _unwrapped(truth["sequence"])
        cycles = _at_their_time(cycle["sequence"], cycle["t_ns"], truth_cycle, truth["t_ns"])
        self._fri = c.fri
        self._values, echoes = inputs["values"], whole_echoes(inputs["echoes"])
        self._place: dict[int, int] = {}
        self._answers: dict[int, tuple[Array, int]] = {}
        for k, (number, t_ns) in enumerate(zip(cycles.tolist(), cycle["t_ns"].tolist(), strict=True)):
            row = place.get(t_ns)
            if row is None:
                continue
            self._place[number] = row
            q = echoes[row] if mirrored[row] else cycle["q_command"][k]
            self._answers[number] = q, int(rows[row, 2])
        self.last = max(self._answers, default=-1)
        self._sent_ns = truth["t_ns"].tolist()
        self._truth = {number: k for k, number in enumerate(truth_cycle.tolist())}
        self._true = np.concatenate([truth[name] for name in TRUE], axis=1)
        self._port = _port_rows(columns.get("/port"))

    def answer(self, cycle: int, sequence: int) -> bytes | None:
        """Return the answer to the packet of a cycle, with its own counter; None if it is not known."""
        known = self._answers.get(cycle)
        if known is None:
            return None
        q, quality = known
        return answer_bytes(self._fri, sequence, cycle % SEQUENCE_MODULUS, quality, q)

    def values(self, cycle: int) -> SingleArray | None:
        """Return what the driver had of a cycle's packet, as in `DriverInputs.values`; None if it had not."""
        row = self._place.get(cycle)
        return None if row is None else self._values[row]

    def true(self, cycle: int) -> SingleArray | None:
        """Return what was really so in a cycle, in single precision; None where it is not recorded."""
        row = self._truth.get(cycle)
        return None if row is None else self._true[row]

    def port(self, cycle: int) -> SingleArray | None:
        """Return what was really so of what stands in the arm's way, in single precision, as above."""
        row = self._truth.get(cycle)
        return None if row is None else self._port.get(self._sent_ns[row])


class _EmulatorStage:
    def __init__(self, source: Source, c: Configuration, verdict: Verdict, told: _Told) -> None:
        self._verdict, self._told = verdict, told
        self._sign = float(c.fri.wrench_sign)
        self._controller = EmulatedController(c, None, port_of)
        self._pushes = source.instants("/push", Push)
        self._disturbances = source.instants("/disturbance", Disturbance)
        self._second = second_of(c, self._controller)
        self._answers = SecondAnswers(source)
        self._rides: dict[int, Array] | None = None  # how the base moved, by cycle
        if c.base.kind != "none":
            self._rides = {}
            for ride in source.all_of("/base_ride", BaseRide):
                self._rides |= zip(ride.cycles.tolist(), ride.motion, strict=True)

    def block(self, block: EmulatorInputs) -> bool:
        """Run through a block's cycles; return whether what the driver told reaches as far."""
        controller, verdict = self._controller, self._verdict
        answers, events = iter(block.answers.tolist()), iter(block.events.tolist())
        answer, event = next(answers, None), next(events, None)
        latencies = iter(block.latencies.tolist())
        for flags in block.rows.tolist():
            cycle, t_ns = controller.cycle, block.t_ns
            controller.operator_waits = bool(flags & WAITED)
            while event is not None and event[0] == cycle:
                if not self._happen(event[1], event[2]):
                    return False
                event = next(events, None)
            if flags & SENT:
                self._compare_packet(controller.send(), cycle, t_ns)
            while answer is not None and answer[0] == cycle:
                age, latency = (cycle - answer[1]) % SEQUENCE_MODULUS, next(latencies)
                data = self._told.answer(cycle - age, answer[2])
                if cycle - age > self._told.last:
                    return False
                if data is None:
                    verdict.lacks("answers")
                    return False
                controller.receive(data, latency)
                answer = next(answers, None)
            if flags & SENT:
                self._compare_truth(cycle, t_ns)
                if not self._ride(cycle):
                    return False
            if not self._lead_second(cycle, bool(flags & SENT)):
                return False
            controller.advance()
            if flags & STOOD_STILL:
                controller.stood_still(LONGEST_FREEZE)
            verdict.turns += 1
        return True

    def _happen(self, kind: int, t_ns: int) -> bool:
        push, disturbance = self._pushes.at(t_ns), self._disturbances.at(t_ns)
        if kind == PUSH and push is not None:
            self._controller.operator.push(push, self._controller.t)
        elif kind != PUSH and disturbance is not None:
            self._controller.disturbances.begin(disturbance, self._controller.t)
        else:
            self._verdict.lacks("pushes or disturbances")
            return False
        return True

    def _ride(self, cycle: int) -> bool:
        """Let the base carry the arm, if there is one; return whether it is known how."""
        if self._rides is None:
            return True
        motion = self._rides.get(cycle)
        if motion is None:
            self._verdict.lacks("motion of the base")
            return False
        self._controller.arm.carry(motion.reshape(3, 3))
        return True

    def _lead_second(self, cycle: int, sent: bool) -> bool:
        """Give a second arm's controller what it got, if there is one; return whether that is known."""
        second = self._second
        if second is None:
            return True
        answers = self._answers.of(cycle)
        if answers is None:
            self._verdict.lacks("answers to the second arm's controller")
            return False
        if sent:
            second.send()
        for data, latency in answers:
            second.receive(data, latency)
        second.advance()
        return True

    def _compare_packet(self, data: bytes, cycle: int, t_ns: int) -> None:
        then = self._told.values(cycle)
        if then is None:
            return
        datagram = decode_monitor(data)
        parts = datagram.q_measured, self._sign * datagram.wrench_external, datagram.part("torque_external")
        now = np.concatenate(parts).astype(np.float32)
        self._count("packet", now, then, cycle, t_ns)

    def _compare_truth(self, cycle: int, t_ns: int) -> None:
        then, arm = self._told.true(cycle), self._controller.arm
        if then is None:
            return
        T = arm.T_world_object
        quat = quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
        wrench = self._controller.wrench_world
        now = np.concatenate((arm.q, T[:3, 3], quat, arm.twist_world_object, wrench)).astype(np.float32)
        self._count("truth", now, then, cycle, t_ns)
        port, told = self._controller.port, self._told.port(cycle)
        if port is not None and told is not None:
            self._count("port", port.told().astype(np.float32), told, cycle, t_ns)

    def _count(self, topic: str, now: SingleArray, then: SingleArray, cycle: int, t_ns: int) -> None:
        same = now.tobytes() == then.tobytes()
        text = "" if same else f"cycle {cycle}: by up to {np.abs(now - then).max():.3g}"
        self._verdict.count(topic, t_ns, text)


def _port_rows(columns: Columns | None) -> dict[int, SingleArray]:
    """Return what was told of a port, as in `EmulatedPort.told`, by when its cycle's packet was sent."""
    if columns is None or any(name not in columns for name in PORT):
        return {}
    told = np.column_stack([columns[name] for name in PORT]).astype(np.float32)
    return dict(zip(columns["t_ns"].tolist(), told, strict=True))


def _unwrapped(sequences: IntArray) -> IntArray:
    """Return counters without their turns, from the first one on, shape (n,)."""
    steps = np.diff(sequences, prepend=sequences[:1]) % SEQUENCE_MODULUS
    return sequences[0] + np.cumsum(steps)


def _at_their_time(sequences: IntArray, t_ns: IntArray, known: IntArray, known_ns: IntArray) -> IntArray:
    """Return counters without their turns by what was known of them at about the same time."""
    nearest = np.clip(np.searchsorted(known_ns, t_ns), 0, len(known) - 1)
    off = (sequences - known[nearest] + SEQUENCE_MODULUS // 2) % SEQUENCE_MODULUS - SEQUENCE_MODULUS // 2
    found: IntArray = known[nearest] + off
    return found
