"""Pads on a bar: closed forms of normal force and friction, action and reaction, what never pulls."""

import numpy as np
import pytest

from drivers.emulation.grasp.law import law_of
from drivers.emulation.grasp.pads import press_into, untouched
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.configuration.grasp import Grasp, Partner

GRASP = Grasp.model_validate(
    {
        "bar_position_mm": [10.0, -5.0, 200.0], "bar_rotvec_deg": [0.0, 0.0, 20.0],
        "bar_size_mm": [100.0, 20.0, 60.0], "pad_stiffness_n_per_m": 2e4, "pad_damping_n_s_per_m": 120.0,
    }
)  # fmt: skip
PARTNER = Partner.model_validate(
    {
        "plan": "none", "mount_position_mm": [0.0, 0.0, 0.0], "mount_rotvec_deg": [0.0, 0.0, 0.0],
        "mass_kg": 3.0, "inertia_kg_m2": 0.05, "stiffness_n_per_m": 500.0, "damping_n_s_per_m": 54.0,
        "stiffness_turning_n_m_per_rad": 50.0, "damping_turning_n_m_s_per_rad": 4.0,
    }
)  # fmt: skip
LAW = law_of(GRASP, PARTNER)
STILL = (0.0,) * 6
T_OBJECT = np.eye(4)
T_OBJECT[:3, :3] = matrix_from_quat(quat_from_rotvec(np.array([0.3, -1.1, 0.4])))
T_OBJECT[:3, 3] = 0.8, -0.1, 0.3


def tool(way: np.ndarray) -> np.ndarray:
    """Return a tool that grasps the bar's middle, moved by a way in the bar's own axes [m]."""
    T = T_OBJECT @ GRASP.T_object_tool
    T[:3, 3] += bar() @ way
    return T


def bar() -> np.ndarray:
    """Return the bar's axes in world."""
    return T_OBJECT[:3, :3] @ LAW.R_object_bar


def pressed(way, opening, twist=STILL, speed=0.0, pads=None, slid=0.0, moving=STILL):
    """Return what pads exert on the bar, in its own axes (6,), and the pads."""
    pads = pads or untouched()
    fingers = np.array([opening, speed])
    press_into(pads, LAW, T_OBJECT, np.array(moving), tool(np.array(way)), np.array(twist), fingers, slid)
    return np.concatenate((bar().T @ pads.on_object[:3], bar().T @ pads.on_object[3:])), pads


def test_a_gripped_bar_feels_nothing_and_each_pad_its_own_depth():
    """Both pads press alike, K times the depth, and cancel."""
    force, pads = pressed([0.0, 0.0, 0.0], 0.009)
    assert force == pytest.approx(np.zeros(6), abs=1e-9)
    assert pads.normal == pytest.approx([20.0, 20.0], rel=1e-9)
    assert pads.opening == pytest.approx([20.0, 20.0], rel=1e-9)


def test_a_bar_off_the_middle_is_pushed_back_with_both_pads_stiffness():
    """By 0.2 mm off: one pad has 4 N more, the other 4 N less."""
    force, pads = pressed([0.0, 2e-4, 0.0], 0.009)
    assert force[:3] == pytest.approx(
        [0.0, 8.0, 0.0], abs=1e-9
    )  # the tool is off along +y, and takes it along
    assert sorted(pads.normal) == pytest.approx([16.0, 24.0], rel=1e-9)


def test_a_damper_presses_and_never_pulls():
    """Closing adds c v; opening faster than K x / c ends the contact."""
    assert pressed([0.0, 0.0, 0.0], 0.009, speed=-0.05)[1].normal == pytest.approx([26.0, 26.0], rel=1e-9)
    assert pressed([0.0, 0.0, 0.0], 0.009, speed=0.2)[1].normal == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("way", [[0.07, 0.0, 0.0], [0.0, 0.0, 0.05], [0.0, 0.03, 0.0]])
def test_pads_beside_the_bar_touch_nothing(way):
    """Beyond its ends, above it, and where a pad would have passed through the middle."""
    force, _ = pressed(way, 0.005)
    beside = way[1] == 0.0
    assert (force == 0.0).all() or not beside


def test_what_comes_in_over_an_edge_is_pressed_no_deeper_than_it_is_behind_it():
    """Two points of each pad 0.3 mm behind the bar's end, 2 mm in its face: K 0.3 mm each."""
    _, pads = pressed([0.05 + GRASP.pad_half - 3e-4, 0.0, 0.0], 0.008)
    assert pads.normal == pytest.approx([3.0, 3.0], rel=1e-9)
    assert pads.deepest[0] == pytest.approx(3e-4)


def test_friction_is_a_spring_that_slips_at_the_cone():
    """Half of the pad's stiffness along its face; never more than mu N, then it slips."""
    pads, slow = untouched(), np.zeros(6)
    slow[:3] = bar() @ np.array([1e-6, 0.0, 0.0])
    force, pads = pressed([0.0, 0.0, 0.0], 0.009, twist=slow, pads=pads, slid=100.0)  # by 0.1 mm in all
    assert force[0] == pytest.approx(2 * 1e4 * 1e-4, rel=1e-3)
    force, pads = pressed([0.0, 0.0, 0.0], 0.009, twist=1e3 * slow, pads=pads, slid=10.0)  # by 10 mm more
    assert force[0] == pytest.approx(0.6 * 40.0, rel=1e-6)
    back, _ = pressed(
        [0.0, 0.0, 0.0], 0.009, twist=-slow, pads=pads, slid=200.0
    )  # the spring gives back at once
    assert back[0] == pytest.approx(0.6 * 40.0 - 2 * 1e4 * 2e-4, rel=1e-2)


def test_what_is_lost_is_forgotten():
    """A bristle that was stretched begins anew with the next touch."""
    slow = np.zeros(6)
    slow[:3] = bar() @ np.array([1e-6, 0.0, 0.0])
    _, pads = pressed([0.0, 0.0, 0.0], 0.009, twist=slow, slid=100.0)
    pressed([0.0, 0.0, 0.0], 0.03, pads=pads)
    force, _ = pressed([0.0, 0.0, 0.0], 0.009, pads=pads)
    assert force[0] == pytest.approx(0.0, abs=1e-9)


def test_action_is_reaction_about_any_point():
    """What the object gets the tool gives, moments about one point included."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        twist, moving = 0.02 * rng.standard_normal(6), 0.02 * rng.standard_normal(6)
        way = rng.uniform(-1e-3, 1e-3, 3)
        _, pads = pressed(way, 0.009, twist=twist, moving=moving, slid=2e-4)
        apart = tool(way)[:3, 3] - T_OBJECT[:3, 3]
        total = pads.on_object + pads.on_tool
        total[3:] += np.cross(apart, pads.on_tool[:3])
        assert np.abs(pads.on_object[:3]).max() > 0.1
        assert total == pytest.approx(np.zeros(6), abs=1e-9), (way, twist, moving)


def test_a_rigid_motion_of_both_rubs_nothing():
    """Object and tool that turn together exert what they do at rest."""
    turn = np.array([0.1, -0.2, 0.3])
    both = np.concatenate((np.cross(turn, T_OBJECT[:3, 3]), turn))
    tip = np.concatenate((np.cross(turn, tool(np.array([0.0, 1e-4, 0.0]))[:3, 3]), turn))
    force, _ = pressed([0.0, 1e-4, 0.0], 0.009, twist=tip, moving=both, slid=1.0)
    assert force == pytest.approx(pressed([0.0, 1e-4, 0.0], 0.009)[0], abs=1e-9)
