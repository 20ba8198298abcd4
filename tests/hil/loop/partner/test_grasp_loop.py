"""Two arms in lock-step: a whole grasp beside a free body, and every way in which it may fail."""

import numpy as np
import pytest

from bench.acceptance.partner_oracle import free_flight
from bench.acceptance.partner_trials import flown, two_arms
from hil.configuration.frames import Frames
from hil.loop.driver.carried_force import ADVANCE, CLOSING_RATE, CarriedForce
from hil.loop.driver.core import DriverCore
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.grasp.states import GraspState
from hil.loop.judging.state_machine import State
from planner.kinematics.arm_model import load_arm_model

PLAN = """
start_mm = [0.0, 1.0, 0.0]
speed_mm_s = 60.0
turning_deg_s = 20.0
brake_s = 0.3
[[phase]]
phase = "approach"
frame = "object"
place_mm = [0.0, 1.0, 0.0]
duration_s = 0.8
[[phase]]
phase = "close"
frame = "object"
place_mm = [0.0, 0.0, 0.0]
duration_s = 0.6
[[phase]]
phase = "drag"
frame = "world"
place_mm = [0.0, 15.0, 0.0]
duration_s = 0.8
[[phase]]
phase = "release"
frame = "object"
duration_s = 1.0
"""
DRAGGED = 1.8  # [s]


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """Settings of a quick grasp: the gripper stands around the bar from the beginning."""
    file = tmp_path_factory.mktemp("plan") / "quick.toml"
    file.write_text(PLAN)
    return (
        f'partner.plan="{file}"',
        "emulator.wrench.noise_force_n=0.0",
        "emulator.wrench.noise_torque_n_m=0.0",
    )


@pytest.fixture(scope="module")
def whole(quick):
    """A quick grasp from touch to release."""
    return flown(two_arms(12.0, quick), 3.1)


def told(run):
    """All that happened, in one text."""
    return "; ".join(text for _, text in run.grasp.watch.supervision.events)


def meddled(quick, at, act, *settings):
    """A run in which `act` is done with the loop's second arm from a moment on."""

    def meddle(t, loop):
        if t >= at:
            act(loop)

    return flown(two_arms(12.0, (*quick, *settings)), 2.6, meddle)


def test_a_whole_grasp_goes_through_its_states(whole):
    """Nothing holds, the gripper opens by its plan alone, and the first arm keeps its limits."""
    states = [text for _, text in whole.grasp.watch.supervision.events if "->" in text]
    assert states[:4] == ["FREE -> NEAR", "NEAR -> TOUCH", "TOUCH -> GRASPED", "GRASPED -> RELEASING"]
    assert whole.grasp.watch.supervision.opened == ""
    assert whole.state is State.FLOATING
    assert whole.fault == ""


def test_it_goes_as_a_free_body_would(whole, quick):
    """Half a second from before the touch on, beside the free body that scipy integrates."""
    t = whole.rows[:, 0]
    free = free_flight(two_arms(12.0, quick), whole.start, 1.3)
    until = t < 1.28
    place = np.array([np.interp(t[until], free[:, 0], free[:, 1 + k]) for k in range(3)]).T
    off = whole.rows[until, 1:4] - place
    off = np.linalg.norm(off - off[(t[until] > 0.5) & (t[until] < 0.7)].mean(axis=0), axis=1)[t[until] > 0.5]
    force = np.linalg.norm(whole.rows[until, 4:7], axis=1)
    assert off.max() < 1.5e-4
    assert force.max() == pytest.approx(np.linalg.norm(free[:, 10:13], axis=1).max(), rel=0.05)
    assert force.max() > 5.0


