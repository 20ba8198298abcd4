"""Simulated and measured arm, joint by joint, sample by sample, without any alignment in time."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from drivers.robot.urdf_for_physics import JOINTS
from hil.common.arrays import Array
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.schema import Bounds

LEAST_TORQUE = 1.0  # [N m] by which a joint's torque must move for its course to mean anything
NOISE_SHARE = 0.5  # per cent of a log's samples at either end that may be noise


@dataclass(frozen=True)
class JointComparison:
    """One joint.

    Attributes:
        name: A1 to A7.
        max_deviation_rad: largest difference simulated less measured [rad].
        sigma_rad: root of the mean square of that difference: a constant offset counts as well [rad].
        torque_correlation: of simulated and measured torque; None where neither moves by more than
            `LEAST_TORQUE`.
        torque_range_n_m: by how much the simulated torque moves, or the measured one without its extreme
            samples, whichever is more [N m].
        correlation_ceiling: what the noise of the torque sensor leaves of a correlation of 1.
    """

    name: str
    max_deviation_rad: float
    sigma_rad: float
    torque_correlation: float | None
    torque_range_n_m: float
    correlation_ceiling: float = 1.0


@dataclass(frozen=True)
class Comparison:
    """All joints of one pair of runs; the sum over all samples and joints is taken at once."""

    joints: tuple[JointComparison, ...]

    @property
    def max_deviation_rad(self) -> float:
        """Of any joint at any sample [rad]."""
        return max(joint.max_deviation_rad for joint in self.joints)

    @property
    def sigma_rad(self) -> float:
        """Over all samples and joints [rad]."""
        return float(np.sqrt(np.mean([joint.sigma_rad**2 for joint in self.joints])))

    @property
    def torque_correlation(self) -> float | None:
        """The least of the joints that have one."""
        known = [j.torque_correlation for j in self.joints if j.torque_correlation is not None]
        return min(known, default=None)

    def within(self, bounds: Bounds) -> bool:
        """Return whether all figures keep their bounds."""
        near = self.max_deviation_rad <= bounds.deviation and self.sigma_rad <= bounds.sigma
        return near and all(
            joint.torque_correlation >= bounds.torque_correlation * joint.correlation_ceiling
            for joint in self.joints
            if joint.torque_correlation is not None
        )

    def figures(self) -> dict[str, Any]:
        """Return what holds for all joints together, as keys of a file."""
        return {
            "max_deviation_rad": self.max_deviation_rad,
            "sigma_rad": self.sigma_rad,
            "torque_correlation": self.torque_correlation,
        }


def compare(run: ArmRun, log: ArmLog, torque_noise: float = 0.0) -> Comparison:
    """Return how a simulated run differs from a log, at the log's samples.

    Args:
        run: simulated; taken between its samples along straight lines.
        log: measured, within the run's time.
        torque_noise: standard deviation of the log's torque sensors [N m].
    """
    q, torque = simulated_at(run, log)
    difference = q - log.q
    joints = []
    for joint, name in enumerate(JOINTS):
        low, high = np.percentile(log.torque[:, joint], (NOISE_SHARE, 100.0 - NOISE_SHARE))
        moved = max(float(np.ptp(torque[:, joint])), float(high - low))
        joints.append(
            JointComparison(
                name,
                float(np.abs(difference[:, joint]).max()),
                float(np.sqrt(np.mean(difference[:, joint] ** 2))),
                correlation(torque[:, joint], log.torque[:, joint]) if moved > LEAST_TORQUE else None,
                moved,
                _ceiling(log.torque[:, joint], torque_noise),
            )
        )
    return Comparison(tuple(joints))


def _ceiling(measured: Array, noise: float) -> float:
    """Return the correlation of a course without its noise with the same course with it."""
    variance = float(np.var(measured))
    return float(np.sqrt(max(0.0, 1.0 - noise**2 / variance))) if variance > 0.0 else 1.0


def simulated_at(run: ArmRun, log: ArmLog) -> tuple[Array, Array]:
    """Return the run's joints [rad] and torques [N m] at a log's samples, each (n, 7), as the log's are."""
    torque = run.external if log.external else run.torque
    at = [[np.interp(log.t, run.t, x[:, joint]) for joint in range(7)] for x in (run.q, torque)]
    return np.array(at[0]).T, np.array(at[1]).T


def wrench_at(run: ArmRun, log: ArmLog) -> Array | None:
    """Return what a run's tool sensor reads at a log's samples, shape (n, 6); None where either has none."""
    if run.wrench is None or log.wrench is None:
        return None
    return np.column_stack([np.interp(log.t, run.t, column) for column in run.wrench.T])


def correlation(a: Array, b: Array) -> float:
    """Return Pearson's correlation of two courses (n,); 0 where one of them does not move at all."""
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / scale if scale > 0.0 else 0.0


def worst_of(comparisons: list[Comparison]) -> tuple[JointComparison, ...]:
    """Return for each joint the worst that any of the pairs has."""
    worst = []
    for joints in zip(*(comparison.joints for comparison in comparisons), strict=True):
        known = [j.torque_correlation for j in joints if j.torque_correlation is not None]
        worst.append(
            JointComparison(
                joints[0].name,
                max(j.max_deviation_rad for j in joints),
                max(j.sigma_rad for j in joints),
                min(known, default=None),
                max(j.torque_range_n_m for j in joints),
                min(j.correlation_ceiling for j in joints),
            )
        )
    return tuple(worst)
