"""Following plans: exact where it can be, within limits always, at rest where there is nothing to follow."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from hil.common.time_map import object_time_at
from hil.configuration.schema import Interpolation, Stops
from planner.following.closing import closing_of
from planner.following.guard import Guard
from planner.following.interpolator import (
    FOLLOW_DIFFERENCE,
    POSITION_RESERVE,
    START_DIFFERENCE,
    START_SPEED,
    Interpolator,
)
from planner.following.lead import Lead
from planner.following.limiter import LimiterError
from planner.kinematics.forward import flange_pose, jacobian
from tests.planner.following.following_cases import (
    DT,
    HOME,
    LIMITS,
    MODEL,
    REACH,
    line,
    plan_of,
    swing,
    worst_ratios,
)

FRACTION = LIMITS.command_fraction
T_FLANGE_OBJECT = np.eye(4)
T_FLANGE_OBJECT[:3, 3] = 0.0, 0.05, 0.15
STOPS = Stops(max_speed_mm_s=150.0, max_spin_deg_s=28.0)
WAVE = np.linspace(0.05, 0.2, 7)


class Run:
    """An interpolator on virtual time, with the stream that it sent."""

    def __init__(self, q=HOME, **configuration):
        setting = Interpolation(**configuration)
        closing = closing_of(MODEL, T_FLANGE_OBJECT, STOPS, setting)
        self.interpolator = Interpolator(MODEL, LIMITS, setting, DT, closing)
        self.interpolator.reset(q)
        self.guard = Guard(MODEL, LIMITS, DT)
        self.guard.reset(np.array(q))
        self.n, self.t, self.q, self.commands = 0, [0.0], [np.array(q)], []

    @property
    def now(self):
        return self.n * DT

    def step(self, lead=0.012, cycles=1, **more):
        self.n += cycles
        command = self.interpolator.step(round(self.now * 1e9), lead, cycles=cycles, **more)
        self.t.append(self.now)
        self.q.append(command.q)
        self.commands.append(command)
        self.guard.check(command.q, command.elapsed)
        return command

    def follow(self, motion, duration, every=20, **more):
        """Run for `duration`, with a fresh plan of `motion` every so many cycles."""
        for k in range(round(duration / DT)):
            if k % every == 0:
                assert self.interpolator.accept(plan_of(motion, self.now)) == ""
            self.step(**more)
        return self.commands[-1]

    def assert_within_limits(self):
        q = np.array(self.q)
        assert self.guard.fault == ""
        assert worst_ratios(np.array(self.t), q).max() <= FRACTION + 1e-5
        assert np.all(np.abs(q) <= REACH - LIMITS.position_margin)


def test_a_motion_within_limits_is_reproduced_exactly():
    """From rest on, command(t) = plan(t + lead) with both derivatives, to rounding, over many plans."""
    run, motion = Run(), swing(WAVE, 1.5)
    run.interpolator.accept(plan_of(motion, 0.0))
    run.step(lead=0.0)
    for k in range(1500):
        if k % 10 == 0:
            run.interpolator.accept(plan_of(motion, run.now, step=0.01))
        command = run.step(lead=0.0)
        for got, want, atol in zip(
            (command.q, command.dq, command.ddq),
            motion(np.array([[round(run.now * 1e9) * 1e-9]])),
            (1e-9, 1e-7, 1e-4),
            strict=True,
        ):
            np.testing.assert_allclose(got, want[0], atol=atol)
        assert command.following and command.reason == ""
    run.assert_within_limits()


def test_a_late_velocity_change_overshoots_by_rate_times_delay():
    """Found L late, a change dv is taken at once and exceeded by k L dv; the gap then decays at k."""
    late, change, k = 0.03, np.full(7, 0.1), 5.0
    run = Run(closing_rate=k, closing_overshoot=1.0)
    run.follow(line(0 * change), 0.1, lead=0.0)
    began = run.now - late
    run.follow(line(change, since=began), 2.0, lead=0.0)
    dq = np.array([c.dq for c in run.commands])
    taken = 2 * np.sqrt(0.1 / (FRACTION * 160.0))  # the limiter's own time adds half of it to the gap
    low, high = k * late, k * (late + taken)
    over = dq.max(axis=0) / change - 1.0
    assert np.all(over > 0.9 * low) and np.all(over < high)
    np.testing.assert_allclose(run.q[-1], HOME + change * (run.now - began), atol=2e-6)
    run.assert_within_limits()


def test_closing_is_slower_for_a_longer_lead():
    """Gaps are closed at min(rate, overshoot / lead): 0.15 / 0.25 s leaves e^(-0.6) after a second."""
    run = Run(HOME + 0.04)
    run.follow(line(np.zeros(7)), 0.3, lead=0.25)
    before = run.q[-1] - HOME
    run.follow(line(np.zeros(7)), 1.0, lead=0.25)
    np.testing.assert_allclose(run.q[-1] - HOME, before * np.exp(-0.6), rtol=1e-3)


@pytest.mark.parametrize("place", [2e-5, 5e-4, 1e-2])
def test_a_place_is_caught_up_with_as_fast_as_the_limits_allow(place):
    """At a quick rate, and never beyond it: a small one within 20 ms, a large one as the jerk allows."""
    run, missing = Run(), np.zeros((3, 6))
    run.follow(line(np.zeros(7)), 0.1)
    missing[1] = place
    caught = {"missing": missing, "J": np.eye(6, 7), "closing_rate": 200.0}
    run.follow(line(np.zeros(7)), 0.02, **caught)
    assert (run.q[-1][0] - HOME[0]) / place > (0.8 if place < 1e-4 else 0.01)
    run.follow(line(np.zeros(7)), 0.6, **caught)
    ways = (np.array(run.q)[:, :6] - HOME[:6]) / place
    assert ways.max() < 1.0 + 1e-4
    np.testing.assert_allclose(ways[-1], 1.0, atol=1e-3)
    run.assert_within_limits()


def test_replacing_a_plan_keeps_position_and_limits():
    """Plans that jump in position and velocity by turns never make the command jump."""
    run, rng = Run(), np.random.default_rng(8)
    for _ in range(60):
        run.follow(line(rng.normal(0, 0.3, 7), HOME + rng.normal(0, 0.02, 7), run.now), 0.05, lead=0.02)
        assert run.commands[-1].following
    run.assert_within_limits()


def test_object_time_that_slows_to_a_halt_brings_the_arm_to_rest():
    """HOLD: the command is plan(s(t + lead)) all along, and stands when object time stands."""
    run, motion = Run(), line(np.full(7, 0.1))
    run.follow(motion, 1.5)
    s = run.now
    time_map = np.array([0.2, s + 0.2, 1.0, 0.0])
    run.interpolator.accept(plan_of(motion, s, time_map=time_map))
    t0 = run.now
    for _ in range(140):
        command = run.step()
        s, rate, _ = object_time_at(time_map, run.now + 0.012 - t0)
        np.testing.assert_allclose(command.q, motion(np.array([[s]]))[0][0], atol=2e-4)
    run.interpolator.accept(plan_of(motion, run.now, time_map=np.array([0.0, s, 0.0, 0.0]), begin=-3.0))
    for _ in range(140):
        command = run.step()
    assert rate < 1.0 and np.abs(command.dq).max() < 2e-3 and command.following
    run.assert_within_limits()


@pytest.mark.parametrize("why", ["stale", "early", "ended", "asked"])
def test_without_a_plan_to_follow_the_arm_brakes_to_exact_rest(why):
    """Plan too old, not begun, at its end, or told not to: rest within limits, exactly, with the reason."""
    run, motion = Run(), line(np.linspace(-0.5, 0.5, 7))
    run.follow(motion, 0.4)
    begin, end = 0.5 if why == "early" else -0.1, 0.05 if why == "ended" else 2.0
    run.interpolator.accept(plan_of(motion, run.now, begin, end))
    while run.commands[-1].following:
        run.step(follow=why != "asked")
        assert run.n < 1000
    words = {
        "stale": "plan is 302 ms old, 300 allowed",
        "early": "plan begins after the instant looked at",
        "ended": "plan has ended",
        "asked": "",
    }
    assert run.commands[-1].reason == words[why]
    for _ in range(120):
        run.step(follow=why != "asked")
    assert run.interpolator.at_rest and not run.commands[-1].dq.any()
    assert np.array_equal(run.q[-1], run.q[-2])
    run.assert_within_limits()


def test_following_takes_up_again_when_a_fresh_plan_comes_while_braking():
    """A planner that was late for a moment does not stop the arm for good."""
    run, motion = Run(), line(np.full(7, 0.05))
    run.follow(motion, 0.2)
    while run.commands[-1].following:
        run.step()
    run.step()
    run.follow(motion, 1.5)
    assert run.commands[-1].following
    np.testing.assert_allclose(run.q[-1], HOME + 0.05 * (run.now + 0.012), atol=1e-5)
    run.assert_within_limits()


def test_a_start_far_from_the_plan_is_refused_and_one_near_is_smooth():
    """More than the stated difference is no start but a reason; less is absorbed and closed gently."""
    run = Run(HOME + np.array([0, 0, 0, START_DIFFERENCE + 0.01, 0, 0, 0]))
    command = run.follow(line(np.zeros(7)), 0.1)
    assert not command.following and not np.ptp(np.array(run.q), axis=0).any()
    allowed = START_DIFFERENCE + START_SPEED * 0.012  # the look-ahead
    assert command.reason == f"A4 is 0.060 rad from the plan, {allowed:.3f} allowed: reset and float again"
    run = Run(HOME + START_DIFFERENCE - 0.01)
    command = run.follow(line(np.zeros(7)), 2.0)
    assert command.following
    assert np.abs(command.q - HOME).max() < 1e-3
    assert max(np.abs(c.dq).max() for c in run.commands) < 5.0 * START_DIFFERENCE
    run.assert_within_limits()


def test_a_plan_far_away_stops_the_arm_until_reset():
    """A difference no push can explain ends in rest, and stays until `reset`."""
    run = Run()
    run.follow(line(np.full(7, 0.2)), 0.3)
    run.follow(line(np.full(7, 0.2), HOME + 2 * FOLLOW_DIFFERENCE), 0.3)
    run.follow(line(np.zeros(7), run.q[-1]), 0.3)
    assert not run.commands[-1].following and run.interpolator.at_rest
    assert "rad from the plan" in run.commands[-1].reason
    run.assert_within_limits()
    run.interpolator.reset(run.q[-1])
    assert run.follow(line(np.zeros(7), run.q[-1]), 0.1).following


def test_braking_begins_in_time_for_a_position_limit():
    """A plan that runs through a limit is left early enough to stop before it, and the joint is named."""
    top = REACH[3] - LIMITS.position_margin
    start = HOME.copy()
    start[3] = top - 0.4
    run = Run(start)
    run.follow(line(np.array([0, 0, 0, 0.6, 0, 0, 0]), start), 1.5)
    assert run.commands[-1].reason == "A4 would pass its position limit" and run.interpolator.at_rest
    assert top - 0.1 < run.q[-1][3] <= top
    run.assert_within_limits()


def test_the_guard_need_not_brake_for_a_position_limit():
    """Creeping towards it, the arm stands a reserve before it."""
    top = REACH[3] - LIMITS.position_margin
    start = HOME.copy()
    start[3] = top - 0.02
    run = Run(start)
    run.follow(line(np.array([0, 0, 0, 0.02, 0, 0, 0]), start), 1.5)
    assert run.commands[-1].reason == "A4 would pass its position limit" and run.interpolator.at_rest
    assert top - 3.0 * POSITION_RESERVE < run.q[-1][3] <= top - POSITION_RESERVE


def test_a_failing_limiter_still_ends_in_rest(monkeypatch):
    """Whatever ruckig raises: a stop in closed form within limits, a fault, nothing followed until reset."""
    run = Run()
    run.follow(line(np.full(7, 0.3)), 0.2)

    def refuse(*_):
        raise LimiterError("limiter: refused")

    monkeypatch.setattr(run.interpolator._limiter, "step", refuse)
    run.follow(line(np.full(7, -0.3), run.q[-1], run.now), 0.3)
    assert run.commands[-1].fault == "limiter: refused" and run.interpolator.at_rest
    run.assert_within_limits()
    monkeypatch.undo()
    assert not run.follow(line(np.zeros(7), run.q[-1]), 0.1).following


def pushed(plan_late: float) -> np.ndarray:
    """Commands (n, 7) before, while and after a push at 0.1 s whose plan comes so much later [s]."""
    J, twist, lead = np.eye(6, 7), np.array([0.02, -0.01, 0.03, 0.01, 0.02, -0.02]), 0.012
    run, dq = Run(), np.append(twist, 0.0)
    for k in range(200):
        after = run.now - 0.1  # since the push
        knows = after >= plan_late
        if k % 20 == 0 or (knows and after < plan_late + DT):
            motion = line(dq, HOME, 0.1) if knows else line(np.zeros(7), HOME)
            assert run.interpolator.accept(plan_of(motion, run.now)) == ""
        moved = run.now + DT + lead - 0.1
        missing = np.array([twist, twist * moved, np.zeros(6)]) if after >= 0.0 and not knows else None
        run.step(lead=lead, missing=missing, J=J)
    run.assert_within_limits()
    return np.array(run.q)


def test_how_long_a_plan_takes_does_not_show():
    """A push's commands are the same whether its plan comes 10, 40 or 100 ms later."""
    soon = pushed(0.01)
    assert np.abs(soon[-1] - HOME).max() > 5e-3
    for late in (0.04, 0.1):
        np.testing.assert_allclose(pushed(late), soon, atol=2e-6)


