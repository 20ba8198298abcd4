"""The plans of a run, reduced to what the figures need: arm angles of the first second, and names."""

from typing import Any

import numpy as np

from hil.messaging.messages import Plan

KEPT = 1.0  # [s] of object time; figures look at the first 0.5 s, seen from the next plan


class PlanRecord:
    """Collects plans; each is flattened at once, so that the large arrays can go."""

    def __init__(self) -> None:
        self._scalars: list[tuple[float, int, int, float, float, int]] = []
        self._policies: list[str] = []
        self._time_maps: list[np.ndarray[Any, Any]] = []
        self._arm_angles: list[np.ndarray[Any, Any]] = []
        self._slices: list[np.ndarray[Any, Any]] = []

    def add(self, plan: Plan) -> None:
        """Keep one plan."""
        samples = 1 + round(KEPT / plan.step)
        self._scalars.append(
            (plan.t_ns * 1e-9, plan.epoch, plan.number, plan.object_time_0, plan.step, plan.branch)
        )
        self._policies.append(plan.policy)
        self._time_maps.append(np.array(plan.time_map))
        self._arm_angles.append(np.array(plan.arm_angle[:samples]))
        self._slices.append(np.array(plan.slices, dtype=np.int64).reshape(-1, 3))

    def arrays(self) -> dict[str, Any]:
        """Return the columns `plan_*` of the trace."""
        t, epoch, number, object_time_0, step, branch = np.array(self._scalars).reshape(-1, 6).T
        return {
            "plan_t": t,
            "plan_epoch": epoch.astype(np.int64),
            "plan_number": number.astype(np.int64),
            "plan_object_time_0": object_time_0,
            "plan_step": step,
            "plan_time_map": np.array(self._time_maps).reshape(-1, 4),
            "plan_branch": branch.astype(np.int64),
            "plan_policy": np.array(self._policies, dtype="U4"),
            "plan_arm_angle": np.concatenate([np.empty(0), *self._arm_angles]),
            "plan_arm_angle_end": np.cumsum([len(a) for a in self._arm_angles], dtype=np.int64),
            "plan_slices": np.concatenate([np.empty((0, 3), np.int64), *self._slices]),
            "plan_slices_end": np.cumsum([len(s) for s in self._slices], dtype=np.int64),
        }
