"""Requests that nobody should send: each is refused in one line, and the desk goes on."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest
import zmq

from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.state_machine import Machine
from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.messages import Push, Request
from hil.processes.supervisor.operator_desk import OperatorDesk
from tests.hil.robot_states import standing

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
    json.dumps(PUSH | {"at_mm": [0.0, 1e9, 0.0]}),
    json.dumps(PUSH | {"at_mm": [0.0, float("nan"), 0.0]}),
    json.dumps(PUSH | {"force_n": [10**400, 0.0, 0.0]}),
    json.dumps(PUSH | {"other": 1}),
    "[" * 100_000,
]


class Asker:
    """A desk, and who asks there."""

    def __init__(self, folder, configuration):
        self.bus = Bus(folder)
        self.judge = Judge(configuration)
        self.judge.step(0, Evidence(robot=standing(configuration.robot.start)))
        self.desk = OperatorDesk(self.bus, configuration, lambda: None)
        self.pushes = self.bus.subscriber("push", Push)
        self._socket = self.bus._socket(zmq.REQ)
        self._socket.connect(self.bus.endpoint("request"))
        time.sleep(0.2)

    def ask(self, data, machine=MOVING):
        self._socket.send(data)
        assert self.desk.socket.poll(5000)
        self.judge.machine = machine
        self.desk.serve(self.judge, dict)
        return decode(self._socket.recv())[0]


@pytest.fixture
def asker(tmp_path, cube):
    made = Asker(tmp_path, cube)
    yield made
    made.bus.close()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory, cube):
    """One desk for all that it refuses."""
    made = Asker(tmp_path_factory.mktemp("desk"), cube)
    yield made
    made.bus.close()


@pytest.mark.parametrize("arguments", WRONG_PUSHES)
@pytest.mark.parametrize("verb", ["push", "disturb"])
def test_a_malformed_request_is_refused_and_the_desk_goes_on(lasting, verb, arguments):
    """Missing, foreign and impossible arguments: nothing is sent, and the next push is."""
    reply = lasting.ask(encode(Request(time.monotonic_ns(), verb, arguments)))
    assert not reply.accepted and reply.text.startswith(f"{verb}: ") and "\n" not in reply.text
    assert lasting.ask(encode(Request(time.monotonic_ns(), "push", json.dumps(PUSH)))).accepted
    time.sleep(0.1)
    (push,) = lasting.pushes.drain()
    assert push.force_world.tolist() == PUSH["force_n"] and push.duration == 0.1


def test_what_is_no_request_is_refused(asker):
    """Noise, another message, a verb that is none."""
    push = asker.ask(encode(Push(0, np.zeros(3), 0.1, np.zeros(3))))
    assert not push.accepted and push.text == "bus: Push is no request"
    assert not asker.ask(b"noise").accepted
    assert "is no command" in asker.ask(encode(Request(time.monotonic_ns(), "fly", "{}"))).text


def test_a_failure_within_a_request_does_not_end_the_run(asker, monkeypatch):
    """It is told to who asked, and the next request is served."""
    monkeypatch.setattr(asker.desk, "_push", lambda *_: {}["nothing"])
    reply = asker.ask(encode(Request(time.monotonic_ns(), "push", json.dumps(PUSH))))
    assert not reply.accepted and "KeyError" in reply.text
    assert asker.ask(encode(Request(time.monotonic_ns(), "status", "{}"))).accepted


def test_nobody_pushes_a_real_arm_by_command(tmp_path, real_arm):
    """There is no hand at the other end of the command."""
    asker = Asker(tmp_path, real_arm)
    reply = asker.ask(encode(Request(time.monotonic_ns(), "push", json.dumps(PUSH))))
    assert not reply.accepted and "by hand" in reply.text
    asker.bus.close()


READY = Machine().health("")


def test_nobody_disturbs_or_test_pushes_a_real_arm(tmp_path, real_arm):
    """Both are for the emulation; each says so."""
    asker = Asker(tmp_path, real_arm)
    for verb, arguments in (("test_push", json.dumps(PUSH)), ("disturb", '{"loss": 0.1, "seconds": 1}')):
        reply = asker.ask(encode(Request(time.monotonic_ns(), verb, arguments)), READY)
        assert not reply.accepted and "refused with a real robot" in reply.text
    asker.bus.close()


@pytest.mark.parametrize(
    ("verb", "machine", "accepted"),
    [
        ("push", MOVING, True),
        ("push", MOVING.hold(), True),
        ("push", READY, False),
        ("push", MOVING.fault("guard"), False),
        ("test_push", READY, True),
        ("test_push", MOVING, False),
        ("test_push", MOVING.stop(), False),
    ],
)
def test_a_push_is_for_what_floats_and_a_test_push_for_what_stands(asker, verb, machine, accepted):
    """What is refused is not sent."""
    reply = asker.ask(encode(Request(time.monotonic_ns(), verb, json.dumps(PUSH))), machine)
    assert reply.accepted is accepted and (accepted or "refused" in reply.text)
    time.sleep(0.1)
    assert len(asker.pushes.drain()) == accepted


def test_a_push_and_a_motion_come_in_their_units(asker):
    """Millimetres and degrees are asked for; metres and radians ordered. 200 N is the most."""
    asked = PUSH | {"at_mm": [0.0, 50.0, 0.0]}
    assert asker.ask(encode(Request(time.monotonic_ns(), "push", json.dumps(asked)))).accepted
    too_strong = json.dumps(PUSH | {"force_n": [150.0, 150.0, 0.0]})
    reply = asker.ask(encode(Request(time.monotonic_ns(), "push", too_strong)))
    assert not reply.accepted and "must be at most 200 N" in reply.text
    time.sleep(0.1)
    (push,) = asker.pushes.drain()
    assert push.point_object.tolist() == [0.0, 0.05, 0.0]
    motion = '{"velocity_mm_s": [0, 30, 0], "spin_deg_s": [0, 0, 9]}'
    assert asker.ask(encode(Request(time.monotonic_ns(), "float", motion)), READY).accepted
    assert asker.judge.machine.initial_twist == pytest.approx((0.0, 0.03, 0.0, 0.0, 0.0, np.radians(9.0)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("no JSON", "Invalid JSON"),
        ('{"velocity_mm_s": [1, 2]}', "velocity_mm_s"),
        ('{"velocity_mm_s": [NaN, 0, 0]}', "velocity_mm_s"),
        ('{"velocity_mm_s": [100, 100, 60]}', "153.6 mm/s must be at most 150 mm/s"),
        ('{"spin_deg_s": [0, 40, 0]}', "40 deg/s must be at most 28 deg/s"),
        ('{"twist": 1}', "twist"),
        ('{"velocity_mm_s": [1e300, 0, 0]}', "velocity_mm_s"),
        ('{"spin_deg_s": [0, -1e300, 0]}', "spin_deg_s"),
    ],
)
def test_a_motion_that_is_none_or_too_fast_is_refused(asker, arguments, words):
    """What the certified set does not allow cannot be asked for; nothing floats."""
    reply = asker.ask(encode(Request(time.monotonic_ns(), "float", arguments)), READY)
    assert not reply.accepted and words in reply.text and reply.text.startswith("float: ")
    assert json.loads(reply.status)["state"] == "READY"


@pytest.mark.parametrize("verb", ["float", "reset", "reload"])
def test_what_leads_to_motion_is_not_obeyed_once_its_asker_has_given_up(asker, verb):
    """The daemon could not answer for a while: an order that waited tells of then, and the arm stands."""
    before = {"reset": Machine().fault("a fault")}.get(verb, READY)
    waited = encode(Request(time.monotonic_ns() - 1_600_000_000, verb, "{}"))
    reply = asker.ask(waited, before)
    assert not reply.accepted and "1.6 s ago" in reply.text and asker.judge.machine is before
    assert asker.ask(encode(Request(time.monotonic_ns(), verb, "{}")), before).accepted


@pytest.mark.parametrize("verb", ["stop", "hold"])
def test_what_ends_motion_is_obeyed_however_late(asker, verb):
    reply = asker.ask(encode(Request(0, verb, "{}")), MOVING)
    assert reply.accepted and asker.judge.machine is not MOVING


def test_a_motion_begins_from_ready_only(asker):
    """Asked for while floating it is refused, for the object has its own motion then."""
    request = encode(Request(time.monotonic_ns(), "float", '{"velocity_mm_s": [0, 30, 0]}'))
    assert asker.ask(request, READY).accepted
    refused = asker.ask(request, MOVING)
    assert not refused.accepted and "from READY only" in refused.text


def test_the_order_says_with_which_motion_floating_began():
    """As long as it lasts; the next floating begins as configured unless another is asked for."""
    asked = READY.float((0.0, 0.03, 0.0, 0.0, 0.0, 0.1))
    assert asked.mode(0).initial_twist.tolist() == [0.0, 0.03, 0.0, 0.0, 0.0, 0.1]
    assert asked.hold().mode(0).initial_twist.tolist() == asked.mode(0).initial_twist.tolist()
    assert len(asked.stop().reset().health("").float().mode(0).initial_twist) == 0


def test_thresholds_are_changed_one_by_one_and_within_bounds(asker):
    """What is not said stays; what is out of bounds changes nothing."""
    before = asker.desk.thresholds
    assert asker.ask(encode(Request(time.monotonic_ns(), "thresholds", '{"floor_n_per_s": 500}'))).accepted
    assert asker.desk.thresholds == replace(before, floor=500.0)
    for wrong in ('{"start_sigma": 2.9}', '{"floor_n_per_s": -1}', '{"level_floor_n": 1e9}', '{"floor": 1}'):
        reply = asker.ask(encode(Request(time.monotonic_ns(), "thresholds", wrong)))
        assert not reply.accepted and reply.text.startswith("thresholds: ")
    assert asker.desk.thresholds == replace(before, floor=500.0)