@pytest.mark.parametrize("joint", [0, 3, 6])
def test_a_plan_that_is_finite_but_overflows_ends_in_rest(joint):
    """Between nodes of +-1.7e308 a polynomial is no number: the largest gap of all, at any joint."""
    run = Run()
    run.follow(line(np.full(7, 0.1)), 0.2)
    plan = plan_of(line(np.full(7, 0.1)), run.now)
    q = np.array(plan.q)
    q[:, joint] = 1.7e308 * (-1.0) ** np.arange(len(q))
    assert run.interpolator.accept(dataclasses.replace(plan, q=q)) == ""
    for _ in range(200):
        run.step()
    assert "rad from the plan" in run.commands[-1].reason and run.interpolator.at_rest
    run.assert_within_limits()


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_twist_that_is_not_finite_ends_in_rest(row):
    """The short cut's input is no exception: NaN, in any of its rows, is a fault and a stop."""
    run = Run()
    run.follow(line(np.full(7, 0.1)), 0.2)
    missing = np.zeros((3, 6))
    missing[row] = np.nan
    run.follow(line(np.full(7, 0.1)), 0.3, missing=missing, J=np.eye(6, 7))
    assert run.commands[-1].fault and run.interpolator.at_rest
    run.assert_within_limits()


def moved(q, dq):
    """Speed [m/s] and spin [rad/s] of the held object, by differences of its pose."""
    a, b = (flange_pose(MODEL.geometry, q + x * dq) @ T_FLANGE_OBJECT for x in (-1e-6, 1e-6))
    turned = Rotation.from_matrix(a[:3, :3].T @ b[:3, :3]).magnitude()
    return np.array([np.linalg.norm(b[:3, 3] - a[:3, 3]), turned]) / 2e-6


