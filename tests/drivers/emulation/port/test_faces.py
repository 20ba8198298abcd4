"""Feet, flanks, friction and latches of an emulated port, by hand."""

import math

import numpy as np
import pytest

from drivers.emulation.port.geometry import feet_of
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from tests.drivers.emulation.loops import configured
from tests.drivers.emulation.port.bodies import moved, port_below, pose_at

K = 2e4
STILL = np.zeros(6)
C45 = math.sqrt(0.5)


def pressed(port, p, R=None):
    """Return the wrench (6,) on an object that stands at `p`."""
    T = pose_at(p)
    if R is not None:
        T[:3, :3] = R
    for k in range(2):  # from far to there, then at rest
        port.step(k, k + 1.0, T, STILL)
    return port.wrench_world.copy()


def test_every_foot_presses_by_its_own_depth_and_lever():
    """Two feet, the object tilted: forces by each depth, the torque about the object's centre."""
    feet = [[100.0, 0.0, -150.0], [-60.0, 20.0, -150.0]]
    port = port_below(0.02, feet_mm=feet)
    R = matrix_from_quat(quat_from_rotvec(np.array([0.05, 0.1, 0.0])))
    wrench = pressed(port, [0.0, 0.0, -0.035], R)
    expected = np.zeros(6)
    for foot in np.array(feet) / 1e3:
        lever = R @ foot
        depth = -0.17 - (lever[2] - 0.035)
        assert depth > 0.0
        force = np.array([0.0, 0.0, K * depth])
        expected += np.concatenate((force, np.cross(lever, force)))
    assert wrench == pytest.approx(expected, rel=1e-9)


def test_a_foots_damper_feels_the_speed_of_the_foot():
    """Pressed and damped while the object turns and drifts: the rate is `-n . (v + omega x r)`."""
    foot, d = np.array([100.0, -40.0, -150.0]) / 1e3, 500.0
    port = port_below(0.001, feet_mm=(1e3 * foot)[None].tolist(), damping_n_s_per_m=d)
    twist = np.array([0.01, 0.02, -0.01, 0.3, 0.2, 0.1])
    port.step(0.0, 1.0, pose_at([0.0, 0.0, -0.002]), twist)
    rate = -(twist[:3] + np.cross(twist[3:], foot))[2]
    assert abs(rate) > 0.02
    assert port.wrench_world[2] == pytest.approx(K * 0.001 + d * rate, rel=1e-9)


def test_without_feet_it_is_touched_by_the_middle_of_the_face_that_looks_at_it():
    """The cube lies along the tcp's z from the tcp on, and its centre is 150 mm from there."""
    port = port_below(0.01, feet_mm=[[30.0, 0.0, -150.0]])
    assert port.feet == pytest.approx(np.array([[0.03, 0.0, -0.15]]))
    c = configured(port={"stiffness_n_per_m": 1e4, "point_mm": [0, 0, 0.0], "normal": [-3.0, 0.1, 0.0]})
    T = np.eye(4)
    T[:3, :3] = matrix_from_quat(quat_from_rotvec(np.array([0.0, 0.0, 0.5 * math.pi])))
    T[:3, 3] = [0.01, 0.02, 0.1]  # the object's centre and axes in the tcp
    (foot,) = feet_of(c.port, 0.3, T, np.eye(3))
    assert T[:3, :3] @ foot + T[:3, 3] == pytest.approx(
        [0.15, 0.0, 0.15]
    )  # of tcp x, that looks along -normal


def test_the_flanks_of_a_groove_press_a_foot_to_its_bottom():
    """Flanks at 45 degrees about y: beside the bottom the nearer one presses, on it both."""
    port = port_below(0.002, groove_deg=45.0, groove_axis=[0.0, 3.0, 1.0])
    beside = pressed(port, [0.001, 0.0, -0.0025])  # 0.5 mm under the bottom, 1 mm beside it
    depths = {side: (0.0005 - side * 0.001) * C45 for side in (1.0, -1.0)}
    deep = max(depths.values())
    assert min(depths.values()) < 0.0 < deep
    assert beside[:3] == pytest.approx([-K * deep * C45, 0.0, K * deep * C45], abs=1e-9)
    on = pressed(port, [0.0, 0.05, -0.0025])
    assert on[:3] == pytest.approx([0.0, 0.0, 2.0 * K * 0.0005 * C45 * C45], abs=1e-9)


def test_a_groove_runs_level_unless_told():
    """Of a face that looks along x: about y, up and down press back."""
    port = port_below(
        0.0, point_mm=[200.0, 0.0, 0.0], normal=[-1.0, 0.0, 0.0], feet_mm=[[150.0, 0, 0]], groove_deg=30.0
    )
    assert np.abs(port.planes[:, 4]) == pytest.approx(0.0, abs=1e-12)
    assert port.planes[:, 3] == pytest.approx(-math.cos(math.radians(30.0)))
    assert sorted(port.planes[:, 5]) == pytest.approx([-0.5, 0.5])


