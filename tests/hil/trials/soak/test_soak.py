"""The soak: 100 000 cycles under random faults without a bad command, and what one would cause."""

import dataclasses
import json
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.errors import ConfigurationError
from hil.loop.driver.core import DriverCore
from hil.loop.driver.robot_watch import RobotWatch
from hil.loop.judging.state_machine import State
from hil.trials.soak.campaign import Campaign, StateFile, configured, run, soaked
from hil.trials.soak.faults import KINDS, Fault, scenario
from hil.trials.soak.impossible_planner import FAST, OUTSIDE, ImpossiblePlanner
from hil.trials.soak.ledger import Ledger, Stops
from hil.trials.soak.loop import SoakLoop
from planner.kinematics.arm_model import load_arm_model
from tests.hil.trials.soak.only import only

CUBE = Path(__file__).resolve().parents[4] / "configs" / "cube.toml"


def test_soak_of_1e5_cycles_breaks_no_limit(tmp_path: Path) -> None:
    """Random faults over five seeds: zero violations, and each ends at rest or in following again.

    It covers link, controller, driver, simulation, planner and orders; kinds are drawn, see the next test.
    """
    campaign = Campaign(CUBE, (), 100_000, seed=1)
    state = StateFile(tmp_path / "state.json", campaign.identity)
    ledger = run(campaign, 2, state, lambda _: None)
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings
    assert ledger.cycles == 100_000 and ledger.commands > 30_000
    assert ledger.scenarios > 50 and len(ledger.faults) > 20
    assert min(ledger.states[state] for state in State if state is not State.CALIBRATING) > 5
    assert ledger.states[State.CALIBRATING] > 2  # seldom: the whole motion must lie within the set
    assert min(ledger.bridged[way] for way in ("extrapolate", "hold")) > 50
    assert ledger.worst["jerk"] > 0.5  # the arm was worked hard, not left standing
    again = StateFile(tmp_path / "state.json", campaign.identity)
    assert again.done == set(range(5)) and again.ledger == ledger
    assert run(campaign, 2, again, lambda _: None) == ledger  # nothing is left to do


def test_every_kind_of_fault_is_drawn_and_scenarios_repeat_by_seed() -> None:
    """Four hundred scenarios contain each kind; one seed gives the same faults again."""
    drawn = [scenario(np.random.default_rng(seed), 10, 0.002) for seed in range(400)]
    assert {fault.kind for faults in drawn for fault in faults} == set(KINDS)
    assert drawn[7] == scenario(np.random.default_rng(7), 10, 0.002)
    assert all(10 <= fault.begin < fault.end for faults in drawn for fault in faults)
    assert any(len(faults) == 3 for faults in drawn)


def test_same_seed_same_counts() -> None:
    """A chunk can be had again from its seed."""
    assert soaked(CUBE, (), 11, 1500) == soaked(CUBE, (), 11, 1500)


