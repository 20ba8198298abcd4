"""The short cut's book-keeping: which impulses has the plan in use not heard of yet?

It is asked with every answer to the robot, so it is compiled: `hil.live_slices_kernel`.
"""

import numpy as np

from hil.arrays import Array
from hil.live_slices_kernel import BOOK, add, forget_all, hear, missing_into
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
        self._masses = np.array([mass] * 3 + [*inertia])
        self._book = np.zeros(1, BOOK)
        self._impulse, self._none = np.zeros(6), np.zeros(6)

    def add(self, item: ImpulseSlice) -> None:
        """Keep a slice's newest revision."""
        self._impulse[:] = item.impulse_object  # a message's array is read-only: another type to the compiler
        add(
            self._book, item.impulse_id, item.slice_index, item.revision, item.final, item.t_ns,
            item.t_end_ns, item.t_centroid_ns, self._impulse,
        )  # fmt: skip

    def clear(self) -> None:
        """Forget all (floating begins anew)."""
        forget_all(self._book)

    def arrived(self, t_ns: int, plan: Plan) -> list[float]:
        """Return how long the revisions that a new plan contains took round the ring [s], each once."""
        durations = np.empty(len(plan.slices))
        found = hear(self._book, t_ns, np.array(plan.slices), durations)
        return [float(duration) for duration in durations[:found]]

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
        if not self._book[0]["count"]:
            return None
        missing = np.zeros((2, 6))
        to_come = self._none if ahead is None else ahead
        if missing_into(missing, self._book, t_ns, at_ns, self._forget_ns, to_come, self._masses):
            return missing
        return None

    def warm(self) -> None:
        """Compile or load everything, and forget all."""
        self.add(ImpulseSlice(0, 0, 0, 0, False, False, False, False, 0, 0, 0, self._none))
        hear(self._book, 0, np.zeros((1, 3), np.int64), np.empty(1))
        self.missing(0, 0)
        self.clear()
