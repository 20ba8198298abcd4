"""What the controller commands, told by how its bits differ from the answer that it says it has heard.

In nearly every packet they are the same, so that a recording of the difference is hardly longer than none,
and yet to the bit. Who writes and who reads keep the same answers, and begin at the same packet.
"""

import numpy as np

from drivers.fri.session import NONE_HEARD, FriSample
from hil.common.arrays import Array, IntArray, SingleArray

KEPT = 512  # answers; an older one counts as not known
JOINTS = 7


class EchoBits:
    """The answers of the last packets, in the wire's precision."""

    def __init__(self) -> None:
        self._counts = [NONE_HEARD] * KEPT
        self._sent = np.zeros((KEPT, JOINTS), np.int32)

    def sent(self, count: int, q: Array) -> None:
        """Packet `count` was answered with `q` [rad], shape (7,)."""
        row = count % KEPT
        self._counts[row], self._sent[row] = count, q.astype(np.float32).view(np.int32)

    def difference(self, sample: FriSample, mirrored: bool) -> IntArray:
        """Return how a sample's echo differs, shape (7,); `mirrored`: its bits themselves."""
        bits = sample.q_commanded.astype(np.float32).view(np.int32)
        return (bits ^ self._expected(sample.heard, mirrored)).astype(np.int64)

    def echo(self, difference: IntArray, heard: int, mirrored: bool) -> Array:
        """Return what a difference, shape (7,), tells of: the controller's command [rad], shape (7,)."""
        bits = difference.astype(np.int32) ^ self._expected(heard, mirrored)
        return bits.view(np.float32).astype(np.float64)

    def _expected(self, heard: int, mirrored: bool) -> IntArray:
        row = heard % KEPT
        known = not mirrored and heard != NONE_HEARD and self._counts[row] == heard
        return self._sent[row] if known else np.zeros(JOINTS, np.int32)


def whole_echoes(differences: IntArray) -> SingleArray:
    """Return the controller's commands [rad], shape (n, 7), of rows that were told whole."""
    return differences.astype(np.int32).view(np.float32)
