"""What the tip meets, against closed forms: a surface, a satellite that tumbles, its latch."""

import numpy as np
import pytest
from scipy.optimize import brentq

from hil.workbench.driving.around.satellite import satellite_moving
from hil.workbench.driving.around.surface import Surface
from hil.workbench.driving.rigid import moved

DT = 0.001
FREE = np.eye(6) / 2.0  # the mobility of a tip of 2 kg, 2 kg m2


def at(x, y, z):
    return moved(np.eye(4), np.array([x, y, z, 0, 0, 0], float))


def test_a_surface_presses_by_its_depth_and_never_pulls():
    """At rest k d along the normal; out of it nothing; leaving quickly nothing rather than a pull."""
    surface = Surface(np.zeros(3), np.array([0, 0, 1.0]), 4000.0, 5.0, 0.3)
    np.testing.assert_allclose(surface.wrench(at(1, 2, -0.01), np.zeros(6), FREE, DT), [0, 0, 40.0, 0, 0, 0])
    assert surface.variables()["surface.depth_m"] == pytest.approx(0.01)
    assert not surface.wrench(at(0, 0, 0.001), np.zeros(6), FREE, DT).any()
    out = surface.wrench(at(0, 0, -0.01), np.array([0, 0, 50.0, 0, 0, 0]), FREE, DT)
    assert out[2] == 0.0


def test_friction_is_mu_n_against_the_sliding_and_stops_what_is_slow():
    """Quick: mu n, against it. Slow: what brings it to rest in the step, and no more."""
    surface = Surface(np.zeros(3), np.array([0, 0, 1.0]), 4000.0, 0.0, 0.3)
    out = surface.wrench(at(0, 0, -0.01), np.array([0.3, 0.4, 0, 0, 0, 0]), FREE, DT)
    np.testing.assert_allclose(out[:3], [-0.3 * 40 * 0.6, -0.3 * 40 * 0.8, 40.0])
    slow = np.array([1e-3, 0, 0, 0, 0, 0])
    out = surface.wrench(at(0, 0, -0.01), slow, FREE, DT)
    assert (slow + DT * FREE @ out)[0] == pytest.approx(0.0, abs=1e-15)


def test_a_mass_on_a_surface_bounces_as_hunt_and_crossley_say():
    """m v dv = -k d (1 + c v) dd: v/c - ln(1 + c v)/c^2 is the same in and out. Order one."""
    c, v_in = 2.0, 0.2
    level = v_in / c - np.log1p(c * v_in) / c**2
    v_out = brentq(lambda v: -v / c - np.log1p(-c * v) / c**2 - level, 1e-6, v_in)
    errors = []
    for dt in (1e-3, 5e-4, 2.5e-4):
        surface = Surface(np.zeros(3), np.array([0, 0, 1.0]), 4000.0, c, 0.0)
        z, v = 0.0, -v_in
        while z <= 0.0:
            v += dt * surface.wrench(at(0, 0, z), np.array([0, 0, v, 0, 0, 0]), FREE, dt)[2] / 2.0
            z += dt * v
        errors.append(abs(v - v_out))
    assert v_out < 0.9 * v_in
    assert errors[0] < 0.02 * v_out and errors[2] < 0.5 * errors[0]


def test_a_symmetric_satellite_precesses_by_its_closed_form():
    """The axis goes about the momentum at L / I1; momenta stay to the last bit; at least order two."""
    inertia, omega = np.diag([4.0, 4.0, 2.0]), np.array([0.6, 0.0, 1.0])
    L = inertia @ omega
    rate, n = np.linalg.norm(L) / 4.0, L / np.linalg.norm(L)
    errors = []
    for dt in (0.02, 0.01):
        body = satellite_moving(10.0, inertia, np.eye(4), np.eye(4), np.array([0.1, 0, 0]), omega)
        before = body.momentum.copy()
        for _ in range(round(5.0 / dt)):
            body.advance(dt, np.zeros(6))
        assert np.array_equal(body.momentum, before)
        K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
        turn = np.eye(3) + np.sin(5 * rate) * K + (1 - np.cos(5 * rate)) * K @ K
        errors.append(np.linalg.norm(body.T[:3, 2] - turn[:, 2]))
        np.testing.assert_allclose(body.T[:3, 3], [0.5, 0, 0], atol=1e-12)
    assert errors[1] < 1e-6 and errors[0] / errors[1] > 3.7


def test_an_impulse_changes_the_momenta_by_itself():
    """A push beside the centre: the velocities follow from it."""
    body = satellite_moving(5.0, np.diag([1.0, 2.0, 3.0]), at(0, 0, 1), np.eye(4), np.zeros(3), np.zeros(3))
    push, place = np.array([1.0, 0, 0]), np.array([0.0, 0.5, 1.0])
    body.advance(1e-6, np.concatenate([push, np.cross(place, push)]))
    twist = body.twist_at(np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(twist, [0.2, 0, 0, 0, 0, -0.5 / 3.0], atol=1e-6)


def test_a_latch_closes_near_by_and_then_holds():
    """Far: nothing. Near: closed for good; a light tip that it holds comes to the grapple's motion."""
    body = satellite_moving(50.0, np.eye(3) * 5.0, at(1, 0, 0), np.eye(4), np.zeros(3), np.array([0, 0, 0.1]))
    assert not body.wrench(at(1.02, 0, 0), np.zeros(6), FREE, DT).any() and not body.latch.closed
    light = np.diag([10.0] * 3 + [2000.0] * 3)
    T, twist = at(1.005, 0, 0), np.zeros(6)
    for _ in range(2000):
        wrench = body.wrench(T, twist, light, DT)
        twist = twist + DT * light @ wrench
        T = moved(T, DT * twist)
        p = T[:3, 3]
        body.advance(DT, -DT * np.concatenate([wrench[:3], wrench[3:] + np.cross(p, wrench[:3])]))
        assert np.abs(twist).max() < 1.0
    assert body.latch.closed
    np.testing.assert_allclose(twist, body.twist_at(T[:3, 3]), atol=1e-6)
    np.testing.assert_allclose(T[:3, 3], body.T_world_grapple[:3, 3], atol=1e-4)
