"""Momentum of two bodies that collide, both measured, on a trace whose collision is written down."""

import numpy as np
import pytest

from hil.analysis.figures import figures
from hil.analysis.figures.momentum import momentum_errors
from hil.loop.trace.fields import Trace, trace_from
from tests.hil.loop.synthetic_trace import quiet_arrays

FORCE = np.array([-30.0, 0.0, 0.0])  # [N] on the mock-up, at a point of the port's face
LEVER = np.array([0.15, 0.1, -0.05])  # [m] of that point from the object's centre
MOMENT = np.array([0.4, -0.2, 0.3])  # [N m] that is transmitted there beside the force


def collided(force: float = 1.0, moment: float = 1.0, sensor: bool = True) -> Trace:
    """Touch for about 40 ms: 60 kg and 3 kg m2 take the impulse; the port's sensor errs by these factors."""
    arrays = quiet_arrays(1.0)
    t = arrays["t"]
    during = (t >= 0.3) & (t < 0.34)
    steps = int(during.sum())
    h = float(np.median(np.diff(t)))
    wrench = np.zeros((len(t), 6))
    wrench[during] = np.concatenate((FORCE, np.cross(LEVER, FORCE) + MOMENT))
    twist = np.zeros((len(t), 6))
    twist[:, :3] = [0.02, 0.01, 0.0]
    given = h * np.cumsum(wrench, axis=0)
    mass, inertia = float(arrays["mass_kg"]), np.array(arrays["inertia_object"])
    twist[:, :3] += given[:, :3] / mass
    twist[:, 3:] += np.linalg.solve(inertia, given[:, 3:].T).T
    arrays["quat_world_object_sim"] = np.tile([1.0, 0.0, 0.0, 0.0], (len(t), 1))
    arrays["p_world_object_sim"] = np.zeros((len(t), 3))  # stands in for a way that is short
    measured = np.zeros((len(t), 6))
    measured[during] = np.concatenate((-force * FORCE, -moment * MOMENT))
    arrays["twist_world_object_sim"], arrays["wrench_true"] = twist, wrench
    arrays |= {
        "port_wrench": wrench,
        "port_penetration": np.zeros(len(t)),
        "p_world_port": np.tile(LEVER, (len(t), 1)),
        "v_world_port": np.zeros((len(t), 3)),
        "port_deflection": np.zeros((len(t), 3)),
        "port_measured": measured if sensor else np.zeros((len(t), 6)),
    }
    assert steps > 10
    return trace_from(arrays)


def test_what_one_loses_the_other_gets():
    """Nothing is left over, linear and about the port's point, where the sensor tells the truth."""
    ((linear, angular),) = momentum_errors(collided())
    assert linear == pytest.approx(0.0, abs=1e-9) and angular == pytest.approx(0.0, abs=1e-9)
    found = figures(collided())["touches"]
    assert found["momentum_linear"] == linear and found["momentum_angular"] == angular


def test_a_sensor_that_errs_shows_by_how_much():
    """5 % of the force: 5/105 of what it says; 10 % of a moment of 0.54 N m: over 30 N at 0.2 m."""
    ((linear, _),) = momentum_errors(collided(force=1.05))
    assert linear == pytest.approx(0.05 / 1.05)
    ((linear, angular),) = momentum_errors(collided(moment=1.1))
    assert linear == pytest.approx(0.0, abs=1e-9)
    assert angular == pytest.approx(0.1 * np.linalg.norm(MOMENT) / (0.2 * 30.0))


def test_without_a_sensor_nothing_is_said():
    """The figures are those of touches alone."""
    assert momentum_errors(collided(sensor=False)).shape == (0, 2)
    assert "momentum_linear" not in figures(collided(sensor=False))["touches"]
