"""The short cut's book-keeping: which impulses has the plan in use not heard of yet?"""

import numpy as np

from hil.arrays import Array
from hil.messages import ImpulseSlice, Plan

LAG_NS = 200_000_000  # from a slice's end to a prediction that contains it, at the very most


class LiveSlices:
    """Slices that the detector reported lately, with every revision's value."""

    def __init__(self, mass: float, inertia: Array, plan_timeout: float) -> None:
        """Book for a body of `mass` [kg] and principal `inertia` [kg m2], shape (3,).

        A plan older than `plan_timeout` [s] is not followed. So a slice that a plan in use does not contain
        that long after its end, and a little more, is one that the simulation has refused: it is forgotten.
        """
        self._forget_ns = round(1e9 * plan_timeout) + LAG_NS
        self._mass = mass
        self._inertia = inertia
        self._values: dict[tuple[int, int], dict[int, tuple[Array, int]]] = {}  # impulse, centroid [ns]
        self._newest: dict[tuple[int, int], ImpulseSlice] = {}
        self._reported: dict[tuple[int, int, int], int] = {}
        self._contained: dict[tuple[int, int], int] = {}  # revisions that the plan in use has heard of

    def add(self, item: ImpulseSlice) -> None:
        """Keep a slice's newest revision."""
        key = (item.impulse_id, item.slice_index)
        self._values.setdefault(key, {})[item.revision] = (item.impulse_object, item.t_centroid_ns)
        self._newest[key] = item
        self._reported[(*key, item.revision)] = item.t_ns

    def clear(self) -> None:
        """Forget all (floating begins anew)."""
        self._values.clear()
        self._newest.clear()
        self._reported.clear()
        self._contained.clear()

    def arrived(self, t_ns: int, plan: Plan) -> list[float]:
        """Return how long the revisions that a new plan contains took round the ring [s], each once."""
        durations = []
        self._contained.clear()
        for impulse_id, slice_index, revision in plan.slices.tolist():
            self._contained[impulse_id, slice_index] = revision
            reported = self._reported.pop((impulse_id, slice_index, revision), None)
            if reported is not None:
                durations.append((t_ns - reported) * 1e-9)
        return durations

    def missing(self, t_ns: int, at_ns: int, ahead: Array | None = None) -> Array | None:
        """Return what pushes add that the plan lacks, or None for nothing.

        Args:
            t_ns: now.
            at_ns: the instant that the plan is looked at: until then a slice has moved the object since
                its centroid.
            ahead: an impulse that is still to come but counts already [N s, N m s], (6,).

        Returns:
            Twist [m/s, rad/s] and displacement [m, rad] at `at_ns`, object axes, shape (2, 6).
        """
        if not self._newest:
            return None
        missing = np.zeros((2, 6))
        if ahead is not None:
            missing[0] = ahead
        for key, item in list(self._newest.items()):
            known = self._contained.get(key)
            if t_ns - item.t_end_ns > self._forget_ns or (item.final and known == item.revision):
                for revision in self._values.pop(key):
                    self._reported.pop((*key, revision), None)
                del self._newest[key]
                continue
            if known == item.revision:
                continue
            missing[0] += item.impulse_object
            missing[1] += item.impulse_object * (1e-9 * (at_ns - item.t_centroid_ns))
            if known is not None and known in self._values[key]:
                impulse, centroid_ns = self._values[key][known]
                missing[0] -= impulse
                missing[1] -= impulse * (1e-9 * (at_ns - centroid_ns))
        if not missing.any():
            return None
        missing[:, :3] /= self._mass
        missing[:, 3:] /= self._inertia
        return missing