def test_what_the_body_gets_is_what_the_pads_gave(whole):
    """Momentum against the true impulse: a hundredth."""
    t = whole.rows[:, 0]
    impulse = np.trapezoid(whole.rows[:, 4:7], t, axis=0)
    late = t > 2.8
    v = (whole.rows[late, 1:4][-1] - whole.rows[late, 1:4][0]) / (t[late][-1] - t[late][0])
    begun = np.array([8.0, -8.0, -5.0]) * 1e-3
    assert 60.0 * (v - begun) == pytest.approx(impulse, abs=0.01 * np.linalg.norm(impulse))
    assert np.linalg.norm(impulse) > 0.3


def test_a_hold_while_grasped_holds_the_partner_too(quick):
    """In the same cycle: its plan stands, and the force stays far below the stop."""
    run = meddled(quick, 1.9, lambda loop: loop.judge.machine.moving and loop.judge.order("hold"))
    late = run.rows[:, 0] > 2.2
    assert run.state is State.HOLDING
    assert run.grasp.client.pace == 0.0
    assert np.ptp(run.rows[late, 1:4], axis=0).max() < 2e-4
    assert np.linalg.norm(run.rows[:, 4:7], axis=1).max() < 40.0
    assert run.grasp.watch.supervision.state is GraspState.GRASPED
    assert run.grasp.force.quiet  # no force acts while object time stands


def test_a_silent_partner_holds_all(quick):
    """0.1 s after its last word, and says who was silent."""
    run = meddled(quick, DRAGGED, lambda loop: setattr(loop.grasp, "speaks", False))
    assert run.state is State.HOLDING
    assert "the partner has been silent for" in told(run)
    assert np.linalg.norm(run.rows[:, 4:7], axis=1).max() < 40.0


def test_a_lost_gripper_is_a_release(quick):
    """No grip force, no grasp; the body floats on."""
    run = meddled(quick, DRAGGED, lambda loop: setattr(loop.grasp.partner, "grips", False))
    assert "GRASPED -> RELEASING" in told(run)
    assert run.state is State.FLOATING
    assert np.linalg.norm(run.rows[:, 4:7], axis=1).max() < 40.0


def test_the_second_arms_link_down_leaves_it_where_it_was_sent_and_holds(quick):
    """Its impedance stays, its gripper too; its client hears nothing and so says nothing: HOLDING."""
    run = meddled(quick, DRAGGED, lambda loop: setattr(loop.grasp, "linked", False))
    assert np.linalg.norm(run.rows[:, 4:7], axis=1).max() < 40.0
    assert run.fault == ""
    assert "answers missed in a row" in run.grasp.controller.fall_back_reason
    assert run.grasp.partner.closing
    assert run.state is State.HOLDING
    assert "the partner has been silent for" in told(run)


def test_the_first_arms_link_down_holds_the_second(quick):
    """The controller falls back, FAULT; the second arm's plan stands."""
    run = meddled(quick, DRAGGED, lambda loop: setattr(loop._controller, "power_on", False))
    assert run.state is State.FAULT
    assert run.grasp.client.pace == 0.0
    assert np.linalg.norm(run.rows[:, 4:7], axis=1).max() < 40.0


def test_too_much_force_opens_the_gripper_and_holds(quick):
    """Above the bound, in words with the numbers; the tip stays."""
    run = meddled(quick, 9.0, lambda loop: None, "grasp.max_force_n=3.0")
    assert "N m in the grasp, 3 N" in told(run)
    assert run.state is State.HOLDING
    assert run.grasp.partner.opening > 0.015


def test_created_energy_opens_the_gripper(quick):
    """Here by a bound of 1 mJ."""
    run = meddled(quick, 9.0, lambda loop: None, "grasp.max_energy_n_m=0.0005", "grasp.unseen_force_n=0.0")
    assert "the grasp has created" in told(run)
    assert run.state is State.HOLDING


def test_a_touch_before_the_baseline_is_known_is_refused(quick, tmp_path):
    """A gripper that closes at once."""
    file = tmp_path / "early.toml"
    file.write_text(PLAN.replace("duration_s = 0.8", "duration_s = 0.1", 1))
    run = meddled((f'partner.plan="{file}"', *quick[1:]), 9.0, lambda loop: None)
    assert "touched before a second without force had shown the wrench's baseline" in told(run)
    assert run.state is State.HOLDING


