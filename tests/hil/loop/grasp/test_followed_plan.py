"""Where a plan has the tip: with the object, from rest to rest, and at a stand while all is held."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.errors import ConfigurationError
from hil.configuration.grasp_plan import load_plan
from hil.loop.grasp.followed_plan import FollowedPlan

PLAN = Path(__file__).parents[4] / "configs" / "grasps" / "drag.toml"
GRASP = np.eye(4)
GRASP[:3, :3] = np.diag([-1.0, 1.0, -1.0])
GRASP[:3, 3] = 0.0, 0.0, 0.21
DT = 0.01


def drifting(t):
    """An object that drifts and turns."""
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.0, 0.02 * t, 0.05 * t]).as_matrix()
    T[:3, 3] = 0.8 + 0.01 * t, 0.02 * t, 0.15
    return T


def followed(seconds, held=lambda t: False, plan=PLAN):
    """Targets of the shipped plan beside that object, and the plan."""
    follow = FollowedPlan(load_plan(plan), GRASP)
    follow.first(drifting(0.0))
    return [follow.step(DT, drifting((n + 1) * DT), held(n * DT)) for n in range(round(seconds / DT))], follow


def test_the_way_ends_where_the_plan_says_seen_from_the_object():
    """After approach and touch the tip is at the bar, 2 mm beside, whatever the object does."""
    targets, _ = followed(5.2)
    seen = np.linalg.inv(drifting(5.2) @ GRASP) @ targets[-1].T
    assert seen[:3, 3] == pytest.approx([0.0, 0.002, 0.0], abs=1e-9)
    assert seen[:3, :3] == pytest.approx(np.eye(3), abs=1e-9)
    assert targets[-1].phase == "touch"
    assert not targets[-1].closed


def test_no_step_is_a_jump():
    """From cycle to cycle the tip goes no faster than plan and object together, until it lets go."""
    targets, _ = followed(10.6)
    p = np.array([target.T[:3, 3] for target in targets])
    v = np.linalg.norm(np.diff(p, axis=0), axis=1) / DT
    assert v.max() < 0.08 + 0.05
    assert np.abs(np.diff(v)).max() < 0.01


def test_in_the_world_it_gives_up_the_objects_motion_and_goes_its_own_way():
    """At the end of hold and drag it is v / 2 and 60 mm further than where the gripper closed."""
    targets, _ = followed(10.7)
    begun, end = targets[619].T, targets[-1].T
    v = (targets[619].T[:3, 3] - targets[618].T[:3, 3]) / DT
    assert end[:3, 3] - begun[:3, 3] == pytest.approx([0.0, 0.06, 0.0] + 0.5 * v, abs=2e-4)
    assert targets[-1].closed


def test_the_plan_stands_while_all_is_held_and_then_goes_on():
    """Its pace falls to nothing in 0.2 s, and grows again."""
    targets, follow = followed(12.0, lambda t: 8.0 <= t < 10.0)
    assert targets[999].T[:3, 3] == pytest.approx(targets[850].T[:3, 3], abs=1e-12)
    assert follow.t == pytest.approx(12.0 - 2.0, abs=0.02)


def test_a_release_opens_and_stays():
    """Whatever the plan says."""
    follow = FollowedPlan(load_plan(PLAN), GRASP)
    follow.first(drifting(0.0))
    for n in range(600):
        last = follow.step(DT, drifting((n + 1) * DT), False)
    assert last.closed
    follow.released = True
    for n in range(600, 900):
        now = follow.step(DT, drifting((n + 1) * DT), False)
    assert not now.closed
    assert now.T == pytest.approx(last.T, abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('phase = "touch"', 'phase = "hold"', "do not come in the order approach, touch, close"),
        (
            "duration_s = 2.7",
            "duration_s = 1.0",
            r"phase\[0\].duration_s = 1 is too short for 110.0 mm at 80 mm/s",
        ),
        (
            "duration_s = 1.5",
            "duration_s = 0.5",
            r"phase\[1\].duration_s = 0.5 is too short for 20.0 mm at 30 mm/s",
        ),
        ('phase = "release"', 'phase = "drag"', "do not come in the order"),
        ("speed_mm_s = 80.0", "speed_mm_s = 900.0", "speed_mm_s = 900.0 must be at most 250"),
        ("brake_s", "break_s", "did you mean brake_s"),
        ("[[phase]]", "[[phase]", "is no TOML"),
    ],
)
def test_a_plan_that_is_none_is_refused_in_a_line(tmp_path, old, new, told):
    """With file, key, value and bound."""
    file = tmp_path / "plan.toml"
    file.write_text(PLAN.read_text().replace(old, new, 1))
    with pytest.raises(ConfigurationError, match=told) as found:
        load_plan(file)
    assert str(found.value).startswith(str(file))


def test_a_plan_that_is_not_there_is_told(tmp_path):
    """No traceback."""
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_plan(tmp_path / "none.toml")
