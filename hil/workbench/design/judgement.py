"""What is said about a candidate: a row of `results.csv`, told in one table."""

import csv
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from hil.workbench.design.grammar import Arm, Turned

GOOD = "good"
FIGURES = {  # columns with units, and what they mean
    "joints": "how many",
    "mass_kg": "of the arm without payload",
    "stretched_m": "from the first joint's frame to the tip, at most",
    "torque_margin": "1 - static torque with payload by what the drive gives for ever; worst joint and pose",
    "motion_margin": "the same with the torques of the nominal motion, against the repeated peak",
    "manipulability": "least over the poses (Yoshikawa), lengths by the task's `length_mm`",
    "power_w": "mean of the nominal motion",
    "base_force_n": "greatest in the nominal motion",
    "base_moment_n_m": "greatest in the nominal motion, about the base's origin",
}
HEADS = ("candidate", "verdict", *FIGURES, "arm")
BETWEEN = " | "  # parts of an arm


@dataclass(frozen=True)
class Judgement:
    """What came of a candidate.

    Attributes:
        number: of the candidate.
        verdict: GOOD, or why it was left, in a few words.
        arm: what it is made of.
        figures: by the names in FIGURES; those that were not come to are not there.
    """

    number: int
    verdict: str
    arm: Arm
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Whether it does the task."""
        return self.verdict == GOOD


def rows_text(judgements: Iterable[Judgement], head: bool) -> str:
    """Return rows of `results.csv`; figures to the last bit, so that they are read back as they were."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if head:
        writer.writerow(HEADS)
    for j in judgements:
        cells = [_cell(j.figures.get(name)) for name in FIGURES]
        writer.writerow([j.number, j.verdict, *cells, arm_text(j.arm)])
    return text.getvalue()


def read_rows(text: str) -> list[Judgement]:
    """Return the judgements in a text of `rows_text` with its head.

    Raises:
        ValueError: it is none.
    """
    reader = csv.DictReader(io.StringIO(text), strict=True)
    if tuple(reader.fieldnames or ()) != HEADS:
        raise ValueError("its columns are not those of this version")
    return [
        Judgement(
            int(row["candidate"]),
            row["verdict"],
            arm_of(row["arm"]),
            {name: float(row[name]) for name in FIGURES if row[name]},
        )
        for row in reader
    ]


def arm_text(arm: Arm) -> str:
    """Return an arm in words: its components, and behind an @ how far they are turned [deg]."""
    return BETWEEN.join(f"{name} @{turn:g}" if turn else name for name, turn in arm)


def arm_of(text: str) -> Arm:
    """Return the arm of `arm_text`."""
    pairs = [part.partition(" @") for part in text.split(BETWEEN)]
    return tuple(Turned(name, float(turn or 0.0)) for name, _, turn in pairs)


def _cell(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
