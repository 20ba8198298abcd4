"""Figures of an emulated port's touches, on a trace whose touches are written down."""

import math

import numpy as np
import pytest

from hil.analysis.figures import figures
from hil.analysis.figures.touches import energies_left, touches
from hil.loop.trace.fields import trace_from
from tests.hil.loop.synthetic_trace import quiet_arrays


def touched(second_push: float = 0.0, spin: float = 0.0):
    """Touches at 0.3 and 0.34 s, one together, and at 1.2 s; speed falls from 20 to 10 mm/s and rises."""
    arrays = quiet_arrays(2.0)
    t = arrays["t"]
    n = len(t)
    wrench = np.zeros((n, 6))
    for begin, end, force in ((0.3, 0.32, -9.0), (0.34, 0.36, -4.0), (1.2, 1.25, -12.0)):
        wrench[(t >= begin) & (t < end), 0] = force
    twist = np.zeros((n, 6))
    twist[:, 0] = np.where(t < 0.31, 0.02, np.where(t < 1.22, -0.01, 0.02))
    twist[:, 5] = spin
    arrays["wrench_true"] = wrench + second_push * (t > 1.21)[:, None]
    arrays["twist_world_object_sim"] = twist
    arrays |= {
        "port_wrench": wrench,
        "port_penetration": np.where(wrench[:, 0] < 0.0, 1e-4 * -wrench[:, 0], -0.01),
        "p_world_port": np.zeros((n, 3)),
        "v_world_port": np.zeros((n, 3)),
        "port_deflection": np.zeros((n, 3)),
        "port_measured": np.zeros((n, 6)),
    }
    return trace_from(arrays)


def test_touches_are_told_with_what_they_leave():
    """A quarter of the energy after the first, four times as much after the second; force and depth."""
    found = figures(touched())["touches"]
    assert found == {
        "count": 2,
        "energy_least": pytest.approx(0.25),
        "energy_most": pytest.approx(4.0),
        "peak_n": pytest.approx(12.0),
        "deepest_mm": pytest.approx(1.2),
    }
    t = touched().t
    assert [(t[a], t[b - 1]) for a, b in touches(touched())] == [
        (pytest.approx(0.3), pytest.approx(0.358)), (pytest.approx(1.2), pytest.approx(1.248)),
    ]  # fmt: skip


def test_spin_counts_and_a_touch_that_is_pushed_does_not():
    """3 kg m2 at 0.1 rad/s beside 60 kg; the operator pushes during the second touch."""
    own, spin = np.array([0.02, 0.01]) ** 2 * 30.0, 0.5 * 3.0 * 0.1**2
    assert energies_left(touched(spin=0.1))[0] == pytest.approx((own[1] + spin) / (own[0] + spin))
    assert len(energies_left(touched(second_push=0.5))) == 1
    assert math.isclose(energies_left(touched(second_push=0.5))[0], 0.25)


def test_without_a_port_there_are_no_such_figures():
    """The figures of other runs are as they were."""
    assert "touches" not in figures(trace_from(quiet_arrays(1.0)))
