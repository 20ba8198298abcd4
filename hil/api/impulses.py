"""Pushes and the impulses that were detected of them, one object each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hil.loop.trace.fields import Trace

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Push:
    """A true push of the emulated operator.

    Attributes:
        t_start: [s].
        t_end: [s].
        impulse: its force over time [N s], world axes, shape (3,).
        angular_impulse: its moment about the centre of mass over time [N m s], world axes, shape (3,).
    """

    t_start: float
    t_end: float
    impulse: Vector
    angular_impulse: Vector


@dataclass(frozen=True, eq=False)
class Impulse:
    """What was detected of a push.

    Attributes:
        t_start: start, as detected [s].
        t_end: end, as detected [s].
        t_centroid: centroid, as detected [s].
        impulse: [N s], world axes, shape (3,).
        angular_impulse: about the object's centre of mass [N m s], world axes, shape (3,).
        deviation: its standard deviation, as detected [N s].
        push: the true push that it belongs to; None if there is none, or nobody knows.
    """

    t_start: float
    t_end: float
    t_centroid: float
    impulse: Vector
    angular_impulse: Vector
    deviation: float
    push: Push | None

    @property
    def error(self) -> float | None:
        """Norm of its difference from the true impulse over that one's, torques over 0.2 m."""
        if self.push is None:
            return None
        from hil.analysis.figures.impulses import SCALE

        true = np.concatenate([self.push.impulse, self.push.angular_impulse]) * SCALE
        difference = np.concatenate([self.impulse, self.angular_impulse]) * SCALE - true
        return float(np.linalg.norm(difference) / np.linalg.norm(true))


def pushes_of(trace: Trace) -> tuple[Push, ...]:
    """Return the true pushes of a trace."""
    rows = zip(trace.push_t_start, trace.push_t_end, trace.push_value, strict=True)
    return tuple(Push(float(start), float(end), value[:3], value[3:]) for start, end, value in rows)


def impulses_of(trace: Trace, pushes: tuple[Push, ...]) -> tuple[Impulse, ...]:
    """Return the detected impulses of a trace; `pushes` are its own, or none where they are not known."""
    from hil.analysis.figures.impulses import match_impulses

    of_push = match_impulses(trace).impulse.tolist() if pushes else []
    owner = {row: pushes[k] for k, row in enumerate(of_push) if row >= 0}
    return tuple(
        Impulse(
            float(trace.impulse_t_start[k]),
            float(trace.impulse_t_end[k]),
            float(trace.impulse_t_centroid[k]),
            trace.impulse_value[k, :3],
            trace.impulse_value[k, 3:],
            float(trace.impulse_deviation[k]),
            owner.get(k),
        )
        for k in range(len(trace.impulse_id))
    )