GAPS = {  # of the joints [rad], by the bound that closing them reaches
    "speed": np.array([0.0, 0.15, 0.0, -0.15, 0.0, 0.0, 0.0]),
    "spin": np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3]),
}


@pytest.mark.parametrize("bound", GAPS)
@pytest.mark.parametrize("overshoot", [0.15, 0.05])
def test_a_gap_is_closed_at_a_bounded_speed(bound, overshoot):
    """The plan jumps: the object comes back at twice the overshoot's share of what is certified, straight."""
    run = Run(closing_overshoot=overshoot)
    run.follow(line(np.zeros(7)), 0.1)
    start, gap = run.q[-1], GAPS[bound]
    run.follow(line(np.zeros(7), start + gap), 14.0)
    speeds = np.array([moved(command.q, command.dq) for command in run.commands])
    fastest = speeds.max(axis=0) / (2.0 * overshoot * np.array([STOPS.max_speed, STOPS.max_spin]))
    assert 0.97 < fastest[("speed", "spin").index(bound)] < 1.01
    assert fastest.max() < 1.01
    np.testing.assert_allclose(run.q[-1] - start, gap, atol=2e-3)
    run.assert_within_limits()


def test_an_elbow_that_comes_back_turns_no_faster_than_the_object_may():
    """Of a gap that hardly moves the object, the joint with the largest is bounded by the spin."""
    run = Run()
    run.follow(line(np.zeros(7)), 0.1)
    J = jacobian(MODEL.geometry, HOME, T_FLANGE_OBJECT)
    elbow = np.linalg.svd(J)[2][-1]  # the object stands still by it
    run.follow(line(np.zeros(7), run.q[-1] + 0.3 * elbow), 1.0)
    dq = np.array([command.dq for command in run.commands])
    most = 2.0 * 0.15 * STOPS.max_spin
    np.testing.assert_allclose(np.abs(dq).max(), most, rtol=0.02)
    assert max(moved(c.q, c.dq)[0] for c in run.commands) < 0.3 * 2.0 * 0.15 * STOPS.max_speed
    run.assert_within_limits()


