"""Acceptance figures beyond one arm and a rigid object: bodies that move inside (C).

A thin table of row makers; each value is the worst over its trials, beside their median.

python -m bench.beyond [--only N …] [--quick] [--seeds N] [--jobs N] [--json OUT]
"""

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.acceptance import inside_rows
from bench.acceptance.measuring import measure
from bench.acceptance.row import Figure, Part, Row

# what makes the rows, told how many seeds a cell has
ROWS: tuple[Callable[[int], Iterator[Row | Part]], ...] = (
    inside_rows.conserved,
    inside_rows.judged,
    inside_rows.rewound,
    inside_rows.timed,
)


def main() -> int:
    """Print the figures as they come, write them with --json; return 1 if one does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="N", help="numbers of figures, as C1")
    parser.add_argument("--quick", action="store_true", help="one seed, shorter flights")
    parser.add_argument("--seeds", type=int, default=20, help="of a cell (20)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a list of the figures, as they come")
    options = parser.parse_args()
    if min(options.seeds, options.jobs) < 1:
        parser.error("--seeds and --jobs must be at least 1")
    rows = [row for make in ROWS for row in make(1 if options.quick else options.seeds)]
    numbers = {number for row in rows for number in row.numbers}
    if unknown := set(options.only) - numbers:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(numbers))}")
    only = set(options.only or numbers)
    found: list[Figure] = []
    for figure in measure([row for row in rows if only & set(row.numbers)], options.jobs):
        if figure.number not in only:
            continue
        found.append(figure)
        print(figure.line(), flush=True)
        if options.json is not None:
            content = json.dumps([figure.told() for figure in found], indent=2)
            options.json.write_text(content + "\n", encoding="utf-8")
    return 0 if all(figure.holds for figure in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
