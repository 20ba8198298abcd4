"""Pushes as the dashboard shows them: bars over time, and the last one as an arrow.

Detected ones come in slices, of which newer revisions replace older ones; in emulation the true ones are
told sample by sample.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.dashboard.window import POINTS, SPAN
from hil.loop.solid import turned
from hil.messaging.messages import ImpulseSlice, TruthBlock
from hil.wrench.detector.slices import PushRecord

REMEMBERED = 64  # pushes
GRID: Array = np.linspace(-SPAN, 0.0, POINTS)


@dataclass
class Shown:
    """One push.

    Attributes:
        start: when it began [s].
        end: when it was over, or so far [s].
        impulse: force, then torque about the object's centre, world axes [N s, N m s], shape (6,).
        centre: where the object's centre was, world [m], shape (3,).
        deviation: standard deviation of the force's impulse, on any axis [N s]; of a true push none.
    """

    start: float
    end: float
    impulse: Array
    centre: Array
    deviation: float = 0.0

    @property
    def size(self) -> float:
        """The force's impulse [N s]."""
        return float(np.linalg.norm(self.impulse[:3]))


class DetectedPushes:
    """What the detector has found."""

    def __init__(self, length: float) -> None:
        """Prepare; `length` [m] weighs torques against forces."""
        self._length = length
        self._records: dict[int, tuple[PushRecord, Array, Array]] = {}

    def take(self, piece: ImpulseSlice, centre: Array, quat: Array) -> None:
        """Take a slice; the object's pose when the push was first heard of turns it to the world."""
        record, *_ = self._records.setdefault(
            piece.impulse_id, (PushRecord(self._length), centre.copy(), quat.copy())
        )
        record.put(piece)
        while len(self._records) > REMEMBERED:
            del self._records[min(self._records)]

    def shown(self) -> list[Shown]:
        """Return the pushes in their order, those that were taken back left out."""
        found = []
        for _, (record, centre, quat) in sorted(self._records.items()):
            whole = record.total()
            if np.any(whole.impulse_object):
                force, torque = (turned(quat, part) for part in np.split(whole.impulse_object, 2))
                impulse = np.concatenate((force, torque))
                found.append(
                    Shown(
                        1e-9 * whole.t_start_ns,
                        1e-9 * whole.t_end_ns,
                        impulse,
                        centre,
                        whole.force_deviation,
                    )
                )
        return found


class TruePushes:
    """What really pushed in the emulation."""

    def __init__(self) -> None:
        self._pushes: list[Shown] = []
        self._before_ns = 0
        self._on = False

    def take(self, block: TruthBlock) -> None:
        """Take the samples of a block."""
        for t_ns, wrench, centre in zip(
            block.stamps[:, 0].tolist(), block.wrench_world, block.p_world_object, strict=True
        ):
            if np.any(wrench):
                self._push(t_ns, wrench, centre)
            self._on = bool(np.any(wrench))
            self._before_ns = t_ns

    def shown(self) -> list[Shown]:
        """Return the pushes in their order."""
        return self._pushes

    def _push(self, t_ns: int, wrench: Array, centre: Array) -> None:
        dt = 1e-9 * (t_ns - self._before_ns) if self._before_ns else 0.0
        if not self._on:
            begun = Shown(1e-9 * t_ns - dt, 1e-9 * t_ns, np.zeros(6), centre.copy())
            self._pushes = [*self._pushes[-REMEMBERED:], begun]
        push = self._pushes[-1]
        push.end, push.impulse = 1e-9 * t_ns, push.impulse + wrench * dt


def bars(
    now: float, pushes: Iterable[Shown], height: Callable[[Shown], float] = lambda push: push.size
) -> Array:
    """Return bars [N s] on `GRID`, as wide as the pushes last and as high as their impulses, (POINTS,).

    Or as high as `height` says of a push.
    """
    out = np.zeros(POINTS)
    step = SPAN / (POINTS - 1)
    for push in pushes:
        edges: IntArray = np.round((np.array([push.start, push.end]) - now + SPAN) / step).astype(np.int64)
        if edges[1] >= 0 and edges[0] < POINTS:
            out[max(0, edges[0]) : edges[1] + 1] = height(push)
    return out
