"""MuJoCo's free-joint convention, against MuJoCo's own integrator, which also checks free flight."""

import mujoco
import numpy as np

from hil.configuration.schema import Stops
from sim.world.body import body_state, body_twist, step_body_into
from sim.world.free_joint import qvel_from_twist, twist_from_qvel
from sim.world.stops import pack_stops

TOP = """<mujoco><option gravity="0 0 0" timestep="0.001" integrator="RK4"/><worldbody>
<body name="object"><freejoint/><inertial pos="0 0 0" mass="5" diaginertia="0.2 0.35 0.45"/></body>
</worldbody></mujoco>"""
BODY = np.array([5.0, 0.2, 0.35, 0.45])


def test_free_flight_against_mujoco():
    """Ten seconds of tumbling from a turned attitude agree with MuJoCo's RK4 to 1e-7 in pose and twist."""
    rng = np.random.default_rng(9)
    quat = rng.normal(size=4)
    quat /= np.linalg.norm(quat)
    twist = np.array([0.1, -0.2, 0.3, 0.4, 0.8, -0.3])
    model = mujoco.MjModel.from_xml_string(TOP)
    data = mujoco.MjData(model)
    data.qpos[3:] = quat
    data.qvel[:] = qvel_from_twist(twist, quat)
    state = body_state(np.zeros(3), quat, twist, BODY)
    stops = pack_stops(Stops(enabled=False), BODY[1:])
    for _ in range(10_000):
        mujoco.mj_step(model, data)
        step_body_into(state, state, BODY, stops, np.zeros(6), 1e-3)
    assert np.allclose(data.qpos, state[:7], atol=1e-7)
    assert np.allclose(twist_from_qvel(data.qvel, data.qpos[3:]), body_twist(state, BODY), atol=1e-7)


def test_velocity_at_a_point_against_mujoco():
    """The twist in world axes is what mj_objectVelocity reports in world axes (angular first there)."""
    model = mujoco.MjModel.from_xml_string(TOP)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(10)
    for _ in range(5):
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        twist = rng.normal(size=6)
        data.qpos[3:], data.qvel[:] = quat, qvel_from_twist(twist, quat)
        mujoco.mj_forward(model, data)
        reported = np.empty(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, 1, reported, 0)
        assert np.allclose(np.concatenate([reported[3:], reported[:3]]), twist, atol=1e-12)
        assert np.allclose(twist_from_qvel(qvel_from_twist(twist, quat), quat), twist, atol=1e-14)