def test_arms_that_come_too_near_are_held(quick):
    """Where the bound grows while it runs: the pair and the distance are told."""
    run = meddled(quick, 0.3, lambda loop: setattr(loop.grasp.nearness, "_bound", 0.5))
    assert "mm from each other, 500 at least" in told(run)
    assert run.state is State.HOLDING


def test_a_late_arm_acts_by_closing_and_a_quick_one_in_full(quick):
    """By Kc T^2 / M at the bar: 0.09 and 1.6; and the driver is told."""
    for delay, law in ((12.0, "full"), (50.0, "closing")):
        grasp = flown(two_arms(delay, quick), 0.3).grasp
        assert grasp.watch.supervision.law == law
        assert grasp.force.full is (law == "full")


def test_the_place_is_caught_up_with_while_a_force_acts_in_full(quick):
    """At its own rate from the touch on; before, and by `closing`, gaps are closed as gently as ever."""
    for law, expected in (("full", {0.0, CLOSING_RATE}), ("closing", {0.0})):
        rates = {}
        flown(
            two_arms(12.0, (*quick, f'grasp.law="{law}"')),
            1.2,
            lambda t, loop, rates=rates: rates.setdefault(loop.grasp.force.closing_rate, t),
        )
        assert set(rates) == expected
        assert rates[0.0] < 0.1 and rates.get(CLOSING_RATE, 1.0) > 0.8  # pads close from then on


def test_a_touch_that_grows_slowly_is_carried_on_by_its_own_slope():
    """What was felt before it was one counts: 2 N that grew by 0.2 N a cycle are no step of 2 N."""
    c = two_arms(12.0)
    force = GraspForce(c, load_arm_model(c.robot.model), Frames.from_configuration(c))
    force.warm()
    force._believed, force.state = (np.eye(4), np.zeros(6)), GraspState.NEAR
    for n in range(1, 800):
        felt = np.array([0.0, max(0.0, 0.2 * (n - 789)), 0.0, 0.0, 0.0, 0.0])
        if n == 799:
            force.state = GraspState.TOUCH
        force.take(n * 2_000_000, felt)
    T = 0.009 + ADVANCE * 0.002 + c.force.wrench_skew
    slope = CarriedForce(c).until(felt, felt * 0.2 / felt[1] / 0.002, 0.009 + c.force.wrench_skew)
    np.testing.assert_allclose(force.led(None, 0.009), slope, rtol=1e-9, atol=1e-12)
    assert force.led(None, 0.009)[2, 1] < (2.0 + 100.0 * T) / 60.0


def test_a_sample_that_is_no_number_is_left_out_of_a_grasp():
    """As one that was lost: what lies between is filled in, and nothing of it is led or fails."""
    c = two_arms(12.0)
    force = GraspForce(c, load_arm_model(c.robot.model), Frames.from_configuration(c))
    force.warm()
    force._believed, force.state = (np.eye(4), np.zeros(6)), GraspState.NEAR
    pressed = np.array([0.0, 3.0, 0.0, 0.0, 0.0, 0.0])
    for n in range(1, 800):
        force.take(n * 2_000_000, np.zeros(6))
    force.state = GraspState.TOUCH
    for n, felt in enumerate((pressed, np.full(6, np.nan), pressed, pressed), 800):
        force.take(n * 2_000_000, felt)
        assert np.isfinite(force.led(None, 0.009)).all()
    np.testing.assert_allclose(np.sum(force._cells[-4:], axis=0), 4 * 0.002 * pressed)
    assert force.fault == ""


def test_nothing_floats_beside_a_second_arm_that_nobody_supervises(quick):
    """The driver alone refuses, in words."""
    c = two_arms(12.0, quick)
    driver = DriverCore(c, load_arm_model(c.robot.model))
    assert "nobody supervises the second arm" in driver.touching.refusal
