"""A second arm's tip: the damped oscillator's closed form, its limits, its gripper."""

import math

import numpy as np
import pytest
from scipy.linalg import expm

from drivers.emulation.grasp.pads import untouched
from drivers.emulation.grasp.tip import Aim, Tip, tip_step
from hil.common.geometry import quat_from_rotvec, rotvec_from_quat
from tests.drivers.emulation.grasp.test_pads import GRASP, LAW, T_OBJECT, tool

FAR = np.eye(4)
FAR[:3, 3] = 10.0, 0.0, 0.0
STILL = np.zeros(6)
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def run(tip, aim, seconds, closing=False, T=FAR, law=LAW):
    """Advance a tip far from everything, or before an object that stands; return the pads."""
    pads = untouched()
    for _ in range(round(1e3 * seconds)):
        tip_step(tip, pads, law, aim, T, STILL, 1e-3, closing)
    return pads


def oscillator(m, k, d, x, seconds):
    """Return where a mass on spring and damper is that begins at rest at x."""
    return (expm(np.array([[0.0, 1.0], [-k / m, -d / m]]) * seconds) @ [x, 0.0])[0]


def test_it_comes_to_its_aim_as_a_mass_on_spring_and_damper():
    """Way and turn against the matrix exponential, to the first order of the substep."""
    turn = np.array([0.0, 0.0, 0.1])
    tip = Tip(np.array([0.02, 0.0, 0.0]), quat_from_rotvec(turn), np.zeros(6), np.array([0.03, 0.0]))
    run(tip, Aim(np.zeros(3), UPRIGHT, np.zeros(6)), 0.05)
    assert tip.p[0] == pytest.approx(oscillator(3.0, 500.0, 54.0, 0.02, 0.05), abs=2e-5)
    assert rotvec_from_quat(tip.quat)[2] == pytest.approx(oscillator(0.05, 50.0, 4.0, 0.1, 0.05), abs=3e-4)
    assert tip.p[1:] == pytest.approx([0.0, 0.0], abs=1e-12)


def test_its_pull_is_limited():
    """From 1 m off it starts with 40 N: 13.3 m/s2."""
    tip = Tip(np.array([1.0, 0.0, 0.0]), UPRIGHT.copy(), np.zeros(6), np.array([0.03, 0.0]))
    run(tip, Aim(np.zeros(3), UPRIGHT, np.zeros(6)), 0.01)
    assert tip.twist[0] == pytest.approx(-40.0 / 3.0 * 0.01, rel=1e-6)


def test_a_gripper_closes_at_its_speed_and_opens_to_its_stop():
    """0.1 m/s after its start, and never beyond where it stands open."""
    tip = Tip(np.zeros(3), UPRIGHT.copy(), np.zeros(6), np.array([0.03, 0.0]))
    aim = Aim(np.zeros(3), UPRIGHT, np.zeros(6))
    run(tip, aim, 0.1, closing=True)
    assert tip.fingers[1] == pytest.approx(-GRASP.closing_speed, rel=1e-3)
    run(tip, aim, 1.0, closing=True)
    assert tip.fingers.tolist() == [0.0, 0.0]
    run(tip, aim, 1.0)
    assert tip.fingers.tolist() == [GRASP.opening, 0.0]


def test_a_closed_gripper_presses_with_its_force_on_both_sides():
    """At rest each pad has the grip, by K x = F, and the bar feels nothing."""
    T = tool(np.zeros(3))
    quat = np.empty(4)
    w = math.sqrt(max(0.0, 1.0 + np.trace(T[:3, :3]))) / 2.0
    R = T[:3, :3]
    quat[:] = w, (R[2, 1] - R[1, 2]) / (4 * w), (R[0, 2] - R[2, 0]) / (4 * w), (R[1, 0] - R[0, 1]) / (4 * w)
    tip = Tip(T[:3, 3].copy(), quat.copy(), np.zeros(6), np.array([0.03, 0.0]))
    pads = run(tip, Aim(T[:3, 3].copy(), quat, np.zeros(6)), 1.0, closing=True, T=T_OBJECT)
    assert pads.normal == pytest.approx([25.0, 25.0], rel=1e-4)
    assert tip.fingers[0] == pytest.approx(0.010 - 25.0 / 2e4, rel=1e-4)
    assert np.abs(pads.on_object[:3]).max() < 1e-6
