"""Each error of the emulated wrench estimate alone, against its definition."""

import numpy as np
import pytest
from scipy import signal

from drivers.emulation.arm.arm import EmulatedArm
from drivers.emulation.arm.motion_noise import motion_noise_step, power_below, process_constants
from drivers.emulation.arm.wrench_estimate import WrenchEstimate
from tests.drivers.emulation.loops import QUIET, configured, sine_pose

ZERO = np.zeros(6)
T = 0.002


def estimate_with(seed: int = 1, uncompensated: float = 0.0, **errors):
    c = configured(
        emulator={"wrench": {**QUIET, **errors}},
        mockup={"uncompensated": uncompensated},
        robot={
            "mount_rotvec_deg": [10.0, 20.0, -130.0],
            "tcp_position_mm": [10.0, 20.0, 30.0],
            "tcp_rotvec_deg": [5.0, -10.0, 40.0],
        },
        object={"position_mm": [30.0, -40.0, 150.0], "rotvec_deg": [20.0, 0.0, -70.0]},
    )
    arm = EmulatedArm(c)
    return c, arm, WrenchEstimate(c, arm, seed)


def moved(arm: EmulatedArm, t_0: float, t_1: float) -> None:
    """Move the arm by the test motion, a millisecond a step."""
    start = np.deg2rad([10.0, 60.0, -20.0, -90.0, 15.0, -60.0, 30.0])
    for k in range(round(t_0 * 1e3), round(t_1 * 1e3)):
        arm.step(sine_pose(start, k * 1e-3)[0], sine_pose(start, (k + 1) * 1e-3)[0], ZERO)


def test_the_true_wrench_is_moved_to_the_tcp_and_turned_to_base_axes():
    """Power is the same in both descriptions: w_world . twist_object = w_tcp . twist_tcp."""
    _, arm, estimate = estimate_with()
    moved(arm, 0.0, 0.3)
    wrench = np.array([3.0, -2.0, 5.0, 0.4, -0.3, 0.2])
    measured = estimate.sample(0.3, wrench)
    twist_tcp = arm.jacobian() @ arm.dq
    assert measured @ twist_tcp == pytest.approx(wrench @ arm.twist_world_object, rel=1e-12)
    R = arm.frames.T_world_base[:3, :3]
    np.testing.assert_allclose(R @ measured[:3], wrench[:3], atol=1e-12)


def test_white_noise_has_the_configured_deviation():
    """0.06 N and 0.012 N m within 5 % over 4000 samples, independent from sample to sample."""
    _, _, estimate = estimate_with(noise_force_n=0.06, noise_torque_n_m=0.012)
    w = np.array([estimate.sample(k * T, ZERO) for k in range(4000)])
    np.testing.assert_allclose(w.std(0), np.repeat([0.06, 0.012], 3), rtol=0.05)
    assert np.all(np.abs(np.mean(w[1:] * w[:-1], axis=0)) < 0.06 * w.var(0))


def test_the_offset_grows_with_displacement_and_saturates():
    """|force| = 10 N/m times the tcp's way up to the largest, |torque| a fifth of it; zero at the start."""
    _, arm, estimate = estimate_with(
        offset_gradient_force_n_per_m=10.0, offset_gradient_torque_n_m_per_m=2.0, offset_max_n=0.8
    )
    p_start = arm.T_base_tcp[:3, 3].copy()
    np.testing.assert_allclose(estimate.sample(0.0, ZERO), 0.0, atol=1e-12)
    ways, saturated = [], False
    for k in range(10):
        moved(arm, 0.1 * k, 0.1 * (k + 1))
        w = estimate.sample(0.1 * k, ZERO)
        way = float(np.linalg.norm(arm.T_base_tcp[:3, 3] - p_start))
        force = min(0.8, 10.0 * way)
        saturated |= force == 0.8
        ways.append(way)
        assert np.linalg.norm(w[:3]) == pytest.approx(force, rel=1e-9)
        assert np.linalg.norm(w[3:]) == pytest.approx(0.2 * force, rel=1e-9)
    assert saturated and min(ways) < 0.08


def test_the_missed_share_of_the_held_inertia_appears_as_minus_m_a():
    """The share e of a rigid body's inertial wrench, from its pose by differences, with minus sign."""
    c, arm, estimate = estimate_with(uncompensated=0.25)
    R_tcp, centres = [], []
    moved(arm, 0.0, 0.25)
    for k in range(101):
        moved(arm, 0.25 + k * 1e-3, 0.251 + k * 1e-3)
        pose = arm.T_base_tcp
        R_tcp.append(pose[:3, :3].copy())
        centres.append(pose[:3, 3] + pose[:3, :3] @ [0.0, 0.0, 0.15])
        if k == 50:
            measured, p_tcp = estimate.sample(0.3, ZERO), pose[:3, 3].copy()
    a = (centres[60] - 2 * np.array(centres[50]) + centres[40]) / 0.01**2
    momentum = []
    for k in (45, 55):
        W = (R_tcp[k + 5] - R_tcp[k - 5]) / 0.01 @ R_tcp[k].T
        omega = np.array([W[2, 1], W[0, 2], W[1, 0]])
        momentum.append(R_tcp[k] @ (c.mockup.inertia * (R_tcp[k].T @ omega)))
    rate = (momentum[1] - momentum[0]) / 0.01
    expected = -0.25 * np.concatenate((5.0 * a, rate + np.cross(centres[50] - p_tcp, 5.0 * a)))
    assert np.linalg.norm(expected[:3]) > 0.5
    np.testing.assert_allclose(measured, expected, atol=0.02 * np.abs(expected).max())


