"""Keys of a terminal. It tells of characters and of no release: a key moves for as long as it repeats.

The first character of a held key is followed by the next after the terminal's delay of up to 660 ms, later
ones within 50 ms. So a tap is a short move, a held key a move, a pause and then a steady one; and whatever
happens to terminal or network, the motion ends when characters do.
"""

from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import SourceLost

MOVES_S = 0.15  # for which one character moves: longer than a held key takes to repeat
KEYS = {  # axis of the twist, and sign
    "w": (0, 1.0), "s": (0, -1.0), "a": (1, 1.0), "d": (1, -1.0), "r": (2, 1.0), "f": (2, -1.0),
    "u": (3, 1.0), "o": (3, -1.0), "i": (4, 1.0), "k": (4, -1.0), "j": (5, 1.0), "l": (5, -1.0),
}  # fmt: skip
FASTER, SLOWER, HALT = "+", "-", " "
STEP, SLOWEST = 1.25, 0.05


class Keyboard:
    """A twist from characters."""

    def __init__(self, read: Callable[[float], str], linear: float, angular: float) -> None:
        """Listen to a terminal.

        Args:
            read: returns the characters that have come until a time [s]; raises OSError when it has gone.
            linear: greatest speed [m/s].
            angular: the same [rad/s].
        """
        self._read, self._speeds = read, (linear, angular)
        self._until = np.zeros(6)
        self._signs = np.zeros(6)
        self._share = 0.5

    def twist(self, t: float) -> Array:
        """Return the twist that the keys ask for, shape (6,).

        Raises:
            SourceLost: the terminal has gone.
        """
        try:
            heard = self._read(t)
        except OSError as error:
            raise SourceLost(f"keyboard: the terminal has gone ({error})") from error
        for character in heard:
            self._take(character, t)
        moving = np.where(self._until > t, self._signs, 0.0)
        return self._share * np.repeat(self._speeds, 3) * moving

    def _take(self, character: str, t: float) -> None:
        if character in KEYS:
            axis, sign = KEYS[character]
            self._until[axis], self._signs[axis] = t + MOVES_S, sign
        elif character == FASTER:
            self._share = min(1.0, self._share * STEP)
        elif character == SLOWER:
            self._share = max(SLOWEST, self._share / STEP)
        elif character == HALT:
            self._until[:] = 0.0
