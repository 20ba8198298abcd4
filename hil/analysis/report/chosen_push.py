"""The push that a report looks at closely: the hardest one with free flight around it."""

from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.velocity import SWUNG
from hil.analysis.figures.windows import free_pushes
from hil.common.arrays import Array
from hil.loop.trace.fields import Trace


@dataclass(frozen=True, eq=False)
class ChosenPush:
    """A push, true or as detected.

    Attributes:
        start: when it began [s], on the trace's clock.
        end: when it was over [s].
        impulse: about the centre of mass, world axes [N s, N m s], shape (6,).
        true: the true force is known; otherwise all of it is as detected.
        free: nothing else happened around it.
    """

    start: float
    end: float
    impulse: Array
    true: bool
    free: bool

    @property
    def size(self) -> float:
        """Of its linear part [N s]."""
        return float(np.linalg.norm(self.impulse[:3]))

    @property
    def direction(self) -> Array:
        """Of its force, shape (3,)."""
        return self.impulse[:3] / max(self.size, 1e-12)


def chosen_push(trace: Trace) -> ChosenPush | None:
    """Return the push that is looked at closely, None where there was none."""
    if not len(trace.t):
        return None
    if len(trace.push_t_start):
        free = free_pushes(trace, SWUNG)
        candidates = free if len(free) else np.arange(len(trace.push_t_start))
        best = int(candidates[np.argmax(np.linalg.norm(trace.push_value[candidates, :3], axis=1))])
        return ChosenPush(
            float(trace.push_t_start[best]), float(trace.push_t_end[best]), trace.push_value[best], True,
            bool(len(free)),
        )  # fmt: skip
    if len(trace.impulse_t_start):
        best = int(np.argmax(np.linalg.norm(trace.impulse_value[:, :3], axis=1)))
        return ChosenPush(
            float(trace.impulse_t_start[best]), float(trace.impulse_t_end[best]), trace.impulse_value[best],
            False, False,
        )  # fmt: skip
    return None
