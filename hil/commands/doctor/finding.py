"""One line of `zerog doctor`."""

from dataclasses import dataclass
from pathlib import Path

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it is, and what to do about it."""

    name: str
    verdict: str  # ok, warn: it will run, but not at its best; fail: it will not run
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f": {self.remedy}" if self.verdict != OK and self.remedy else ""
        return f"{self.verdict:<4} {self.name:<18} {self.text}{remedy}"


def read(path: Path) -> str:
    """Return what a small system file says; empty if it is not there or not readable."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
