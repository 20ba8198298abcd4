"""Ways to the start pose: which may be taken, and how fast."""

import math

import numpy as np
import pytest

from bench.fidelity import changed
from hil.configuration import Configuration
from hil.loop.approach.caps import CORNER_SPEED, JOINT_SPEED
from hil.loop.approach.held_cube import HeldCube
from hil.loop.approach.way import WayHome

START = np.radians([0.0, -64.311, 0.0, 84.574, 0.0, 58.885, 0.0])


def away(**degrees: float) -> np.ndarray:
    """Joint positions so far from the start pose."""
    q = START.copy()
    for name, value in degrees.items():
        q[int(name[1]) - 1] += math.radians(value)
    return q


def test_a_free_way_is_allowed_with_the_speed_asked_for(cube: Configuration) -> None:
    """Where corners are slow; the words say how far, how fast and how near."""
    way, refusal = WayHome(cube).judged(away(A7=30.0), math.radians(3.0))
    assert way is not None and not refusal
    assert way.angle == pytest.approx(math.radians(30.0)) and way.speed == pytest.approx(math.radians(3.0))
    assert way.nearest == pytest.approx(0.012, abs=2e-5)
    assert way.words() == "30.0 deg at 3.00 deg/s, 10 s; the mock-up comes within 12 mm of the forearm"


@pytest.mark.parametrize("asked_deg_s", [0.5, 3.0, 10.0, 100.0])
def test_no_corner_is_faster_than_its_cap_anywhere_on_the_way(
    cube: Configuration, asked_deg_s: float
) -> None:
    """By finite differences on a grid ten times finer than the one that was looked at; nor is a joint."""
    q = away(A1=60.0, A2=-10.0, A7=20.0)
    way, _ = WayHome(cube).judged(q, math.radians(asked_deg_s))
    assert way is not None
    s = np.linspace(0.0, 1.0, 2401)[:, None]
    corners = HeldCube(cube).corners(q + s * (START - q))
    rate = way.speed / way.angle * 2400.0  # steps a second
    fastest = float(np.linalg.norm(np.diff(corners, axis=0), axis=2).max()) * rate
    assert fastest <= CORNER_SPEED and way.speed <= min(JOINT_SPEED, math.radians(asked_deg_s) + 1e-12)
    slowed = way.speed < 0.99 * math.radians(asked_deg_s)
    assert not slowed or fastest > 0.97 * CORNER_SPEED or way.speed > 0.97 * JOINT_SPEED


@pytest.mark.parametrize(
    ("degrees", "changes", "pair"),
    [
        ({"A2": -30.0}, {}, "the floor"),
        ({"A1": 46.0, "A2": 10.0, "A4": -200.0, "A6": 39.0}, {}, "the upper arm"),
        ({"A6": 55.0}, {}, "the forearm"),
        ({"A1": 0.0, "A7": 5.0}, {"mount_radius": 0.7}, "the mount"),
        ({"A2": 44.0, "A4": 26.0, "A6": -156.0}, {}, "the column"),
    ],
)
def test_a_way_that_comes_too_near_is_refused_with_pair_place_and_distance(
    cube: Configuration, degrees: dict[str, float], changes: dict[str, float], pair: str
) -> None:
    """Each of what the mock-up could touch."""
    c = changed(cube, "approach", **changes)
    way, refusal = WayHome(c).judged(away(**degrees), math.radians(3.0))
    assert way is None and pair in refusal and "% of the way" in refusal, refusal
    assert "approach.clearance_mm" in refusal


def test_what_is_too_near_only_in_the_middle_is_seen(cube: Configuration) -> None:
    """Both ends are free, and the middle of the way is refused, with how far on it lies."""
    c = changed(cube, "approach", floor_depth=0.1)
    home, held = WayHome(c), HeldCube(c)
    q = away(A1=-142.0, A2=10.0, A4=-12.0, A6=-110.0)
    ends = held.clearances(np.array([q, START])).min(axis=1)
    way, refusal = home.judged(q, math.radians(3.0))
    middle = held.clearances(q + np.linspace(0.0, 1.0, 999)[:, None] * (START - q)).min(axis=1)
    first = 100.0 * float(np.argmax(middle < 0.005)) / 998.0
    assert (ends > 0.005).all() and middle.min() < 0.005, (ends, middle.min())
    assert way is None and f"first {first:.0f} % of the way on" in refusal


def test_there_is_no_way_from_where_the_arm_is_already_or_beyond_its_limits(cube: Configuration) -> None:
    """At the start pose nothing moves; beyond a limit nothing could begin; nor from no number."""
    home = WayHome(cube)
    assert "already" in home.judged(START, 0.05)[1]
    assert "A2 stands at" in home.judged(away(A2=-60.0), 0.05)[1]
    assert home.judged(np.full(7, np.nan), 0.05)[0] is None
