"""The figures of a run as a table for people."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table


def print_figures(values: dict[str, Any]) -> None:
    """Print every figure with its key; what a run cannot tell is shown as a dash."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="left")
    table.add_column(justify="right")
    for key, value in flattened(values):
        table.add_row(
            key, "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
        )
    Console().print(table)


def flattened(values: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted keys and plain values of nested tables."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
