"""What pages see of the variables: the chosen ones as curves, all of them as numbers now and then."""

from collections.abc import Callable, Iterable
from typing import Any

SAMPLED_S = 0.02  # between two points of a curve
TOLD_S = 0.25  # between two looks at all of them
MOST = 24  # curves at once
KEPT = 500  # samples that wait for a page to take them


class Watch:
    """Collects values while a session runs."""

    def __init__(self) -> None:
        self.chosen: tuple[str, ...] = ()
        self._samples: list[list[float]] = []
        self._values: dict[str, float] | None = None
        self._next_sample = self._next_look = 0.0

    def choose(self, names: Iterable[str], known: Iterable[str]) -> None:
        """Draw other curves from now on; names that are none are left out."""
        there = set(known)
        self.chosen = tuple(name for name in dict.fromkeys(names) if name in there)[:MOST]
        self._samples = []

    def take(self, t: float, variables: Callable[[], dict[str, float]]) -> None:
        """Look at a session at its time [s], if it is due."""
        sample, look = t >= self._next_sample, t >= self._next_look
        if not (sample or look):
            return
        values = variables()
        if sample:
            self._next_sample = t + SAMPLED_S - 1e-9
            self._samples.append([t, *(values[name] for name in self.chosen)])
            del self._samples[:-KEPT]
        if look:
            self._next_look = t + TOLD_S - 1e-9
            self._values = values

    def drain(self) -> dict[str, Any]:
        """Return what has come since the last time: `names`, `samples` of time and values, `values` or None."""
        samples, self._samples = self._samples, []
        values, self._values = self._values, None
        return {"names": list(self.chosen), "samples": samples, "values": values}
