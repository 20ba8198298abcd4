"""An arm on a satellite that floats: momenta and forces by pinocchio, its rotors bodies of their own there.

What is between arm and satellite follows from Newton's law.
"""

import math
from typing import Any

import numpy as np
import pytest

from bench.drive_cases import driven, light_weight_arm, plain_motor, there_and_back
from sim.chain.serial_chain import serial_chain
from sim.drives.arm_simulation import ArmSimulation
from sim.drives.controllers import Cascade
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.drives.gear import Gear

MASS, INERTIA = 300.0, np.array([[60.0, 4.0, -3.0], [4.0, 70.0, 2.0], [-3.0, 2.0, 50.0]])
TWIST = np.array([0.1, -0.2, 0.3, 0.05, 0.2, -0.1])


def floating(dt: float = 1e-3, **more: object) -> ArmSimulation:
    """The light-weight arm on a tumbling satellite."""
    place = np.eye(4)
    place[:3, 3] = [0.5, -1.0, 2.0]
    return driven(dt, base_mass=MASS, base_inertia=INERTIA, base_twist=TWIST, T_world_base=place, **more)


def with_rotors(arm: ArmSimulation) -> tuple[Any, Any, list[int], list[int]]:
    """Pinocchio's model of the same bodies, and the velocities' numbers of joints and rotors.

    Each rotor is a body that turns on the one before its joint, which has so much less of inertia.
    """
    pin = pytest.importorskip("pinocchio")
    chain = light_weight_arm().chain
    model: Any = pin.Model()
    parent = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    model.appendBodyToJoint(parent, pin.Inertia(MASS, np.zeros(3), INERTIA), pin.SE3.Identity())
    joints, rotors = [], []
    for i in range(8):
        inertia = np.array(chain.inertias[i])
        if i < 7:
            own, place = np.array(chain.axes[i]), pin.SE3(np.array(chain.placements[i]))
            spun, axis = (
                arm.drive_parameters[i].motor.rotor_inertia,
                np.array(chain.placements[i])[:3, :3] @ own,
            )
            inertia -= spun * np.outer(axis, axis)
            rotors.append(model.addJoint(parent, pin.JointModelRevoluteUnaligned(own), place, f"R{i}"))
            model.appendBodyToJoint(
                rotors[-1], pin.Inertia(0.0, np.zeros(3), spun * np.outer(own, own)), pin.SE3.Identity()
            )
        body = pin.Inertia(chain.masses[i], np.array(chain.centres[i]), inertia)
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
        if i < 7:
            parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(own), place, f"J{i}")
            joints.append(parent)
    return pin, model, [model.joints[j].idx_v for j in joints], [model.joints[j].idx_v for j in rotors]


