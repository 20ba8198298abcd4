"""Orders and plans are fresh by when packets arrive, whatever their stamps say; stamps that jump leave a gap.

The driver is fed by hand: its packets' stamps and arrivals are said apart.
"""

import dataclasses

import numpy as np
import pytest

from hil.common.freshness import AHEAD_NS
from hil.configuration import Configuration
from hil.loop.driver.cycle import Counters
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, State
from hil.messaging.messages import Mode, Plan
from tests.hil.loop.driven import Driven

MS = 1_000_000
PLAN_TIMEOUT_NS = 300 * MS
LAG_NS = 400 * MS  # by which stamps lag behind arrivals after a controller's pause of so long


@pytest.fixture
def driven(cube: Configuration) -> Driven:
    """A driver with the default configuration, whose plans are renewed by hand."""
    return Driven(cube)


def said_at(t_ns: int, later_ns: int, plan: Plan) -> Plan:
    """The same path at the same time, in a plan whose instant is `later_ns` later than it was."""
    return dataclasses.replace(
        plan, t_ns=t_ns, time_map=np.array([plan.time_map[0] - 1e-9 * later_ns, *plan.time_map[1:]])
    )


class Lagging:
    """A driver whose packets arrive as much later than they are stamped as is said, with orders and plans."""

    def __init__(self, driven: Driven) -> None:
        self.driven, self.lag_ns = driven, 0
        self.following: list[tuple[int, bool]] = []  # arrival, whether the arm followed

    @property
    def now_ns(self) -> int:
        """The host's time: that at which this cycle's packet arrives."""
        return self.driven.t_ns + self.lag_ns

    def cycle(self, mode: Mode | None, plan: Plan | None = None) -> bool:
        """One packet with these; return whether the arm follows."""
        sample = self.driven.sample(arrival_ns=self.now_ns)
        driver = self.driven.driver
        driver.observe(sample)
        cycle = driver.cycle(sample, mode)
        driver.conclude(sample, driver.slices_of(cycle), plan)
        assert cycle.q_command is not None
        self.driven.q = cycle.q_command
        self.driven.count += 1
        self.following.append((sample.arrival_ns, driver.following))
        return driver.following

    def order(self, state: State = State.FLOATING) -> Mode:
        """The order of this instant, by the host's clock."""
        return dataclasses.replace(self.driven.mode(state), t_ns=self.now_ns)

    def plan(self) -> Plan:
        """A plan of this instant, by the host's clock, for the path on which the arm is, by the stamps."""
        plan = self.driven.plan()
        return said_at(self.now_ns, self.lag_ns, plan)

    def last_following_ns(self) -> int:
        """The newest arrival at which the arm followed."""
        return max(arrival_ns for arrival_ns, following in self.following if following)


@pytest.mark.parametrize("lag_ns", [0, LAG_NS, -LAG_NS])
def test_an_order_is_judged_by_arrivals(driven: Driven, lag_ns: int) -> None:
    """The daemon falls silent: half a second of the host's time later the arm brakes, whatever stamps say."""
    run = Lagging(driven)
    run.cycle(run.order(), run.plan())
    run.lag_ns = lag_ns
    order, plan = run.order(), run.plan()
    run.cycle(order, plan)
    begin_ns = run.now_ns
    while run.now_ns < begin_ns + MODE_TIMEOUT_NS + 100 * MS:
        plan = run.plan() if driven.count % 50 == 0 else None
        run.cycle(order, plan)
    period_ns = round(1e9 * driven.dt)
    assert abs(run.last_following_ns() - order.t_ns - MODE_TIMEOUT_NS) <= period_ns


@pytest.mark.parametrize("lag_ns", [0, LAG_NS, -LAG_NS])
def test_a_plan_is_judged_by_arrivals(driven: Driven, lag_ns: int) -> None:
    """The planner dies while the arm follows: 300 ms of the host's time after its last plan's instant."""
    run = Lagging(driven)
    run.lag_ns = lag_ns
    run.cycle(run.order())
    plan = run.plan()
    run.cycle(run.order(), plan)
    for _ in range(300):
        run.cycle(run.order())
    period_ns = round(1e9 * driven.dt)
    assert abs(run.last_following_ns() - plan.t_ns - PLAN_TIMEOUT_NS) <= period_ns
    assert "300 allowed" in driven.driver.reason


