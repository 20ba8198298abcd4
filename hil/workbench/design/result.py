"""What a search came to: the best arms as assemblies, the picture, figures for people and for machines."""

import collections
from dataclasses import dataclass, replace
from typing import Any

from hil.common.arrays import Array, BoolArray
from hil.workbench.design.grammar import chain_of
from hil.workbench.design.judgement import Judgement, arm_text
from hil.workbench.design.judging import Judge
from hil.workbench.design.output import BEST, PICTURE, Output
from hil.workbench.design.pareto_picture import draw_front
from hil.workbench.design.ranking import ranked
from hil.workbench.design.study import Study
from sim.assembly.assembly_file import assembly_text
from sim.assembly.database import Database

MOST = 10  # of the best


@dataclass(frozen=True, eq=False)
class Result:
    """The good candidates in order.

    Attributes:
        good: best first.
        costs: theirs, by the task's weights, shape (n,).
        on_front: whether no other is better in every criterion, shape (n,).
        verdicts: how many of all candidates have which.
    """

    good: list[Judgement]
    costs: Array
    on_front: BoolArray
    verdicts: dict[str, int]

    @property
    def best(self) -> list[Judgement]:
        """The first of them."""
        return self.good[:MOST]


def result_of(study: Study, output: Output) -> Result:
    """Return what the judgements so far come to."""
    judgements = output.in_order()
    counted = collections.Counter(j.verdict for j in judgements)
    good, costs, on_front = ranked(judgements, study.task.weights)
    return Result(good, costs, on_front, dict(counted.most_common()))


def write_best(study: Study, output: Output, result: Result) -> None:
    """Write the best as assembly files, and the picture of the front.

    Raises:
        DesignError: they cannot be written.
    """
    database = Database(study.components)
    gravity = Judge(study.task, database).gravity
    for rank, judgement in enumerate(result.best, 1):
        name = f"{study.task.name}-{rank:02d}"
        chain = chain_of(name, judgement.arm, database, gravity)
        f = judgement.figures
        text = (
            f"Candidate {judgement.number} of {study.path.name}: {f['mass_kg']:.2f} kg, torque margin "
            f"{f['torque_margin']:.2f}, manipulability {f['manipulability']:.3g}, {f['power_w']:.1f} W"
        )
        output.write(f"{BEST}/{name}.toml", assembly_text(replace(chain, text=text)))
    if result.good:
        output.write(PICTURE, draw_front(result.good, result.on_front, study.task.weights, MOST))


def result_json(study: Study, output: Output, result: Result, took: float, judged: int) -> dict[str, Any]:
    """Return the result for machines; `judged` candidates took `took` seconds."""
    return {
        "task": study.task.name,
        "seed": study.seed,
        "arms": study.total,
        "candidates": len(study.candidates),
        "judged": len(output.judgements),
        "verdicts": result.verdicts,
        "good": len(result.good),
        "front": int(result.on_front.sum()),
        "candidates_per_hour": 3600.0 * judged / took if judged else None,
        "best": [
            {
                "rank": rank,
                "candidate": j.number,
                "cost": float(cost),
                "on_front": bool(on_front),
                "arm": arm_text(j.arm),
                "file": str(output.folder / BEST / f"{study.task.name}-{rank:02d}.toml"),
                **j.figures,
            }
            for rank, (j, cost, on_front) in enumerate(
                zip(result.best, result.costs, result.on_front, strict=False), 1
            )
        ],
    }
