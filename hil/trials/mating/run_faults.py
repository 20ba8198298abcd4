"""What is wrong with a robot's run, whatever parts it held: what is refused, and what a user is told."""

from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ExperimentError
from hil.trials.mating.motors_seen import motor_warnings
from hil.trials.mating.robot_schema import PathSection, SimulationSection
from hil.trials.mating.setting import Setting
from sim.insertion.insertion import InsertionRun

INSIDE = 1e-6  # [m] that parts may be inside one another where a run begins
DEEP = 1e-4  # [m] beyond which stiff parts have gone through one another
UNSOLVED = 1e-6  # residual of a contact problem that is told
TOUCHING = 1.0  # [N] beyond which contact forces are looked at for swings,
SWING = 0.5  # share of the force by which its slope changes in one step of a swing,
OFTEN = 0.05  # and share of the steps in which that is told


def refuse_inside(run: InsertionRun, place: Setting) -> None:
    """Refuse a run whose stiff parts begin inside one another.

    Raises:
        ExperimentError: see there.
    """
    least = float(run.rows.gaps[0]) if len(run.t) else 0.0
    if least < -INSIDE:
        raise ExperimentError(
            f"begin_mm = {1e3 * place.begin:g} with this offset begins with the parts {-1e3 * least:.3g} mm "
            "inside one another: begin farther out, or make offset_y_mm and offset_z_mm smaller"
        )


def refuse_none(run: InsertionRun, where: str = "") -> None:
    """Refuse a run that has no course: it was stopped before its second row.

    Raises:
        ExperimentError: see there.
    """
    if len(run.t) < 2:
        raise ExperimentError(
            f"{where}the run stops in its first steps: {run.stopped}; a shorter step_ms, or a softer robot "
            "(frequency_hz, integral_ms), may bear it"
        )


def last_state(run: InsertionRun) -> dict[str, Any] | None:
    """Return the last good state of a run that was stopped; None of one that was not, or that has none."""
    if not run.stopped or not len(run.t):
        return None
    return {
        "t_s": float(run.t[-1]),
        "deviation": run.rows.deviations[-1].tolist(),
        "velocity": run.rows.velocities[-1].tolist(),
    }


def told_of(
    run: InsertionRun, place: Setting, path: PathSection, sim: SimulationSection, motors: dict[str, Any]
) -> list[str]:
    """Return warnings: why it stopped, figures that mean little, torques and speeds that are not there.

    Args:
        run: see there.
        place: the robot where its path begins.
        path: of the file.
        sim: of the file.
        motors: see `motor_features`.
    """
    told = []
    if run.stopped:
        at = f" after {run.t[-1]:.3f} s" if len(run.t) else " in its first step"
        kept = "; the last good state is kept in the features" if len(run.t) else ""
        told.append(f"stopped{at}: {run.stopped}{kept}")
    least = float(run.rows.gaps.min(initial=0.0))
    if sim.contact == "rigid" and least < -DEEP:
        told.append(
            f"the stiff parts go {-1e3 * least:.3g} mm into one another: no figure from there on means "
            "anything; go slower, or take a shorter step_ms"
        )
    told += motor_warnings(place, motors)
    residual = float(run.rows.residuals.max(initial=0.0))
    if residual > UNSOLVED:
        told.append(f"a contact problem was solved to {residual:.2g} only")
    return told + _swinging(run.rows.normals.sum(axis=1), sim.step) + _slower(place, path, sim.step)


def _swinging(normal: Array, step: float) -> list[str]:
    """Return what is said of contact forces that go up and down from step to step.

    Args:
        normal: of all contacts together, shape (n,) [N].
        step: [s].
    """
    touching = normal[1:-1] > TOUCHING
    swings = np.abs(np.diff(normal, 2)) > SWING * normal[1:-1]
    share = float((swings & touching).sum()) / max(1, int(touching.sum()))
    if share <= OFTEN:
        return []
    return [
        f"contact forces swing from step to step in {100 * share:.0f} % of the steps that touch: their peaks "
        f"are too high; take half of step_ms = {1e3 * step:g}"
    ]


def _slower(place: Setting, path: PathSection, step: float) -> list[str]:
    """Return what is said of a trapezoid whose ramps leave no room for its speed."""
    fastest = float(np.diff(place.way).max(initial=0.0)) / step
    if path.profile != "trapezoid" or path.speed * path.ramp <= path.distance:
        return []
    return [
        f"speed_mm_s = {1e3 * path.speed:g} is not reached, {1e3 * fastest:.4g} is: distance_mm = "
        f"{1e3 * path.distance:g} has no room for two ramps of ramp_ms = {1e3 * path.ramp:g}: shorten these"
    ]
