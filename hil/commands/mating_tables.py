"""What `zerog mate` prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from hil.trials.mating.report import shown
from hil.trials.mating.result import MatingResult
from hil.trials.mating.sweep import Sweep

MOST_ROWS = 40
FIRST = (
    "peak_n", "max_n", "plateau_n", "peak_over_plateau", "exit_min_n", "max_at_mm", "min_n",
    "first_contact_mm", "late_max_n", "lag_mm", "inserted", "overshoot_far_mm_s",
    "overshoot_near_mm_s", "dip_after_force_max_ms",
)  # fmt: skip


def print_mating(result: MatingResult) -> None:
    """Print features, statements and warnings."""
    console = Console(highlight=False)
    table = Table(title=f"mating: {result.experiment}", title_justify="left")
    table.add_column("feature")
    table.add_column("value", justify="right")
    for name, value in result.features.items():
        table.add_row(name, shown(value))
    console.print(table)
    for statement in result.statements:
        mark = "[green]so here[/]" if statement.holds else "[red]not here[/]"
        console.print(f"{mark}: {statement.text} ({statement.seen})")
    for warning in result.warnings:
        console.print(f"[yellow]warning[/]: {warning}")


def print_sweep(sweep: Sweep) -> None:
    """Print a row a point, of as many features that are numbers as fit; the whole is for a file."""
    rows, console = sweep.rows(), Console(highlight=False)
    columns = {name: [shown(row[name]) for row in rows[:MOST_ROWS]] for name in _told(sweep, rows)}
    kept: list[str] = []
    room = console.width - 1
    for name, cells in columns.items():
        room -= max(len(text) for text in (name, *cells)) + 3
        if room < 0 and len(kept) > len(sweep.ranges):
            break
        kept.append(name)
    table = Table(title=f"mating: {sweep.results[0].experiment}", title_justify="left")
    for name in kept:
        table.add_column(name, justify="right")
    for row in zip(*(columns[name] for name in kept), strict=True):
        table.add_row(*row)
    console.print(table)
    if len(kept) < len(columns):
        console.print(f"… {len(columns) - len(kept)} more features: --out DIR or --json OUT.json writes them")
    warned = sum(bool(result.warnings) for result in sweep.results)
    if warned:
        said = next(result.warnings[0] for result in sweep.results if result.warnings)
        console.print(f"[yellow]warning[/] at {warned} of {len(rows)} points, the first: {said}")
    if len(rows) > MOST_ROWS:
        console.print(f"… {len(rows) - MOST_ROWS} more: --out DIR or --json OUT.json writes them all")


def _told(sweep: Sweep, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what rows have numbers of: what was swept, then `FIRST`, then the rest."""
    numbers = [
        name
        for name in rows[0]
        if all(isinstance(row[name], int | float | None) for row in rows)
        and any(row[name] is not None for row in rows)
    ]
    swept = [range_.key for range_ in sweep.ranges]
    return list(dict.fromkeys([*swept, *(name for name in FIRST if name in numbers), *numbers]))
