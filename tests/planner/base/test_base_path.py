"""The base's path: closed form of a push, what is committed, rail, floor and cable."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.configuration import load_configuration
from planner.base.axis_program import KNOT
from planner.base.base_path import BasePath
from planner.base.seen_from_base import seen_from_base

CONFIG = Path(__file__).parents[3] / "configs" / "platform.toml"
PLATFORM = load_configuration(CONFIG)
STEP, NODES = 0.02, 101
STANDOFF = 0.79


def drift(s_0, v, w, start=(STANDOFF, 0.0)):
    """A body that drifts and turns about the vertical, its axis level: places, orientations, twists."""
    s = s_0 + STEP * np.arange(NODES)
    p = np.stack([start[0] + v[0] * s, start[1] + v[1] * s, np.full(NODES, 0.15)], axis=1)
    turned = Rotation.from_euler("z", (w * s)[:, None]) * Rotation.from_euler("y", np.pi / 2)
    twist = np.tile([*v, 0.0, 0.0, 0.0, w], (NODES, 1))
    return p, turned.as_quat(scalar_first=True), twist


def followed(path, v, w, duration=4.0):
    """Plan ten times a second and yield object time and the base's pose there."""
    for k in range(round(duration / KNOT)):
        s = k * KNOT
        path.plan(s, STEP, *drift(s, v, w))
        times = s + np.linspace(0.0, KNOT, 11)[:-1]
        yield from zip(times, path.at(times), strict=True)


@pytest.mark.parametrize("speed", [0.1, 0.15, 0.3])
def test_a_push_leaves_the_middle_by_its_closed_form(speed):
    """A base at rest whose object is suddenly fast: dv T_c + dv^2 / (2 A) behind, and no more afterwards."""
    worst = 0.0
    for s, motion in followed(BasePath(PLATFORM), (speed, 0.0), 0.0):
        worst = max(worst, abs(STANDOFF + speed * s - motion[0, 0] - STANDOFF))
    assert worst == pytest.approx(PLATFORM.base.deviation(speed, 0.0)[0], rel=0.01)


def test_a_turn_leaves_the_middle_by_its_closed_form():
    """Likewise of the heading; the place follows the heading that comes of it, and stays near the middle."""
    turn, worst, aside = math.radians(10.0), 0.0, 0.0
    for s, motion in followed(BasePath(PLATFORM), (0.0, 0.0), turn):
        worst = max(worst, abs(turn * s - motion[0, 2]))
        seen = Rotation.from_euler("z", -motion[0, 2]).apply([STANDOFF - motion[0, 0], -motion[0, 1], 0.0])
        aside = max(aside, float(np.linalg.norm(seen[:2] - [STANDOFF, 0.0])))
    assert worst == pytest.approx(PLATFORM.base.deviation(0.0, turn)[1], rel=0.01)
    assert aside < 0.02


@pytest.mark.parametrize("seed", range(8))
def test_a_late_base_catches_up_within_the_arms_certified_speed(seed):
    """0.3 s late, a body that sets off at once gets 80 mm ahead: the base does not fly past it."""
    late = load_configuration(CONFIG, ["base.delay_ms=210", "base.lag_ms=84", "base.committed_ms=344"])
    rng = np.random.default_rng(seed)
    way, w = rng.uniform(0.0, 2.0 * np.pi), rng.choice([-1.0, 1.0]) * math.radians(7.0)
    v, path, worst, last = 0.069 * np.array([math.cos(way), math.sin(way)]), BasePath(late), 0.0, 0.0
    for k in range(40):
        s = k * KNOT
        p, quat, twist = drift(s, v, w)
        path.plan(s, STEP, p, quat, twist)
        _, _, seen = seen_from_base(p, quat, twist, path.at(s + STEP * np.arange(NODES)))
        worst, last = max(worst, np.linalg.norm(seen[:, :3], axis=1).max()), np.linalg.norm(seen[0, :3])
    assert worst < 0.8 * late.stops.max_speed and last < 1e-3


def test_the_base_follows_a_whole_turn():
    """A body that turns on and on is followed beyond half a turn: headings are not wrapped."""
    path, turn = BasePath(PLATFORM), math.radians(10.0)
    last = list(followed(path, (0.0, 0.0), turn, 40.0))[-1]
    assert last[1][0, 2] == pytest.approx(turn * last[0], abs=1e-3)
    assert last[1][0, 2] > 2.0 * math.pi


