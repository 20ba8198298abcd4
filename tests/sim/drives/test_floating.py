"""An arm on a satellite that floats: momenta by pinocchio, the force between the two by Newton's law."""

from typing import Any

import numpy as np
import pytest

from bench.drive_cases import driven, light_weight_arm, there_and_back
from sim.drives.arm_simulation import ArmSimulation

MASS, INERTIA = 300.0, np.array([[60.0, 4.0, -3.0], [4.0, 70.0, 2.0], [-3.0, 2.0, 50.0]])
TWIST = np.array([0.1, -0.2, 0.3, 0.05, 0.2, -0.1])


def floating(dt: float = 1e-3) -> ArmSimulation:
    """The light-weight arm on a tumbling satellite."""
    place = np.eye(4)
    place[:3, 3] = [0.5, -1.0, 2.0]
    return driven(dt, base_mass=MASS, base_inertia=INERTIA, base_twist=TWIST, T_world_base=place)


def pinocchio_momenta(arm: ArmSimulation) -> np.ndarray:
    """Momentum, and angular momentum about the world's origin, of the same bodies in pinocchio."""
    pin = pytest.importorskip("pinocchio")
    chain = light_weight_arm().chain
    model: Any = pin.Model()
    parent = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    model.appendBodyToJoint(parent, pin.Inertia(MASS, np.zeros(3), INERTIA), pin.SE3.Identity())
    for i in range(8):
        if i > 0:
            axis = pin.JointModelRevoluteUnaligned(np.array(chain.axes[i - 1]))
            parent = model.addJoint(parent, axis, pin.SE3(np.array(chain.placements[i - 1])), f"J{i}")
        body = pin.Inertia(chain.masses[i], np.array(chain.centres[i]), np.array(chain.inertias[i]))
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    R, base = arm.T_world_base[:3, :3], arm.base
    quat = pin.Quaternion(R).coeffs()
    data = model.createData()
    q = np.concatenate([arm.T_world_base[:3, 3], quat, arm.q])
    v = np.concatenate([R.T @ base.twist[:3], base.twist[3:], arm.dq])
    pin.computeCentroidalMomentum(model, data, q, v)
    linear, angular = np.array(data.hg.linear), np.array(data.hg.angular)
    return np.concatenate([linear, angular + np.cross(data.com[0], linear)])


def test_momenta_are_kept() -> None:
    """Those that pinocchio finds, of an arm that moves on a satellite that tumbles, to 1e-9."""
    arm = floating()
    begun = pinocchio_momenta(arm)
    np.testing.assert_allclose(arm.momentum, begun, atol=1e-10)
    q, dq = there_and_back(4.0, 1e-3)
    for k in range(0, 4000, 1000):
        arm.run(q[k : k + 1000], dq[k : k + 1000])
        np.testing.assert_allclose(pinocchio_momenta(arm), begun, atol=1e-9)
    assert np.abs(begun).min() > 1.0


def test_a_push_changes_the_momenta_by_its_impulse() -> None:
    """Force times time, and about the origin the tip's lever; pinocchio's momenta again."""
    arm, force, dt = floating(), np.array([8.0, -5.0, 3.0]), 1e-3
    begun, impulse = pinocchio_momenta(arm), np.zeros(6)
    q, dq = there_and_back(0.5, dt)
    for position, speed in zip(q, dq, strict=True):
        before, R = arm.T_world_base @ arm.T_base_tip, arm.T_world_base[:3, :3]
        arm.step(position, speed, np.concatenate([force, np.zeros(3)]))
        after = arm.T_world_base @ arm.T_base_tip
        world = dt * 0.5 * (R + arm.T_world_base[:3, :3]) @ force
        impulse += np.concatenate([world, np.cross(0.5 * (before + after)[:3, 3], world)])
    np.testing.assert_allclose(pinocchio_momenta(arm) - begun, impulse, rtol=1e-3, atol=2e-3)


def test_the_satellite_moves_by_the_force_between() -> None:
    """What the arm gives it is its own mass times acceleration, and the change of its spin."""
    arm, dt = floating(5e-4), 5e-4
    q, dq = there_and_back(1.0, dt)
    arm.run(q[:1000], dq[:1000])
    for k in range(1000, 1010):
        before, R0 = arm.base.twist, arm.T_world_base[:3, :3]
        arm.step(q[k], dq[k])
        after, R1 = arm.base.twist, arm.T_world_base[:3, :3]
        R = 0.5 * (R0 + R1)
        force = MASS * (after[:3] - before[:3]) / dt
        spun = (R1 @ INERTIA @ after[3:] - R0 @ INERTIA @ before[3:]) / dt
        np.testing.assert_allclose(R @ -arm.base_wrench[:3], force, rtol=1e-3, atol=2e-2)
        np.testing.assert_allclose(R @ -arm.base_wrench[3:], spun, rtol=1e-3, atol=2e-2)


def test_a_heavy_satellite_is_a_base_that_stands() -> None:
    """A million times the arm's mass: the same motion, and the same wrench, without gravity."""
    q, dq = there_and_back(0.5, 1e-3)
    still = driven(1e-3, gravity=np.zeros(3))
    heavy = driven(1e-3, base_mass=2e7, base_inertia=2e7 * np.eye(3))
    np.testing.assert_allclose(still.run(q, dq).q, heavy.run(q, dq).q, atol=1e-6)
    np.testing.assert_allclose(still.base_wrench, heavy.base_wrench, atol=1e-2)


def test_what_falls_freely_has_no_weight() -> None:
    """With gravity the joints move as without; the whole falls by g t^2/2 beside that."""
    q, dq = there_and_back(0.5, 1e-3)
    light = driven(1e-3, base_mass=MASS, base_inertia=INERTIA)
    falling = driven(1e-3, base_mass=MASS, base_inertia=INERTIA, gravity=np.array([0.0, 0.0, -9.81]))
    np.testing.assert_allclose(falling.run(q, dq).q, light.run(q, dq).q, atol=1e-9)
    fallen = falling.T_world_base[:3, 3] - light.T_world_base[:3, 3]
    np.testing.assert_allclose(fallen, [0.0, 0.0, -0.5 * 9.81 * 0.5**2], atol=1e-7)
    account = falling.energy_account()
    assert abs(account.missing) < 1e-6 * account.turned_over
