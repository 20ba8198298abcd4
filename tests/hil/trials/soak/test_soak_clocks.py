"""Pauses of the controller, drifting and stepping clocks, in the whole loop, by an outside account.

The loop says what the host's clock shows and what was heard; ages and steps are reckoned anew from that.
"""

from itertools import pairwise

import numpy as np
import pytest

from drivers.fri.session import FriSample
from hil.common.freshness import AHEAD_NS
from hil.configuration import Configuration
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, State
from hil.trials.soak.campaign import configured
from hil.trials.soak.faults import Fault
from hil.trials.soak.host_clock import LONGEST_PAUSE, MOST_DRIFT, HostClock
from hil.trials.soak.ledger import Ledger
from hil.trials.soak.loop import SoakLoop
from planner.kinematics.arm_model import load_arm_model
from tests.hil.trials.soak.only import only
from tests.hil.trials.soak.test_soak import CUBE

PLAN_TIMEOUT_NS = 300_000_000
STEP_NS = 200_000
SETTLED_CYCLES = 1000

SCENARIOS = {  # faults: kind, cycles from the scenario's begin, cycles, size
    "a pause of 40 ms": [("controller pauses", 0, 2, 0.08)],
    "a pause of 0.4 s": [("controller pauses", 0, 2, 0.8)],
    "drift of 1000 ppm": [("clocks drift", 0, 900, 1.0)],
    "drift of -1000 ppm": [("clocks drift", 0, 900, 0.0)],
    "a step back": [("arrivals step in time", 0, 2, 0.0)],
    "a step on": [("arrivals step in time", 0, 2, 1.0)],
    "the planner dies, then a pause": [("planner frozen", 0, 400, 0.5), ("controller pauses", 20, 2, 0.08)],
    "the daemon hangs, then a pause": [("orders stale", 0, 400, 0.5), ("controller pauses", 20, 2, 0.08)],
}


class Watched(SoakLoop):
    """A loop of which every cycle's sample, and whether the arm follows, is kept."""

    def __init__(self, c: Configuration, ledger: Ledger) -> None:
        super().__init__(c, load_arm_model(c.robot.model), 3, ledger)
        self.rows: list[tuple[FriSample, int, bool, bool]] = []
        self.follows_at: list[tuple[int, int, int]] = []  # the host's time, instants of order and plan
        plain = self._driver.cycle

        def cycle(sample, mode):
            afloat = self._driver.afloat
            result = plain(sample, mode)
            self.rows.append((sample, sample.count, self._driver.following, afloat))
            if self._driver.following:
                self.follows_at.append((sample.arrival_ns, mode.t_ns, self._driver._plan.t_ns))
            return result

        self._driver.cycle = cycle


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch):
    """Run two seconds and a half from the first floating on, with one scenario."""

    def run(name: str) -> Watched:
        begun: list[int] = []

        def once(rng: np.random.Generator, cycle: int, sample_time: float) -> list[Fault]:
            if begun:
                return [Fault("quality falls", cycle + 10**7, cycle + 10**7 + 1, 1.0, "both")]
            begun.append(cycle)
            return [
                Fault(kind, cycle + 20 + after, cycle + 20 + after + cycles, size, "both")
                for kind, after, cycles, size in SCENARIOS[name]
            ]

        only(monkeypatch, once)
        ledger = Ledger()
        loop = Watched(configured(CUBE, []), ledger)
        loop.run(3000)
        assert begun and (ledger.violations, ledger.died) == (0, 0), ledger.findings
        return loop

    return run


@pytest.mark.parametrize("name", SCENARIOS)
def test_clocks_that_differ_in_the_whole_loop(watched, name: str) -> None:
    """No stamp goes back, none steps by more than 0.2 ms while the object floats; what is followed is fresh.

    In the end the arm stands, or floats with stamps that are right.
    """
    loop = watched(name)
    period_ns = round(1e9 * loop._T)
    for (a, n_a, _, _), (b, n_b, _, afloat) in pairwise(loop.rows):
        beyond_ns = b.t_ns - a.t_ns - (n_b - n_a) * period_ns
        assert b.t_ns > a.t_ns
        assert abs(beyond_ns) <= STEP_NS or not afloat or b.new_session, (name, n_b)
    for now_ns, order_ns, plan_ns in loop.follows_at:
        assert -AHEAD_NS <= now_ns - order_ns <= MODE_TIMEOUT_NS
        assert -AHEAD_NS <= now_ns - plan_ns <= PLAN_TIMEOUT_NS
    newest, _, following, _ = loop.rows[-1]
    assert abs(newest.arrival_ns - newest.t_ns) < 2_000_000
    assert following or loop._peers.machine.state is not State.FLOATING


@pytest.mark.parametrize("name", ["drift of 1000 ppm", "drift of -1000 ppm"])
def test_drift_stops_nothing(watched, name: str) -> None:
    """The arm follows from the first cycle of floating to the last."""
    following = [row[2] for row in watched(name).rows]
    first = following.index(True)
    assert all(following[first:])


def test_the_hosts_clock_of_a_soak() -> None:
    """Steps, drifts and runs on by what is said; else it is the emulation's time, a second on."""
    clock = HostClock()
    assert clock.ns(0.25) == 1_250_000_000
    clock.step(1.0)
    clock.drift(0.0, 2.0)
    clock.pass_by(LONGEST_PAUSE)
    assert clock.ns(0.25) == 1_250_000_000 + 50_000_000 - round(2e9 * MOST_DRIFT) + 500_000_000
