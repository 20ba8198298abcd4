"""Requests that nobody should send: each is refused in one line, and the desk goes on."""

import json
import time

import numpy as np
import pytest
import zmq

from hil.bus import Bus
from hil.message_codec import decode, encode
from hil.messages import Push, Request
from hil.state_machine import Machine
from hil.supervisor.operator_desk import OperatorDesk

MOVING = Machine().health("").float()
PUSH = {"force_n": [20.0, 0.0, 0.0], "duration_ms": 100.0}
WRONG_PUSHES = [
    "",
    "no JSON",
    "[]",
    "null",
    "{}",
    '{"force_n": [1, 2]}',
    json.dumps({"force_n": [20.0, 0.0, 0.0]}),
    json.dumps(PUSH | {"force_n": ["a", 0, 0]}),
    json.dumps(PUSH | {"force_n": [float("nan"), 0.0, 0.0]}),
    json.dumps(PUSH | {"force_n": [1e300, 1e300, 0.0]}),
    json.dumps(PUSH | {"duration_ms": float("inf")}),
    json.dumps(PUSH | {"duration_ms": 1.0}),
    json.dumps(PUSH | {"at_mm": None}),
    json.dumps(PUSH | {"other": 1}),
    "[" * 100_000,
]


class Asker:
    """A desk, and who asks there."""

    def __init__(self, folder, emulated=True):
        self.bus = Bus(folder)
        self.desk = OperatorDesk(self.bus, emulated, lambda machine: machine)
        self.pushes = self.bus.subscriber("push", Push)
        self._socket = self.bus._socket(zmq.REQ)
        self._socket.connect(self.bus.endpoint("request"))
        time.sleep(0.2)

    def ask(self, data, machine=MOVING):
        self._socket.send(data)
        assert self.desk.socket.poll(5000)
        self.desk.serve(machine, dict)
        return decode(self._socket.recv())[0]


@pytest.fixture
def asker(tmp_path):
    made = Asker(tmp_path)
    yield made
    made.bus.close()


@pytest.mark.parametrize("arguments", WRONG_PUSHES)
@pytest.mark.parametrize("verb", ["push", "disturb"])
def test_a_malformed_request_is_refused_and_the_desk_goes_on(asker, verb, arguments):
    """Missing, foreign and impossible arguments: nothing is sent, and the next push is."""
    reply = asker.ask(encode(Request(0, verb, arguments)))
    assert not reply.accepted and reply.text.startswith(f"{verb}: ") and "\n" not in reply.text
    assert asker.ask(encode(Request(0, "push", json.dumps(PUSH)))).accepted
    time.sleep(0.1)
    (push,) = asker.pushes.drain()
    assert push.force_world.tolist() == PUSH["force_n"] and push.duration == 0.1


def test_what_is_no_request_is_refused(asker):
    """Noise, another message, a verb that is none."""
    for data in (b"noise", encode(Push(0, np.zeros(3), 0.1, np.zeros(3)))):
        assert not asker.ask(data).accepted
    assert "is no command" in asker.ask(encode(Request(0, "fly", "{}"))).text


def test_a_failure_within_a_request_does_not_end_the_run(asker, monkeypatch):
    """It is told to who asked, and the next request is served."""
    monkeypatch.setattr(asker.desk, "_push", lambda *_: 1 / 0)
    reply = asker.ask(encode(Request(0, "push", json.dumps(PUSH))))
    assert not reply.accepted and "ZeroDivisionError" in reply.text
    assert asker.ask(encode(Request(0, "status", "{}"))).accepted


def test_nobody_pushes_a_real_arm_by_command(tmp_path):
    """There is no hand at the other end of the command."""
    asker = Asker(tmp_path, emulated=False)
    reply = asker.ask(encode(Request(0, "push", json.dumps(PUSH))))
    assert not reply.accepted and "by hand" in reply.text
    asker.bus.close()
