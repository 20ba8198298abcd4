"""A cycle of the emulation without network and clock: time moves by its waits alone, datagrams by hand."""

import errno
import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from drivers.emulation import process, shell
from drivers.emulation.disturbances import CALM
from drivers.emulation.pace import Pace
from drivers.emulation.process import Cell
from drivers.emulation.shell import Shell
from drivers.emulation.surroundings import Surroundings
from drivers.fri.layout import SessionState
from drivers.fri.session import FriSession
from tests.drivers.emulation.loops import configured

T = 0.002
MOST = 50  # looks at a held cycle, before it is held for ever


class StandingTime(Pace):
    """Seconds that only the process' waits move; a cycle is held while its packet is unanswered."""

    def __init__(self) -> None:
        super().__init__()
        self.t, self.patient, self.unanswered = 10.0, True, False

    @property
    def now_ns(self) -> Callable[[], int]:
        return lambda: math.ceil(1e9 * self.t)  # a wait is over at its end

    def holds(self, *unanswered: bool) -> bool:
        self.unanswered = any(unanswered)
        return self.patient and self.unanswered


class Stage(Surroundings):
    """Network, waiter and surroundings of a process' cycle, and the driver at its other end."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        c = configured(fri={"sample_time_ms": 1e3 * T})
        self.pace, self.session, self.address = StandingTime(), FriSession(c.fri), c.fri.controller_address
        self.packets: list[bytes] = []  # that have left for the driver
        self.answers: list[bytes] = []  # under way to the controller
        self.looks = 0  # at a cycle that is held
        self.there, self.prompt = True, False  # whether the driver is there, and answers at once
        self.gone = False  # the network
        self.at_look: Callable[[int], None] = lambda looks: None
        self.at_wait: Callable[[], None] = lambda: None
        self.over_at = MOST
        patch.setattr(shell, "bound_socket", lambda *_: self)
        patch.setattr(shell, "look_for_way", lambda *_: None)
        patch.setattr(process, "Waiter", lambda *_: self)
        self.shell = Shell(c, None, self, self.pace)
        self.beside = Shell(c, None, Surroundings(), self.pace)  # of another arm, which nobody commands
        self._cell = Cell(c, [self.shell], self.pace)
        self._cell.begin()

    def pair(self) -> None:
        """Emulate another arm as well, from now on."""
        self._cell = Cell(configured(fri={"sample_time_ms": 1e3 * T}), [self.shell, self.beside], self.pace)
        self._cell.begin()

    def turn(self) -> None:
        """Do a cycle."""
        self._cell.cycle()

    def over(self) -> bool:
        return self.looks >= self.over_at

    def sendto(self, data: bytes, client: tuple[str, int]) -> None:
        if not self.there:
            raise ConnectionRefusedError
        if self.gone:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        self.client = client
        self.packets.append(data)
        if self.prompt:
            self.answers.append(self.answer_to(-1))

    def recvfrom(self, size: int) -> tuple[bytes, tuple[str, int]]:
        if self.gone:
            raise OSError(errno.ENETDOWN, "Network is down")
        if not self.answers:
            raise BlockingIOError
        return self.answers.pop(0), self.client

    def wait(self, until: float, due: float) -> None:
        self.pace.t = until
        self.at_wait()

    def look(self, timeout: float) -> None:
        self.looks += 1
        assert self.looks <= MOST, "held for ever"
        self.at_look(self.looks)

    def answer_to(self, packet: int) -> bytes:
        """Return the driver's answer to a packet."""
        sample = self.session.receive(self.packets[packet], self.address, round(1e9 * self.pace.t))
        return self.session.answer(sample, None)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A process behind its first cycle, which nobody needs to answer."""
    made = Stage(monkeypatch)
    made.turn()
    assert made.looks == 0 and made.shell.report.cycles == 1
    return made


def test_a_cycle_is_held_until_its_answer_has_come(stage: Stage) -> None:
    """At its end the arm stands until the fifth look brings the answer: in time, and no time has passed."""
    stage.at_look = lambda looks: stage.answers.append(stage.answer_to(-1)) if looks == 5 else None
    stage.turn()
    assert stage.looks == 5 and stage.shell.report.cycles == 2
    assert stage.shell.controller.statistics.missed == 1, "that of the first cycle alone"
    assert stage.pace.t == pytest.approx(10.0 + 2 * T, abs=1e-12)


def test_an_end_is_not_waited_with(stage: Stage) -> None:
    """Asked to end while a cycle is held: at the next look it is over."""
    stage.over_at = 3
    stage.turn()
    assert stage.looks == 3 and stage.shell.report.cycles == 2


@pytest.mark.parametrize("direction", ["to_driver", "from_driver"])
def test_what_the_emulated_link_loses_is_missed_and_not_waited_for(stage: Stage, direction: str) -> None:
    """Nobody got the packet, or whoever got it has answered: no stall, and no answer either."""
    wrong = replace(CALM, duration=10.0, loss=1.0, direction=direction)
    stage.shell.controller.disturbances.begin(wrong, stage.shell.controller.t)
    stage.prompt, packets = True, len(stage.packets)
    for _ in range(3):
        stage.turn()
    assert len(stage.packets) - packets == (3 if direction == "from_driver" else 0)
    assert stage.looks == 0 and stage.shell.controller.statistics.missed == 4


def test_a_packet_to_nobody_is_not_waited_for(stage: Stage) -> None:
    """The driver is gone: its port refuses, and the cycle ends in time."""
    stage.there = False
    stage.turn()
    assert stage.looks == 0 and stage.shell.report.cycles == 2


def test_an_old_answer_pays_for_no_newer_packet_and_takes_nothing_back(stage: Stage) -> None:
    """Of three packets without an answer the second's, then the newest's, then the second's once more."""
    stage.pace.patient = False
    for _ in range(2):
        stage.turn()
        assert stage.pace.unanswered
    old = stage.answer_to(1)
    stage.answers.append(old)
    stage.turn()
    assert stage.pace.unanswered, "the newest is still without"
    stage.prompt = True
    stage.turn()
    assert not stage.pace.unanswered
    stage.at_wait = lambda: stage.answers.append(old)
    stage.turn()
    assert not stage.answers and not stage.pace.unanswered


def test_a_network_that_goes_is_told_once_and_ends_nothing(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    """Packets that cannot leave are unanswered ones; when the network is there again they leave again."""
    packets, cycles, stage.gone = list(stage.packets), stage.shell.report.cycles, True
    for _ in range(5):
        stage.turn()
    assert stage.packets == packets and stage.shell.report.cycles == cycles + 5
    (told,) = caplog.messages
    assert "nothing can be sent to UDP" in told and "Network is unreachable" in told
    stage.gone = False
    stage.turn()
    assert len(stage.packets) == len(packets) + 1


def test_two_arms_are_advanced_together(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cycle is one cycle of both, sent, made up or frozen; one that is asked to end ends both."""
    stage.pace.patient = False
    stage.pair()
    cycles = stage.shell.report.cycles
    stage.turn()
    assert (stage.shell.report.cycles - cycles, stage.beside.report.cycles) == (1, 1)
    stage.pace.t += 0.05
    stage._cell.make_up()
    assert stage.beside.report.skipped == stage.shell.report.skipped == 25
    assert stage.beside.report.cycles == 26
    assert not stage._cell.over(1.0)
    stage.over_at = 0
    assert stage._cell.over(1.0), "nobody commands, and all stand"
    monkeypatch.setattr(stage.beside.controller, "state", SessionState.COMMAND)
    assert not stage._cell.over(1.0), "as long as one is commanded"
