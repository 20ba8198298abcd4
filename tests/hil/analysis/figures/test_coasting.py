"""Drift, energy and path of an untouched object, on motions with known ones."""

import math

import numpy as np
import pytest

from hil.analysis.figures import figures
from hil.analysis.figures.coasting import drift, energies_kept, strays
from hil.loop.trace.fields import Trace, trace_from
from tests.hil.loop.synthetic_trace import PushedRun, quiet_arrays


def damped(rate: float, duration: float = 8.0, speed: float = 0.04) -> Trace:
    """An untouched body whose arm loses speed as exp(-rate t); the ideal one keeps it."""
    arrays = quiet_arrays(duration)
    t = arrays["t"]
    travelled = speed * (-np.expm1(-rate * t) / rate if rate else t)
    arrays["p_world_object_arm"][:, 1] = travelled
    arrays["p_world_object_ideal"][:, 1] = speed * t
    return trace_from(arrays)


def test_energy_that_is_lost_is_told_over_a_second() -> None:
    """Speed decays with 0.1 / s: energy keeps exp(-0.2) a second, whatever the stretch's length."""
    (kept,) = energies_kept(damped(0.1))
    assert kept == pytest.approx(math.exp(-0.2), rel=1e-3)  # at its ends velocity is fitted over 10 ms
    assert energies_kept(damped(0.0)) == pytest.approx([1.0], rel=1e-9)
    assert len(energies_kept(damped(0.1, speed=0.004))) == 0  # 4 mm/s: too slow to tell


def test_spin_counts_by_its_inertia() -> None:
    """Steady flight, but a spin that comes in: 3 kg m2 at 0.2 rad/s has 60 mJ, the flight 48 mJ."""
    arrays = quiet_arrays(8.0)
    t = arrays["t"]
    arrays["p_world_object_arm"][:, 1] = 0.04 * t
    angle = 0.1 * np.where(t < 4.0, 0.0, t - 4.0) * 2.0
    arrays["quat_world_object_arm"] = np.c_[np.cos(angle / 2), np.sin(angle / 2), 0 * t, 0 * t]
    (kept,) = energies_kept(trace_from(arrays))
    seconds = 8.0 - 2.0 - 0.002
    assert kept == pytest.approx((108.0 / 48.0) ** (1.0 / seconds), rel=1e-4)


def test_drift_is_the_largest_distance_before_the_first_push() -> None:
    """Untouched for the whole run; None where a push comes within the first second."""
    lost = 0.04 * (7.998 + math.expm1(-0.1 * 7.998) / 0.1)
    assert drift(damped(0.1)) == pytest.approx(lost, rel=1e-6)
    assert drift(PushedRun([0.5], [0.55]).trace()) is None
    run = PushedRun([2.0], [2.05])
    run.arrays["p_world_object_arm"][:, 2] += 0.003
    run.arrays["p_world_object_arm"][1500:, 2] += 1.0  # behind the push
    assert drift(run.trace()) == pytest.approx(0.003)


def test_a_wrong_impulse_strays() -> None:
    """5 % too much of a push of 50 mm/s is 2.5 mm after a second, and what came during the push."""
    run = PushedRun([1.0], [1.05], change=0.05)
    assert strays(run.trace()) == pytest.approx([0.0], abs=1e-12)
    run.set("arm", gain=1.05)
    assert strays(run.trace()) == pytest.approx([0.05 * 0.05 * 1.025], rel=0.01)
    assert figures(damped(0.1))["coasting"]["drift_mm"] == pytest.approx(1e3 * float(drift(damped(0.1)) or 0))