def motion(
    arm: ArmSimulation, pin: Any, joints: list[int], rotors: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of an arm as pinocchio counts them."""
    R, base = arm.T_world_base[:3, :3], arm.base
    q, v = np.zeros(21), np.zeros(20)
    q[:3], q[3:7] = arm.T_world_base[:3, 3], pin.Quaternion(R).coeffs()
    v[:3], v[3:6] = R.T @ base.twist[:3], base.twist[3:]
    v[joints], v[rotors] = arm.dq, arm.motor_speed
    q[np.array(joints) + 1], q[np.array(rotors) + 1] = arm.q, arm.motor_angle
    return q, v


def pinocchio_momenta(arm: ArmSimulation) -> np.ndarray:
    """Momentum, and angular momentum about the world's origin, of the same bodies in pinocchio."""
    pin, model, joints, rotors = with_rotors(arm)
    data = model.createData()
    pin.computeCentroidalMomentum(model, data, *motion(arm, pin, joints, rotors))
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
    still = driven(1e-3, gravity=np.zeros(3), rotors_spin=True)
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


def test_bodies_and_rotors_move_by_the_forces_on_them() -> None:
    """Pinocchio's inverse dynamics of a step, rotors as bodies; and not so without the rotors' spin.

    Nothing acts on the base, the gears' torques on the joints, currents less gears and friction on rotors.
    """
    missed = {}
    for spin in (True, False):
        arm, dt = floating(2e-4, rotors_spin=spin), 2e-4
        pin, model, joints, rotors = with_rotors(arm)
        q, dq = there_and_back(0.3, dt, 0.8)
        arm.run(q[:1000], dq[:1000])
        (place, before), current = motion(arm, pin, joints, rotors), arm.current
        arm.step(q[1000], dq[1000])
        after, current = motion(arm, pin, joints, rotors)[1], 0.5 * (current + arm.current)
        middle = pin.integrate(model, place, 0.25 * dt * (before + after))
        data, v = model.createData(), 0.5 * (before + after)
        model.gravity.setZero()
        forces = pin.rnea(model, data, middle, v, (after - before) / dt)
        wanted = np.zeros(20)
        wanted[joints] = arm.torque
        for i, drive in enumerate(arm.drive_parameters):
            friction = arm.variables()[f"joint_{i + 1}.motor_friction_n_m"]
            friction += drive.motor.friction.viscous * v[rotors[i]]
            wanted[rotors[i]] = drive.motor.torque_constant * current[i] - arm.torque[i] / drive.gear.ratio
            wanted[rotors[i]] -= friction
        missed[spin] = np.abs(forces - wanted)
        missed[spin] = np.array(
            [missed[spin][:6].max(), missed[spin][joints].max(), missed[spin][rotors].max()]
        )
    assert (missed[True] < 0.02 * missed[False]).all()


@pytest.mark.parametrize("ratio", [50.0, -50.0])
@pytest.mark.parametrize("stiffness", [None, (2e4, 2e4, 2e4)])
def test_a_base_turns_against_link_and_rotor(
    ratio: float, stiffness: tuple[float, float, float] | None
) -> None:
    """One axis: base and rotor's housing turn by `-(I_link + J N)/(I_base + I_link)` of the joint's way.

    With an elastic gear the rotor's own way counts for N times the joint's. The rotor's part is the greater.
    """
    base, link, rotor = 2.0, 0.05, 4e-3
    chain = serial_chain(
        [False], [np.eye(4)], [np.array([0.0, 0.0, 1.0])], np.eye(4), [3.0, 1.0], [np.zeros(3)] * 2,
        [0.5 * base * np.eye(3), link * np.eye(3)],
    )  # fmt: skip
    control = Cascade(8.0, 0.4, 0.1)
    drive = DriveParameters(plain_motor(rotor), Gear(ratio, stiffness, damping=20.0), controller=control)
    arm = DrivenArm(chain, [drive], np.zeros(3), base_mass=5.0, base_inertia=0.5 * base * np.eye(3))
    wanted = np.full((400, 1), 0.3)
    for k in range(5):
        arm.run(wanted, 0.0 * wanted)
        turned = math.atan2(arm.T_world_base[1, 0], arm.T_world_base[0, 0])
        way = arm.motor_angle[0] if stiffness else ratio * arm.q[0]
        assert turned == pytest.approx(-(link * arm.q[0] + rotor * way) / (base + link), abs=1e-9), k
        assert np.abs(arm.momentum).max() < 1e-12
    assert arm.q[0] == pytest.approx(0.3, abs=0.02) and abs(turned) > 0.02
    account = arm.energy_account()
    assert abs(account.missing) < 1e-6 * account.turned_over


def test_a_spinning_rotor_steadies_its_base() -> None:
    """A dual-spin satellite: with h = J w along z its spin across that nods at `(h + (I_z - I) w_z)/I`."""
    across, along, rotor, fast, small = 3.0, 4.0, 0.02, 600.0, 1e-3
    chain = serial_chain(
        [False], [np.eye(4)], [np.array([0.0, 0.0, 1.0])], np.eye(4), [1.0, 0.0], [np.zeros(3)] * 2,
        [np.zeros((3, 3)), 1e-3 * np.eye(3)],
    )  # fmt: skip
    drive = DriveParameters(plain_motor(rotor), Gear(1.0, (1e-6,) * 3))
    twist = np.array([0.0, 0.0, 0.0, small, 0.0, 0.3])
    arm = DrivenArm(
        chain, [drive], np.zeros(3),
        base_mass=5.0, base_inertia=np.diag([across - 1e-3, across - 1e-3, along]), base_twist=twist,
    )  # fmt: skip
    arm.reset(motor_speed=np.array([fast]))
    rate = (rotor * fast + (along - across) * 0.3) / across
    nothing = np.zeros((100, 1))
    for _ in range(5):
        arm.run(nothing, nothing)
        angle = rate * arm.t
        wanted = small * np.array([math.cos(angle), math.sin(angle)])
        np.testing.assert_allclose(arm.base.twist[3:5], wanted, atol=2e-3 * small)
