"""The compiled forces against MuJoCo's own Jacobians, finite differences of energy, and momentum."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from hil.common.arrays import Array
from sim.contact.applied_forces import apply_forces, bound_forces
from sim.contact.force_tables import (
    CARTESIAN,
    JOINT,
    ForceTables,
    Impedance,
    chain_of,
    no_forces,
)
from sim.orbit.clohessy_wiltshire import mean_motion, transition
from sim.orbit.rigid_drift import drifted_attitude, orbit_torque

SCENE = Path(__file__).parents[3] / "configs/scenes/docking.xml"
POINT = np.array([0.01, -0.02, 0.05])
Q = np.radians([10.0, -60.0, 15.0, 80.0, -20.0, 50.0, 30.0])


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_path(str(SCENE))


def moving(model: mujoco.MjModel, seed: int = 1) -> mujoco.MjData:
    """A state in which everything turns and moves."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    data.qpos[:3] = [0.3, -0.2, 0.1]
    for start in (3, 10):
        quat = rng.normal(size=4)
        data.qpos[start : start + 4] = quat / np.linalg.norm(quat)
    data.qpos[14:] = Q + rng.normal(size=7) * 0.05
    data.qvel[:] = rng.normal(size=model.nv) * 0.3
    mujoco.mj_forward(model, data)
    return data


def forces(tables: ForceTables, data: mujoco.MjData, time: float = 0.0) -> Array:
    out = np.zeros(len(data.qvel))
    apply_forces(bound_forces(tables, data), time, out)
    return out


def bodies(model: mujoco.MjModel) -> tuple[int, int]:
    return model.body("servicer").id, model.body("effector").id


def joint_springs(model: mujoco.MjModel, **changes: Array) -> ForceTables:
    values = {
        "kind": JOINT,
        "stiffness": np.linspace(400.0, 100.0, 7),
        "damping": np.linspace(30.0, 5.0, 7),
        "nullspace_damping": 0.0,
        "time": np.array([0.0, 2.0]),
        "knots": np.stack((Q, Q + 0.2)),
    }
    tables = no_forces(model)
    chain = chain_of(model, *bodies(model), POINT)
    return tables._replace(chain=chain, impedance=Impedance(**(values | changes)))


def cartesian_springs(model: mujoco.MjModel, **changes: object) -> ForceTables:
    first = np.array([0.7, 0.1, -0.1, 0.8, 0.1, 0.5, -0.2])
    second = np.array([0.75, 0.1, -0.05, 0.7, 0.2, 0.5, -0.2])
    for knot in (first, second):
        knot[3:] /= np.linalg.norm(knot[3:])
    values = {
        "kind": CARTESIAN,
        "stiffness": np.array([900.0, 700.0, 1500.0, 40.0, 30.0, 20.0]),
        "damping": np.array([90.0, 70.0, 150.0, 4.0, 3.0, 2.0]),
        "nullspace_damping": 3.0,
        "time": np.array([0.0, 2.0]),
        "knots": np.stack((first, second)),
    }
    tables = no_forces(model)
    chain = chain_of(model, *bodies(model), POINT)
    return tables._replace(chain=chain, impedance=Impedance(**(values | changes)))  # type: ignore[arg-type]


def test_nothing_acts_by_default(model: mujoco.MjModel) -> None:
    """Empty tables give no force."""
    assert not forces(no_forces(model), moving(model)).any()


def test_push_is_the_jacobians(model: mujoco.MjModel) -> None:
    """A push along the effector's axis is MuJoCo's own generalised force of it, interpolated in time."""
    data, (_, effector) = moving(model), bodies(model)
    tables = joint_springs(model, stiffness=np.zeros(7), damping=np.zeros(7))._replace(
        push_time=np.array([1.0, 3.0]), push=np.array([0.0, 8.0]), push_axis=np.array([0.0, 0.6, 0.8])
    )
    R = data.xmat[effector].reshape(3, 3)
    for time, size in ((0.5, 0.0), (1.5, 2.0), (2.0, 4.0), (9.0, 8.0)):
        expected = np.zeros(model.nv)
        force = size * (R @ [0.0, 0.6, 0.8])
        at = data.xpos[effector] + R @ POINT
        mujoco.mj_applyFT(model, data, force, np.zeros(3), at, effector, expected)
        expected[-7:] += data.qfrc_bias[-7:]
        assert forces(tables, data, time) == pytest.approx(expected, abs=1e-12)


