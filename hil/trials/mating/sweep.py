"""Families of curves: one experiment over a range of one key, or two."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ExperimentError
from hil.trials.mating.result import MatingResult

MOST, LOOKS = 100_000, 500
Answer = tuple[int, MatingResult]
Job = tuple[int, str, tuple[str, ...]]
FORM = re.compile(r"(?P<key>[A-Za-z0-9_.\[\]-]+)=(?P<low>[^:]+):(?P<high>[^:]+):(?P<count>[^:]+)")


@dataclass(frozen=True)
class Range:
    """Values of a key."""

    key: str
    values: Array


@dataclass(frozen=True)
class Sweep:
    """What came of it.

    Attributes:
        ranges: one or two.
        results: in the order of their product.
    """

    ranges: Sequence[Range]
    results: Sequence[MatingResult]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row of features for every point."""
        points = itertools.product(*(range_.values for range_ in self.ranges))
        return [
            {range_.key: float(value) for range_, value in zip(self.ranges, point, strict=True)}
            | dict(result.features)
            for point, result in zip(points, self.results, strict=True)
        ]


def parsed(text: str) -> Range:
    """Return the range that `KEY=FROM:TO:N` says.

    Raises:
        ExperimentError: it says none.
    """
    match, numbers = FORM.fullmatch(text.strip()), None
    if match is not None:
        try:
            numbers = float(match["low"]), float(match["high"]), int(match["count"])
        except ValueError:
            numbers = None
    if match is None or numbers is None or not math.isfinite(numbers[1] - numbers[0]):
        raise ExperimentError(f"--sweep {text}: must read KEY=FROM:TO:N, for example mu=0.05:0.5:10")
    if not 2 <= numbers[2] <= MOST:
        raise ExperimentError(f"--sweep {text}: N = {numbers[2]} must be at least 2 and at most {MOST}")
    if numbers[0] == numbers[1]:
        raise ExperimentError(f"--sweep {text}: FROM and TO are the same: there is nothing to sweep")
    return Range(match["key"], np.linspace(*numbers))


def jobs_of(name: str, settings: Sequence[str], ranges: Sequence[Range]) -> list[Job]:
    """Return the experiments of a sweep, in order.

    Raises:
        ExperimentError: there are more than two ranges, twice the same, or too many points.
    """
    keys = [range_.key for range_ in ranges]
    if len(ranges) > 2 or len(set(keys)) < len(keys):
        raise ExperimentError(f"--sweep {', '.join(keys)}: one key, or two different ones")
    count = math.prod(range_.values.size for range_ in ranges)
    if count > MOST:
        raise ExperimentError(f"--sweep: {count} experiments are more than {MOST}: take fewer values")
    points = itertools.product(*(range_.values for range_ in ranges))
    return [
        (
            number,
            name,
            (*settings, *(f"{key}={float(value)!r}" for key, value in zip(keys, point, strict=True))),
        )
        for number, point in enumerate(points)
    ]


def refuse_wrong(jobs: Sequence[Job]) -> None:
    """Read the experiments of a sweep, or `LOOKS` of many, before any of them is run.

    Raises:
        ConfigurationError: one of them breaks a rule.
        ExperimentError: a key has two values.
    """
    from hil.trials.mating.loading import load_mating, settled_keys

    keys = settled_keys(jobs[0][1], jobs[0][2])
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ExperimentError(f"--sweep: {twice[0]} has two values, by --set or another --sweep: give one")
    for _, name, settings in [*jobs[:: max(1, len(jobs) // LOOKS)], jobs[-1]]:
        load_mating(name, settings)


def run_job(job: Job) -> Answer:
    """Run one experiment of a sweep; for workers."""
    from hil.trials.mating.running import run_named

    number, name, settings = job
    return number, run_named((name, settings))


def collected(ranges: Sequence[Range], answers: Iterable[Answer], done: Callable[[], None]) -> Sweep:
    """Return a sweep from answers in any order; `done` is called at each."""
    found: dict[int, MatingResult] = {}
    for number, result in _told(answers, done):
        found[number] = result
    return Sweep(ranges, [found[number] for number in sorted(found)])


def _told(answers: Iterable[Answer], done: Callable[[], None]) -> Iterator[Answer]:
    for answer in answers:
        done()
        yield answer
