"""What `zerog mate` prints."""

from rich.console import Console
from rich.table import Table

from hil.trials.mating.report import shown
from hil.trials.mating.result import MatingResult
from hil.trials.mating.sweep import Sweep

MOST_ROWS = 40


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
    """Print a row a point, of features that are numbers; the whole is for a file."""
    rows = sweep.rows()
    names = [name for name, value in rows[0].items() if isinstance(value, int | float | None)]
    table = Table(title=f"mating: {sweep.results[0].experiment}", title_justify="left")
    for name in names:
        table.add_column(name, justify="right")
    for row in rows[:MOST_ROWS]:
        table.add_row(*(shown(row[name]) for name in names))
    console = Console(highlight=False)
    console.print(table)
    warned = sum(bool(result.warnings) for result in sweep.results)
    if warned:
        said = next(result.warnings[0] for result in sweep.results if result.warnings)
        console.print(f"[yellow]warning[/] at {warned} of {len(rows)} points, the first: {said}")
    if len(rows) > MOST_ROWS:
        console.print(f"… {len(rows) - MOST_ROWS} more: --out DIR or --json OUT.json writes them all")