def test_orbit_is_the_sum_over_bodies(model: mujoco.MjModel) -> None:
    """Each body's force and torque by the closed form's equations, turned to joints by MuJoCo."""
    data, n = moving(model), 0.4
    expected = np.zeros(model.nv)
    for b in range(1, model.nbody):
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, b, velocity, 0)
        p, w = data.xipos[b], velocity[:3]
        v = velocity[3:] + np.cross(w, p - data.xpos[b])
        force = model.body_mass[b] * np.array(
            [3.0 * n * n * p[0] + 2.0 * n * v[1], -2.0 * n * v[0], -n * n * p[2]]
        )
        R = data.ximat[b].reshape(3, 3)
        torque = orbit_torque(R @ np.diag(model.body_inertia[b]) @ R.T, w, n)
        mujoco.mj_applyFT(model, data, force, torque, p.copy(), b, expected)
    assert forces(no_forces(model)._replace(rate=n), data) == pytest.approx(expected, abs=1e-10)


def test_joint_springs(model: mujoco.MjModel) -> None:
    """The law joint by joint, with the path's value and speed at that time; the base feels nothing."""
    data = moving(model)
    tables = joint_springs(model)
    out = forces(tables, data, 0.5)
    error = Q + 0.05 - data.qpos[-7:]
    law = tables.impedance.stiffness * error + tables.impedance.damping * (0.1 - data.qvel[-7:])
    assert out[-7:] == pytest.approx(law + data.qfrc_bias[-7:], abs=1e-12)
    assert not out[:-7].any()


def _potential(model: mujoco.MjModel, data: mujoco.MjData, impedance: Impedance) -> float:
    """The energy of the springs at the first knot; that of equal springs is the turn's square."""
    base, effector = bodies(model)
    mujoco.mj_kinematics(model, data)
    R_base = data.xmat[base].reshape(3, 3)
    quat, R_goal = np.zeros(4), np.zeros(9)
    mujoco.mju_mulQuat(quat, data.xquat[base], impedance.knots[0, 3:])
    mujoco.mju_quat2Mat(R_goal, quat)
    frame = R_goal.reshape(3, 3)
    point = data.xpos[effector] + data.xmat[effector].reshape(3, 3) @ POINT
    e = frame.T @ (data.xpos[base] + R_base @ impedance.knots[0, :3] - point)
    turn = np.zeros(3)
    mujoco.mju_subQuat(turn, data.xquat[effector], quat)
    k = impedance.stiffness
    return float(0.5 * k[:3] @ (e * e) + 0.5 * k[3:] @ (turn * turn))


@pytest.mark.parametrize("rotation", [25.0, 0.0], ids=["with rotation", "translation alone"])
def test_cartesian_springs_are_a_potentials_gradient(model: mujoco.MjModel, rotation: float) -> None:
    """Equal rotational springs: minus the energy's gradient over the joints, and none over the base."""
    stiffness = np.array([900.0, 700.0, 1500.0, rotation, rotation, rotation])
    tables = cartesian_springs(model, stiffness=stiffness, damping=np.zeros(6), nullspace_damping=0.0)
    data = moving(model)
    data.qvel[:] = 0.0
    mujoco.mj_forward(model, data)
    out = forces(tables, data)
    expected = np.zeros(model.nv)
    start = data.qpos.copy()
    for i in range(model.nv):
        values = []
        for sign in (1.0, -1.0):
            step = np.zeros(model.nv)
            step[i] = sign * 1e-6
            data.qpos[:] = start
            mujoco.mj_integratePos(model, data.qpos, step, 1.0)
            values.append(_potential(model, data, tables.impedance))
        expected[i] = -(values[0] - values[1]) / 2e-6
    assert np.abs(expected[:-7]).max() < 1e-4  # the base: the springs hang between it and the effector
    assert out == pytest.approx(expected, abs=2e-4)


