"""Plans step by step: they carry the object, continue each other, keep limits, say what stops them."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.geometry import transform_inverse
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from sim.chain.kinematics import tip_pose
from tests.planner.branches.object_paths import STEP, prediction_of, soft_path, straight_path

CUBE = Path(__file__).resolve().parents[3] / "configs" / "cube.toml"
CENTRE = np.array([0.80, 0.0, 0.20])
START = np.deg2rad([0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0])
INVERSES = ("lagrange", "passive-chain")
AHEAD = Rotation.from_euler("y", np.pi / 2).as_quat(scalar_first=True)  # object axis z along world x


@pytest.fixture(params=INVERSES)
def configured(request):
    """The cube, with an inverse kinematics that goes step by step."""
    return load_configuration(CUBE, [f"planner.inverse={request.param}"])


def test_the_models_chain_is_the_arm() -> None:
    """The chain's tip is the flange of the closed form, at random joints."""
    model, rng = load_arm_model(load_configuration(CUBE).robot.model), np.random.default_rng(0)
    for q in rng.uniform(-2.0, 2.0, (20, 7)):
        np.testing.assert_allclose(tip_pose(model.chain, q), flange_pose(model.geometry, q), atol=1e-13)


def test_plans_continue_each_other_and_carry_the_object(configured) -> None:
    """4 s between soft stops: the same instant is planned the same, poses are met, speeds are the path's."""
    model = load_arm_model(configured.robot.model)
    planner, frames = PathPlanner(model, configured), Frames.from_configuration(configured)
    T_object_flange = transform_inverse(np.ascontiguousarray(frames.T_flange_object))
    before, shift = None, 2
    for number in range(100):
        prediction = prediction_of(lambda t: soft_path(t, CENTRE, 0), 0.04 * number, number)
        plan = planner.step(prediction, START)
        assert plan.policy == "RUN" and plan.time_rate == 1.0
        for i in (0, len(plan.q) - 1):
            T = np.eye(4)
            T[:3, 3] = prediction.p_world_object[i]
            T[:3, :3] = Rotation.from_quat(prediction.quat_world_object[i], scalar_first=True).as_matrix()
            wanted = transform_inverse(frames.T_world_base) @ T @ T_object_flange
            found = flange_pose(model.geometry, plan.q[i])
            np.testing.assert_allclose(found, wanted, atol=2e-6)
            J = jacobian(model.geometry, plan.q[i], frames.T_flange_object)
            R, twist = frames.T_world_base[:3, :3].T, prediction.twist_world_object[i]
            carried = np.concatenate([R @ twist[:3], R @ twist[3:]])
            np.testing.assert_allclose(J @ plan.dq[i], carried, atol=2e-5)
        middle = (plan.q[2:] - plan.q[:-2]) / (2.0 * STEP)
        assert np.abs(middle - plan.dq[1:-1]).max() < 2e-2
        if before is not None:
            kept = len(plan.q) - shift - 1
            np.testing.assert_allclose(plan.q[:kept], before.q[shift : shift + kept], atol=1e-9)
            np.testing.assert_allclose(plan.dq[:kept], before.dq[shift : shift + kept], atol=1e-6)
        before = plan


def test_what_cannot_be_reached_slows_and_holds(configured) -> None:
    """Straight away from the arm: time slows before the border of reach, then stands; the reason is said."""
    planner = PathPlanner(load_arm_model(configured.robot.model), configured)

    path = straight_path(CENTRE, [0.15, 0.0, 0.0], AHEAD)
    policies, reasons = [], set()
    for number in range(60):
        plan = planner.step(prediction_of(path, 0.04 * number, number), START)
        policies.append(plan.policy)
        reasons.add(plan.reason)
    assert policies[0] == "RUN" and policies[-1] == "HOLD" and "SLOW" in policies
    assert reasons - {""} <= {"reach", "limit", "velocity", "singularity"} and len(reasons) > 1


def test_the_cube_floats_without_a_fault(configured) -> None:
    """Two seconds in lock-step, from the first cycle on: no fault, no hold, within limits."""
    loop = LockStep(configured)
    trace = loop.run(2.0)
    assert loop.fault == "" and trace.rate[-1] == 1.0
    assert trace.state[-1] == State.FLOATING
