"""Link, controller, wrench and bus disturbed while the arm moves; one live run for all.

Times are judged generously: the machine may be shared. What counts is that the loop goes on where it is
said to, and stops for the reason that is said where not; that nothing moves again by itself; that no command
breaks a limit.
"""

import os
import re
import socket
import time
from pathlib import Path
from typing import Any

import msgpack
import pytest
import zmq

from bench.live_run import SETTLE_S, LiveRun
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.codec import encode
from hil.messaging.messages import Request
from hil.messaging.topics import TOPICS
from tests.hil.processes.starvation import TRIES, unless_starved

LEAK_KIB_S = 400.0  # through all faults, most of it at first touch: a plain run grows by 4 over half an hour
MEMORY_S = 20.0  # over which growth is judged, at least


@pytest.fixture(scope="module")
def memory(shared_run: LiveRun) -> tuple[float, float]:
    """When the file's tests began [s], and the run's memory then [KiB]."""
    shared_run.float_again()
    return time.monotonic(), shared_run.memory_kib()


@pytest.fixture(autouse=True)
def _watched(memory: tuple[float, float]) -> None:
    """Memory is looked at before the first test."""


def follows(run: LiveRun, seconds: float) -> None:
    """Floating and following throughout."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        status = run.status()
        assert (status["state"], status["following"]) == ("FLOATING", True), status["reason"]
        time.sleep(0.02)


def goes_on(run: LiveRun, seconds: float = 0.6, **disturbance: Any) -> None:
    """Floating and following throughout, while it is disturbed and a little longer."""

    def trial() -> None:
        if disturbance:
            reply = run.ask("disturb", seconds=seconds, **disturbance)
            assert reply.accepted, reply.text
        follows(run, seconds + 0.2)

    unless_starved(run, trial)


def faults_with(run: LiveRun, words: str) -> None:
    """The state is FAULT for that reason; the arm stands, also when all is well again."""
    assert words in run.wait_state("FAULT")["reason"]
    run.wait(run.stands)
    run.wait(lambda: run.status()["session"] == "command")
    assert run.stands() and run.status()["state"] == "FAULT"


@pytest.mark.parametrize("share", [0.01, 0.05, 0.1])
def test_packets_lost_at_random(run: LiveRun, share: float) -> None:
    """1, 5 and 10 % lost each way are bridged, and counted."""
    before = run.status()["missed"]
    goes_on(run, loss=share)
    run.wait(lambda: run.status()["missed"] > before)


def test_too_many_packets_lost_stops(run: LiveRun) -> None:
    """35 % lost each way leave 42 % of the answers: the controller ends command mode by itself."""
    run.ask("disturb", loss=0.35, seconds=1.0)
    faults_with(run, "robot")


def test_packets_doubled(run: LiveRun) -> None:
    """Every other packet comes twice, each way: nothing happens."""
    goes_on(run, duplicate=0.5)


def test_packets_delayed_within_a_cycle(run: LiveRun) -> None:
    """Extra delays, drawn for each packet, both ways together below half a cycle: nothing happens."""
    goes_on(run, reorder_ms=0.5)


def test_packets_out_of_order(run: LiveRun) -> None:
    """Delays beyond two cycles let packets overtake one another: hardly an answer is in time, a stop."""
    run.ask("disturb", reorder_ms=5.0, seconds=1.0)
    faults_with(run, "robot")


@pytest.mark.parametrize("delay_ms", [1.0, 10.0, 30.0])
@pytest.mark.parametrize("direction", ["to_driver", "from_driver"])
def test_bursts_of_delay(run: LiveRun, delay_ms: float, direction: str) -> None:
    """Packets held for 1 to 30 ms come all at once: the newest is answered, the arm goes on."""
    goes_on(run, delay_ms=delay_ms, direction=direction)


@pytest.mark.parametrize("direction", ["to_driver", "from_driver"])
def test_long_bursts_of_delay_stop(run: LiveRun, direction: str) -> None:
    """Packets held for 80 ms are more answers missed in a row than the controller bears."""
    run.ask("disturb", delay_ms=80.0, direction=direction, seconds=0.6)
    faults_with(run, "robot")


def test_controller_silent_for_a_moment(run: LiveRun) -> None:
    """No packet for 30 ms: bridged by one longer step."""
    goes_on(run, 0.03, silence=True)


def test_controller_silent_brakes(run: LiveRun) -> None:
    """No packet for half a second: the controller misses its answers and brakes, the state says so."""
    run.ask("disturb", silence=True, seconds=0.5)
    faults_with(run, "robot")


def test_quality_bad_is_shown_and_borne(run: LiveRun) -> None:
    """Above unacceptable the controller still takes commands: the arm goes on."""
    goes_on(run, quality="bad")


def test_quality_unacceptable_stops(run: LiveRun) -> None:
    """The controller leaves command mode by itself; coming back it moves nothing."""
    run.ask("disturb", quality="unacceptable", seconds=0.3)
    faults_with(run, "quality")


def test_drives_off_in_motion_stops(run: LiveRun) -> None:
    """Drives that go off while the arm moves: FAULT with the reason; back on, nothing moves."""
    run.ask("disturb", drives_off=True, seconds=0.3)
    faults_with(run, "drives off")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"arm": "stuck"}, "limits.following_error_deg"),
        ({"arm": "reversed"}, "limits.following_error_deg"),
        ({"astray_mrad": 0.5}, "but was sent"),
        ({"drive_error": 3}, "reports an error of A3"),
        ({"strategy": "cartesian_impedance"}, "$STIFFNESS.STRATEGY"),
    ],
)
def test_a_robot_that_does_otherwise_stops(run: LiveRun, wrong: dict[str, Any], words: str) -> None:
    """Arm, controller, drives or strategy do not do as they are told: FAULT with the reason, at rest."""
    assert run.ask("push", force_n=[60.0, 20.0, 0.0], duration_ms=100.0, at_mm=[0.0, 100.0, 0.0]).accepted
    run.ask("disturb", seconds=20.0, **wrong)
    assert words in run.wait_state("FAULT")["reason"]
    run.wait(run.stands)
    assert run.ask("disturb", clear=True).accepted
    assert run.stands() and run.status()["state"] == "FAULT"


def test_a_warning_of_a_drive_is_shown_and_borne(run: LiveRun) -> None:
    """The status says which drive warns; the arm goes on."""
    run.ask("disturb", drive_warning=5, seconds=0.3)
    run.wait(lambda: run.status()["warning"] == "the controller warns of A5")
    assert run.status()["state"] == "FLOATING" and run.status()["following"]


@pytest.mark.parametrize("kind", ["nan", "saturated"])
def test_wrench_fault_keeps_every_limit(run: LiveRun, kind: str) -> None:
    """A wrench that is none or saturated, and a push meanwhile: FAULT with the wrench, no limit broken."""

    def trial() -> None:
        run.ask("disturb", wrench=kind, seconds=0.8)
        run.ask("push", force_n=[30.0, 0.0, 0.0], duration_ms=100.0, at_mm=[0.0, 0.0, 0.0])
        faults_with(run, "the wrench has been")

    unless_starved(run, trial)


def test_stuck_wrench_hides_a_push_and_no_more(run: LiveRun) -> None:
    """A wrench that stays what it was is no push, and hides one: the arm goes on.

    Should it stick within one of the emulated operator's pushes, the joint torques contradict it, and that
    push is taken back: this happens to few moments and not to all.
    """
    pushes = 0

    def trial() -> None:
        nonlocal pushes
        assert run.ask("disturb", wrench="stuck", seconds=1.5).accepted
        follows(run, 0.4)  # an impulse that ended just before has been counted by then
        pushes = run.status()["pushes"]
        assert run.ask("push", force_n=[30.0, 0.0, 0.0], duration_ms=100.0, at_mm=[0.0, 0.0, 0.0]).accepted
        follows(run, 0.8)
        assert run.status()["pushes"] == pushes

    try:
        for _ in range(TRIES):
            try:
                unless_starved(run, trial)
                return
            except AssertionError:
                assert "the joint torques contradict" in run.status()["reason"]
        pytest.fail(f"the joint torques contradicted the wrench in each of {TRIES} moments")
    finally:  # it comes loose while nobody pushes: half a push would contradict the torques as well
        run.ask("stop")
        run.wait(run.stands)
        time.sleep(1.0)


def test_operators_commands_and_refusals(run: LiveRun) -> None:
    """Push, hold, float, stop, and what is refused: one live run through all states."""

    def trial() -> None:
        before = run.status()["pushes"]
        run.wait(lambda: run.status()["rate"] == 1.0)  # as the arm sets off nothing is a push
        assert run.ask("push", force_n=[40.0, 0.0, 0.0], duration_ms=100.0, at_mm=[0.0, 0.0, 0.0]).accepted
        run.wait(lambda: run.status()["pushes"] > before)
        assert run.ask("hold").accepted
        run.wait(lambda: run.status()["rate"] == 0.0)
        assert run.ask("float").accepted
        run.wait(lambda: run.status()["rate"] == 1.0)
        assert not run.ask("reset").accepted

    unless_starved(run, trial)
    assert run.ask("stop").accepted
    run.wait(run.stands)
    refusal = run.ask("push", force_n=[40.0, 0.0, 0.0], duration_ms=100.0, at_mm=[0.0, 0.0, 0.0])
    assert not refusal.accepted and "refused in STOPPED" in refusal.text
    assert not run.ask("dance").accepted


def test_garbage_on_the_fri_port_is_refused(run: LiveRun) -> None:
    """Random, truncated and foreign packets on the robot's port do not disturb the float."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for size in (0, 1, 375, 376, 915, 916, 917, 1400):
            for _ in range(20):
                sender.sendto(os.urandom(size), ("127.0.0.1", run.port))
    goes_on(run, 0.3)


