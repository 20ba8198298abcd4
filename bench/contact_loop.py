"""Acceptance figures of continuous contact force: the loop's core on a simple plant, and through joints.

`core`: a dead time and a lag per coordinate, without joints, guard and limits of jerk. `joints`: the whole
loop in lock-step with the emulated arm and its port, with all of these. Numbers are those of the list of
figures that the loop is accepted by; each value is the worst over its cells and seeds, beside their median.

python -m bench.contact_loop [--only N …] [--plant core|joints] [--quick] [--seeds N] [--jobs N] [--json OUT]
"""

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.acceptance import core_rows, joint_rows
from bench.acceptance.beyond import beyond_parts
from bench.acceptance.map_rows import map_rows
from bench.acceptance.measuring import measure
from bench.acceptance.row import CORE, JOINTS, Figure, Part, Row
from bench.acceptance.timing import timing_parts

# what makes the rows, told how many seeds a cell has
ROWS: tuple[Callable[[int], Iterator[Row | Part]], ...] = (
    map_rows,
    core_rows.exact,
    core_rows.delays,
    core_rows.ports,
    core_rows.faults,
    core_rows.energy,
    core_rows.forces,
    core_rows.landings,
    core_rows.free_flight,
    core_rows.cost,
    timing_parts,
    beyond_parts,
    joint_rows.schemes,
    joint_rows.exact,
    joint_rows.delays,
    joint_rows.ports,
    joint_rows.faults,
    joint_rows.energy,
    joint_rows.forces,
    joint_rows.landings,
    joint_rows.beyond,
    joint_rows.free_flight,
)


def main() -> int:
    """Print the figures as they come, write them with --json; return 1 if one does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="N", help="numbers of figures, or cost")
    parser.add_argument("--plant", choices=(CORE, JOINTS), help="one of them alone")
    parser.add_argument("--quick", action="store_true", help="one seed: ten minutes")
    parser.add_argument("--seeds", type=int, default=20, help="of a cell (20)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write a list of the figures, as they come")
    options = parser.parse_args()
    if min(options.seeds, options.jobs) < 1:
        parser.error("--seeds and --jobs must be at least 1")
    rows = [row for make in ROWS for row in make(1 if options.quick else options.seeds)]
    numbers = {number for row in rows for number in row.numbers}
    unknown = set(options.only) - numbers
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(numbers))}")
    only = set(options.only or numbers)
    wanted = [
        row
        for row in rows
        if only & set(row.numbers) and options.plant in (None, getattr(row, "plant", CORE))
    ]
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


if __name__ == "__main__":
    raise SystemExit(main())
