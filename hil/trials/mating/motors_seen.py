"""What the motors of a robot gave in a run: as courses, and when they were at their limits."""

from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.setting import Setting
from sim.insertion.insertion import InsertionRun

FULL = 1.0 - 1e-9  # share of a motor's greatest torque that counts as this


def torque_courses(run: InsertionRun) -> dict[str, Array]:
    """Return the motors' torques on the joints' side, by name."""
    return {f"motor_{k + 1}_n_m": torque for k, torque in enumerate(run.rows.torques.T)}


def motor_features(place: Setting, run: InsertionRun, step: float) -> dict[str, Any]:
    """Return the greatest share of a motor's torque, and of those at their limits how long and from when."""
    share = np.abs(run.rows.torques) / place.robot.torques
    full = share >= FULL
    at = {}
    for k in np.flatnonzero(full.any(axis=0)):
        at[f"motor_{k + 1}"] = {
            "s": step * float(full[:, k].sum()),
            "from_s": float(run.t[full[:, k].argmax()]),
        }
    return {"torque_share": float(share.max(initial=0.0)), "torque_limit": at}


def motor_warnings(place: Setting, features: dict[str, Any]) -> list[str]:
    """Return what is said of motors that gave all that they can, or more."""
    robot, said = place.robot, []
    for k in range(len(robot.torques)):
        seen = features["torque_limit"].get(f"motor_{k + 1}")
        if seen is None:
            continue
        most, how = (
            f"its greatest torque of {robot.torques[k]:.4g} N m",
            f"{seen['s']:.3g} s, first at {seen['from_s']:.3g} s",
        )
        said.append(
            f"motor {k + 1} of {robot.name} was at {most} for {how}"
            if robot.limited
            else f"motor {k + 1} of {robot.name} gave more than {most} for {how}, which it cannot: "
            "--set torque_limits=true holds it there"
        )
    return said
