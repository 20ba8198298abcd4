"""Who is alive, and what the judge is shown of it."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.common.freshness import AHEAD_NS
from hil.configuration import Configuration, load_configuration
from hil.loop.driver.cycle import Counters
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.liveness import (
    LOST,
    SILENT_NS,
    STATE_LATE_NS,
    STUCK_NS,
    WARMING_NS,
    Liveness,
    moves,
    robot_missing,
    stalled,
)
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, Machine, State
from hil.loop.lockstep import LockStep
from hil.messaging.link_messages import LinkState
from hil.messaging.messages import Heartbeat
from tests.hil.robot_states import standing as robot

CUBE = Path(__file__).resolve().parents[3] / "configs" / "cube.toml"
FLOATING = Machine(State.FLOATING, epoch=1)


def beat(name: str, phase: str = "ready") -> Heartbeat:
    """A process says that it is alive."""
    return Heartbeat(0, name, phase, "compiling" if phase == "warming" else "", 1, "")


def alive(t_ns: int = 0) -> Liveness:
    """Driver and simulation there, the robot in command mode."""
    seen = Liveness(["driver", "sim"], robot_timeout=0.05)
    for msg in (beat("driver"), beat("sim"), robot(t_ns=t_ns)):
        seen.hear(t_ns, msg)
    return seen


def test_nothing_is_missing_until_a_process_is_silent() -> None:
    """Silence counts from when the last heartbeat came, whatever its own instant says."""
    seen = alive(5)
    seen.hear(5 + SILENT_NS, robot(t_ns=5 + SILENT_NS))
    assert seen.evidence(5 + SILENT_NS, FLOATING, True).missing == ""
    seen.hear(6, beat("sim"))
    missing = seen.evidence(6 + SILENT_NS, FLOATING, True).missing
    assert missing == "the driver process has been silent for 1.0 s"


def test_silence_is_counted_from_the_end_of_a_deafness() -> None:
    """Frozen for longer than orders hold: what was said may be on its way; then silence is silence."""
    seen = alive(5)
    for t_ns in range(5, 5 + SILENT_NS, MODE_TIMEOUT_NS):
        seen.listens(t_ns)
    frozen = 2 * SILENT_NS
    seen.listens(frozen)
    assert seen.evidence(frozen, FLOATING, True).missing == ""
    for t_ns in range(frozen, frozen + 2 * SILENT_NS, MODE_TIMEOUT_NS):
        seen.listens(t_ns)
        seen.hear(t_ns, robot(t_ns=t_ns))
    missing = seen.evidence(frozen + SILENT_NS + 1, FLOATING, True).missing
    assert missing == "the driver process has been silent for 1.0 s"
    seen.hear(frozen + SILENT_NS, beat("driver"))
    seen.hear(frozen + SILENT_NS, beat("sim"))
    seen.hear(frozen, robot(t_ns=5))
    late = frozen + 50_000_000 + STATE_LATE_NS
    assert seen.evidence(late, FLOATING, True).missing == ""
    assert "is 0.5 s old" in seen.evidence(late + 1, FLOATING, True).missing


def test_no_motion_begins_on_news_from_before_a_deafness() -> None:
    """A daemon that was frozen in READY, with a float in its queue: refused until it has heard anew."""
    seen, judge = alive(5), Judge(load_configuration(CUBE), Machine(State.READY))
    seen.listens(5)
    frozen = 2 * SILENT_NS
    seen.listens(frozen)
    judge.step(frozen, seen.evidence(frozen, judge.machine, True))
    assert judge.machine.state is State.STOPPED and "driver process has been silent" in judge.machine.reason
    with pytest.raises(OperatorError):
        judge.order("float")
    for msg in (beat("driver"), beat("sim"), robot(t_ns=frozen)):
        seen.hear(frozen, msg)
    judge.step(frozen + 1, seen.evidence(frozen + 1, judge.machine, True))
    assert judge.machine.state is State.READY
    seen = alive(5)
    seen.listens(5)
    seen.listens(frozen)
    for msg in (beat("driver"), beat("sim")):
        seen.hear(frozen, msg)
    assert "is 2.0 s old" in seen.evidence(frozen, Machine(State.READY), True).missing


def test_a_broken_link_is_missing_before_all_else() -> None:
    """Of a run over two hosts: why the link is down; of one that lives nothing."""
    seen = Liveness(["driver", "sim"], True, robot_timeout=0.05)
    for msg in (beat("driver"), beat("sim"), robot(t_ns=0)):
        seen.hear(0, msg)
    seen.hear(0, LinkState(0, False, "cable cut", 0.0, 0.0, 0.0, 0))
    assert seen.evidence(1, FLOATING, True).missing == "link to the other host: cable cut"
    seen.hear(0, LinkState(0, True, "", 0.0, 0.0, 0.0, 0))
    assert seen.evidence(1, FLOATING, True).missing == ""


def test_since_when_all_has_been_heard_of() -> None:
    """The oldest of heartbeats and robot's state counts, by its coming or its own instant; lacking any: 0."""
    seen = alive(100)
    seen.hear(500, beat("driver"))
    assert seen.heard_ns() == 100
    seen.hear(600, beat("sim"))
    assert seen.heard_ns() == 100, "the robot's state"
    seen.hear(700, robot(t_ns=650))
    assert seen.heard_ns() == 500
    seen.hear(800, beat("driver"))
    assert seen.heard_ns() == 600
    seen.hear(900, beat("sim", "warming"))
    assert seen.heard_ns() == 0, "who compiles is not waited for"
    seen.hear(1000, beat("sim"))
    seen.hear(1000, beat("driver"))
    assert seen.heard_ns() == 650
    seen.forget("sim")
    assert seen.heard_ns() == 0


