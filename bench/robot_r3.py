"""A whole robot with motors, gears, friction and control beside its published trajectory.

RobotR3 of the Modelica Standard Library. The reference is a CSV: t_s, r1 to r6 [rad], every 10 ms.

    python -m bench.robot_r3 REFERENCE.csv [--step S] [--json OUT.json]

The JSON file has `worst_rad`, the largest difference of any joint at any time, and where it was.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

from bench.drive_cases import robot_r3_run
from bench.report import Row, machine, print_rows

GOAL = 1e-4  # [rad]
STEP = 1e-4  # [s]


def main() -> int:
    """Run the robot, compare, print; 1 if the goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reference", type=Path)
    parser.add_argument("--step", type=float, default=STEP, metavar="S")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    table = np.genfromtxt(options.reference, delimiter=",", names=True)
    reference = np.stack([table[f"r{joint}"] for joint in range(1, 7)], axis=1)
    robot_r3_run(1e-2)  # compiles
    begun = time.perf_counter()
    found, arm = robot_r3_run(options.step)
    took = time.perf_counter() - begun
    count = min(len(found), len(reference))
    errors = np.abs(found[:count] - reference[:count])
    at, joint = np.unravel_index(int(errors.argmax()), errors.shape)
    account = arm.energy_account()
    worst = float(errors.max())
    print(f"step {options.step:g} s, {count} instants of {options.reference.name}")
    print_rows([
        *(Row(f"joint {k + 1}, worst", float(errors[:, k].max()), GOAL, "rad") for k in range(6)),
        Row(f"worst, joint {joint + 1} at {table['t_s'][at]:g} s", worst, GOAL, "rad"),
        Row("energy account, missing of what was turned over", abs(account.missing) / account.turned_over,
            1e-6, ""),
        Row("real time over time taken", arm.t / took, None, ""),
    ])  # fmt: skip
    if options.json:
        content = {
            "worst_rad": worst, "joint": int(joint) + 1, "t_s": float(table["t_s"][at]),
            "step_s": options.step, "instants": count, "machine": machine(),
            "worst_of_each_joint_rad": errors.max(axis=0).tolist(),
        }  # fmt: skip
        options.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 0 if worst <= GOAL and count == len(reference) else 1


if __name__ == "__main__":
    sys.exit(main())