@pytest.mark.parametrize("since_ns", [280 * MS, 300 * MS, 302 * MS, 380 * MS])
def test_a_resting_arm_sets_off_nothing_when_the_planner_has_died(driven: Driven, since_ns: int) -> None:
    """Stamps lag by 0.4 s; the order to float comes so long after the dead planner's last plan."""
    run = Lagging(driven)
    run.lag_ns = LAG_NS
    plan = run.plan()  # looked at where the stamps are, it asks for motion
    path = plan.q + 0.1 * plan.step * np.arange(len(plan.q))[:, None] - 0.03
    plan = dataclasses.replace(plan, q=path, dq=np.full_like(plan.dq, 0.1))
    run.cycle(run.order(State.READY), plan)
    stands = driven.q
    while run.now_ns < plan.t_ns + since_ns:
        run.cycle(run.order(State.READY))
    for _ in range(100):
        run.cycle(run.order())
    assert np.array_equal(driven.q, stands) is (since_ns > PLAN_TIMEOUT_NS)


@pytest.mark.parametrize(("ahead_ns", "holds"), [(AHEAD_NS, True), (AHEAD_NS + MS, False), (LAG_NS, False)])
def test_an_order_of_the_future_is_not_obeyed(driven: Driven, ahead_ns: int, holds: bool) -> None:
    """A clock has stepped: nothing is fresh that seems yet to come."""
    run = Lagging(driven)
    for _ in range(50):
        run.cycle(run.order(), run.plan() if driven.count == 1 else None)
    order = dataclasses.replace(run.order(), t_ns=run.now_ns + ahead_ns)
    assert run.cycle(order) is holds


@pytest.mark.parametrize(
    ("ahead_ns", "holds"), [(AHEAD_NS, True), (AHEAD_NS + 3 * MS, False), (LAG_NS, False)]
)
def test_a_plan_of_the_future_is_not_followed(driven: Driven, ahead_ns: int, holds: bool) -> None:
    """The other host's clock is taken for another than it is: the arm brakes, and says so."""
    run = Lagging(driven)
    for _ in range(50):
        run.cycle(run.order(), run.plan() if driven.count == 1 else None)
    run.cycle(run.order(), said_at(run.now_ns + ahead_ns, ahead_ns, run.plan()))
    assert run.cycle(run.order()) is holds
    assert holds or "from now: a clock stepped" in driven.driver.reason


def test_a_jump_of_the_stamps_is_a_gap_of_the_detector(driven: Driven) -> None:
    """Also one that is shorter than a gap of the samples: counted once; a longer one too."""
    rng = np.random.default_rng(7)

    def gaps_after(cycles: int, **changes) -> int:
        for _ in range(cycles):
            driven.cycle(wrench=rng.normal(0.0, 0.01, 6), **changes)
        return driven.driver._sensing._detector.counts["gaps"]

    assert gaps_after(50) == 0
    assert gaps_after(1, t_ns=driven.t_ns + 3 * MS, gap=True) == 1
    assert gaps_after(50) == 1
    driven.count += 200
    assert gaps_after(1, gap=True) == 2
    assert gaps_after(50) == 2


def test_the_robots_state_tells_when_its_newest_packet_came(driven: Driven) -> None:
    """By the host's clock, whatever its stamp; in a silence as well, when all else is of now."""
    driven.cycle(arrival_ns=driven.t_ns + LAG_NS)
    arrival_ns = driven.t_ns - round(1e9 * driven.dt) + LAG_NS
    assert driven.driver.state(driven.t_ns, Counters()).arrival_ns == arrival_ns
    driven.driver.silence()
    assert driven.driver.state(driven.t_ns + LAG_NS, Counters()).arrival_ns == arrival_ns


def test_stamps_are_kept_steady_while_the_object_floats_by_a_fresh_order(driven: Driven) -> None:
    """Not before, not when the order is old, not over a silence of the robot, nor with a fault."""
    driver = driven.driver
    assert not driver.afloat
    driven.cycle()
    assert driver.afloat
    driven.cycle(State.READY)
    assert not driver.afloat
    driven.cycle(arrival_ns=driven.t_ns + MODE_TIMEOUT_NS + 1)
    assert not driver.afloat
    driven.cycle()
    driver.silence()
    assert not driver.afloat
    driven.cycle()
    assert driver.afloat
    driven.cycle(failing=True)
    driven.cycle()
    assert driver.fault and not driver.afloat
