"""`zerog approach` at a terminal, before a daemon that is played: what it sends, what it leaves behind."""

import json
import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq

from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.messages import Reply, Request

PATIENCE_S = 60.0


class Desk:
    """A daemon's desk that grants every hand a session and notes what it is asked."""

    def __init__(self, folder: Path) -> None:
        self.state, self.reason, self.delay_s = "READY", "", 0.0
        self.asked: list[tuple[float, str, dict[str, Any], int]] = []
        self.refuses = ""
        self._bus = Bus(folder)
        self._socket = self._bus.request_server()
        self._ends = False
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while not self._ends:
            if not self._socket.poll(20):
                continue
            request, _ = decode(self._socket.recv(zmq.NOBLOCK))
            assert isinstance(request, Request)
            self.asked.append((time.monotonic(), request.verb, json.loads(request.arguments), request.t_ns))
            text = json.dumps({"session": 17, "way": "10.0 deg"}) if request.verb == "approach" else ""
            if request.verb == "beat" and not self.refuses:
                self.state = "APPROACHING"
                time.sleep(self.delay_s)
            refused = self.refuses if request.verb == "beat" else ""
            status = json.dumps({"state": self.state, "reason": self.reason, "patient": False})
            self._socket.send(encode(Reply(1, not refused, refused or text, status)))

    def heard(self, verb: str) -> list[tuple[float, str, dict[str, Any], int]]:
        return [item for item in self.asked if item[1] == verb]

    def close(self) -> None:
        self._ends = True
        self._thread.join()
        self._bus.close()


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hil", "approach", "--runtime-directory", str(folder), *words],
            stdin=self.slave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip

    def wait(self, found: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not found():
            assert time.monotonic() < deadline and self.process.poll() is None, self.process.communicate()[0]
            time.sleep(0.01)

    def raw(self) -> bool:
        return not termios.tcgetattr(self.slave)[3] & termios.ICANON

    def press(self, count: int, gap_s: float = 0.03, key: bytes = b" ") -> None:
        for _ in range(count):
            os.write(self.master, key)
            time.sleep(gap_s)

    def end(self) -> tuple[int, str]:
        said, _ = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said

    def restored(self) -> bool:
        return termios.tcgetattr(self.slave) == self.before


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def terminal(desk: Desk, tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(tmp_path, "--speed-deg-s", "2.5")
    made.wait(made.raw)
    yield made
    if made.process.poll() is None:
        made.process.kill()
        made.process.communicate()
    os.close(made.master)
    os.close(made.slave)


@pytest.mark.parametrize("words", [("approach",), ("calibrate", "load"), ("calibrate", "timing")])
def test_without_a_terminal_it_is_refused_in_one_line_and_asks_nobody(
    desk: Desk, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """From a file or a pipe, as a program would do it."""
    for stdin in (subprocess.DEVNULL, subprocess.PIPE):
        done = subprocess.run(
            [sys.executable, "-m", "hil", *words, "--runtime-directory", str(tmp_path)],
            stdin=stdin, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.count("\n") == 1 and "refused without a terminal" in done.stderr
    assert desk.asked == []


def test_heartbeats_are_numbered_fresh_and_only_of_a_held_key(desk: Desk, terminal: Terminal) -> None:
    """One stroke sends none; a stream does, of one session, each when it was typed; there, it ends."""
    assert desk.heard("approach")[0][2] == {"speed_deg_s": 2.5}
    terminal.press(1)
    time.sleep(0.6)
    assert desk.heard("beat") == []
    while not desk.heard("beat"):
        terminal.press(10)
    terminal.press(20)
    beats = desk.heard("beat")
    assert [item[2]["number"] for item in beats] == list(range(1, len(beats) + 1))
    assert {item[2]["session"] for item in beats} == {17}
    assert all(-0.001 < at - 1e-9 * sent < 0.3 for at, _, _, sent in beats)
    desk.state = "READY"
    status, said = terminal.end()
    assert (
        status == 0 and terminal.restored() and "the arm is at its start pose" in said and "10.0 deg" in said
    )


def test_what_was_typed_while_the_daemon_hung_goes_unheard(desk: Desk, terminal: Terminal) -> None:
    """An answer takes a second, the key is held all the while: no heap of heartbeats follows it."""
    while not desk.heard("beat"):
        terminal.press(10)
    time.sleep(0.3)
    before = len(desk.heard("beat"))
    desk.delay_s = 1.0
    terminal.press(25)  # within the second
    desk.delay_s = 0.0
    time.sleep(2.0)
    assert len(desk.heard("beat")) - before <= 1
    terminal.press(1, key=b"q")
    assert terminal.end()[0] == 0 and terminal.restored()


def test_a_hand_that_is_refused_must_let_go_and_asks_anew(desk: Desk, terminal: Terminal) -> None:
    """The reason is shown; the next stream has a session of its own."""
    desk.refuses = "the hand was off"
    while not desk.heard("beat"):
        terminal.press(10)
    desk.refuses = ""
    asked = len(desk.heard("approach"))
    time.sleep(0.5)
    while len(desk.heard("approach")) == asked:
        terminal.press(10)
    terminal.press(1, key=b"q")
    status, said = terminal.end()
    assert status == 0 and "the hand was off" in said
    assert desk.heard("beat")[-1][2]["number"] < 30


@pytest.mark.parametrize("way", ["q", "interrupt", "terminate", "hang up", "another state"])
def test_the_terminal_is_as_it_was_in_every_way_out(desk: Desk, terminal: Terminal, way: str) -> None:
    """A key, Ctrl-C, SIGTERM, SIGHUP, a state in which nothing can be approached."""
    assert not terminal.restored()
    if way == "q":
        terminal.press(1, key=b"q")
    elif way == "another state":
        desk.state, desk.reason = "FAULT", "made up"
    else:
        number = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM, "hang up": signal.SIGHUP}[way]
        terminal.process.send_signal(number)
    status, said = terminal.end()
    assert terminal.restored()
    assert status == {"q": 0, "interrupt": 130, "terminate": 143, "hang up": 129, "another state": 2}[way], (
        said
    )
    assert desk.heard("beat") == []