def test_cartesian_damping_is_the_jacobians(model: mujoco.MjModel) -> None:
    """Without springs: `-J^T D (v - v_d)` with MuJoCo's Jacobian; what J cannot see is damped too."""
    data, (base, effector) = moving(model), bodies(model)
    tables = cartesian_springs(model, stiffness=np.zeros(6))
    out = forces(tables, data, 0.0)
    R = data.xmat[effector].reshape(3, 3)
    J = np.zeros((6, model.nv))
    mujoco.mj_jac(model, data, J[:3], J[3:], data.xpos[effector] + R @ POINT, effector)
    J, dq = J[:, -7:], data.qvel[-7:]
    knots = tables.impedance.knots
    quat, goal = np.zeros(4), np.zeros(9)
    mujoco.mju_mulQuat(quat, data.xquat[base], knots[0, 3:])
    mujoco.mju_quat2Mat(goal, quat)
    F = np.kron(np.eye(2), goal.reshape(3, 3))
    wanted = data.xmat[base].reshape(3, 3) @ ((knots[1, :3] - knots[0, :3]) / 2.0)
    v = J @ dq - np.concatenate((wanted, np.zeros(3)))
    slack = dq - np.linalg.pinv(J) @ (J @ dq)
    # at the first knot itself the path still stands
    standing = -J.T @ F @ (tables.impedance.damping * (F.T @ (J @ dq)))
    assert out[-7:] == pytest.approx(standing - 3.0 * slack + data.qfrc_bias[-7:], abs=1e-3)
    later = forces(tables, data, 1e-9)
    coming = -J.T @ F @ (tables.impedance.damping * (F.T @ v))
    assert later[-7:] == pytest.approx(coming - 3.0 * slack + data.qfrc_bias[-7:], abs=1e-3)


@pytest.mark.parametrize("springs", [joint_springs, cartesian_springs])
def test_a_free_base_keeps_momentum(model: mujoco.MjModel, springs: object) -> None:
    """One second of impedance on a free servicer: linear and angular momentum stay, the springs do work."""
    tables = springs(model)  # type: ignore[operator]
    data = moving(model)
    data.qvel[:] = 0.0
    model.opt.timestep = 1e-4
    root = model.body("servicer").id
    moved = []
    for _ in range(2000):
        mujoco.mj_fwdKinematics(model, data)
        mujoco.mj_fwdVelocity(model, data)
        data.qfrc_applied[:] = forces(tables, data, data.time)
        mujoco.mj_step(model, data)
        moved.append(np.abs(data.qvel[-7:]).max())
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    momentum = model.body_subtreemass[root] * data.subtree_linvel[root]
    print(
        "MOM",
        max(moved),
        momentum,
        data.subtree_angmom[root],
        model.body_subtreemass[root] * 0,
        abs(data.qvel[-7:]).max(),
    )
    assert max(moved) > 0.1
    assert np.abs(momentum).max() < 2e-3  # N s: what the integrator loses, of some that the parts carry
    assert np.abs(data.subtree_angmom[root]).max() < 2e-3
    model.opt.timestep = 1e-3


@pytest.mark.parametrize("altitude", [400e3, 35_786e3], ids=["low", "geostationary"])
def test_stepping_drifts_as_the_closed_form(model: mujoco.MjModel, altitude: float) -> None:
    """A fiftieth of an orbit in 20 000 steps: centre and attitude of the module, to 1e-4 of the way."""
    n = mean_motion(altitude)
    time = 2.0 * math.pi / n / 50.0
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="module")
    body.add_freejoint()
    body.explicitinertial, body.mass, body.inertia = True, 60.0, [3.0, 4.0, 5.0]
    spec.option.gravity, spec.option.timestep = [0.0] * 3, time / 20_000
    own = spec.compile()
    data = mujoco.MjData(own)
    start = np.array([1.0, -2.0, 0.5, 3e-4, -2e-4, 4e-4])
    data.qpos[:3], data.qvel[:3] = start[:3], start[3:]
    data.qvel[3:] = [1e-4, 0.0, -n]
    first = data.qpos[3:7].copy(), data.qvel[3:].copy()
    acting = bound_forces(no_forces(own)._replace(rate=n), data)
    for _ in range(20_000):
        mujoco.mj_fwdKinematics(own, data)
        mujoco.mj_fwdVelocity(own, data)
        data.qfrc_applied[:] = 0.0
        apply_forces(acting, data.time, data.qfrc_applied)
        mujoco.mj_step(own, data)
    expected = (transition(n, time) @ start)[:3]
    way = np.linalg.norm(expected - start[:3])
    assert np.linalg.norm(data.qpos[:3] - expected) < 1e-4 * way
    quat, _ = drifted_attitude(*first, np.diag([3.0, 4.0, 5.0]), n, time)
    assert abs(abs(quat @ data.qpos[3:7]) - 1.0) < 1e-9
