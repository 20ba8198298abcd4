"""From the driver's cycles of one motion to the drives' dead time, lag and damping, and the wrench's skew."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import mockup_centre
from hil.configuration.sensor import has_own_sensor
from hil.configuration.whole_mockup import whole_mockup
from hil.force.setup import drive_of
from hil.force.timing.drive_fit import FoundDrive, found_drive
from hil.force.timing.lag_response import lag_response
from hil.force.timing.skew import FoundSkew, found_skew
from hil.loop.approach.held_cube import HeldCube
from hil.loop.calibration.circled_rows import circled_rows
from hil.messaging.messages import CycleBlock
from hil.wrench.load.held import GRAVITY, all_held, held_parameters
from hil.wrench.load.held_motion import raw_motion
from hil.wrench.load.identification import even
from hil.wrench.load.inertial import PARAMETERS, Acceleration, regressor

JOINTS = 7


@dataclass(frozen=True)
class FoundTiming:
    """What one motion shows: the drives, and by how much the wrench is later than the joints."""

    drive: FoundDrive
    skew: FoundSkew


def timing_shown(blocks: Sequence[CycleBlock], c: Configuration) -> FoundTiming:
    """Return what the motion shows.

    Args:
        blocks: the driver's cycles, in order, with a motion in them.
        c: the run's; of its mock-up only what the operator knows.

    Raises:
        OperatorError: too little was measured, nothing moved, or the arm does not follow its commands.
    """
    step = c.fri.sample_time
    part = circled_rows(blocks, step)
    stamps = np.concatenate([block.stamps[:, 0] for block in blocks])
    command = np.concatenate([block.q_command for block in blocks])
    q = np.concatenate([block.q_measured for block in blocks])
    wrench = np.concatenate([block.wrench_object for block in blocks])
    if has_own_sensor(c):
        wrench = wrench - _compensated(stamps, command, q, c)
    stamps, command, q, wrench = stamps[part], command[part], q[part], wrench[part]
    known = np.isfinite(wrench).all(axis=1) & (np.diff(stamps, prepend=stamps[0] - 1) > 0)
    joints, wrench = even(
        1e-9 * (stamps[known] - stamps[0]), np.hstack([command, q])[known], wrench[known], step
    )
    command, q = joints[:, :JOINTS], joints[:, JOINTS:]
    drive = found_drive(command, q, step)
    return FoundTiming(drive, _skew(_followed(command, q, drive, step), wrench, c))


def _followed(command: Array, q: Array, drive: FoundDrive, step: float) -> Array:
    """Return where the joints were, without the encoders' noise where the drives are known, (n, 7).

    Differences of encoders are rough: 5 um of noise are some newtons of a load of 5 kg.
    """
    if not drive.suits:
        return q
    followed = lag_response(command, step, drive.dead_time, drive.lag, drive.damping)
    found: Array = followed + (q - followed).mean(axis=0)
    return found


def _skew(q: Array, wrench: Array, c: Configuration) -> FoundSkew:
    """Return by how much the wrench is later than the joints.

    The robot's estimate shows what its load data misses; a force sensor feels the load, with its weight.
    """
    step, mockup = c.fri.sample_time, c.mockup
    R, p = HeldCube(c).object_poses(q)
    motion = raw_motion(R, p, step)
    expected = np.zeros(PARAMETERS) if mockup.found is None else mockup.found.parameters
    if has_own_sensor(c):
        expected = all_held(c, mockup_centre(c))
        upwards = GRAVITY * R[1:-1, 2, :]  # the world's upwards, object axes
        motion = Acceleration(motion.a + upwards, motion.omega, motion.alpha)
        wrench = wrench + _weight(R, expected)
    turned = np.einsum("ji,njk->nik", R[0], R)
    tilt = 0.5 * np.stack([turned[:, 2, 1] - turned[:, 1, 2], turned[:, 0, 2] - turned[:, 2, 0],
                           turned[:, 1, 0] - turned[:, 0, 1]], axis=1)  # fmt: skip
    return found_skew(
        -regressor(motion), np.column_stack([p, tilt])[1:-1], wrench[1:-1], step,
        whole_mockup(mockup.mass, mockup.edge, mockup.inertia), expected,
    )  # fmt: skip


def _weight(R: Array, held: Array) -> Array:
    """Return the load's weight about the object's centre, object axes [N, N m], shape (n, 6).

    The driver has taken it out by the joints of the same packet; the sensor feels it as late as all else.
    """
    still = np.zeros((len(R), 3))
    weight: Array = -regressor(Acceleration(GRAVITY * R[:, 2, :], still, still)) @ held
    return weight


def _compensated(stamps: Array, command: Array, q: Array, c: Configuration) -> Array:
    """Return what the driver has added for the load's inertia in each cycle, shape (n, 6)."""
    from hil.wrench.load.compensation import LoadCompensation
    from planner.kinematics.arm_model import load_arm_model

    drive = drive_of(c.interpolation.lead_time, c.fri.sample_time, c.force.drive_lag, c.force.drive_damping)
    held = LoadCompensation(c, load_arm_model(c.robot.model), held_parameters(c, mockup_centre(c)), drive)
    newest = np.vstack([command[:1], command[:-1]])  # the answer to a packet comes after it
    return np.array(
        [
            held.taken_out(int(t_ns), joints, np.zeros(6), sent)
            for t_ns, joints, sent in zip(stamps, q, newest, strict=True)
        ]
    )