def test_one_that_compiles_may_be_silent_and_one_that_ended_is_starting() -> None:
    """A first compilation takes long; what a dead process said last no longer counts."""
    seen = alive()
    seen.hear(0, beat("sim", "warming"))
    seen.hear(10 * SILENT_NS, beat("driver"))
    assert seen.missing(10 * SILENT_NS) == "sim: compiling"
    seen.forget("driver")
    assert seen.missing(10 * SILENT_NS) == "driver: starting" and seen.robot is None


def test_what_an_ended_driver_said_last_counts_for_nothing() -> None:
    """Even when the next one is alive already: until its first packet there is no robot, and none moves."""
    seen = alive()
    seen.hear(1, robot(following=True, fault="guard"))
    assert seen.evidence(1, FLOATING, True).moving
    seen.forget("driver")
    seen.hear(2, beat("driver"))
    found = seen.evidence(2, FLOATING, True)
    assert (found.missing, found.fault, found.moving) == ("robot: no packet yet", "", False)
    seen.hear(3, robot())
    assert seen.evidence(3, FLOATING, True).missing == ""


def test_one_that_ended_leaves_neither_plan_nor_object() -> None:
    """Plan and object's state go with those who said them, and with no other."""
    seen = alive()
    seen.plan, seen.sim = object(), object()  # type: ignore[assignment]
    seen.forget("emulator")
    assert seen.plan is not None and seen.sim is not None and seen.robot is not None
    seen.forget("planner")
    assert seen.plan is None and seen.sim is not None
    seen.forget("sim")
    assert seen.sim is None


def test_one_that_compiles_for_ever_hangs() -> None:
    """Warming is believed for `WARMING_NS` after the last word, and not longer."""
    seen = alive()
    seen.hear(0, beat("sim", "warming"))
    seen.hear(WARMING_NS, beat("driver"))
    assert seen.missing(WARMING_NS - 1) == "sim: compiling"
    assert seen.missing(WARMING_NS + 1) == "the sim process has been silent for 600.0 s"


def test_a_floating_after_long_standing_begins_unstuck() -> None:
    """Followed once, stood for an hour, floated anew: stuck only `STUCK_NS` after that."""
    seen, hour_ns = alive(), 3_600_000_000_000
    seen.evidence(1, FLOATING, True)
    seen.hear(2, robot(following=True))
    seen.hear(3, robot())
    for name in ("driver", "sim"):
        seen.hear(hour_ns, beat(name))
    anew = dataclasses.replace(FLOATING, epoch=2)
    assert seen.evidence(hour_ns, anew, True).stuck == ""
    assert seen.evidence(hour_ns + STUCK_NS - 1, anew, True).stuck == ""
    assert seen.evidence(hour_ns + STUCK_NS, anew, True).stuck != ""


