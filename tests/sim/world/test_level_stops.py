"""Stops before a platform: elevation and twist without a bound of the heading, and energy that stays."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.configuration import load_configuration
from hil.configuration.base_rules import elevation_limit, object_room
from sim.world.body import body_energy, body_state, step_body
from sim.world.stops import SWING, TWIST, pack_stops, spin_potential, stop_torque, swing_twist, world_stops

PLATFORM = load_configuration(Path(__file__).parents[3] / "configs" / "platform.toml")
STOPS = world_stops(PLATFORM)
BODY = np.array([60.0, 2.0, 3.5, 4.5])


def attitude(heading, elevation, twist):
    """Rz(heading) Ry(pi/2 - elevation) Rz(twist), w x y z."""
    turn = Rotation.from_euler("ZYZ", [heading, 0.5 * math.pi - elevation, twist])
    return turn.as_quat(scalar_first=True)


def test_any_heading_is_free():
    """Swing is the elevation, twist the turn about the axis, whatever the heading."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        heading, e, t = rng.uniform(-math.pi, math.pi), rng.uniform(-0.5, 0.5), rng.uniform(-1.5, 1.5)
        assert swing_twist(attitude(heading, e, t), STOPS) == (
            pytest.approx(abs(e), abs=1e-9),
            pytest.approx(t, abs=1e-9),
        )


def test_torque_is_the_gradient_of_the_potential():
    """Turning by a small rotation about any world axis costs minus the torque times the angle."""
    rng, met = np.random.default_rng(2), 0
    for _ in range(200):
        quat = attitude(rng.uniform(-3, 3), rng.uniform(-0.6, 0.6), rng.uniform(-2.0, 2.0))
        torque, gradient = np.array(stop_torque(*quat, STOPS)), np.empty(3)
        for i in range(3):
            small = np.zeros(3)
            small[i] = 1e-6
            ends = [
                Rotation.from_rotvec(sign * small) * Rotation.from_quat(quat, scalar_first=True)
                for sign in (1.0, -1.0)
            ]
            up, down = (spin_potential(end.as_quat(scalar_first=True), STOPS) for end in ends)
            gradient[i] = (up - down) / 2e-6
        np.testing.assert_allclose(torque, -gradient, atol=1e-5 * max(1.0, np.abs(torque).max()))
        met += bool(torque.any())
    assert met > 100


def test_stops_neither_add_nor_take_energy():
    """A minute between elevation, twist and height: energy within a millionth, and the heading goes round."""
    state = body_state(
        PLATFORM.stops.centre, attitude(0.0, 0.05, 0.3), np.array([0.05, 0.02, 0.08, 0.1, 0.12, 0.2]), BODY
    )
    before, turned, hit = body_energy(state, BODY, STOPS), 0.0, 0
    for _ in range(60_000):
        state = step_body(state, BODY, STOPS, np.zeros(6), 1e-3)
        hit += swing_twist(state[3:7], STOPS)[0] > STOPS[SWING]
        turned = max(
            turned, abs(math.atan2(*Rotation.from_quat(state[3:7], scalar_first=True).as_matrix()[1::-1, 2]))
        )
    assert hit > 100
    assert turned > 2.0
    assert body_energy(state, BODY, STOPS) == pytest.approx(before, rel=1e-5)


def test_the_floor_keeps_the_base_whatever_the_heading():
    """The base is the standoff behind the object: the object's box and that stay within the floor."""
    centre, half = object_room(PLATFORM)
    floor = PLATFORM.base.floor
    assert (centre[:2] == 0.5 * (floor[0] + floor[1])).all()
    for heading in np.linspace(0.0, 2.0 * math.pi, 17):
        behind = 0.79 * np.array([math.cos(heading), math.sin(heading)])
        for corner in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            p = centre[:2] + half[:2] * corner - behind
            assert (p >= floor[0] + 0.08).all()
            assert (p <= floor[1] - 0.08).all()


def test_a_base_that_stands_changes_nothing():
    """Without a base the stops are as configured, to the last digit; with one they are tighter."""
    fixed = PLATFORM.model_copy(update={"base": PLATFORM.base.model_copy(update={"kind": "none"})})
    np.testing.assert_array_equal(world_stops(fixed), pack_stops(fixed.stops, fixed.object.inertia))
    assert STOPS[SWING] == elevation_limit(PLATFORM.stops, PLATFORM.base) < PLATFORM.stops.swing
    assert STOPS[TWIST] < PLATFORM.stops.twist
    cone = math.cos(PLATFORM.base.heading_reserve) * math.cos(STOPS[SWING])
    assert cone == pytest.approx(math.cos(PLATFORM.stops.swing))