def test_the_arm_swings_back_after_a_push():
    """-0.2 exp(-u/0.15) sin(2 pi 8 u) of the peak about the object's centre, first against the push."""
    _, arm, estimate = estimate_with(swing_fraction=0.2)
    peak = np.array([40.0, 10.0, -5.0, 1.0, 2.0, -0.5])
    estimate.push_ended(1.0, peak)
    u = np.arange(-0.02, 1.3, T)
    shape = np.where(
        (u > 0) & (u < 7 * 0.15), -0.2 * np.exp(-np.maximum(u, 0) / 0.15) * np.sin(2 * np.pi * 8 * u), 0.0
    )
    R = arm.frames.T_world_base[:3, :3]
    measured = np.array([estimate.sample(1.0 + x, ZERO) for x in u])
    np.testing.assert_allclose(measured[:, :3] @ R.T, shape[:, None] * peak[:3], atol=1e-9)
    direct = np.array([estimate.sample(10.0, s * peak) for s in shape])
    np.testing.assert_allclose(measured, direct, atol=1e-9)


def test_overlapping_swings_add_up():
    """Two pushes that end at different times ring together."""
    a, b = (estimate_with(swing_fraction=0.2)[2] for _ in range(2))
    both = estimate_with(swing_fraction=0.2)[2]
    one, two = np.array([30.0, 0, 0, 0, 1, 0]), np.array([0, -20.0, 5, 0, 0, 2])
    a.push_ended(1.0, one), b.push_ended(1.1, two)
    both.push_ended(1.0, one), both.push_ended(1.1, two)
    np.testing.assert_allclose(
        both.sample(1.15, ZERO), a.sample(1.15, ZERO) + b.sample(1.15, ZERO), atol=1e-12
    )


@pytest.mark.parametrize("fraction", [0.25, 0.7])
def test_the_configured_share_of_motion_noise_is_slower_than_3_hz(fraction):
    """Spectrum of 800 s: unit variance, and the wanted share of it below 3 Hz."""
    constants = process_constants(fraction, T)
    rng = np.random.default_rng(4)
    state = rng.standard_normal((2, 6))
    normals = rng.standard_normal((400_000, 2, 6))
    x = np.array([motion_noise_step(state, n, constants, 0) for n in normals])
    f, density = signal.welch(x, 1.0 / T, nperseg=8192, detrend=False)
    power = np.trapezoid(density, f)
    assert power == pytest.approx(1.0, abs=0.06)
    slow = f < 3.0
    assert np.trapezoid(density[slow], f[slow]) / power == pytest.approx(fraction, abs=0.03)


def test_the_share_of_a_first_order_process_below_a_frequency():
    """At its corner frequency a first-order process has half its power on either side."""
    assert power_below(1.0 / (2 * np.pi * 0.02), 0.02) == pytest.approx(0.5)


def test_motion_noise_scales_with_speed_and_can_be_switched_off():
    """Nothing at rest; 0.35 N rms above 50 mm/s and 0.07 N m; nothing if switched off."""
    _, arm, estimate = estimate_with(motion_noise=True)
    assert not any(estimate.sample(k * T, ZERO).any() for k in range(10))
    arm.motion.v[:] = [0.2, 0.0, 0.0]
    w = np.array([estimate.sample(k * T, ZERO) for k in range(20_000)])
    np.testing.assert_allclose(w.std(0), 0.35 * np.repeat([1.0, 0.2], 3), rtol=0.12)
    arm.motion.v[:] = [0.0, 0.025, 0.0]
    w = np.array([estimate.sample(k * T, ZERO) for k in range(20_000)])
    np.testing.assert_allclose(w.std(0), 0.175 * np.repeat([1.0, 0.2], 3), rtol=0.12)
    _, arm, silent = estimate_with()
    arm.motion.v[:] = [0.2, 0.0, 0.0]
    assert not silent.sample(0.0, ZERO).any()


def test_the_same_seed_gives_the_same_estimate():
    """Bit for bit over the edge of a block of drawn numbers; another seed differs."""
    runs = []
    for seed in (3, 3, 4):
        _, arm, estimate = estimate_with(seed, noise_force_n=0.06, motion_noise=True)
        arm.motion.v[:] = [0.2, 0.0, 0.0]
        runs.append(np.array([estimate.sample(k * T, ZERO) for k in range(2100)]))
    assert np.array_equal(runs[0], runs[1]) and not np.array_equal(runs[0], runs[2])


def test_a_missed_weight_hangs_at_the_mockups_centre():
    """At rest 0.25 of 5 kg: straight down in the world, turning about the tcp by the lever alone."""
    c, arm, estimate = estimate_with(uncompensated=0.25, missed_weight=True)
    _, _, without = estimate_with(uncompensated=0.25)
    np.testing.assert_array_equal(without.sample(0.0, ZERO), ZERO)
    pose, R_base_world = arm.T_base_tcp, arm.frames.T_world_base[:3, :3].T
    weight = R_base_world @ [0.0, 0.0, -0.25 * 5.0 * 9.81]
    lever = pose[:3, :3] @ [0.0, 0.0, 0.5 * c.mockup.edge]
    expected = np.concatenate((weight, np.cross(lever, weight)))
    np.testing.assert_allclose(estimate.sample(0.0, ZERO), expected, atol=1e-9)
