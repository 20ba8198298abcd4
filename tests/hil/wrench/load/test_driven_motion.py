"""The drives' model: against the emulated arm's own lag, which is exact for commands that are lines."""

import numpy as np
import pytest

from drivers.emulation.arm.second_order_lag import lag_step_into, lag_transition, natural_frequency
from hil.common.arrays import Array
from hil.force.setup import DriveModel
from hil.wrench.load.driven_motion import ACCELERATION, COMMANDED, MEAN, SPEED, DrivenMotion, drive_on

STEP, LAG, DAMPING = 0.002, 0.01, 0.8
N = 600


def commands() -> Array:
    """Positions that are commanded, one a cycle, two rates an axis."""
    t = STEP * np.arange(N)[:, None]
    rise = np.clip(t / 0.2, 0.0, 1.0) ** 3
    return rise * (0.01 * np.sin(2 * np.pi * t * np.arange(1, 7)) + 0.02 * np.cos(9.0 * t + np.arange(6)))


def driven(u: Array, delay: int) -> tuple[Array, Array, Array]:
    """What a second-order lag does with them, a cycle and more later: positions, speeds, accelerations."""
    q, dq, ddq = np.zeros((3, 6))
    transition, w = lag_transition(LAG, DAMPING, STEP), natural_frequency(LAG, DAMPING)
    found = np.zeros((3, N, 6))
    for k in range(1, N):
        now, before = (u[max(0, k - 1 - delay - j)] for j in (0, 1))
        lag_step_into(q, dq, ddq, before, now, transition, w, DAMPING)
        found[:, k] = q, dq, ddq
    return found[0], found[1], found[2]


def modelled(u: Array, drive: DriveModel, every: int = 1) -> Array:
    """The model's states; at every so-many samples only, as when packets are lost."""
    model, found = DrivenMotion(STEP, drive), np.zeros((N, 4, 6))
    for k in range(1 + every, N, every):
        model.state[COMMANDED] = (u[k - 1] - u[k - 1 - every]) / (every * STEP)
        drive_on(model.state, model.commands, model.newest, model.transitions, model.dead[0], STEP, every)
        found[k] = model.state
    return found


@pytest.mark.parametrize("delay", [0, 3])
def test_speed_and_acceleration_are_those_of_the_lag(delay: int) -> None:
    """To rounding, at each sample: nothing is late, nothing is noisy; the mean is that of the way."""
    u = commands()
    q, v, a = driven(u, delay)
    found = modelled(u, DriveModel(delay * STEP, LAG, DAMPING))
    np.testing.assert_allclose(found[20:, SPEED], v[20:], atol=1e-9)
    np.testing.assert_allclose(found[20:, ACCELERATION], a[20:], atol=1e-7)
    np.testing.assert_allclose(found[20:, MEAN], np.diff(q, axis=0)[19:] / STEP, atol=1e-9)


def test_a_fraction_of_a_cycle_lies_between_the_whole_ones() -> None:
    """A dead time of 1.25 cycles: a quarter of the way from one to two, as far as lines tell."""
    u = commands()
    one, two, between = (modelled(u, DriveModel(k * STEP, LAG, DAMPING))[100:, SPEED] for k in (1, 2, 1.25))
    expected = 0.75 * one + 0.25 * two
    assert np.abs(between - expected).max() < 0.05 * np.abs(one - two).max()


def test_lost_packets_are_flown_over() -> None:
    """Every third sample only: the command is a line over the three, and the speed nearly the same."""
    u = commands()
    whole, thinned = modelled(u, DriveModel(0.0, LAG, DAMPING)), modelled(u, DriveModel(0.0, LAG, DAMPING), 3)
    rows = np.arange(103, N, 3)[:150]
    seen = thinned[thinned[:, SPEED].any(axis=1)][-150:, SPEED]
    assert np.abs(seen).max() > 0.0 and len(rows) == 150
    kept = np.flatnonzero(thinned[:, SPEED].any(axis=1))[-150:]
    assert np.abs(seen - whole[kept, SPEED]).max() < 0.05 * np.abs(whole[:, SPEED]).max()


def test_drives_without_a_lag_do_what_is_commanded() -> None:
    """Speed is the command's; acceleration its change over a cycle."""
    u = commands()
    found = modelled(u, DriveModel(0.0, 0.0))
    rates = np.diff(u, axis=0) / STEP
    np.testing.assert_allclose(found[20:, SPEED], rates[18:-1], atol=1e-12)
    np.testing.assert_allclose(found[20:, ACCELERATION], np.diff(rates, axis=0)[17:-1] / STEP, atol=1e-9)
