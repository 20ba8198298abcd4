"""The command that measures figures: which, how many seeds, on how many processes, and where they go."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.acceptance.measuring import measure
from bench.acceptance.row import CORE, Figure, Part, Row

Makers = Sequence[Callable[[int], Iterator[Row | Part]]]  # what makes the rows, told the seeds of a cell


def measured(description: str | None, makers: Makers, plants: tuple[str, ...] = ()) -> int:
    """Print the figures as they come, write them with --json; return 1 if one does not hold.

    Args:
        description: of the command, for its help.
        makers: of all its rows.
        plants: on which rows may be measured, one of which may be asked for alone.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="N", help="numbers of figures")
    if plants:
        parser.add_argument("--plant", choices=plants, help="one of them alone")
    parser.add_argument("--quick", action="store_true", help="one seed")
    parser.add_argument("--seeds", type=int, default=20, help="of a cell (20)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a list of the figures, as they come")
    options = parser.parse_args()
    if min(options.seeds, options.jobs) < 1:
        parser.error("--seeds and --jobs must be at least 1")
    if options.json is not None and not options.json.absolute().parent.is_dir():
        parser.error(f"--json {options.json}: there is no folder {options.json.absolute().parent}")
    rows = [row for make in makers for row in make(1 if options.quick else options.seeds)]
    numbers = {number for row in rows for number in row.numbers}
    if unknown := set(options.only) - numbers:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(numbers))}")
    only, plant = set(options.only or numbers), getattr(options, "plant", None)
    wanted = [row for row in rows if only & set(row.numbers) and plant in (None, getattr(row, "plant", CORE))]
    found: list[Figure] = []
    for figure in measure(wanted, options.jobs):
        if figure.number not in only:
            continue
        found.append(figure)
        print(figure.line(), flush=True)
        if options.json is not None:
            content = json.dumps([figure.told() for figure in found], indent=2)
            options.json.write_text(content + "\n", encoding="utf-8")
    return 0 if all(figure.holds for figure in found) else 1