def test_an_arm_that_follows_nothing_is_stuck_after_a_while_of_each_floating() -> None:
    """Time counts from the beginning of the floating or the last cycle that followed, if that is later."""
    seen = alive()

    def stuck(t_ns: int, machine: Machine = FLOATING, follow: bool = True) -> str:
        return seen.evidence(t_ns, machine, follow).stuck

    assert not stuck(7) and not stuck(6 + STUCK_NS)
    assert stuck(7 + STUCK_NS) == "the arm has not followed for 1.5 s: no plan"
    assert not stuck(7 + STUCK_NS, follow=False)
    assert not stuck(7 + STUCK_NS, dataclasses.replace(FLOATING, state=State.READY))
    assert not stuck(8 + STUCK_NS, dataclasses.replace(FLOATING, epoch=2))
    seen.hear(9 + STUCK_NS, robot(following=True))
    assert not stuck(8 + 2 * STUCK_NS, dataclasses.replace(FLOATING, epoch=2))
    assert stuck(9 + 2 * STUCK_NS, dataclasses.replace(FLOATING, epoch=2))


def test_before_anything_was_heard_nothing_is_there() -> None:
    """No message: no robot, no plan, no object."""
    assert Liveness([]).evidence(1, Machine(), True) == Evidence("robot: no packet yet")


@pytest.mark.parametrize(
    ("state", "missing"),
    [
        (("command", 3, True), ""),
        (("monitor", 1, True), "robot: monitor mode, quality 1"),
        ((LOST, 0, True), "robot: silent, no packet of it comes"),
        (("power off", 3, False), "robot: power off mode, quality 3, drives off"),
    ],
)
def test_a_robot_takes_commands_in_command_mode_only(state: tuple, missing: str) -> None:
    """Everything else is missing, in words."""
    assert robot_missing(*state) == missing


def test_an_arm_moves_while_it_follows_or_its_commands_do() -> None:
    """An arm that brakes still moves; one that was never heard of does not."""
    assert not moves(None) and not moves(robot())
    assert moves(robot(following=True)) and moves(robot(dq_command=np.full(7, 1e-9)))


def test_a_robot_that_is_silent_is_missing() -> None:
    """The driver says so after `fri.timeout_ms`; READY is left, in STOPPED it is the reason."""
    seen, judge = alive(), Judge(load_configuration(CUBE))
    judge.step(1, seen.evidence(1, judge.machine, True))
    assert judge.machine.state is State.READY
    seen.hear(2, robot(t_ns=2, session=LOST, quality=0))
    for stopped in (False, True):
        if stopped:
            judge.order("stop", "by the operator")
        judge.step(3, seen.evidence(3, judge.machine, True))
        assert judge.machine.state is State.STOPPED
        assert judge.machine.reason == "robot: silent, no packet of it comes"
        with pytest.raises(OperatorError, match="robot: silent"):
            judge.order("float")
    judge.order("reset")
    judge.step(4, seen.evidence(4, judge.machine, True))
    assert judge.machine.state is State.STOPPED and "silent" in judge.machine.reason
    seen.hear(5, robot(t_ns=5))
    assert judge.step(5, seen.evidence(5, judge.machine, True)).state is State.READY


@pytest.mark.parametrize("came_again", [False, True])
def test_what_is_known_of_the_robot_ages(came_again: bool) -> None:
    """A driver that lives and tells nothing of the robot, or always the same: READY is left, with the age."""
    seen, old_ns = alive(), 50_000_000 + STATE_LATE_NS
    judge = Judge(load_configuration(CUBE))
    for t_ns in (old_ns, old_ns + 1):
        seen.hear(t_ns, beat("driver"))
        if came_again:
            seen.hear(t_ns, robot(t_ns=0))
        judge.step(t_ns, seen.evidence(t_ns, judge.machine, True))
        assert (judge.machine.state is State.READY) is (t_ns == old_ns)
    assert judge.machine.reason == "robot: what the driver tells of it is 0.5 s old"
    with pytest.raises(OperatorError, match="is refused in STOPPED"):
        judge.order("float")


