"""Simulated and measured wrench at the tool, component by component."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import correlation, wrench_at

COMPONENTS = (("Fx", "N"), ("Fy", "N"), ("Fz", "N"), ("Tx", "N m"), ("Ty", "N m"), ("Tz", "N m"))
LEAST = {"N": 1.0, "N m": 0.1}  # by which a component must move for its course to mean anything
MOVED = 1e-6  # [rad] by which a command has left the start
FEWEST = 5  # rows at rest over which a bias is taken


@dataclass(frozen=True)
class ToolComponent:
    """One component of the wrench.

    Attributes:
        name: Fx to Tz, in the sensor's axes.
        unit: N or N m.
        moves: by how much it moves in the simulation.
        rms: root of the mean square of simulated less measured, both counted from rest.
        largest: of that difference.
        correlation: of both courses; None where it moves less than `LEAST`.
        by_joints_rms: the same root for what the joints' torques say in place of the sensor.
    """

    name: str
    unit: str
    moves: float
    rms: float
    largest: float
    correlation: float | None
    by_joints_rms: float


def at_rest(run: ArmRun, t: Array) -> BoolArray:
    """Return which times lie before the first command that moves the arm, shape (n,)."""
    left = np.any(np.abs(run.command - run.command[0]) > MOVED, axis=1)
    first = run.t[int(np.argmax(left))] if left.any() else run.t[-1]
    return np.asarray(t < first)


def from_rest(values: Array, rest: BoolArray) -> Array:
    """Return courses (n, 6) less their means at rest, or at all times where rest is too short.

    A sensor's bias and the weight that hangs at it cannot be told apart at rest; both go.
    """
    known = np.all(np.isfinite(values), axis=1)
    over = rest & known if int((rest & known).sum()) >= FEWEST else known
    return np.asarray(values - values[over].mean(axis=0))


def compare_tool(run: ArmRun, log: ArmLog, by_joints: Array) -> tuple[ToolComponent, ...]:
    """Return how a run's wrench differs from a log's; nothing where either has none.

    Args:
        run: simulated.
        log: measured, within the run's time.
        by_joints: the wrench as the log's joint torques tell it, shape (n, 6).
    """
    simulated = wrench_at(run, log)
    if simulated is None or log.wrench is None:
        return ()
    rest = at_rest(run, log.t)
    known = np.all(np.isfinite(log.wrench), axis=1)
    s, m, j = (from_rest(values, rest)[known] for values in (simulated, log.wrench, by_joints))
    found = []
    for k, (name, unit) in enumerate(COMPONENTS):
        moves, apart = float(np.ptp(s[:, k])), s[:, k] - m[:, k]
        found.append(
            ToolComponent(
                name,
                unit,
                moves,
                float(np.sqrt(np.mean(apart**2))),
                float(np.abs(apart).max()),
                correlation(s[:, k], m[:, k]) if moves > LEAST[unit] else None,
                float(np.sqrt(np.mean((s[:, k] - j[:, k]) ** 2))),
            )
        )
    return tuple(found)
