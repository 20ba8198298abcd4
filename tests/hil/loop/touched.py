"""Flights in contact mode in lock-step, with whatever is felt, stands in the way, or is ordered meanwhile."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np

from drivers.emulation.port.emulated_port import EmulatedPort
from drivers.fri.session import FriSample
from hil.analysis.figures.limits import violations
from hil.common.arrays import Array
from hil.configuration import load_configuration
from hil.loop.judging.judge import Judge
from hil.loop.lockstep import LockStep, float_when_ready
from hil.messaging.codec import Message
from hil.messaging.messages import Contact, ImpulseSlice

PORT = Path(__file__).parents[3] / "configs/port.toml"
MASS, SPEED = 60.0, 0.02
FAR = "port.point_mm=[3000,0,150]"  # no port within reach
STILL = "object.initial_velocity_mm_s=[0,0,0]"
TOUCHED = 1.24  # [s] in the middle of the contact with the port of the file, from 1.16 to 1.33 s

Felt = Callable[[float, Array], Array]  # time since floating began and the true wrench: what is measured
Order = Callable[[float, LockStep], None]  # what an operator does, told the time since floating began


class Flown:
    """A flight in which every command kept the limits.

    Attributes:
        loop: as it was left.
        fault: why it ended in FAULT; empty: it did not.
        reason: of the state at the end.
        at_rest: the arm's commands are, at the end.
        v: the object's velocity at the end [m/s].
        trace: the whole flight.
        contacts: what was told of contacts.
        slices: all that were told.
    """

    def __init__(
        self,
        seconds: float,
        *settings: str,
        felt: Felt | None = None,
        port: Callable[[EmulatedPort], EmulatedPort] | None = None,
        order: Order | None = None,
    ) -> None:
        c = load_configuration(PORT, ['force.mode="contact"', "port.friction=0", *settings])
        self.contacts: list[Contact] = []
        self.slices: list[ImpulseSlice] = []
        self._ordered = order
        self.loop = LockStep(c, None, self._hear, self._operate if order else float_when_ready)
        if felt is not None:
            _measure(self.loop, felt)
        if port is not None:
            own = self.loop._controller.port
            assert own is not None
            self.loop._controller.port = port(own)
        self.trace = self.loop.run(seconds)
        self.fault, self.v = self.loop.fault, self.trace.twist_world_object_sim[-1, :3]
        assert not violations(self.trace).any()
        assert self.loop._controller.monitor.violations == 0, self.loop._controller.monitor.first
        assert np.isfinite(self.trace.q_command).all()
        self.reason = self.loop.judge.machine.reason
        self.at_rest = float(np.ptp(self.trace.q_command[-10:], axis=0).max()) < 1e-6
        assert self.at_rest or not self.fault or self.loop.judge.machine.moving

    @property
    def ended(self) -> list[Contact]:
        """The last word on each contact that ended."""
        return [contact for contact in self.contacts if contact.ended]

    def _operate(self, t_ns: int, judge: Judge) -> None:
        assert self._ordered is not None
        if not self.loop.floated_s:
            float_when_ready(t_ns, judge)
        else:
            self._ordered(self.loop.floated_s, self.loop)

    def _hear(self, topic: str, msg: Message) -> None:
        if topic == "contact":
            self.contacts.append(msg)  # type: ignore[arg-type]
        elif topic == "impulse":
            self.slices.append(msg)  # type: ignore[arg-type]


def _measure(loop: LockStep, felt: Felt) -> None:
    """Let the robot measure something else."""
    receive = loop._session.receive

    def other(data: bytes, sender: tuple[str, int], t_ns: int) -> FriSample | None:
        sample = receive(data, sender, t_ns)
        assert sample is not None
        return dataclasses.replace(sample, wrench=felt(loop.floated_s, sample.wrench))

    loop._session.receive = other  # type: ignore[method-assign]
