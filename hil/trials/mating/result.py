"""What a mating experiment came to: courses over time, features, and the paper's statements about them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ExperimentError


@dataclass(frozen=True)
class Statement:
    """One thing that the paper says of an experiment.

    Attributes:
        text: what it says, in a line.
        holds: whether it is so here.
        seen: the figures behind that.
    """

    text: str
    holds: bool
    seen: str


@dataclass(frozen=True)
class Frame:
    """The parts at one instant, cut along the motion.

    Attributes:
        title: where that is.
        moving: outlines of the moving part, each (n, 2), along and across the motion [mm].
        resting: those of the counterpart.
        forces: where the parts touch, shape (m, 2) [mm], and what acts there on the moving part, (m, 2) [N].
    """

    title: str
    moving: Sequence[Array]
    resting: Sequence[Array]
    forces: tuple[Array, Array]


@dataclass(frozen=True)
class JammingSeen:
    """The loads of a peg against the boundary within which it goes in, at the depth where it ends.

    Attributes:
        outline: Fx / Fz and M / (r Fz), shape (k, 2).
        loads: those of the robot on the peg over the last part of its way, shape (n, 2).
        title: depth and friction.
    """

    outline: Array
    loads: Array
    title: str


@dataclass(frozen=True)
class MatingResult:
    """An experiment's outcome.

    Attributes:
        experiment: its name.
        series: columns of equal length by name, each with its unit.
        phases: what touches, row by row.
        features: figures of the whole, JSON's types.
        statements: of the paper.
        warnings: of what a user should know: strain beyond what the material bears, friction that holds.
        stopped: why a run ended early; empty: it did not.
        frames: a strip of the parts at a few instants, those of `sections.looked_at`.
        jamming: of a peg in two-point contact.
        drawn: the parts at any row; None where only the strip is drawn, or nothing. It cannot go to another
            process.
    """

    experiment: str
    series: Mapping[str, Array]
    phases: Sequence[str]
    features: Mapping[str, Any]
    statements: Sequence[Statement]
    warnings: Sequence[str] = ()
    stopped: str = ""
    frames: Sequence[Frame] = ()
    jamming: JammingSeen | None = None
    drawn: Callable[[int], Frame] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return features, statements and warnings as JSON has them."""
        told = [{"text": s.text, "holds": s.holds, "seen": s.seen} for s in self.statements]
        return {
            "experiment": self.experiment,
            **self.features,
            "statements": told,
            "warnings": list(self.warnings),
        }


def passed(phases: Sequence[str]) -> list[str]:
    """Return the phases in their order, each once for every time that it begins; empty ones left out."""
    begun = [name for name, before in zip(phases, ["", *phases[:-1]], strict=True) if name != before]
    return [name for name in begun if name]


def write_series(path: Path, result: MatingResult) -> None:
    """Write every course as CSV, the phase in the last column.

    Raises:
        ExperimentError: the file cannot be written.
    """
    columns = list(result.series)
    table = np.column_stack([result.series[name] for name in columns])
    lines = [",".join([*columns, "phase"])]
    lines += [
        ",".join([*(f"{value:.9g}" for value in row), phase])
        for row, phase in zip(table, result.phases, strict=True)
    ]
    _write(path, "\n".join(lines) + "\n")


def write_features(path: Path, values: Mapping[str, Any]) -> None:
    """Write figures as JSON.

    Raises:
        ExperimentError: the file cannot be written.
    """
    _write(path, json.dumps(values, indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ExperimentError(f"{path} cannot be written: {error.strerror}") from error