def test_friction_holds_up_to_its_cone_and_opposes_sliding():
    """Pressed by 20 N at 0.3: sticks on its spring below 6 N, slides at 6 N, turns with the motion."""
    port = port_below(0.0001, friction=0.3)

    def way(t):
        press = -min(t, 0.0011 / 0.05 + 0.0) * 0.05
        return [2e-3 * math.sin(4.0 * max(0.0, t - 0.1)), 0.0, press]

    rows = moved(port, way, 1.6)
    t, x, f = rows[:, 0], rows[:, 1], rows[:, 4:7]
    slid = t > 0.1
    assert f[slid, 2] == pytest.approx(20.0, rel=1e-6)
    assert np.hypot(f[:, 0], f[:, 1]).max() <= 0.3 * 20.0 * (1.0 + 1e-9)
    begin = slid & (x < 0.9 * 6.0 / K) & (t < 0.2)
    assert f[begin, 0] == pytest.approx(-K * x[begin], abs=1e-6)
    speed = np.gradient(x, t)
    fast = (np.abs(speed) > 1e-3) & (t > 0.35)
    turned = np.abs(np.interp(t - 0.25, t, np.sign(speed)) - np.sign(speed)) < 1e-9  # for 0.25 s one way
    assert (fast & turned).sum() > 300
    assert f[fast & turned, 0] == pytest.approx(-6.0 * np.sign(speed[fast & turned]), rel=1e-6)
    assert rows[:, 5] == pytest.approx(0.0, abs=1e-12)


def test_a_latch_pulls_once_touched_and_another_face_never():
    """In by 1 mm and out by 2 mm: -k x on the way out; not before the touch, and not without a latch."""
    for latch in (True, False):
        port = port_below(0.001, latch=latch, damping_n_s_per_m=50.0)
        before = moved(port, lambda t: [0.0, 0.0, -0.0009 * t / 0.1], 0.1)
        assert not before[:, 4:10].any()
        moved(port, lambda t: [0.0, 0.0, -0.0009 - 0.0011 * t / 0.1], 0.1)
        assert pressed(port, [0.0, 0.0, -0.002])[2] == pytest.approx(K * 0.001)
        moved(port, lambda t: [0.0, 0.0, -0.002 + 0.003 * t / 0.1], 0.1)
        assert pressed(port, [0.0, 0.0, 0.001])[2] == pytest.approx(-K * 0.002 if latch else 0.0)


@pytest.mark.parametrize(
    "table",
    [
        {"friction": 0.4},
        {"damping_n_s_per_m": 200.0, "friction": 0.4, "groove_deg": 40.0},
        {"damping_n_s_per_m": 200.0, "device_stiffness_n_per_m": 1e4, "groove_deg": 40.0},
        {"latch": True, "damping_n_s_per_m": 100.0, "friction": 0.2},
        {"exponent": 1.5, "damping_n_s_per_m": 200.0, "friction": 0.3},
        {"mass_kg": 20.0, "friction": 0.3, "damping_n_s_per_m": 50.0, "groove_deg": 40.0},
        {"mass_kg": 20.0, "bump_mm": 0.3, "bump_stiffness_n_per_m": 8e4, "arm_stiffness_n_per_m": 3e4},
        {"mass_kg": 20.0, "latch": True, "damping_n_s_per_m": 20.0},
        {"mass_kg": 20.0, "exponent": 1.5, "arm_stiffness_n_per_m": 3e4},
    ],
    ids=lambda table: " ".join(table),
)
def test_a_port_creates_no_energy(table):
    """Round and round in and out of it, in 6-D: what it gives never exceeds what it was given."""
    feet = [[80.0, 60.0, -150.0], [-80.0, 60.0, -150.0], [0.0, -90.0, -150.0]]
    if "groove_deg" in table:
        feet = [[80.0, 0.0, -150.0], [-80.0, 0.0, -150.0]]  # on its bottom, which runs along x
    port = port_below(0.0005, **{"feet_mm": feet, **table})
    step, given, least, most = 1e-3, 0.0, 0.0, 0.0
    T_0, wrench_0 = np.eye(4), np.zeros(6)
    for k in range(1, 3000):
        t = k * step
        p = 1e-3 * np.array([2.0 * math.sin(5.0 * t), 1.5 * math.sin(7.1 * t), -1.2 * math.sin(9.3 * t)])
        turn = 0.006 * np.array([math.sin(6.1 * t), math.sin(3.3 * t), math.sin(4.7 * t)])
        T_1 = pose_at(p)
        T_1[:3, :3] = matrix_from_quat(quat_from_rotvec(turn))
        R = T_1[:3, :3] @ T_0[:3, :3].T
        omega = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / step
        twist = np.concatenate(((T_1[:3, 3] - T_0[:3, 3]) / step, omega))
        port.step(t - step, t, T_1, twist)
        wrench_1 = port.wrench_world.copy()
        given += step * 0.5 * (wrench_0 + wrench_1) @ twist
        mass = table.get("mass_kg", 0.0)
        stored = given + 0.5 * mass * port.v @ port.v
        least, most = min(least, stored), max(most, stored)
        T_0, wrench_0 = T_1, wrench_1
    assert least < -1e-3  # it was pressed and rubbed
    assert most < 0.02 * -least
