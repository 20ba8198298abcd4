"""`zerog disturb`: what is asked for reaches the emulation; wrong values and a real robot are refused."""

import json
import time
from pathlib import Path

import pytest

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.judging.judge import Judge
from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.messages import Disturbance, Reply, Request
from hil.processes.supervisor.disturbing import disturbance_from
from hil.processes.supervisor.operator_desk import OperatorDesk


def test_what_is_said_is_what_the_emulation_gets() -> None:
    """Milliseconds become seconds; what is not said is as if nothing were wrong; the rest as asked."""
    made = disturbance_from(
        json.dumps({"delay_ms": 20.0, "loss": 0.05, "seconds": 2, "direction": "to_driver"}), 7
    )
    assert made.t_ns == 7
    assert (made.delay, made.loss, made.duration, made.direction) == (0.02, 0.05, 2.0, "to_driver")
    assert (made.duplicates, made.reorder, made.silence, made.quality, made.wrench) == (
        0.0,
        0.0,
        False,
        3,
        "",
    )
    made = disturbance_from('{"quality": "bad", "silence": true, "drives_off": true, "wrench": "stuck"}', 7)
    assert (made.quality, made.silence, made.drives_off, made.wrench, made.duration) == (
        1,
        True,
        True,
        "stuck",
        1.0,
    )
    assert disturbance_from('{"clear": true}', 7).duration == 0.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"loss": 1.5}, "loss = 1.5 must lie within 0 and 1"),
        ({"loss": "much"}, "loss = 'much' must lie within 0 and 1"),
        ({"loss": float("nan")}, "loss = nan must lie within 0 and 1"),
        ({"delay_ms": -1.0}, "delay_ms = -1.0 must lie within 0 and 1000 ms"),
        ({"loss": 0.1, "seconds": 1e4}, "seconds = 10000.0 must lie within 0 and 600 s"),
        ({"wrench": "sideways"}, "wrench = 'sideways' is unknown; known: nan, saturated, stuck, reversed"),
        ({"quality": "good"}, "quality = 'good' is unknown"),
        ({"silence": 1.0, "loss": 0.5}, "silence = 1.0 must be true or false"),
        ({"noise": 3}, "noise is unknown; known: seconds, loss"),
        ({"seconds": 3.0}, "say what is to go wrong"),
    ],
)
def test_each_wrong_value_is_named_with_its_bound(arguments: dict, words: str) -> None:
    """One clear line: which value, what it is, what it must be."""
    with pytest.raises(OperatorError) as refusal:
        disturbance_from(json.dumps(arguments), 7)
    assert str(refusal.value).startswith("disturb: ") and words in str(refusal.value)


@pytest.mark.parametrize("emulated", [True, False])
def test_a_real_robot_is_never_disturbed(
    tmp_path: Path, cube: Configuration, real_arm: Configuration, emulated: bool
) -> None:
    """The desk passes a disturbance on to the emulation; with a real robot it refuses and sends nothing."""
    bus = Bus(tmp_path)
    desk = OperatorDesk(bus, cube if emulated else real_arm, lambda: None)
    heard = bus.subscriber("disturbance", Disturbance)
    asker = bus._context.socket(3)  # REQ
    asker.linger = 0
    asker.connect(bus.endpoint("request"))
    time.sleep(0.2)
    asker.send(encode(Request(0, "disturb", '{"drives_off": true}')))
    assert desk.socket.poll(5000)
    desk.serve(Judge(cube), dict)
    reply, _ = decode(asker.recv())
    assert isinstance(reply, Reply) and reply.accepted == emulated
    assert emulated or reply.text == "disturb is refused with a real robot: it disturbs the emulation only"
    time.sleep(0.1)
    assert [d.drives_off for d in heard.drain()] == [True] * emulated
    asker.close()
    bus.close()