COMBINATIONS = {  # faults (kind, cycles, size, begin after so many cycles), and settings
    "a failure after the guard has judged": ([("exception in a cycle", 3, 0.9)], ()),
    "a failure behind a hole": ([("controller silent", 8, 0.0), ("exception in a cycle", 12, 0.5)], ()),
    "a hole of 24 cycles": ([("controller silent", 24, 0.0)], ()),
    "silence that the session outlives": ([("controller silent", 20, 0.0)], ("fri.sample_time_ms=10",)),
    "failures until the next session has begun": (
        [("drives off", 5, 0.0), ("exception in a cycle", 400, 0.1)],
        (),
    ),
    "drives off": ([("drives off", 5, 0.0)], ()),
    "a short pause of the controller": ([("controller pauses", 2, 0.1)], ()),
    "a long pause of the controller": ([("controller pauses", 2, 0.8)], ()),
    "a pause while the clocks drift": ([("clocks drift", 900, 1.0), ("controller pauses", 2, 0.15, 300)], ()),
    "pause after pause": ([("controller pauses", 2, 0.15, 60 * k) for k in range(5)], ()),
    "a restart with answers on their way": (
        [("packets reordered", 400, 1.0), ("controller restarts", 2, 0.7, 100)],
        (),
    ),
}


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_combinations_that_are_easily_got_wrong(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No violation, and the arm comes to rest or follows again; the controller goes on, and it stands."""
    faults, settings = COMBINATIONS[name]
    made = 0

    def fixed(rng: np.random.Generator, cycle: int, sample_time: float) -> list[Fault]:
        nonlocal made
        made += 1
        begun = [(kind, cycle + sum(after), cycles, size) for kind, cycles, size, *after in faults]
        return [Fault(kind, begin, begin + cycles, size, "both") for kind, begin, cycles, size in begun]

    only(monkeypatch, fixed)
    c = configured(CUBE, list(settings))
    ledger = Ledger()
    cycles = round(3.0 / c.fri.sample_time)
    SoakLoop(c, load_arm_model(c.robot.model), seed, ledger).run(cycles)
    assert made >= 1
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings


REASONS = {  # one fault (kind, seconds), and what the daemon says of it
    "the planner process has been silent for 1.0 s": ("planner frozen", 1.2),
    "the sim process has been silent for 1.0 s": ("simulation frozen", 1.2),
    "the daemon stalled for 0.6 s": ("orders stale", 0.6),
    "robot: power off mode": ("drives off", 0.1),
    "the wrench has been nan": ("wrench nan", 0.2),
    "the controller reports an error of A4": ("drive error", 0.1),
    "the controller's strategy is cartesian impedance": ("control strategy changes", 0.1),
    "the controller commands A": ("controller commands otherwise", 0.1),
}


@pytest.mark.parametrize("reason", REASONS)
def test_a_soak_is_judged_as_a_live_run_is(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The daemon's own words for each fault; then the arm floats again."""
    kind, seconds = REASONS[reason]
    plain, heard = SoakLoop._watch, set[str]()

    def once(rng: np.random.Generator, cycle: int, sample_time: float) -> list[Fault]:
        return [Fault(kind, cycle, cycle + round(seconds / sample_time), 0.5, "both")]

    def listening(self, n):
        plain(self, n)
        if self._peers.machine.state is State.FAULT:
            heard.add(self._peers.machine.reason)

    only(monkeypatch, once)
    monkeypatch.setattr(SoakLoop, "_watch", listening)
    c = configured(CUBE, [])
    ledger = Ledger()
    SoakLoop(c, load_arm_model(c.robot.model), 3, ledger).run(round((seconds + 2.0) / c.fri.sample_time))
    assert any(text.startswith(reason) for text in heard), heard
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings
    assert ledger.states["FLOATING"] >= 2


@pytest.mark.parametrize("kind", ["arm stuck", "arm reversed"])
def test_a_soak_finds_an_arm_that_does_not_follow(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lasts until it is found; then the arm follows again, and the object floats again."""
    found = []

    def once(rng: np.random.Generator, cycle: int, sample_time: float) -> list[Fault]:
        return [Fault(kind, cycle, cycle + 4000, 0.5, "both")]

    def judged(self, sample, delay):
        finding = plain(self, sample, delay)
        found.extend([finding] if finding else [])
        return finding

    plain = RobotWatch.judge
    only(monkeypatch, once)
    monkeypatch.setattr(RobotWatch, "judge", judged)
    c = configured(CUBE, [])
    ledger = Ledger()
    SoakLoop(c, load_arm_model(c.robot.model), 3, ledger).run(6000)
    assert found and "limits.following_error_deg" in found[0]
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings
    assert ledger.states["FLOATING"] >= 2 and set(ledger.faults) == {kind}


@pytest.mark.parametrize("seed", [4, 5])
def test_a_robot_that_does_as_it_is_told_is_not_found_fault_with(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under all faults but its own, however its packets come: no echo and no following error."""
    found = []

    def judged(self, sample, delay):
        finding = plain(self, sample, delay)
        found.extend([finding] if finding else [])
        return finding

    plain = RobotWatch.judge
    own = ("arm ", "controller commands")
    kinds = {kind: value for kind, value in KINDS.items() if not kind.startswith(own)}
    monkeypatch.setattr("hil.trials.soak.faults.KINDS", kinds)
    monkeypatch.setattr(RobotWatch, "judge", judged)
    ledger = soaked(CUBE, (), seed, 20_000)
    assert found == [] and ledger.scenarios > 10
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings


IMPOSSIBLE = {
    FAST: ("the plan asks for a speed of", 0.8),
    OUTSIDE: ("the plan leaves the certified set", 6.0),
}


@pytest.mark.parametrize("kind", IMPOSSIBLE)
@pytest.mark.parametrize("size", [0.0, 1.0])
def test_an_impossible_planner_is_braked(kind: str, size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow or fast: a fault that names the certificate, and no limit of a joint is broken."""
    reason, seconds = IMPOSSIBLE[kind]
    plain, heard, spoiled = SoakLoop._watch, set[str](), []
    lead = ImpossiblePlanner.spoiled

    def once(rng: np.random.Generator, cycle: int, sample_time: float) -> list[Fault]:
        return [Fault(kind, cycle, cycle + round(seconds / sample_time), size, "both")]

    def listening(self, n):
        plain(self, n)
        if self._peers.machine.state is State.FAULT:
            heard.add(self._peers.machine.reason)

    def leading(self, plan, active):
        result = lead(self, plan, active)
        if active:
            spoiled.append(result)
        return result

    only(monkeypatch, once)
    monkeypatch.setattr(SoakLoop, "_watch", listening)
    monkeypatch.setattr(ImpossiblePlanner, "spoiled", leading)
    c = configured(CUBE, [])
    ledger = Ledger()
    SoakLoop(c, load_arm_model(c.robot.model), 4, ledger).run(round((seconds + 1.0) / c.fri.sample_time))
    assert any(text.startswith(reason) for text in heard), heard
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings
    assert ledger.faults[kind] >= 1 and ledger.stops[kind].count >= 1
    for plan in spoiled:  # no joint is asked for more than it can
        assert (np.abs(plan.dq) < c.limits.velocity).all()
        q, dq = plan.q[len(plan.q) // 2 :], plan.dq[len(plan.q) // 2 :]
        np.testing.assert_allclose(np.diff(q, axis=0) / plan.step, 0.5 * (dq[1:] + dq[:-1]), atol=2e-3)


def test_a_failure_of_the_loop_itself_is_a_finding_and_the_soak_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A night's work is not lost by it; seed and cycle say how to have it again."""
    plain, count = SoakLoop._operate, 0

    def failing(self, n):
        nonlocal count
        count += 1
        if count == 200:
            raise RuntimeError("broken on purpose")
        return plain(self, n)

    monkeypatch.setattr(SoakLoop, "_operate", failing)
    ledger = soaked(CUBE, (), 5, 600)
    assert (ledger.cycles, ledger.died) == (600, 1)
    assert ledger.findings[0].startswith("seed 5 cycle ") and "broken on purpose" in ledger.findings[0]


def test_a_soak_that_is_broken_off_leaves_no_process_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is still to be done is cancelled, not done by workers that nobody waits for."""
    monkeypatch.setattr("hil.trials.soak.campaign.CHUNK", 100)

    def full(ledger: Ledger) -> None:
        if ledger.cycles:
            raise ConfigurationError("no room left")

    with pytest.raises(ConfigurationError, match="no room left"):
        run(Campaign(CUBE, (), 10_000_000, seed=1), 2, StateFile(None, ""), full)
    until(lambda: not multiprocessing.active_children(), "workers go on")


def until(condition, text="") -> None:
    """Wait for a condition, long enough for a machine that does other things as well."""
    deadline = time.monotonic() + 120.0
    while not condition():
        assert time.monotonic() < deadline, text
        time.sleep(0.05)


def lives(pid: str) -> bool:
    """Whether a process is there and not only waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_soak_that_is_killed_takes_its_processes_along() -> None:
    """SIGTERM to the command alone."""
    command = [sys.executable, "-m", "hil", "soak", str(CUBE), "--cycles", "10000000", "--jobs", "2"]
    soak = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=CUBE.parents[1])
    children = Path(f"/proc/{soak.pid}/task/{soak.pid}/children")
    until(lambda: len(children.read_text().split()) >= 3)  # the third counts the workers' semaphores
    workers = children.read_text().split()
    soak.terminate()
    soak.wait()
    until(lambda: not any(map(lives, workers)), "workers go on")


def test_a_driver_that_jumps_is_found_with_seed_and_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    """One command a few microradians off is a violation, and the finding says how to have it again."""
    plain, count = DriverCore.cycle, 0

    def faulty(self, sample, mode):
        nonlocal count
        cycle = plain(self, sample, mode)
        count += cycle.q_command is not None
        return dataclasses.replace(cycle, q_command=cycle.q_command + 3e-6) if count == 40 else cycle

    monkeypatch.setattr(DriverCore, "cycle", faulty)
    c = configured(CUBE, [])
    ledger = Ledger()
    SoakLoop(c, load_arm_model(c.robot.model), 5, ledger).run(400)
    assert ledger.violations >= 1
    assert ledger.findings[0].startswith("seed 5 cycle ") and "jerk" in ledger.findings[0]


def test_ledgers_add_up() -> None:
    """Counts add, maxima stay, and plain data gives the ledger back."""
    a = Ledger(
        cycles=3,
        faults={"x": 1},
        states={"READY": 2},
        bridged={"hold": 5},
        stops={"x": Stops(1, 0.2, 0.1, 0.0)},
        worst={"jerk": 0.5},
    )
    b = Ledger(
        cycles=4,
        violations=1,
        faults={"x": 2, "y": 1},
        states={"FAULT": 1},
        bridged={"hold": 1, "extrapolate": 2},
        stops={"x": Stops(2, 0.1, 0.3, 0.0)},
    )
    a.join(b)
    assert (a.cycles, a.violations, a.faults) == (7, 1, {"x": 3, "y": 1})
    assert a.states == {"READY": 2, "FAULT": 1} and a.bridged == {"hold": 6, "extrapolate": 2}
    assert a.stops == {"x": Stops(3, 0.2, 0.3, 0.0)} and a.worst == {"jerk": 0.5}
    assert Ledger.from_dict(json.loads(json.dumps(a.to_dict()))) == a


def test_wrong_input_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real robot, a foreign state file, garbage in its place."""
    assert main(["soak", str(CUBE.with_name("lwr_fri.toml")), "--cycles", "10"]) == 2
    assert "only the emulated robot" in capsys.readouterr().err
    state = tmp_path / "state.json"
    StateFile(state, "one").add(0, Ledger())
    with pytest.raises(ConfigurationError, match="belongs to a soak of another"):
        StateFile(state, "other")
    state.write_text("[1, 2")
    with pytest.raises(ConfigurationError, match="is no state of a soak"):
        StateFile(state, "one")
