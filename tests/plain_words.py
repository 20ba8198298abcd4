"""What is said to people carries no traces of the program: watched in all tests, whatever they are about.

Errors, printed lines and written texts with numpy's own names (`np.float64(0.1)`), or with a gap where a unit
should be (`0.254 ,`), are remembered, and the test that made them fails.
"""

import io
import re
from typing import Any

from _pytest.capture import CaptureIO, EncodedFile

from hil.common.errors import ZeroGError

TRACE = re.compile(r"\bnp\.\w+\(|\d ,(?=\s|$)|<(?:class|function|hil\.\w)|\bnumpy\.\w+\(")
found: list[str] = []


def look(text: object) -> None:
    """Remember a text with such a trace."""
    if match := TRACE.search(str(text)):
        found.append(str(text)[max(match.start() - 80, 0) : match.end() + 40])


def watch() -> None:
    """Look at all errors that are made, and at all that is written to the captured terminal, from now on."""
    init = ZeroGError.__init__

    def made(self: ZeroGError, *words: Any, **more: Any) -> None:
        init(self, *words, **more)
        for word in words:
            look(word)

    def written(self: io.TextIOWrapper, text: str) -> int:
        look(text)
        return io.TextIOWrapper.write(self, text)

    ZeroGError.__init__ = made  # type: ignore[method-assign]
    for kind in (CaptureIO, EncodedFile):
        kind.write = written  # type: ignore[assignment]
