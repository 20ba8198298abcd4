"""Impulse slices as messages, and the sum of a push's slices."""

from collections.abc import Iterable

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.messaging.messages import ImpulseSlice


def slice_message(
    t_ns: int, origin_ns: int, flags: list[int], numbers: list[float], length: float
) -> ImpulseSlice:
    """Return the message of one row of the detector's kernel.

    Args:
        t_ns: the sample that brought it.
        origin_ns: the detector's time zero.
        flags: impulse id, slice, revision, final, ended, sustained, uncertain.
        numbers: start, end and centroid [s], impulse and the push's standard deviation, torques divided by
            `length` [N s].
        length: the filter's length [m].
    """
    start, stop, centroid = (origin_ns + round(t * 1e9) for t in numbers[:3])
    value, deviation = (
        frozen_array([*scaled[:3], *(x * length for x in scaled[3:])])
        for scaled in (numbers[3:9], numbers[9:])
    )
    return ImpulseSlice(
        t_ns=t_ns,
        impulse_id=flags[0],
        slice_index=flags[1],
        revision=flags[2],
        final=bool(flags[3]),
        ended=bool(flags[4]),
        sustained=bool(flags[5]),
        uncertain=bool(flags[6]),
        t_start_ns=start,
        t_end_ns=stop,
        t_centroid_ns=centroid,
        impulse_object=value,
        deviation_object=deviation,
    )


class PushRecord:
    """The newest revision of every slice of one push, and what they add up to."""

    def __init__(self, length: float) -> None:
        self._scale = np.repeat([1.0, 1.0 / length], 3)
        self._slices: dict[int, ImpulseSlice] = {}

    def put(self, piece: ImpulseSlice) -> None:
        """Keep the slice unless a newer revision of it is known."""
        known = self._slices.get(piece.slice_index)
        if known is None or known.revision <= piece.revision:
            self._slices[piece.slice_index] = piece

    @property
    def ended(self) -> bool:
        """Whether the push is over."""
        return any(piece.ended for piece in self._slices.values())

    def total(self) -> ImpulseSlice:
        """Return the push as one slice: values summed, centroid of the whole."""
        pieces = [self._slices[i] for i in sorted(self._slices)]
        first, last = pieces[0], pieces[-1]
        value = np.sum([piece.impulse_object for piece in pieces], axis=0)
        return ImpulseSlice(
            t_ns=last.t_ns,
            impulse_id=first.impulse_id,
            slice_index=0,
            revision=0,
            final=last.final,
            ended=last.ended,
            sustained=last.sustained,
            uncertain=last.uncertain,
            t_start_ns=first.t_start_ns,
            t_end_ns=last.t_end_ns,
            t_centroid_ns=self._centroid_ns(pieces, value),
            impulse_object=frozen_array(value),
            deviation_object=last.deviation_object,
        )

    def _centroid_ns(self, pieces: list[ImpulseSlice], value: Array) -> int:
        """Return the centroid weighed along the sum; by the sizes of the slices where they cancel."""
        start, stop = pieces[0].t_start_ns, pieces[-1].t_end_ns
        along = value * self._scale
        scaled = np.array([piece.impulse_object * self._scale for piece in pieces])
        offsets = np.array([float(piece.t_centroid_ns - start) for piece in pieces])
        weights, sizes = scaled @ along, np.linalg.norm(scaled, axis=1)
        if along @ along < 0.01 * sizes.sum() ** 2:
            weights = sizes
        if weights.sum() <= 0.0:
            return start
        return min(max(start + round(float(weights @ offsets / weights.sum())), start), stop)


def pushes(slices: Iterable[ImpulseSlice], length: float) -> list[ImpulseSlice]:
    """Return every push of a stream of slices as one, in the order of their ids; retracted ones left out."""
    records: dict[int, PushRecord] = {}
    for piece in slices:
        records.setdefault(piece.impulse_id, PushRecord(length)).put(piece)
    totals = [record.total() for _, record in sorted(records.items())]
    return [total for total in totals if np.any(total.impulse_object)]
