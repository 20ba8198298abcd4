"""Requests to the daemon from Python: what is asked, what is refused, and what silence means."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zerog

from hil.commands.operate import VALUES
from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.messages import Reply, Request


class Desk:
    """Stands in for the daemon's desk: notes what is asked, and answers as it is told."""

    def __init__(self, directory: Path) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.refusal, self.states = "", ["READY"]
        self._bus, self._ending = Bus(directory), threading.Event()
        self._socket = self._bus.request_server()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while not self._ending.is_set():
            if not self._socket.poll(20):
                continue
            request, _ = decode(self._socket.recv())
            assert isinstance(request, Request)
            self.asked.append((request.verb, json.loads(request.arguments)))
            state = self.states.pop(0) if len(self.states) > 1 else self.states[0]
            status = json.dumps({"state": state, "reason": "so it is", "pushes": 3})
            self._socket.send(encode(Reply(1, not self.refusal, self.refusal or "done", status)))

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        self._bus.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "bus")
    yield made
    made.close()


def test_each_method_asks_what_the_command_asks(desk: Desk, tmp_path: Path) -> None:
    """Verbs and values as `hil/commands/operate.py` sends them; what is not said is left out."""
    with zerog.Daemon(tmp_path / "bus") as daemon:
        status = daemon.status()
        daemon.float()
        daemon.float(velocity_mm_s=(0, 30, 0), spin_deg_s=np.array([1.0, 0.0, 0.0]))
        daemon.hold()
        daemon.push((30, 0, 0), duration_ms=100)
        daemon.push([0.0, 1.0, 0.0], duration_ms=50.0, at_mm=(1, 2, 3))
        daemon.stop()
        daemon.reset()
    assert (status.state, status.reason, status.values["pushes"]) == ("READY", "so it is", 3)
    assert desk.asked == [
        ("status", {}),
        ("float", {}),
        ("float", {"velocity_mm_s": [0.0, 30.0, 0.0], "spin_deg_s": [1.0, 0.0, 0.0]}),
        ("hold", {}),
        ("push", {"force_n": [30.0, 0.0, 0.0], "duration_ms": 100.0}),
        ("push", {"force_n": [0.0, 1.0, 0.0], "duration_ms": 50.0, "at_mm": [1.0, 2.0, 3.0]}),
        ("stop", {}),
        ("reset", {}),
    ]
    for verb, said in desk.asked:
        assert set(said) <= set(VALUES.get(verb, ()))


def test_a_refusal_has_the_daemons_words(desk: Desk, tmp_path: Path) -> None:
    """And what is no number is refused before it is sent."""
    desk.refusal = "push is refused in READY: the object does not float; float it first"
    with zerog.Daemon(tmp_path / "bus") as daemon:
        with pytest.raises(zerog.OperatorError) as error:
            daemon.push((1.0, 0.0, 0.0), duration_ms=10.0)
        assert str(error.value) == desk.refusal
        for wrong in ("hard", "300", (30.0, 0.0), (1.0, 2.0, 3.0, 4.0), 30.0, (1.0, "hard", 0.0)):
            with pytest.raises(zerog.OperatorError, match=r"force_n = .* must be three numbers"):
                daemon.push(wrong, duration_ms=10.0)  # type: ignore[arg-type]
        with pytest.raises(zerog.OperatorError, match=r"duration_ms = \(10, 20\) must be a number"):
            daemon.push((1.0, 0.0, 0.0), duration_ms=(10, 20))  # type: ignore[arg-type]
    assert len(desk.asked) == 1
    with pytest.raises(zerog.LinkError, match="is closed"):
        daemon.status()


def test_waiting_ends_with_the_state_or_in_words(desk: Desk, tmp_path: Path) -> None:
    """As soon as it is there; otherwise what it is instead."""
    desk.states = ["STOPPED", "STOPPED", "READY", "FLOATING"]
    with zerog.Daemon(tmp_path / "bus") as daemon:
        assert daemon.wait_for("READY", "FLOATING").state == "READY"
        assert daemon.wait_for("FLOATING").state == "FLOATING"
        with pytest.raises(zerog.OperatorError, match="the daemon is FLOATING: so it is, and was not READY"):
            daemon.wait_for("READY", timeout_s=0.1)


def test_a_state_that_is_none_is_refused_at_once(desk: Desk, tmp_path: Path) -> None:
    """Nobody waits a minute for a slip of the pen; the states are named."""
    with zerog.Daemon(tmp_path / "bus") as daemon:
        for states, named in ((("READY", "FLYING"), "'FLYING'"), ((), "nothing")):
            with pytest.raises(zerog.OperatorError, match=f"{named} is no state of the daemon: STOPPED, "):
                daemon.wait_for(*states)
    assert not desk.asked


def test_without_a_daemon_one_line_says_so(tmp_path: Path) -> None:
    """Within the time that was given; so does a bad time."""
    with zerog.Daemon(tmp_path / "bus", timeout_s=0.1) as daemon, pytest.raises(zerog.ZeroGError) as error:
        daemon.hold()
    assert "no daemon answers at" in str(error.value) and "\n" not in str(error.value)
    assert "within 0.1 s" in str(error.value)
    with pytest.raises(zerog.LinkError, match=r"timeout_s = 0\.0 must be a number above 0"):
        zerog.Daemon(tmp_path / "bus", timeout_s=0.0)