@pytest.mark.parametrize("lag_ns", [0, 600_000_000, -600_000_000])
def test_what_is_known_of_the_robot_is_as_old_as_its_packet(lag_ns: int) -> None:
    """Stamps may lie behind the host's time, or ahead of it: the arrival of the packet counts."""
    seen, now_ns = alive(), 10_000_000_000
    for msg in (beat("driver"), beat("sim"), robot(t_ns=now_ns - lag_ns, arrival_ns=now_ns - 1)):
        seen.hear(now_ns, msg)
    assert seen.missing(now_ns) == ""


@pytest.mark.parametrize("ahead_ns", [AHEAD_NS, AHEAD_NS + 1])
def test_a_packet_of_the_future_tells_nothing_of_the_robot(ahead_ns: int) -> None:
    """A clock has stepped, or a message is false: the robot is missing, with the time by which."""
    seen, now_ns = alive(), 10_000_000_000
    for msg in (beat("driver"), beat("sim"), robot(t_ns=now_ns, arrival_ns=now_ns + ahead_ns)):
        seen.hear(now_ns, msg)
    assert bool(seen.missing(now_ns)) is (ahead_ns > AHEAD_NS)


def test_a_driver_that_falls_silent_over_a_silent_robot_is_noticed() -> None:
    """Its last word, that no packet comes, ages as well."""
    seen, old_ns = alive(), 50_000_000 + STATE_LATE_NS
    seen.hear(1, robot(t_ns=1, session=LOST, arrival_ns=0))
    for t_ns in (1 + old_ns, 2 + old_ns):
        seen.hear(t_ns, beat("driver"))
        seen.hear(t_ns, beat("sim"))
        assert ("silent" in seen.missing(t_ns)) is (t_ns == 1 + old_ns)
        assert seen.missing(t_ns)


def test_the_driver_tells_of_the_silence_until_a_packet_comes(cube: Configuration) -> None:
    """Before the first packet there is nothing to tell; then session and quality say that it is lost."""
    loop = LockStep(cube)
    driver = loop._driver
    assert not driver.silence()
    driver.observe(loop._session.receive(loop._controller.send(), loop._c.fri.controller_address, 1))
    assert driver.state(1, Counters()).session == "monitor"
    assert driver.silence()
    state = driver.state(2, Counters())
    assert (state.t_ns, state.session, state.quality, state.following) == (2, LOST, 0, False)
    assert state.braking_reason == "the robot is silent"
    loop._controller.advance()
    driver.observe(loop._session.receive(loop._controller.send(), loop._c.fri.controller_address, 3))
    assert driver.state(3, Counters()).session == "monitor"


def test_a_daemon_stalls_when_its_orders_grow_stale() -> None:
    """The driver brakes at the same age of an order."""
    assert not stalled(MODE_TIMEOUT_NS)
    assert stalled(1_600_000_000) == "the daemon stalled for 1.6 s"


def test_what_the_driver_says_of_the_robot_is_told_and_keeps_it_from_ready() -> None:
    """Why nothing was heard, or that it comes too seldom; an arm that is driven is not stopped by it."""
    seen = Liveness(["driver"], robot_timeout=0.05)
    seen.hear(1, Heartbeat(1, "driver", "ready", "datagrams come from 10.0.0.2", 1, ""))
    assert seen.missing(1) == "robot: no packet yet: datagrams come from 10.0.0.2"
    seen.hear(2, Heartbeat(2, "driver", "ready", "packets come every 3.3 ms", 1, ""))
    seen.hear(2, robot(t_ns=2))
    assert seen.missing(2) == "robot: packets come every 3.3 ms"
    assert seen.missing(2, forgiving=True) == ""
    seen.hear(2, robot(t_ns=2, session="monitor", quality=3))
    assert seen.missing(2) == "robot: monitor mode, quality 3: packets come every 3.3 ms"
    seen.hear(3, robot(t_ns=3, session=LOST, quality=0))
    assert seen.missing(3).startswith("robot: silent, no packet of it comes: packets")
