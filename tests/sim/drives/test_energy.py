"""Energy of whole arms: kept where nothing takes it, accounted for where something does; order of steps."""

import numpy as np
import pytest

from bench.drive_cases import START, balance_error, driven, swing_error, swinging, there_and_back

SATELLITE = {"base_mass": 300.0, "base_inertia": np.diag([60.0, 70.0, 50.0])}


def test_a_swinging_arm_keeps_its_energy_at_one_millisecond() -> None:
    """Seven joints on elastic gears, neither friction nor current; of the greatest kinetic energy."""
    assert swing_error(2.0, 1e-3) < 1e-3


@pytest.mark.parametrize("options", [{}, {"controller": "impedance"}, SATELLITE])
def test_the_account_of_a_driven_arm_is_balanced(options: dict[str, object]) -> None:
    """Electric in = stored + heat, there and back, by what was turned over."""
    assert balance_error(4.0, 1e-3, **options) < 1e-6


def test_what_the_account_misses_falls_with_the_square_of_the_step() -> None:
    """Half the step, a quarter: so it is the rule's error, and nothing is forgotten."""
    coarse, fine = balance_error(1.0, 2e-3), balance_error(1.0, 1e-3)
    assert 3.0 < coarse / fine < 5.5


def test_a_push_at_the_tip_is_in_the_account() -> None:
    """Work from outside, of a base that stands and of one that floats."""
    wrench = np.array([20.0, -10.0, 15.0, 1.0, 2.0, -1.0])
    for options in ({}, SATELLITE):
        arm = driven(1e-3, **options)
        rest = np.tile(START, (1500, 1))
        arm.run(rest, np.zeros_like(rest), wrench)
        account = arm.energy_account()
        assert abs(account.outside) > 1e-3
        assert abs(account.missing) < 1e-4 * abs(account.outside)


def test_steps_are_of_second_order() -> None:
    """A swing's end for steps h and h/2, and for an eighth of them: differences in the ratio of 64."""
    ends = []
    for dt in (1e-3, 5e-4, 1.25e-4, 6.25e-5):
        arm = swinging(dt)
        nothing = np.zeros((round(0.4 / dt), arm.joints))
        arm.run(nothing, nothing)
        ends.append(arm.q)
    ratio = np.abs(ends[0] - ends[1]).max() / np.abs(ends[2] - ends[3]).max()
    assert 40.0 < ratio < 100.0


def test_a_reset_arm_does_the_same_again() -> None:
    """Bit by bit; and a step a call is as many steps a call."""
    q, dq = there_and_back(0.1, 1e-3)
    arm = driven(1e-3)
    first = arm.run(q, dq).q[-1]
    arm.reset()
    for position, speed in zip(q, dq, strict=True):
        arm.step(position, speed)
    assert (arm.q == first).all() and arm.t == pytest.approx(0.1)
