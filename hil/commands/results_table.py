"""The results of a campaign as a table for people."""

from typing import Any

from rich.console import Console
from rich.table import Table

from hil.trials.experiment.expansion import Experiment
from hil.trials.experiment.output import Output

WIDE = 120  # letters of a table that goes to a file
OF_CONTACTS = {  # the same of plans under continuous force
    "status": "status",
    "contacts": "contacts",
    "contact_restitution_error_worst": "e - ideal",
    "contact_beyond_ideal_worst": "energy %",
    "contact_created_worst": "created %",
    "contact_peak_force_n": "peak N",
    "contact_peak_error_worst": "peak %",
    "contact_time_error_worst": "time %",
    "faults": "faults",
}
HEADS = {  # columns of results.csv, and how they are headed on the screen
    "status": "status",
    "pushes": "pushes",
    "pushes_missed": "missed",
    "impulse_error_median": "impulse %",
    "velocity_error_arm_median": "velocity %",
    "reaction_median_ms": "late ms",
    "tracking_free_rms_mm": "track mm",
    "bounces": "bounces",
    "restitution_arm_median": "restit.",
    "holds": "holds",
}


def print_results(loaded: Experiment, output: Output) -> None:
    """Print the columns that most people look at first."""
    swept = loaded.axes
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("trial", no_wrap=True)
    touches = any(row.get("contacts") is not None for row in output.rows.values())
    heads = OF_CONTACTS if touches else HEADS
    for head in (*(key.rpartition(".")[2].replace("_", " ") for key in swept), *heads.values()):
        table.add_column(head, justify="right")
    for task in loaded.tasks:
        row = output.rows[task.folder]
        cells = [*(_shown(row[key], "g") for key in swept), *(_cell(row, key, heads[key]) for key in heads)]
        table.add_row(task.folder, *cells)
    console = Console()
    Console(width=None if console.is_terminal else WIDE).print(table)
    print(f"results: {output.folder / 'results.csv'}; a page about them: zerog report {output.folder}")


def _cell(row: dict[str, Any], key: str, head: str) -> str:
    value = row.get(key)
    if value is not None and "%" in head:
        return _shown(100.0 * value, ".2f")
    return _shown(value, ".4f" if key.startswith("tracking") else ".3f")


def _shown(value: Any, form: str) -> str:
    if value is None:
        return "-"
    return f"{value:{form}}" if isinstance(value, float) else str(value)