def test_the_gap_of_a_push_is_closed_as_ever():
    """The slowest closing that a push can need is let through: e' = -k e to the last digit (equation 24)."""
    run = Run()
    run.follow(line(np.zeros(7)), 0.1)
    at = run.q[-1] + np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.02])
    assert run.interpolator.accept(plan_of(line(np.zeros(7), at), run.now)) == ""
    for _ in range(50):
        run.step()
    gap = run.interpolator.gap
    run.step()
    np.testing.assert_allclose(run.interpolator.gap[6], gap[6] * np.exp(-5.0 * DT), rtol=1e-9)


def test_the_short_cut_adds_the_twist_and_hands_it_over_to_the_plan():
    """J dq is the missing twist while the plan lacks it, and goes on unchanged when the plan has it."""
    rng = np.random.default_rng(2)
    J, twist = rng.normal(size=(6, 7)), np.array([0.05, -0.02, 0.03, 0.1, 0.05, -0.1])
    run = Run(closing_rate=0.1)
    run.follow(line(np.zeros(7)), 0.1)
    begun = run.now
    assert run.interpolator.accept(plan_of(line(np.zeros(7)), run.now)) == ""
    for _ in range(round(0.2 / DT)):
        run.step(missing=np.array([twist, twist * (run.now + DT - begun), np.zeros(6)]), J=J)
    np.testing.assert_allclose(J @ run.commands[-1].dq, twist, rtol=0.05)
    dq = run.commands[-1].dq
    ahead = run.now + 0.012
    command = run.follow(line(dq, run.q[-1], ahead), 0.1)
    np.testing.assert_allclose(command.dq, dq, rtol=0.05)
    tail = np.array([c.dq for c in run.commands[-80:]])
    assert np.ptp(tail, axis=0).max() < 0.02 * np.abs(dq).max()
    run.assert_within_limits()


