"""A live run whose arm stands far from its start pose, and a hand that brings it there.

Times are not judged: a machine that is shared may take a hand for gone. What counts is that the arm moves
only below a hand, comes to rest without one, and that no command breaks a limit.
"""

import json
import os
import signal
import time
from collections.abc import Iterator

import numpy as np
import pytest

from bench.live_run import PATIENCE_S, LiveRun
from hil.messaging.messages import Request, RobotState

START = "emulator.start_deg=[9.0, -52.0, 0.0, 84.574, 0.0, 58.885, 0.0]"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    made = LiveRun(tmp_path_factory.mktemp("approach") / "r", "--set", START, **{r"count = \d+": "count = 0"})
    try:
        made.wait(lambda: "nothing floats by itself" in made.text, PATIENCE_S)
        yield made
    finally:
        made.close()


def asked(run: LiveRun, verb: str, **arguments: object) -> tuple[bool, str]:
    reply = run.bus.ask(Request(time.monotonic_ns(), verb, json.dumps(arguments)), 20.0)
    return reply.accepted, reply.text


def hold(run: LiveRun, seconds: float) -> None:
    """Hold on for a while, or until the hand counts no more."""
    granted, text = asked(run, "approach", speed_deg_s=10.0)
    if not granted:
        return
    session, end = json.loads(text)["session"], time.monotonic() + seconds
    for number in range(1, 100_000):
        counts, _ = asked(run, "beat", session=session, number=number)
        if not counts or time.monotonic() > end:
            return
        time.sleep(0.03)


def place(run: LiveRun) -> np.ndarray:
    """Where the arm is commanded to."""
    reader = run.bus.subscriber("robot_state", RobotState)
    found: list[RobotState] = []
    run.wait(lambda: found.extend(reader.drain()) or found)
    return found[-1].q_command


def rests(run: LiveRun) -> None:
    run.wait(lambda: run.stands() and run.status()["state"] == "READY")


def test_the_arm_moves_below_a_hand_and_rests_without_one(run: LiveRun) -> None:
    """Float is refused there; heartbeats move the arm, and without them it stands, READY, within limits."""
    assert "outside the stops" in asked(run, "float")[1]
    before = place(run)
    run.wait(lambda: hold(run, 0.6) or (place(run) != before).any())
    rests(run)
    there = place(run)
    time.sleep(0.5)
    assert (place(run) == there).all() and run.take_violations() == (0, "")
    assert abs(there - before).max() < 0.2


def test_a_frozen_daemon_stops_an_arm_that_a_hand_moves(run: LiveRun) -> None:
    """No order comes any more: the driver brakes; afterwards nothing goes on by itself."""
    reader = run.bus.subscriber("robot_state", RobotState)
    for _ in range(20):
        hold(run, 0.4)
        if run.status()["state"] == "APPROACHING":
            break
    else:
        pytest.fail("no hand counted")
    os.kill(run.pid("daemon"), signal.SIGSTOP)
    try:
        time.sleep(1.5)
        reader.drain()
        state = None
        while state is None:
            state = reader.newest()
        assert not state.dq_command.any()
    finally:
        os.kill(run.pid("daemon"), signal.SIGCONT)
    rests(run)
    assert run.take_violations() == (0, "")


def test_it_comes_home_by_the_hand_alone_and_then_floats(run: LiveRun) -> None:
    """However often the hand must hold again; READY at the start pose; the object floats from there."""
    deadline = time.monotonic() + PATIENCE_S
    while "already" not in asked(run, "approach")[1]:
        assert time.monotonic() < deadline, run.text
        hold(run, 5.0)
        rests(run)
    status = run.status()
    assert status["stops_inside"] and not status["float_refused"] and "already" in status["approach_refused"]
    assert asked(run, "float")[0]
    run.wait(lambda: run.status()["following"])
    assert run.take_violations() == (0, "")
