"""The wrench at the tool as the joints' torques tell it, beside what a sensor there reads."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.frames import pose_of
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.setup import Setup
from planner.kinematics.forward import flange_pose, jacobian


def jacobians(setup: Setup, q: Array) -> Array:
    """Return the Jacobians of the sensor's origin, in its axes, linear then angular, shape (n, 6, 7).

    Args:
        setup: of the experiment, which says where the sensor hangs.
        q: joints [rad], shape (n, 7).
    """
    sensor, geometry = setup.experiment.sensor, setup.arm.geometry
    T_flange_sensor = pose_of(sensor.rotvec, sensor.position)
    out = np.empty((len(q), 6, 7))
    for k, joints in enumerate(q):
        R = (flange_pose(geometry, joints) @ T_flange_sensor)[:3, :3]
        J = jacobian(geometry, joints, T_flange_sensor)
        out[k, :3], out[k, 3:] = R.T @ J[:3], R.T @ J[3:]
    return out


def external_torques(log: ArmLog, run: ArmRun) -> Array:
    """Return a log's torques of the environment on the joints [N m], shape (n, 7).

    Where the log has those of the joints' sensors, gravity by the controller's model comes from the
    simulated run `run` of the same sequence: the load is as the controller believes it.
    """
    if log.external:
        return log.torque
    gravity = np.column_stack([np.interp(log.t, run.t, column) for column in run.gravity.T])
    return np.asarray(gravity - log.torque)


def wrench_by_joints(setup: Setup, q: Array, external: Array) -> Array:
    """Return the wrench about the sensor's origin that explains joint torques best, its axes, (n, 6).

    Seven torques, six components: least squares of `J^T w = tau`. Friction in the joints, which acts behind
    their sensors, is in it; the tool's weight is not, as the controller takes it off.
    """
    found = [
        np.linalg.lstsq(J.T, tau, rcond=None)[0] for J, tau in zip(jacobians(setup, q), external, strict=True)
    ]
    return np.array(found)
