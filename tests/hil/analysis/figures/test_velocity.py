"""Velocity error, overshoot and reaction on motions whose answer is known in closed form."""

import numpy as np
import pytest

from hil.analysis.figures.velocity import overshoots, reactions, velocity_errors, velocity_figures
from tests.hil.loop.synthetic_trace import PushedRun

STARTS = np.array([1.0007, 3.0, 5.4321])  # not all on rows
ENDS = STARTS + np.array([0.05, 0.03, 0.2])


def test_an_arm_that_does_as_the_ideal_body_has_no_error():
    """Arm = sim = ideal: errors, overshoot and reaction are zero."""
    trace = PushedRun(STARTS, ENDS).trace()
    sim, arm = velocity_errors(trace)
    assert len(sim) == len(arm) == 3
    assert np.abs(sim).max() < 1e-12
    assert arm.max() < 1e-9
    assert overshoots(trace).max() < 1e-3  # the fit over 20 ms rounds the end of the push off
    assert np.abs(reactions(trace)).max() < 1e-5


@pytest.mark.parametrize("delay", [0.013, 0.0047, 0.3])
def test_a_delayed_arm_shows_its_delay_as_reaction(delay):
    """Arm = ideal body later by a known time: that time comes out to 0.1 ms."""
    run = PushedRun(STARTS, ENDS)
    run.set("arm", delay=delay)
    found = reactions(run.trace())
    tolerance = 1e-4 if delay < 0.1 else 2e-3  # at 0.3 s the window barely holds the delayed push
    assert found == pytest.approx(delay, abs=tolerance)
    assert velocity_figures(run.trace())["reaction_ms"] == pytest.approx(1e3 * delay, abs=1e3 * tolerance)


def test_an_arm_ahead_of_the_ideal_body_has_a_negative_reaction():
    """The sign of the shift: an arm that is early reacts before the push."""
    run = PushedRun(STARTS, ENDS)
    run.set("arm", delay=-0.008)
    assert reactions(run.trace()) == pytest.approx(-0.008, abs=1e-4)


@pytest.mark.parametrize("gain", [0.95, 1.03])
def test_a_wrong_velocity_shows_as_its_share_of_the_true_change(gain):
    """Sim and arm take a known share too much or too little: the error is that share (first push)."""
    run = PushedRun(STARTS[:1], ENDS[:1])
    run.set("sim", gain=gain)
    run.set("arm", gain=1.0 + 2.0 * (gain - 1.0))
    sim, arm = velocity_errors(run.trace())
    assert sim == pytest.approx(abs(gain - 1.0), rel=1e-9)
    assert arm == pytest.approx(2.0 * abs(gain - 1.0), rel=1e-6)


def test_the_error_of_linear_and_angular_velocity_is_one_norm():
    """Only the spin is wrong, by 10 %: the error is its share in the norm with 0.2 m."""
    run = PushedRun(STARTS[:1], ENDS[:1], change=0.03, spin=0.2)
    wrong = run.arrays["twist_world_object_sim"]
    after = run.arrays["t"] > ENDS[0]
    wrong[after, 3:] += 0.1 * 0.2 * run.axis
    sim, _ = velocity_errors(run.trace())
    assert sim == pytest.approx(0.1 * 0.04 / np.hypot(0.03, 0.04), rel=1e-9)


def test_an_overshoot_of_seven_percent_comes_out():
    """The arm swings 7 % beyond the new velocity, 0.15 s after the push, and comes back."""
    run = PushedRun(STARTS, ENDS)

    def swing(t):
        velocity, position = np.zeros_like(t), np.zeros_like(t)
        for end in ENDS:
            u = np.clip((t - end) / 0.3, 0.0, 1.0)
            velocity += 0.07 * 0.5 * (1.0 - np.cos(2.0 * np.pi * u))
            position += 0.07 * 0.3 * 0.5 * (u - np.sin(2.0 * np.pi * u) / (2.0 * np.pi))
        return velocity, position

    run.set("arm", extra=swing)
    assert overshoots(run.trace()) == pytest.approx(0.07, abs=5e-4)


def test_falling_short_is_no_overshoot():
    """An arm that is too slow has an overshoot of zero, not a negative one."""
    run = PushedRun(STARTS[:1], ENDS[:1])
    run.set("arm", gain=0.9)
    assert overshoots(run.trace()) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "disturb",
    [
        lambda a, row: a["contact_sim"].__setitem__(row, True),
        lambda a, row: a["contact_ideal"].__setitem__(row, True),
        lambda a, row: a["rate"].__setitem__(row, 0.5),
        lambda a, row: a["state"].__setitem__(row, "HOLDING"),
    ],
)
def test_a_disturbed_window_is_left_out(disturb):
    """A stop, a slowed pace or a hold within 0.3 s of a push: that push and no other is left out."""
    run = PushedRun(STARTS, ENDS)
    disturb(run.arrays, int((ENDS[1] + 0.1) / 0.002))
    assert len(velocity_errors(run.trace())[0]) == 2
    run = PushedRun(STARTS, ENDS)
    disturb(run.arrays, int((ENDS[1] + 0.8) / 0.002))
    assert len(velocity_errors(run.trace())[0]) == 3


def test_pushes_close_together_are_left_out():
    """The second push begins 0.25 s after the first ends: the first has no window, the second has."""
    run = PushedRun([1.0, 1.35, 4.0], [1.1, 1.4, 4.1])
    assert len(velocity_errors(run.trace())[0]) == 2
    assert len(reactions(run.trace())) == 2


def test_a_push_within_or_just_after_a_longer_one_is_left_out():
    """Nested pushes spoil each other; one 20 ms after another's end lacks its quiet 50 ms before."""
    assert len(velocity_errors(PushedRun([1.0, 1.2], [2.5, 1.25]).trace())[0]) == 0
    run = PushedRun([1.0, 1.12], [1.1, 1.2])
    assert len(velocity_errors(run.trace())[0]) == 0
    run = PushedRun([1.0, 1.48], [1.1, 1.5])
    assert len(velocity_errors(run.trace())[0]) == 2


def test_a_long_push_that_outlasts_the_next_spoils_the_third():
    """1.0 to 3.0 s, within it 1.2 to 1.25 s, then 2.0 to 2.05 s: all three lie in the first, none is alone.

    The fourth, after the end of the first, is.
    """
    starts, ends = [1.0, 1.2, 2.0, 3.5], [3.0, 1.25, 2.05, 3.55]
    assert len(velocity_errors(PushedRun(starts, ends).trace())[0]) == 1
    assert len(velocity_errors(PushedRun([1.2, 2.0, 3.5], [1.25, 2.05, 3.55]).trace())[0]) == 3


def test_a_push_at_the_edge_of_the_run_is_left_out():
    """A window that the trace does not cover cannot be judged."""
    run = PushedRun([0.03, 2.0], [0.1, 2.1], duration=2.25)
    assert len(velocity_errors(run.trace())[0]) == 0
