"""One line of `zerog doctor`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from hil.common.errors import ZeroGError

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


Look = Callable[[], "Finding | list[Finding]"]
REPORT = "nothing is known of it; the other lines hold"


def looked(looks: Iterable[tuple[str, Look]]) -> list[Finding]:
    """Return what all looks find, each with a name; one that fails is a line as well, and ends no other."""
    found: list[Finding] = []
    for name, look in looks:
        try:
            seen = look()
        except ZeroGError as error:
            seen = Finding(name, FAIL, str(error))
        except Exception as error:  # whatever a machine has in store, it is told
            text = " ".join(f"{type(error).__name__}: {error}".split())
            seen = Finding(name, WARN, f"could not be looked at ({text})", REPORT)
        found += seen if isinstance(seen, list) else [seen]
    return found
