"""The numbers of a problem file one after the other, each with the key that it is read for."""

from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError

SHOWN = 24  # letters of a wrong value that are shown


class Tokens:
    """What a file holds, cut at white space; lines that begin with # are left out."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.restart(text)

    def restart(self, text: str) -> None:
        """Go on with another text."""
        kept = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
        self._words, self._at = " ".join(kept).split(), 0

    def refusal(self, key: str, value: object, asked: str) -> ComplementarityError:
        """Return the one line that refuses a value."""
        return ComplementarityError(f"{self.path}: {key} = {str(value)[:SHOWN]}: {asked}")

    def peek(self, count: int) -> list[str]:
        """Return the next words without going on; fewer at the end."""
        return self._words[self._at : self._at + count]

    def integer(self, key: str, least: int, most: int) -> int:
        """Return the next number, whole and between two bounds."""
        value = self.number(key)
        if value != int(value) or not least <= value <= most:
            raise self.refusal(key, f"{value:g}", f"a whole number from {least} to {most} is asked")
        return int(value)

    def number(self, key: str) -> float:
        """Return the next number, finite; Fortran's exponents too."""
        if self._at >= len(self._words):
            raise self.refusal(key, "nothing", "the file ends before it, it is cut off or its sizes are wrong")
        word = self._words[self._at]
        self._at += 1
        try:
            value = float(word.translate(str.maketrans("dD", "ee")))
        except ValueError:
            raise self.refusal(key, f"'{word}'", "a number is asked") from None
        if not np.isfinite(value):
            raise self.refusal(key, f"'{word}'", "a finite number is asked")
        return value

    def numbers(self, key: str, count: int) -> Array:
        """Return the next numbers, each named by its index."""
        words = self._words[self._at : self._at + count]
        if len(words) == count:
            try:
                values = np.array(words, dtype=np.float64)
            except ValueError:
                values = np.full(count, np.nan)
            if np.isfinite(values).all():
                self._at += count
                return values
        return np.array([self.number(f"{key}[{i}]") for i in range(count)])

    def end(self) -> None:
        """Refuse numbers that are left over, but for the flag (0 or 1) with which some files end."""
        rest = self._words[self._at :]
        numbers = 0
        for word in rest:
            try:
                float(word)
            except ValueError:
                break
            numbers += 1
        if numbers > 1 or (numbers == 1 and float(rest[0]) not in (0.0, 1.0)):
            raise self.refusal(
                "rest", rest[0], f"{numbers} numbers are left over, the sizes or the kind are not what is read"
            )