def test_other_version_on_the_bus_is_refused(run: LiveRun) -> None:
    """Requests of another version and garbage are answered with a refusal, and the run goes on."""
    parts = msgpack.unpackb(encode(Request(0, "stop", "{}")))
    parts[1] = "0" * 16
    context = zmq.Context()
    for data in (msgpack.packb(parts), b"garbage", encode(Machine(State.FAULT, 1).mode(0))):
        asker = context.socket(zmq.REQ)
        asker.linger = 0
        asker.connect(f"ipc://{run.directory}/request")
        asker.send(data)
        assert asker.poll(int(1000 * SETTLE_S))
        asker.close()
    context.term()
    goes_on(run, 0.3)


def test_nothing_uses_the_wall_clock(root: Path) -> None:
    """A clock that is set back cannot matter: the loop's code never reads it (dates in headings apart)."""
    reads = re.compile(
        r"\btime\.(time|time_ns|localtime|gmtime|ctime|strftime)\(|datetime\.\w*\.?(now|utcnow)\("
    )
    found = [
        f"{file.relative_to(root)}: {line.strip()}"
        for folder in ("hil", "drivers", "sim", "planner")
        for file in sorted((root / folder).rglob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if reads.search(line)
    ]
    # the date in a recording's head; log time, of recordings and viewers, is the run's plus one offset
    assert found == [
        'hil/common/machine.py: return datetime.datetime.now().astimezone().isoformat(" ", "seconds")',
        "hil/processes/context.py: return time.time_ns() - self.clock.now_ns()",
    ]
    assert all(
        topic.message.__dataclass_fields__["t_ns"].metadata["unit"] == "ns" for topic in TOPICS.values()
    )


def test_memory_does_not_grow(run: LiveRun, memory: tuple[float, float]) -> None:
    """Through all of the above the processes' memory grows by less than would matter in half an hour."""
    began, before = memory
    time.sleep(max(0.0, MEMORY_S - (time.monotonic() - began)))
    slope = (run.memory_kib() - before) / (time.monotonic() - began)
    assert slope < LEAK_KIB_S, f"{slope:.0f} KiB/s"