def test_the_lead_changes_slowly_and_within_limits():
    """From 12 to 60 ms at most 20 ms a second; afterwards the command is the plan that much ahead."""
    motion = line(np.full(7, 0.1), HOME - 0.4)
    run = Run(motion(np.array([[0.012]]))[0][0])
    leads = []
    for k in range(round(6.0 / DT)):
        if k % 50 == 0:
            run.interpolator.accept(plan_of(motion, run.now))
        run.step(lead=0.012 if run.now < 0.5 else 0.06)
        leads.append(run.interpolator.lead)
    assert 0.0 < np.diff(leads).max() <= 0.02 * DT * (1 + 1e-9)
    assert abs(leads[-1] - 0.06) < 1e-3 and max(leads) < 0.062
    np.testing.assert_allclose(run.q[-1], motion(np.array([[run.now + leads[-1]]]))[0][0], atol=1e-5)
    run.assert_within_limits()


def test_cycles_without_a_packet_are_made_up_for():
    """A step over several cycles covers their time, however many: the controller has moved on as well."""
    run, motion = Run(), line(np.full(7, 0.2))
    run.follow(motion, 0.5)
    command = run.step(cycles=3)
    assert command.elapsed == pytest.approx(3 * DT)
    run.follow(motion, 0.02)
    run.assert_within_limits()
    before = run.q[-1]
    command = run.step(cycles=60)
    assert command.elapsed == pytest.approx(60 * DT)
    np.testing.assert_allclose(command.q - before, 0.2 * 60 * DT, atol=1e-3)  # a gap is being closed
    run.follow(motion, 0.02)
    run.assert_within_limits()


