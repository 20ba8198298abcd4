"""The short cut's book-keeping: which impulses has the plan in use not heard of yet?

It is asked with every answer to the robot, so it is compiled: `hil.loop.driver.live_slices_kernel`.
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.driver.live_slices_kernel import BOOK, forget_all, hear, missing_into, note
from hil.loop.driver.push_lead import GROWTH
from hil.loop.inside_setting import start_mobility
from hil.messaging.messages import Plan
from hil.wrench.detector.push_report import PushReport

LAG_NS = 200_000_000  # from a slice's end to a prediction that contains it, at the very most


class LiveSlices:
    """Slices that the detector reported lately, with every revision's value."""

    def __init__(self, mass: float, inertia: Array, plan_timeout: float, push_lead: float = 0.0) -> None:
        """Book for a body of `mass` [kg] and principal `inertia` [kg m2], shape (3,).

        A plan older than `plan_timeout` [s] is not followed. So a slice that a plan in use does not contain
        that long after its end, and a little more, is one that the simulation has refused: it is forgotten.
        What the push at hand will give within `push_lead` [s] counts already (`hil.loop.driver.push_lead`).
        """
        self._forget_ns = round(1e9 * plan_timeout) + LAG_NS
        self._masses = np.array([mass] * 3 + [*inertia])
        self._push_lead = push_lead
        self._book, self._growth = np.zeros(1, BOOK), np.zeros(1, GROWTH)
        self._growth["impulse_id"] = -1
        self._mobility: Array | None = None
        self._kept = 0

    def answer_by(self, mobility: Array) -> None:
        """Book for an object with bodies inside from now on: its twist per impulse (6, 6), object axes.

        Mobility takes the place of mass and inertia, docs/understand/inside.md.
        """
        if np.isfinite(mobility).all():
            self._mobility, self._masses = mobility, np.ones(6)

    def add(self, report: PushReport) -> None:
        """Keep the newest revisions of slices."""
        r = report
        self._kept = note(self._book, self._growth, r.flags, r.numbers, r.t_ns, r.origin_ns, r.length)

    def clear(self) -> None:
        """Forget all (floating begins anew)."""
        self._kept = 0
        forget_all(self._book)

    def arrived(self, t_ns: int, plan: Plan) -> list[float]:
        """Return how long the revisions that a new plan contains took round the ring [s], each once."""
        durations = np.empty(len(plan.slices))
        found = hear(self._book, t_ns, np.array(plan.slices), durations)
        return [float(duration) for duration in durations[:found]]

    def missing(self, t_ns: int, at_ns: int) -> Array | None:
        """Return what pushes add that the plan lacks, or None for nothing.

        Args:
            t_ns: now.
            at_ns: the instant that the plan is looked at: until then a slice has moved the object since
                its centroid.

        Returns:
            Twist [m/s, rad/s], displacement [m, rad] and no acceleration at `at_ns`, object axes, (3, 6).
        """
        if not self._kept:
            return None
        missing = np.zeros((3, 6))
        if missing_into(
            missing, self._book, self._growth, t_ns, at_ns, self._forget_ns, self._push_lead, self._masses
        ):
            if self._mobility is not None:
                missing[:2] = missing[:2] @ self._mobility.T
            return missing
        self._kept = int(self._book[0]["count"])
        return None

    def warm(self) -> None:
        """Compile or load everything, and forget all."""
        self.add(PushReport(0, 0, 1.0, np.zeros((1, 7), np.int64), np.zeros((1, 15))))
        hear(self._book, 0, np.zeros((1, 3), np.int64), np.empty(1))
        self.missing(0, 0)
        self.clear()
        self._growth["impulse_id"] = -1


def live_slices_of(c: Configuration, continuous: bool) -> LiveSlices:
    """Return the books of a configuration; `continuous` force has a lead of its own."""
    setting = c.interpolation
    push_lead = 0.0 if continuous else setting.push_lead
    live = LiveSlices(c.object.mass, c.object.inertia, setting.plan_timeout, push_lead)
    mobility = start_mobility(c)
    if mobility is not None:
        live.answer_by(mobility)
    return live
