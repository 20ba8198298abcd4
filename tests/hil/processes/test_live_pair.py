"""Two arms that share a motion, live: one observer, one touch as of free bodies, and one stop line."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.loop.judging.state_machine import State
from hil.loop.shared.flown_pair import bounces, relative_error
from hil.messaging.messages import Reply, Request, SimState, TruthBlock
from hil.processes.pair_run import PairRun
from hil.processes.table import PROCESSES
from hil.recording.replaying.runner import in_one_process
from tests.hil.loop.shared.test_lockstep_shared import TOUCH, arm

BODY = "object.mass_kg=40.0", "object.inertia_kg_m2=[2,2,2]"
STANDS = 5e-7  # [rad] a cycle
PATIENCE_S = 20.0  # for what happens within a second on a quiet machine


def settings(v_a: str, v_b: str, gap: float, *observer: str) -> list[str]:
    """Settings of a pair whose noses begin so far apart [mm]."""
    second = arm(1940.0 + gap, v_b, *BODY)
    return [f"first.settings={arm(0.0, v_a)}", f"second.settings={second}", *observer]


def test_two_bodies_touch_live_as_free_ones_and_both_recordings_are_replayed(tmp_path: Path) -> None:
    """The mock-ups' relative pose is the bodies' within 0.5 mm, they part as one equation of their distance
    says, and the momentum is kept; of both recordings simulation, planner and driver come out the same."""
    with PairRun(TOUCH, settings("[50,30,0]", "[10,30,0]", 40.0), tmp_path / "made") as pair:
        pair.start(lambda _: None)
        run = pair.fly(1.9)
    off, turned = relative_error(run)
    assert run.ended == ""
    assert run.clocks_apart < 1e-9
    (bounce,) = bounces(run)
    # in the touch a simulation that a busy machine holds up tells of some force a turn late, and corrects it
    calm = (run.t < bounce.t) | (run.t > bounce.t + 0.3)
    assert off[calm].max() < 5e-4 and np.quantile(off, 0.95) < 5e-4
    assert np.degrees(turned.max()) < 0.1
    touch, m = run.pair.shared.touch, 1.0 / (1.0 / 60.0 + 1.0 / 40.0)

    def rate(_, y):
        force = max(0.0, touch.stiffness * y[0] + touch.damping * y[1]) if y[0] > 0.0 else 0.0
        return [y[1], -force / m]

    free = solve_ivp(rate, (0.0, 0.3), [0.0, bounce.before], max_step=1e-4, rtol=1e-9)
    assert bounce.before == pytest.approx(0.04, rel=5e-3)
    assert bounce.after == pytest.approx(-free.y[1, -1], rel=0.04)
    assert bounce.lost < 0.06
    for name in ("first", "second"):
        verdicts = in_one_process(tmp_path / "made" / f"{name}.mcap", lambda core, turns: None)
        for verdict in verdicts[:3]:
            assert verdict.turns > 10 and verdict.same, verdict


class Pair:
    """Both runs as an operator has them, who floats them again and again."""

    def __init__(self, live: PairRun) -> None:
        self.live = live
        self._states = [run.bus.subscriber("sim_state", SimState) for run in live.runs]
        self._truths = [run.bus.subscriber("truth", TruthBlock) for run in live.runs]

    def ask(self, index: int, verb: str, arguments: str = "{}") -> Reply:
        return self.live.runs[index].bus.ask(Request(time.monotonic_ns(), verb, arguments), PATIENCE_S)

    def status(self, index: int, key: str = "state") -> str:
        return str(self.live.runs[index].bus.status()[key])

    def wait(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            for run in self.live.runs:
                run.check()
            assert time.monotonic() < deadline, "\n".join(run.log for run in self.live.runs)
            time.sleep(0.02)

    def float(self, index: int = 0) -> None:
        """Let both float by a word to one of them, from wherever they are."""
        for k in (0, 1):
            if self.status(k) in (State.FLOATING, State.HOLDING):
                self.ask(k, "stop")
        for k in (0, 1):
            self.wait(lambda k=k: self.status(k) == State.READY or (self.ask(k, "reset") and False))
        self.wait(lambda: not self.status(index, "float_refused"))
        reply = self.ask(index, "float")
        assert reply.accepted, reply.text
        self.wait(lambda: self.object_times() > 0.2)

    def object_times(self) -> float:
        """The lesser of both bodies' object times."""
        newest = [states.newest() for states in self._states]
        return min(0.0 if state is None else state.object_time for state in newest)

    def pid(self, index: int, process: str) -> int:
        directory = self.live.runs[index].directory
        words = f"{PROCESSES[process].module} .*{directory} "
        found = subprocess.run(["pgrep", "-f", words], capture_output=True, text=True, check=False)
        return int(found.stdout.split()[0])

    def both_stand(self) -> bool:
        """Whether neither arm really moves: a tenth of what the slower one does afloat, at most."""
        moved = []
        for truths in self._truths:
            truths.drain()
            self.wait(lambda truths=truths, moved=moved: (got := truths.newest()) and not moved.append(got))
        return all(np.abs(np.diff(block.q, axis=0)).max() < STANDS for block in moved)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """Two bodies that come nearer slowly, floating, started once."""
    with PairRun(TOUCH, settings("[6,0,0]", "[0,0,0]", 100.0)) as live:
        made = Pair(live)
        live.start(lambda _: None)
        made.wait(lambda: made.object_times() > 0.2)
        yield made