def test_a_lead_that_is_set_rests():
    """While nothing moves by it the lead is taken at once, with neither rate nor slew left of a change."""
    lead = Lead(0.012)
    for _ in range(100):
        lead.step(0.1, DT)
    assert lead.rate > 0.0 and lead.slew != 0.0
    lead.set(0.05)
    assert (lead.value, lead.rate, lead.slew) == (0.05, 0.0, 0.0)


def test_after_a_reset_the_lead_is_the_configured_one():
    """Whatever it was before: what the short cut looks at before the first step is that far ahead."""
    run = Run()
    run.follow(line(np.full(7, 0.01)), 0.1, lead=0.1)
    assert run.interpolator.lead == pytest.approx(0.1, abs=0.09) and run.interpolator.lead > 0.012
    run.interpolator.reset(run.q[-1])
    assert run.interpolator.lead == Interpolation().lead_time


def test_the_planned_velocity_is_that_of_the_lead():
    """Of a plan that speeds up: the velocity at the instant that is looked at, not that of now."""
    run = Run()
    motion = swing(np.full(7, 0.2), 1.5)
    run.follow(motion, 0.4, lead=0.05)
    at = run.now + run.interpolator.lead
    velocity = run.interpolator.planned_velocity(round(run.now * 1e9))
    np.testing.assert_allclose(velocity, motion(np.array([[at]]))[1][0], rtol=1e-4)
    assert run.interpolator.lead > 0.01 and velocity.min() > 0.01


def test_after_a_reset_no_plan_is_there():
    """A plan accepted before is not followed after `reset`, though it is young and near enough."""
    run = Run()
    run.follow(line(np.full(7, 0.01)), 0.1)
    run.interpolator.reset(run.q[-1])
    assert not run.interpolator.planned_velocity(round(run.now * 1e9)).any()
    for _ in range(5):
        command = run.interpolator.step(round((run.now + DT) * 1e9), 0.012)
        assert not command.following and command.reason == "no plan has come yet"
        assert np.array_equal(command.q, run.q[-1])


def test_bad_plans_are_refused_and_the_old_one_goes_on():
    """`accept` says what is wrong; the plan before stays in force."""
    run, motion = Run(), line(np.full(7, 0.1))
    run.follow(motion, 0.1)
    assert "not finite" in run.interpolator.accept(plan_of(line(np.zeros(7), np.full(7, np.inf)), run.now))
    assert run.step().following


moves = st.lists(
    st.tuples(
        st.sampled_from(["line", "swing", "silence", "stop"]),
        st.floats(-2.5, 2.5),
        st.floats(-0.3, 0.3),
        st.integers(1, 40),
        st.sampled_from([0.0, 0.012, 0.1]),
    ),
    min_size=1,
    max_size=12,
)


@given(moves, st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_no_sequence_of_plans_breaks_a_limit(sequence, seed):
    """Whatever plans come and go, with jumps of place and speed: every command keeps every limit."""
    rng = np.random.default_rng(seed)
    run = Run()
    for kind, speed, jump, cycles, lead in sequence:
        shape = rng.uniform(-1, 1, 7)
        if kind == "line":
            run.interpolator.accept(plan_of(line(speed * shape, run.q[-1] + jump * shape, run.now), run.now))
        if kind == "swing":
            run.interpolator.accept(plan_of(swing(speed * shape, 4.0), run.now))
        for _ in range(cycles):
            missing = rng.normal(0, 0.3, (3, 6)) if kind == "line" else None
            run.step(lead=lead, follow=kind != "stop", missing=missing, J=rng.normal(size=(6, 7)))
    for _ in range(250):
        run.step(follow=False)
    assert run.interpolator.at_rest
    run.assert_within_limits()
