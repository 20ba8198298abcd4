"""A row of the table: trials that are worked off in any order and process, and what their worst comes to."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

CORE, JOINTS = "core", "joints"


class Trial(NamedTuple):
    """A call that any process can make: it returns a number, or a tuple with a number of each name."""

    call: Callable[..., Any]
    arguments: tuple[object, ...]

    @property
    def told(self) -> str:
        """Its arguments as a reader wants them: what is as usual, left out."""
        words = []
        for argument in self.arguments:
            if is_dataclass(argument) and not isinstance(argument, type):
                usual = {f.name: f.default for f in fields(argument)}
                words += [
                    f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
                    for name, value in vars(argument).items()
                    if value != usual[name] and name != "settings"
                ]
            elif not isinstance(argument, tuple):
                words.append(f"{argument:g}" if isinstance(argument, float) else str(argument))
        return ", ".join(words)

    @property
    def key(self) -> str:
        """What tells it from others: rows that want the same trial share it."""
        return f"{self.call.__module__}.{self.call.__qualname__}{self.arguments!r}"


class Touched(NamedTuple):
    """A flight against a port.

    Attributes:
        error: of the velocity after it, over the speed before.
        peak: greatest real force over that of the ideal contact, less 1.
        time: how long it really touched over that of the ideal contact, less 1.
        gain: kinetic energy after over before, less 1.
        fault: why the arm braked; empty if it did not.
    """

    error: float
    peak: float
    time: float
    gain: float
    fault: str = ""


@dataclass(frozen=True)
class Row:
    """A figure before it is measured.

    Attributes:
        number: of the list of figures, as a string.
        plant: `core` (a dead time and a lag per coordinate) or `joints` (the whole loop).
        figure: what it is.
        tolerance: that its value may have; None: it is only reported.
        trials: all cells and seeds.
        of: name of the trials' number; empty where they return the number itself.
        by: the value is that of the worst trial (`size`: without its sign), or the sum of all.
        unit: of the value; empty: a share.
    """

    number: str
    plant: str
    figure: str
    tolerance: float | None
    trials: tuple[Trial, ...]
    of: str = "error"
    by: Literal["size", "most", "sum"] = "size"
    unit: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Its one number."""
        return (self.number,)

    def figures(self, results: Sequence[Any]) -> "list[Figure]":
        """Return its one figure."""
        return [self.measured(results)]

    def measured(self, results: Sequence[Any]) -> "Figure":
        """Return the figure that these results of the trials, in order, come to."""
        faults = [fault for fault in (getattr(result, "fault", "") for result in results) if fault]
        values = np.array([getattr(result, self.of) if self.of else result for result in results], float)
        if self.by == "size":
            values = np.abs(values)
        broken = len(faults) > 0 or not np.all(np.isfinite(values))
        good = values[np.isfinite(values)]
        worst = math.nan if len(good) == 0 else float(good.sum() if self.by == "sum" else good.max())
        middle = float(np.median(good)) if len(good) else math.nan
        within = (
            1.0
            if self.tolerance is None
            else float(np.mean(np.nan_to_num(values, nan=np.inf) <= self.tolerance))
        )
        at = self.trials[int(np.nanargmax(values))].told if len(good) else ""
        return Figure(
            self.number, self.figure, worst, self.tolerance, self.plant, self.unit, middle, len(results),
            within, at, broken, faults[0] if faults else "",
        )  # fmt: skip


@dataclass(frozen=True)
class Part:
    """Figures of the core that one call works off, with their values: worst of all cells and seeds.

    Attributes:
        numbers: that its figures may have.
        trial: its call returns a list of (number, figure, value, tolerance).
    """

    numbers: tuple[str, ...]
    trial: Trial

    @property
    def trials(self) -> tuple[Trial]:
        """The one."""
        return (self.trial,)

    def figures(self, results: Sequence[Any]) -> "list[Figure]":
        """Return the figures that the call's result comes to."""
        return [Figure(number, figure, value, most) for number, figure, value, most in results[0]]


@dataclass(frozen=True)
class Figure:
    """One figure; it holds when its value is at most the tolerance and no trial ended in a fault.

    `value` is the worst of all trials (or their sum), `p50` their median, `within` the share of them that
    alone would hold, `at` which the worst was.
    """

    number: str
    figure: str
    value: float
    tolerance: float | None
    plant: str = CORE
    unit: str = ""
    p50: float = math.nan
    trials: int = 1
    within: float = 1.0
    at: str = ""
    broken: bool = False
    fault: str = ""

    @property
    def holds(self) -> bool:
        """Whether it does; what is only reported always holds."""
        return self.tolerance is None or (not self.broken and self.value <= self.tolerance)

    def told(self) -> dict[str, Any]:
        """Return it as the list in the file has it."""
        told = {**asdict(self), "holds": self.holds, "worst": self.value}
        return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in told.items()}

    def line(self) -> str:
        """Return it as a line of the table."""
        bound = "" if self.tolerance is None else f"<= {self.tolerance:g}"
        missed = f"NOT REACHED: {1.0 - self.within:.0%} of the trials, worst at {self.at}"
        mark = "" if self.tolerance is None else "ok" if self.holds else missed
        why = f" ({self.fault})" if self.fault else ""
        return (
            f"{self.number:>4} {self.plant:<6} {self.figure:<58} {self.value:10.4g} {self.unit:<4} "
            f"{bound:<9} p50 {self.p50:9.3g} of {self.trials:<4} {mark}{why}"
        ).rstrip()
