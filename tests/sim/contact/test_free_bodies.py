"""Free rigid bodies in the contact simulation: tumbling against an integration of Euler's equations."""

import mujoco
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from bench.contact_scenes import kinetic_energy
from sim.contact.contact_scene import ContactScene
from sim.contact.free_bodies import free_bodies

INERTIA = np.array([0.20, 0.35, 0.45])
SPIN = np.array([0.05, 1.0, 0.03])  # [rad/s] near the middle axis
OFFSET = np.array([0.1, -0.05, 0.02])  # [m] of the centre of mass in the body's frame


def tumbling(step: float) -> ContactScene:
    """Return a body whose frame is off its centre of mass, which is at rest in the origin."""
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/>
        <inertial pos="{OFFSET[0]} {OFFSET[1]} {OFFSET[2]}" mass="20" diaginertia="0.20 0.35 0.45"/>
        <geom size="0.1"/></body></worldbody></mujoco>"""
    )
    scene = ContactScene(model, [], step=step)
    scene.data.qpos[:3] = -OFFSET
    scene.data.qvel[:3], scene.data.qvel[3:] = -np.cross(SPIN, OFFSET), SPIN
    return scene


def euler(t: float, y: np.ndarray) -> np.ndarray:
    """Return the rates of a quaternion x y z w and the spin in body axes, without torque."""
    omega = y[4:]
    x, y_, z, w = y[:4]
    q = 0.5 * np.array(
        [
            w * omega[0] + y_ * omega[2] - z * omega[1],
            w * omega[1] + z * omega[0] - x * omega[2],
            w * omega[2] + x * omega[1] - y_ * omega[0],
            -x * omega[0] - y_ * omega[1] - z * omega[2],
        ]
    )
    return np.concatenate([q, -np.cross(omega, INERTIA * omega) / INERTIA])


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_tumbling_about_a_centre_off_the_frame(step: float) -> None:
    """After 20 s attitude, energy and the centre of mass are those of the exact motion."""
    scene = tumbling(step)
    start = kinetic_energy(scene)
    scene.run(round(20.0 / step))
    exact = solve_ivp(euler, (0.0, 20.0), [0, 0, 0, 1, *SPIN], method="DOP853", rtol=1e-12, atol=1e-13).y[
        :, -1
    ]
    quat = scene.data.qpos[3:7]
    turn = Rotation.from_quat(exact[:4]).inv() * Rotation.from_quat([*quat[1:], quat[0]])
    assert turn.magnitude() < 1e-7
    assert kinetic_energy(scene) == pytest.approx(start, rel=1e-9)
    mujoco.mj_kinematics(scene.model, scene.data)
    np.testing.assert_allclose(scene.data.xipos[1], 0.0, atol=1e-11)


def test_gravity_does_not_turn_a_free_body() -> None:
    """A falling body's spin stays, and its centre of mass falls by g t^2 / 2."""
    scene = tumbling(1e-3)
    scene._tables.gravity[:] = scene.model.opt.gravity[:] = 0.0, 0.0, -9.81
    start = kinetic_energy(scene)
    scene.run(1000)
    mujoco.mj_kinematics(scene.model, scene.data)
    assert scene.data.xipos[1, 2] == pytest.approx(-0.5 * 9.81, rel=2e-3)
    fallen = 0.5 * 20.0 * 9.81**2
    assert kinetic_energy(scene) - fallen == pytest.approx(start, abs=1e-8 * fallen)


def test_fixed_children_belong_to_the_body_and_moving_ones_do_not() -> None:
    """A welded child counts with mass and inertia; a body with a joint below it is left to MuJoCo."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody>
        <body><freejoint/><geom type="sphere" size="0.1" mass="2"/>
        <body pos="0.3 0 0"><geom type="sphere" size="0.1" mass="1"/></body></body>
        <body><freejoint/><geom size="0.1"/><body><joint/><geom size="0.1"/></body></body>
        </worldbody></mujoco>"""
    )
    addresses, bodies = free_bodies(model)
    assert addresses.tolist() == [[0, 0]]
    sphere = 0.4 * 0.1**2
    assert bodies[0, 0] == pytest.approx(3.0)
    np.testing.assert_allclose(bodies[0, 1:4], [0.1, 0.0, 0.0], atol=1e-12)
    across = 3.0 * sphere + 2.0 * 0.1**2 + 1.0 * 0.2**2
    np.testing.assert_allclose(
        bodies[0, 4:13].reshape(3, 3), np.diag([3.0 * sphere, across, across]), atol=1e-12
    )
