"""The result of a search as a table for people."""

from rich.console import Console
from rich.table import Table

from hil.workbench.design.judgement import arm_text
from hil.workbench.design.output import BEST, PICTURE, RESULTS, Output
from hil.workbench.design.result import Result
from hil.workbench.design.study import Study

WIDE = 140  # letters of a table that goes to a file
HEADS = {  # figures, how they are headed on the screen, and their form
    "joints": ("joints", ".0f"),
    "mass_kg": ("kg", ".2f"),
    "torque_margin": ("margin", ".2f"),
    "manipulability": ("manip.", ".3g"),
    "power_w": ("W", ".1f"),
    "base_moment_n_m": ("base N m", ".1f"),
}


def print_result(study: Study, output: Output, result: Result, took: float, judged: int) -> None:
    """Print the best, what became of the others, and where everything lies.

    Args:
        study: see there.
        output: its folder.
        result: what it came to.
        took: time [s] of
        judged: so many candidates; the others were judged before.
    """
    table = Table(box=None, padding=(0, 1, 0, 0))
    for head in ("", "candidate", "cost", *(name for name, _ in HEADS.values())):
        table.add_column(head, justify="right")
    table.add_column("arm")
    for rank, (j, cost) in enumerate(zip(result.best, result.costs, strict=False), 1):
        cells = [f"{j.figures[name]:{form}}" for name, (_, form) in HEADS.items()]
        table.add_row(str(rank), str(j.number), f"{cost:.3f}", *cells, arm_text(j.arm))
    console = Console()
    if result.good:
        Console(width=None if console.is_terminal else WIDE).print(table)
    for verdict, count in result.verdicts.items():
        print(f"{count:>8} {verdict}")
    rate = f", {3600.0 * judged / took:.0f} an hour" if judged else ""
    print(f"{len(output.judgements)} candidates of {study.total} arms{rate}; seed {study.seed}")
    print(f"results: {output.folder / RESULTS}")
    if result.good:
        print(f"picture: {output.folder / PICTURE}; the best: {output.folder / BEST}")
    else:
        print("no candidate does the task: the verdicts above say what stands in its way")
