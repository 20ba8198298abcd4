"""The motion's kernels, one by one: impulses against the cap, slices of one cell, predictions."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.geometry import matrix_from_quat, quat_from_rotvec, quat_multiply
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat
from sim.world.body import body_state, body_twist
from sim.world.motion import ROW_SIZE, apply_slice_into, fly_cell_into, predict_into
from sim.world.stops import SWING, TWIST, pack_stops, swing_twist

SPHERE = np.array([60.0, 3.0, 3.0, 3.0])
NO_STOPS = pack_stops(Stops(enabled=False), SPHERE[1:])
NO_CAPS = np.array([np.inf, np.inf])
NO_SLICES = (np.empty((0, 8)), np.empty(0, np.int64))
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
STEP = 1e-3
RATIO = 20


def row_of(twist, body=SPHERE, quat=IDENTITY, p=(0.0, 0.0, 0.0)):
    """Return a row on which no impulse has acted yet."""
    row = np.full(ROW_SIZE, -1.0)
    row[:13] = body_state(np.array(p, float), quat, np.array(twist, float), body)
    return row


def foreseen(row, count, body, stops):
    """Return the orientations at `count` nodes, 20 ms apart, of a body that nothing pushes."""
    p, quat, twist = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6))
    predict_into(p, quat, twist, row, 0, RATIO, STEP, *NO_SLICES, body, stops, NO_CAPS)
    return quat


@pytest.mark.parametrize("part", [0, 3], ids=["speed", "spin"])
def test_a_body_faster_than_the_cap_may_be_braked_but_not_driven(part):
    """At twice the cap: slowed to 1.5 caps it is there; driven on or aside it keeps its two caps."""
    caps = np.array([0.15, 0.5])
    cap = caps[part // 3]
    inertia = SPHERE[0] if part == 0 else SPHERE[1]
    for along, aside, expected in (
        (-0.5, 0.0, (1.5, 0.0)),
        (1.0, 0.0, (2.0, 0.0)),
        (0.0, 2.0, (math.sqrt(2.0), math.sqrt(2.0))),
    ):
        item, twist = np.zeros(8), np.zeros(6)
        item[1 + part], item[2 + part], item[7] = along * cap * inertia, aside * cap * inertia, 4.0
        twist[part] = 2.0 * cap
        row = row_of(twist)
        apply_slice_into(row, item, SPHERE, NO_STOPS, caps)
        assert np.allclose(body_twist(row, SPHERE)[part : part + 2], np.array(expected) * cap, atol=1e-12)
        braked = along < 0.0
        assert row[13:].tolist() == [4.0, -1.0 if braked else 4.0]


def test_all_slices_of_a_cell_act_where_they_belong():
    """Three in one cell, and others in its neighbours: velocity is the three's sum, each from its time on."""
    velocities = np.array([[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.4]])
    offsets = np.array([0.2, 0.5, 0.7]) * STEP
    slices = np.zeros((5, 8))
    slices[:, 0] = [6.5 * STEP, *(7.0 * STEP + offsets), 8.5 * STEP]
    slices[1:4, 1:4] = SPHERE[0] * velocities
    slices[[0, 4], 1:4] = 100.0
    slices[:, 7] = range(5)
    row = row_of(np.zeros(6))
    fly_cell_into(row, 7, STEP, STEP, slices, np.array([6, 7, 7, 7, 8]), SPHERE, NO_STOPS, NO_CAPS)
    assert np.allclose(row[7:10], velocities.sum(axis=0), atol=1e-15)
    assert np.allclose(row[:3], (STEP - offsets) @ velocities, atol=1e-15)
    assert row[13] == 3.0


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("axis", ["swing", "twist"])
def test_a_prediction_bounces_from_swing_and_twist(axis, side):
    """A sphere foreseen to turn into a stop: free up to it, a half sine beyond it, then back at its spin."""
    section = Stops(swing_deg=12.0, twist_deg=45.0, contact_time_ms=300.0)
    stops = pack_stops(section, SPHERE[1:])
    limit, spin, rate = stops[SWING if axis == "swing" else TWIST], 0.3, math.pi / 0.3
    outward = side * np.array([0.0, 1.0, 0.0] if axis == "swing" else [0.0, 0.0, 1.0])
    quat = quat_multiply(nominal_quat(section), quat_from_rotvec((limit - 0.05) * outward))
    twist = np.concatenate([np.zeros(3), spin * matrix_from_quat(quat) @ outward])
    nodes = foreseen(row_of(twist, quat=quat), 35, SPHERE, stops)
    met = 0.05 / spin
    for n, node in enumerate(nodes):
        t = n * RATIO * STEP - met
        beyond = spin * t if t <= 0.0 else spin / rate * math.sin(rate * t) if t < 0.3 else spin * (0.3 - t)
        angle = abs(swing_twist(node, stops)[0 if axis == "swing" else 1])
        assert angle - limit == pytest.approx(beyond, abs=1e-5), n


def test_a_prediction_of_a_fast_top_is_its_closed_form():
    """At 8 rad/s, 0.2 rad from node to node: two seconds of a symmetric top to 1e-8 all the same."""
    body = np.array([2.0, 0.3, 0.3, 0.5])
    row = row_of([0, 0, 0, 4.0, 1.0, 7.0], body)
    nodes = foreseen(row, 101, body, pack_stops(Stops(enabled=False), body[1:]))
    for n in range(0, 101, 10):
        t = n * RATIO * STEP
        precession = Rotation.from_rotvec(row[10:13] / 0.3 * t)
        own = Rotation.from_rotvec([0, 0, 7.0 * (1 - 0.5 / 0.3) * t])
        assert np.abs(matrix_from_quat(nodes[n]) - (precession * own).as_matrix()).max() < 1e-8, n
