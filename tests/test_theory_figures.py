"""What the bench of the theory's figures rests on agrees with closed forms."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from bench.theory_figures import by_runge_kutta, by_split, late_rebound, moment_error, spin_rebound
from hil.configuration.schema import Stops
from sim.contact.restitution import continuous_restitution
from sim.world.stops import pack_stops


@pytest.mark.parametrize("damping", [0.0, 0.05, 0.1])
def test_without_delay_the_rebound_is_the_dampers(damping: float) -> None:
    """A damped spring that does not pull gives back the restitution of its closed form."""
    assert late_rebound(damping, 0.0) == pytest.approx(continuous_restitution(damping), abs=2e-3)


def test_a_late_force_gives_energy() -> None:
    """By equation (21) to first order in the delay."""
    assert late_rebound(0.0, 0.05) == pytest.approx(math.exp(math.pi * 0.05 / 2), rel=2e-3)


@pytest.mark.parametrize("step", [by_runge_kutta, by_split])
def test_short_steps_keep_the_spin(step) -> None:
    """Springs take no energy: what is left of a bounce is the error of the steps."""
    inertia = np.array([1.0, 1.75, 2.25])
    stops = pack_stops(Stops().model_copy(update={"swing": 0.2}), inertia)
    rebound = spin_rebound(step, 5e-4, np.array([0.2, 0.1, 0.05]), np.array([40.0, *inertia]), stops)
    assert rebound == pytest.approx(1.0, abs=1e-4)


def test_the_final_moment_is_right_while_the_arm_stands() -> None:
    """The error is that of the lever's turn: none without, and in a known case by the closed form."""
    n, t = 101, np.linspace(0.0, 0.1, 101)
    force = np.tile([10.0, 0.0, 0.0], (n, 1))
    T = np.eye(4)
    T[2, 3] = 0.15
    turned = 0.02 * t / t[-1]  # [rad] about y, at a steady rate
    trace = SimpleNamespace(
        t=t,
        wrench_true=np.hstack([force, np.tile([0.0, 1.0, 0.0], (n, 1))]),
        T_tcp_object=T,
        quat_world_object_arm=np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
    )
    assert moment_error(trace, 0.0, 0.1) == pytest.approx(0.0, abs=1e-12)
    zero = np.zeros(n)
    trace.quat_world_object_arm = np.stack([np.cos(turned / 2), zero, np.sin(turned / 2), zero], axis=1)
    # lever -0.15 m along z turned about y: z component -0.15 cos; moment about y of a force along x
    late = np.trapezoid(10.0 * -0.15 * (np.cos(0.02) - np.cos(turned)), t)
    assert moment_error(trace, 0.0, 0.1) == pytest.approx(abs(late) / 0.1, rel=1e-6)
