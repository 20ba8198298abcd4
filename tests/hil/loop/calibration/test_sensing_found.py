"""Where what was found of the load goes: into the detector, and nowhere else."""

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.driver.sensing import Sensing
from hil.wrench.held_body import object_axes
from planner.kinematics.arm_model import load_arm_model
from tests.hil.wrench.load.point_masses import parameters
from tests.hil.wrench.load.test_compensation import joints, shown, with_found

HEAVY = 2.5  # times the point masses: what they show is as large as a push


def slices_of(c: Configuration, q: Array, wrench: Array) -> tuple[int, Array]:
    """How many pushes are found, and the last wrench that is told to others."""
    model, frames = load_arm_model(c.robot.model), Frames.from_configuration(c)
    sensing, found = Sensing(c, model, frames), set()
    sensing.warm()
    lever = frames.T_tcp_object[:3, 3]
    for k, (one, seen) in enumerate(zip(q, wrench, strict=True)):
        R = object_axes(model.geometry, one, frames.T_flange_object)
        force, torque = R @ seen[:3], R @ seen[3:] + np.cross(R @ lever, R @ seen[:3])
        report = sensing.observe(
            FriSample(
                t_ns=10**9 + 2_000_000 * k, arrival_ns=10**9 + 2_000_000 * k, count=k, q_measured=one,
                q_commanded=one, wrench=np.concatenate([force, torque]), torque_external=np.zeros(7), state=2,
                quality=3, power_on=True, commanding=True, new_session=k == 0, late=False, lost=0,
                missed_answers=0, sequence=k, heard=k - 1,
            ),
            q[0],
        )  # fmt: skip
        for item in report.messages() if report is not None else ():
            found.add(item.impulse_id)
    return len(found), sensing.wrench_object


def test_the_detector_no_longer_takes_the_arms_own_motion_for_pushes(cube: Configuration) -> None:
    """Without the finding it does; others are told the wrench as the robot tells it, in both cases."""
    q = joints(cube, 700)
    wrench = HEAVY * shown(cube, q)
    plain, told = slices_of(cube, q[1:-1], wrench)
    found, told_found = slices_of(with_found(cube, HEAVY * parameters()), q[1:-1], wrench)
    assert plain > 0 and found == 0
    np.testing.assert_allclose(told, wrench[-1], atol=1e-9)
    np.testing.assert_array_equal(told_found, told)
