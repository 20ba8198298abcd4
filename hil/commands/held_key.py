"""Whether an operator holds a key down, from what a terminal tells: characters, and no releases.

A key that is held comes once, and again after the terminal's delay of 250 to 660 ms; from then on quickly.
The first characters therefore tell of no hand that holds, only a stream does; and what lay in the terminal's
buffer while nobody read tells of then.
"""

REPEAT_S = 0.15  # between two characters of a key that is held, at most: slower than any terminal repeats
STREAM = 2  # such gaps in a row, until it counts as held


class HeldKey:
    """Told of every look at the terminal."""

    def __init__(self) -> None:
        self._heard_s: float | None = None
        self._gaps = 0

    def look(self, now_s: float, characters: int) -> bool:
        """Return whether a character has come that tells of a key that is held.

        Args:
            now_s: monotonic.
            characters: that have come since the last look; more than one count as one.
        """
        if not characters:
            return False
        quick = self._heard_s is not None and now_s - self._heard_s <= REPEAT_S
        self._heard_s, self._gaps = now_s, self._gaps + 1 if quick else 0
        return self._gaps >= STREAM

    def forget(self) -> None:
        """Nothing that has come until now counts: let go and hold again."""
        self._heard_s, self._gaps = None, 0
