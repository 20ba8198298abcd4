"""Rows 1 and 2: the map's closed forms beside the sampled loop, as `bench.contact_map` has them."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from bench.acceptance.row import CORE, Row, Trial
from bench.contact_map import CYCLE, DRIVES, PORTS, critical_rows, restitution_row

SHARE = 0.01  # of a percent


class Critical(NamedTuple):
    """Worst error of the critical delay (a share), and how many verdicts differ."""

    error: float
    wrong: float


def critical(port: str, drives: str, quick: bool) -> Critical:
    """Return the closed form's error for a kind of port and of drives."""
    error, wrong = critical_rows(f"{port}, {drives}", PORTS[port], DRIVES[drives], quick)
    assert error.value is not None and wrong.value is not None
    return Critical(SHARE * error.value, wrong.value)


def restitution(port: str, drives: str, cycle: float) -> float:
    """Return the worst error of the formula of the uncompensated restitution, a share."""
    row = restitution_row(f"{port}, {drives}", PORTS[port], DRIVES[drives], cycle)
    assert row.value is not None
    return SHARE * row.value


def map_rows(seeds: int) -> Iterator[Row]:
    """1, 2: of the map, which needs no seeds; fewer cases at one seed."""
    for port, drives in itertools.product(PORTS, DRIVES):
        trial = (Trial(critical, (port, drives, seeds == 1)),)
        yield Row("1", CORE, f"error of the critical delay, {port}, {drives}", 0.1, trial)
        yield Row("1", CORE, f"wrong verdicts, {port}, {drives}", 0.0, trial, "wrong")
    for port, drives in itertools.product(PORTS, DRIVES):
        coarse = DRIVES[drives] == 0.0  # of no arm: the phase of entry alone makes 3 % there
        trial = (Trial(restitution, (port, drives, CYCLE)),)
        goal = None if coarse else 0.1
        yield Row("2", CORE, f"error of e without compensation, {port}, {drives}", goal, trial, "")
    trial = (Trial(restitution, ("fixed port", "no lag", 0.1 * CYCLE)),)
    yield Row("2", CORE, "error of e without compensation, no lag, cycle 0.2 ms", 0.1, trial, "")
