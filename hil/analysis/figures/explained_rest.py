"""How much the wrench of an emulated arm must change at rest, by its configuration and the arm's motion.

Noise is not all: the offset moves with the pose, and the share of inertia that load compensation misses
shows whenever the arm accelerates. Neither is noise, but a semivariance sees both.
"""

import numpy as np

from hil.analysis.configured_noise import mean_noise
from hil.analysis.figures.rest import row_step
from hil.analysis.figures.windows import LENGTH, fitted_twists
from hil.common.arrays import Array, IntArray
from hil.configuration import Configuration
from hil.loop.trace.fields import Trace
from hil.wrench.worth.semivariance import AXES, Semivariance, semivariance


class ExplainedRest:
    """What the configuration explains, row by row; then summed over stretches."""

    def __init__(self, trace: Trace, c: Configuration) -> None:
        """Compute the arm's motion at each row."""
        p, quat = trace.p_world_object_arm, trace.quat_world_object_arm
        twist = fitted_twists(trace.t, p, quat, 0, len(trace.t))
        to_tcp = _turned(quat, -_centre(trace))
        v_tcp = twist[:, :3] + np.cross(twist[:, 3:], to_tcp)
        errors = c.emulator.wrench
        full = np.minimum(1.0, np.linalg.norm(v_tcp, axis=1) / errors.motion_noise_speed)
        self._c, self._step, self._motion = c, row_step(trace), full**2
        self._changes = np.column_stack(
            [_offset_scale(c) * (p + to_tcp), _missed_inertia(c) * np.gradient(twist, trace.t, axis=0)]
        )

    def within(self, stretch: IntArray) -> Semivariance:
        """Return what is explained within stretches of rest, the same for all six axes: their mean."""
        changes = semivariance(self._changes, stretch, self._step)
        resting = stretch >= 0
        motion = float(self._motion[resting].mean()) if resting.any() else 0.0
        noise = mean_noise(self._c, motion).semivariance(changes.apart)
        mean = noise * changes.counts + changes.sums.sum(axis=1) / AXES
        sums = np.repeat(mean[:, None], AXES, axis=1)
        return Semivariance(changes.step, changes.lags, sums, changes.counts, changes.seconds)


def _centre(trace: Trace) -> Array:
    """Return the object's centre from the tcp in the object's axes [m], shape (3,)."""
    T = trace.T_tcp_object
    centre: Array = T[:3, :3].T @ T[:3, 3]
    return centre


def _turned(quat: Array, vector: Array) -> Array:
    """Return a vector (3,) turned by unit quaternions (n, 4), shape (n, 3)."""
    w, v = quat[:, :1], quat[:, 1:]
    crossed = 2.0 * np.cross(v, vector)
    turned: Array = vector + w * crossed + np.cross(v, crossed)
    return turned


def _offset_scale(c: Configuration) -> float:
    """Return how much the offset changes over a displacement [N/m]: root of the sum over six axes.

    Its directions are drawn at random, and so are levers; the mean over them is taken.
    """
    errors = c.emulator.wrench
    lever = float(np.linalg.norm(c.object.position)) / LENGTH
    force, torque = errors.offset_gradient_force, errors.offset_gradient_torque / LENGTH
    return float(np.sqrt(force**2 + torque**2 + 2.0 / 3.0 * (lever * force) ** 2))


def _missed_inertia(c: Configuration) -> Array:
    """Return what an acceleration is worth in the measured wrench, torques divided by 0.2 m, shape (6,)."""
    body = c.mockup
    return body.uncompensated * np.concatenate([np.full(3, body.mass), body.inertia / LENGTH])
