"""Acceptance figures of continuous contact force: the loop's core on a simple plant, and through joints.

`core`: a dead time and a lag per coordinate, without joints, guard and limits of jerk. `joints`: the whole
loop in lock-step with the emulated arm and its port, with all of these. Numbers are those of the list of
figures that the loop is accepted by; each value is the worst over its cells and seeds, beside their median.

python -m bench.contact_loop [--only N …] [--plant core|joints] [--quick] [--seeds N] [--jobs N] [--json OUT]
"""

from bench.acceptance import core_rows, joint_rows
from bench.acceptance.beyond import beyond_parts
from bench.acceptance.command import Makers, measured
from bench.acceptance.map_rows import map_rows
from bench.acceptance.row import CORE, JOINTS
from bench.acceptance.timing import timing_parts

ROWS: Makers = (
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


if __name__ == "__main__":
    raise SystemExit(measured(__doc__, ROWS, (CORE, JOINTS)))
