"""Clients that are none of ours: Cartesian ones, with KRL slots of their own, from elsewhere."""

import math

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.codec import CommandDatagram, MonitorDatagram, decode_monitor, encode_command
from drivers.fri.layout import SessionState
from tests.drivers.emulation.loops import configured

CARTESIAN, JOINT_IMPEDANCE = 0x3500, 0x0035
INTS = tuple(range(-7, 9))
REALS = tuple(0.25 * k for k in range(16))


class Client:
    """A client that answers every packet as it is told to."""

    def __init__(self, **tables: dict[str, object]) -> None:
        self.controller = EmulatedController(configured(**tables))
        self._sequence = 0

    def cycle(self, flags: int = 1, ints: tuple[int, ...] = (0,) * 16, away: float = 0.0) -> MonitorDatagram:
        told = decode_monitor(self.controller.send())
        self._sequence += 1
        command = CommandDatagram(self._sequence % 65536, told.sequence, REALS, ints, 0xA5, flags)
        if flags & 1:
            command.q[:] = told.q_commanded_total + away
        command.part("pose")[:] = told.part("pose_commanded")
        self.controller.receive(encode_command(command))
        self.controller.advance()
        return told

    def until(self, state: SessionState, cycles: int = 400, **how: object) -> None:
        for _ in range(cycles):
            if self.controller.state == state:
                return
            self.cycle(**how)  # type: ignore[arg-type]
        raise AssertionError(f"never in {state.name}")


@pytest.mark.parametrize("flags", [CARTESIAN, 0x0100, 0])
def test_joints_that_no_flag_declares_are_not_judged(flags: int) -> None:
    """A Cartesian client fills the field with nothing: no violation, and a plain reason of the fall-back."""
    client = Client()
    client.until(SessionState.COMMAND, flags=flags)
    client.until(SessionState.MONITOR, flags=flags)
    assert client.controller.monitor.violations == 0 and client.controller.monitor.first == ""
    reason = client.controller.fall_back_reason
    assert f"flags {flags:#06x} lack 0x0001" in reason and "by joint positions only" in reason


def test_joints_that_a_flag_declares_are_judged() -> None:
    """Also beside stiffness, damping and torque: a jump is a violation."""
    client = Client()
    client.until(SessionState.COMMAND, flags=JOINT_IMPEDANCE)
    for _ in range(10):
        client.cycle(flags=JOINT_IMPEDANCE)
    assert client.controller.state == SessionState.COMMAND and client.controller.monitor.violations == 0
    client.cycle(flags=JOINT_IMPEDANCE, away=0.1)
    assert client.controller.monitor.violations == 1


def test_every_slot_comes_back() -> None:
    """All sixteen integers and reals, and the bits, as they came last; whatever bits a real is."""
    client = Client()
    client.cycle(ints=INTS)
    told = client.cycle()
    assert told.krl_int == INTS and told.krl_real == REALS and told.krl_bool == 0xA5
    odd = CommandDatagram(
        9, told.sequence + 1, (math.nan, math.inf, -0.0, *[1e-30] * 13), (2**31 - 1, -(2**31)) * 8
    )
    client.controller.send()
    client.controller.receive(encode_command(odd))
    client.controller.advance()
    back = decode_monitor(client.controller.send())
    assert back.krl_int == odd.krl_int
    np.testing.assert_array_equal(np.float32(back.krl_real), np.float32(odd.krl_real))


@pytest.mark.parametrize("slot", [0, 15])
@pytest.mark.parametrize("handshake", ["automatic", "krl_int"])
def test_a_client_can_ask_for_its_stop(slot: int, handshake: str) -> None:
    """By 20 in the first or the sixteenth integer; by 10 there, or by no more 20, it begins again."""
    start, stop, neither = (tuple(n if k == slot else 0 for k in range(16)) for n in (10, 20, 1))
    client = Client(fri={"handshake": handshake})
    client.until(SessionState.COMMAND, ints=start)
    for _ in range(5):
        client.cycle(ints=neither)  # being there is no wish to stop
    assert client.controller.state == SessionState.COMMAND
    client.until(SessionState.MONITOR, 2, ints=stop)
    assert client.controller.fall_back_reason == "the client asked for its stop (20 in a KRL integer)"
    for _ in range(300):
        client.cycle(ints=stop)
    assert client.controller.state == SessionState.MONITOR
    client.until(SessionState.COMMAND, ints=start)
    assert client.controller.monitor.violations == 0