def test_what_is_committed_never_changes():
    """Another plan, for an object that was pushed, leaves the next 0.3 s as they were, to the last digit."""
    path = BasePath(PLATFORM)
    for k in range(12):
        path.plan(k * KNOT, STEP, *drift(k * KNOT, (0.1, 0.05), 0.1))
    s = 11 * KNOT + 0.04
    times = s + np.linspace(0.0, PLATFORM.base.committed, 50)
    before = path.at(times)
    path.plan(s, STEP, *drift(s, (-0.2, 0.1), -0.2, (1.0, 0.3)))
    np.testing.assert_array_equal(path.at(times), before)
    later = times + PLATFORM.base.committed + KNOT
    assert np.abs(path.at(later)[:, 0] - before[:, 0]).max() > 0.01


def test_the_path_is_that_of_its_accelerations():
    """Rates are the slopes of poses, accelerations those of rates: finite differences within a knot."""
    path = BasePath(PLATFORM)
    path.plan(0.0, STEP, *drift(0.0, (0.1, 0.05), 0.1))
    times = np.arange(0.0, 2.0, 0.01) + 0.005
    h = 1e-4
    for row in (0, 1):
        slope = (path.at(times + h)[:, row] - path.at(times - h)[:, row]) / (2 * h)
        np.testing.assert_allclose(slope, path.at(times)[:, row + 1], atol=1e-8)


def test_a_rail_keeps_its_line():
    """Along y only; what the object does across is left to the arm."""
    rail = load_configuration(CONFIG, ['base.kind="rail"'])
    path = BasePath(rail)
    at = list(followed(path, (0.05, 0.1), 0.1))
    for _, motion in at:
        assert motion[0, 0] == pytest.approx(0.0, abs=1e-12)
        assert motion[0, 2] == 0.0
    s, motion = at[-1]
    assert motion[0, 1] == pytest.approx(0.1 * s, abs=1e-3)


def test_floor_and_cable_end():
    """A path that leaves the floor, or winds up the cable, says when and which of them."""
    path = BasePath(PLATFORM)
    path.restart(0.0, np.array([1.9, 0.0, 0.0]))
    assert path.room(0.0) == (math.inf, "")
    path.plan(0.0, STEP, *drift(0.0, (0.2, 0.0), 0.0, (STANDOFF + 1.9, 0.0)))
    depth, why = path.room(0.0)
    assert why == "base floor"
    assert 0.5 < depth < 1.5
    wound = BasePath(load_configuration(CONFIG, ["base.winding_deg=90.0"]))
    wound.restart(0.0, np.array([0.0, 0.0, math.radians(88.0)]))
    wound.plan(0.0, STEP, *drift(0.0, (0.0, 0.0), 0.3))
    assert wound.room(0.0)[1] == ""
    turned = drift(6.0, (0.0, 0.0), 0.3)
    wound.plan(0.0, STEP, *turned)
    assert wound.room(0.0)[1] == "base winding"


def test_what_the_base_sees_is_the_world_from_there():
    """Poses by matrices, twists by finite differences of these poses."""
    rng = np.random.default_rng(5)
    h, base_rate = 1e-6, rng.normal(size=3) * 0.3
    for _ in range(20):
        x, p, v, w = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)
        R = Rotation.from_rotvec(rng.normal(size=3))

        def seen(t, x=x, p=p, v=v, w=w, R=R):
            at = x + t * base_rate
            inverse = Rotation.from_euler("z", -at[2])
            moved = inverse.apply(p + t * v - [at[0], at[1], 0.0])
            return moved, inverse * Rotation.from_rotvec(t * w) * R

        base = np.array([[x, base_rate, np.zeros(3)]])
        quat = R.as_quat(scalar_first=True)[None]
        p_base, quat_base, twist = seen_from_base(p[None], quat, np.concatenate([v, w])[None], base)
        place, turn = seen(0.0)
        np.testing.assert_allclose(p_base[0], place, atol=1e-12)
        assert (turn.inv() * Rotation.from_quat(quat_base[0], scalar_first=True)).magnitude() < 1e-12
        np.testing.assert_allclose(twist[0, :3], (seen(h)[0] - seen(-h)[0]) / (2 * h), atol=1e-8)
        spin = (seen(h)[1] * seen(-h)[1].inv()).as_rotvec() / (2 * h)
        np.testing.assert_allclose(twist[0, 3:], spin, atol=1e-8)
