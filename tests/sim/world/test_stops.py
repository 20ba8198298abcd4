"""The stops: closed form of a bounce, potential against torque, energy over ten minutes."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.geometry import matrix_from_quat, quat_from_rotvec, quat_multiply
from hil.configuration import load_configuration
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat
from planner.workspace.set_geometry import WorkspaceSet
from sim.world.body import body_energy, body_state, body_twist, step_body
from sim.world.motion import ROW_SIZE, fly_grid_into
from sim.world.stops import pack_stops, spin_potential, spring_flow, stop_torque, swing_twist

CUBE = load_configuration(Path(__file__).parents[3] / "configs" / "cube.toml")
SPHERE_LIKE = np.array([60.0, 3.0, 3.0, 3.0])
ASYMMETRIC = np.array([60.0, 2.0, 3.5, 4.5])
CONTACT_TIME = 0.3
RATE = math.pi / CONTACT_TIME


def test_bounce_of_the_centre_is_a_half_sine():
    """Beyond the bound the depth is v/w sin(w t); after the contact time the speed is reflected."""
    half, v = 0.2, 0.12
    for t in (0.05, 0.123, 0.29):
        x, speed = spring_flow(half, v, half, RATE, t)
        assert x == pytest.approx(half + v / RATE * math.sin(RATE * t), abs=1e-14)
        assert speed == pytest.approx(v * math.cos(RATE * t), abs=1e-14)
    x, speed = spring_flow(0.1, v, half, RATE, 0.1 / v + CONTACT_TIME + 0.5)
    assert (x, speed) == (pytest.approx(half - 0.5 * v, abs=1e-14), pytest.approx(-v, abs=1e-14))


def test_bounce_does_not_depend_on_the_steps():
    """Ten thousand small steps through many bounces end where one large step ends."""
    x, v = 0.05, -0.31
    for _ in range(10_000):
        x, v = spring_flow(x, v, 0.1, RATE, 0.5e-3)
    once = 0.05, -0.31
    for _ in range(10):
        once = spring_flow(*once, 0.1, RATE, 0.5)
    assert (x, v) == (pytest.approx(once[0], abs=1e-10), pytest.approx(once[1], abs=1e-10))


@pytest.mark.parametrize("axis", ["swing", "twist"])
def test_bounce_of_swing_and_twist(axis):
    """A sphere that turns straight into a rotational stop leaves it after 0.3 s at the same spin."""
    stops = pack_stops(CUBE.stops, SPHERE_LIKE[1:])
    quat = nominal_quat(CUBE.stops)
    limit = CUBE.stops.swing if axis == "swing" else CUBE.stops.twist
    turn = np.array([0.0, limit, 0.0]) if axis == "swing" else np.array([0.0, 0.0, limit])
    quat = quat_multiply(quat, quat_from_rotvec(turn))
    spin = 0.3 * matrix_from_quat(quat) @ turn / limit
    state = body_state(CUBE.stops.centre, quat, np.concatenate([np.zeros(3), spin]), SPHERE_LIKE)
    deepest = 0.0
    for n in range(300):
        state = step_body(state, SPHERE_LIKE, stops, np.zeros(6), 1e-3)
        depth = abs(swing_twist(state[3:7], stops)[0 if axis == "swing" else 1]) - limit
        expected = 0.3 / RATE * math.sin(RATE * (n + 1) * 1e-3)
        assert depth == pytest.approx(expected, abs=2e-6)
        deepest = max(deepest, depth)
    assert np.allclose(body_twist(state, SPHERE_LIKE)[3:], -spin, atol=1e-5)
    assert deepest == pytest.approx(0.3 / RATE, rel=1e-4)


def test_torque_is_the_gradient_of_the_potential():
    """Turning the body by a small rotation about any world axis costs minus the torque times the angle."""
    rng = np.random.default_rng(2)
    stops = pack_stops(CUBE.stops, ASYMMETRIC[1:])
    met = 0
    for _ in range(200):
        quat = quat_multiply(nominal_quat(CUBE.stops), quat_from_rotvec(rng.uniform(-1.6, 1.6, 3)))
        torque = np.array(stop_torque(*quat, stops))
        gradient = np.empty(3)
        for i in range(3):
            small = np.zeros(3)
            small[i] = 1e-6
            up = spin_potential(quat_multiply(quat_from_rotvec(small), quat), stops)
            down = spin_potential(quat_multiply(quat_from_rotvec(-small), quat), stops)
            gradient[i] = (up - down) / 2e-6
        assert np.allclose(torque, -gradient, rtol=1e-6, atol=1e-5), quat
        met += bool(torque.any())
    assert met > 100


def test_swing_and_twist_against_their_definition():
    """A twist about z followed by a swing about a horizontal axis is read back as these two angles."""
    rng = np.random.default_rng(3)
    stops_section = Stops().model_copy(update={"axis_pitch": 0.3, "axis_yaw": -1.1})
    stops = pack_stops(stops_section, ASYMMETRIC[1:])
    for _ in range(50):
        swing, twist, heading = rng.uniform(0.0, 3.0), rng.uniform(-3.1, 3.1), rng.uniform(-3.1, 3.1)
        tilt = Rotation.from_rotvec(swing * np.array([math.cos(heading), math.sin(heading), 0.0]))
        nominal = Rotation.from_quat(nominal_quat(stops_section), scalar_first=True)
        quat = (nominal * tilt * Rotation.from_rotvec([0, 0, twist])).as_quat(scalar_first=True)
        assert swing_twist(quat, stops) == (pytest.approx(swing, abs=1e-9), pytest.approx(twist, abs=1e-9))


def test_nominal_axis_points_along_pitch_and_yaw():
    """Object z points where pitch and yaw say, object y stays horizontal."""
    for pitch, yaw in ((0.0, 0.0), (0.4, -2.0), (-1.2, 0.7), (math.pi / 2, 0.3)):
        section = Stops().model_copy(update={"axis_pitch": pitch, "axis_yaw": yaw})
        R = matrix_from_quat(nominal_quat(section))
        wanted = [math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)]
        assert np.allclose(R[:, 2], wanted, atol=1e-15)
        assert abs(R[2, 1]) < 1e-15


@pytest.mark.parametrize("inertia", [[2.0, 3.5, 4.5], [4.5, 2.0, 3.0], [1.0, 1.0, 1.9], [3.0, 3.0, 3.0]])
def test_no_body_goes_deeper_than_the_certified_set_reaches(inertia):
    """Whatever way a body at the certified spin meets swing and twist: within their depth in `WorkspaceSet`.

    All its energy may come from a spin about its axis of largest inertia; the set is certified so far.
    """
    c = CUBE.model_copy(update={"object": CUBE.object.model_copy(update={"inertia": np.array(inertia)})})
    certified = WorkspaceSet.from_configuration(c)
    body, stops = np.array([60.0, *inertia]), pack_stops(c.stops, np.array(inertia))
    rng, deepest = np.random.default_rng(9), np.zeros(2)
    ring = np.zeros((101, ROW_SIZE))
    nothing = (np.empty((0, 8)), np.empty(0, np.int64))
    for case in range(24):
        spin = np.eye(3)[case % 3] + 0.3 * rng.normal(size=3) * (case > 5)
        spin *= c.stops.max_spin * (-1.0) ** case / np.linalg.norm(spin)
        quat = nominal_quat(c.stops)
        twist = np.concatenate([np.zeros(3), matrix_from_quat(quat) @ spin])
        ring[0, :13] = body_state(c.stops.centre, quat, twist, body)
        for n in range(0, 8000, 100):
            fly_grid_into(ring, n, n + 100, 1e-3, *nothing, body, stops, np.full(2, np.inf))
            for row in ring[:, :13]:
                swing, turned = swing_twist(row[3:7], stops)
                deepest = np.maximum(deepest, [swing - c.stops.swing, abs(turned) - c.stops.twist])
    allowed = np.array([certified.swing_depth, certified.twist_depth])
    assert np.all(deepest <= allowed * (1.0 + 1e-3)), (deepest, allowed)
    straight = c.stops.max_spin * c.stops.contact_time / math.pi  # of a spin about the stop's own axis
    assert deepest[0] > 0.9 * straight and deepest[1] > 0.9 * straight, "the bounds are met"


@pytest.mark.parametrize("body", [SPHERE_LIKE, ASYMMETRIC], ids=["sphere", "asymmetric"])
def test_ten_minutes_of_bouncing_keep_the_energy(body):
    """Ten minutes at 0.12 m/s and 0.3 rad/s between all stops: energy within 0.1 % (goal 1 %)."""
    stops = pack_stops(CUBE.stops, body[1:])
    rng = np.random.default_rng(7)
    direction, axis = rng.normal(size=3), rng.normal(size=3)
    twist = np.concatenate([0.12 * direction / np.linalg.norm(direction), 0.3 * axis / np.linalg.norm(axis)])
    ring = np.zeros((101, ROW_SIZE))
    ring[0, :13] = body_state(CUBE.stops.centre, nominal_quat(CUBE.stops), twist, body)
    energy = body_energy(ring[0, :13], body, stops)
    nothing = (np.empty((0, 8)), np.empty(0, np.int64))
    met = 0
    for n in range(0, 600_000, 100):
        fly_grid_into(ring, n, n + 100, 1e-3, *nothing, body, stops, np.array([np.inf, np.inf]))
        row = ring[(n + 100) % 101, :13]
        assert body_energy(row, body, stops) == pytest.approx(energy, rel=1e-3)
        met += spin_potential(row[3:7], stops) > 0.0
    assert met > 100