def held_together(pair: Pair, index: int, state: str, word: str) -> None:
    """One arm is in a state with a reason, the other one held for it; both stand, and nothing goes on."""
    other, name = 1 - index, ("first", "second")[index]
    pair.wait(lambda: pair.status(index) == state and pair.status(other) == State.HOLDING)
    assert word in pair.status(index, "reason")
    assert f"the {name} arm is " in pair.status(other, "reason")
    pair.wait(pair.both_stand)
    refused = pair.ask(other, "float")
    assert not refused.accepted and "what two arms share goes on for none of them" in refused.text
    assert pair.both_stand()


def test_what_an_operator_holds_of_one_the_other_holds(pair: Pair) -> None:
    """By the second one's run; told in the status of both, and gone on with from READY of both alone."""
    assert "the second one is FLOATING" in pair.status(0, "pair")
    assert pair.ask(1, "hold").accepted
    held_together(pair, 1, State.HOLDING, "by the operator")
    assert pair.ask(0, "stop").accepted
    pair.wait(lambda: pair.ask(0, "reset") and pair.status(0) == State.READY)
    alone = pair.ask(0, "float")
    assert not alone.accepted and "the second arm is HOLDING" in alone.text
    pair.float(index=1)


def test_a_robot_that_falls_silent_holds_both(pair: Pair) -> None:
    """The second arm's packets stop: it is in FAULT, and the first one held for it."""
    pair.float()
    assert pair.ask(1, "disturb", '{"silence": true, "seconds": 1.0}').accepted
    held_together(pair, 1, State.FAULT, "robot")


@pytest.mark.parametrize(("index", "process"), [(1, "sim"), (0, "planner")])
def test_a_killed_process_of_one_run_holds_both_and_its_restart_moves_nothing(
    pair: Pair, index: int, process: str
) -> None:
    """SIGKILL: FAULT here, HOLDING there; started again it moves nothing, and both float by a word."""
    pair.float()
    os.kill(pair.pid(index, process), signal.SIGKILL)
    held_together(pair, index, State.FAULT, f"the {process} process was ended by signal 9")
    pair.wait(lambda: pair.ask(index, "reset") and pair.status(index) == State.READY)
    assert pair.both_stand()
    pair.float(index)


@pytest.mark.parametrize(("index", "process"), [(0, "planner"), (0, "daemon"), (1, "driver")])
def test_a_process_that_stands_holds_both(pair: Pair, index: int, process: str) -> None:
    """SIGSTOP: neither arm goes on by an old observer or for a run that hangs, nor when it runs again."""
    pair.float()
    pid = pair.live.runs[index]._run.pid if process == "daemon" else pair.pid(index, process)
    os.kill(pid, signal.SIGSTOP)
    try:
        pair.wait(lambda: pair.status(1 - index) == State.HOLDING)
        told = pair.status(1 - index, "reason")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert f"the {('first', 'second')[index]} arm" in told or "observer's path is" in told
    pair.wait(lambda: pair.status(index) in (State.HOLDING, State.FAULT))
    pair.wait(pair.both_stand)
    assert not pair.ask(1 - index, "float").accepted


def test_a_killed_daemon_holds_the_other_arm(pair: Pair) -> None:
    """Nobody says any more what the second arm does: the first one is held."""
    pair.float()
    os.kill(pair.live.runs[1]._run.pid, signal.SIGKILL)
    first = pair.live.runs[0]
    deadline = time.monotonic() + PATIENCE_S
    while "FLOATING -> HOLDING: the second arm's run is silent" not in first.log:
        assert time.monotonic() < deadline, first.log
        time.sleep(0.02)
