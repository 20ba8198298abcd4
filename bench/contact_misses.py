"""Rim contacts that the paper's eight-fold subdivision misses, class by class and level by level.

A contact of an end or of the body with the rim that overlaps by more than 1 um counts as missed if the
subdivision has none at that place of the pin's axis (to 1 % of its length).

    python -m bench.contact_misses [--poses N] [--json OUT.json]
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from sim.contact.manifold import CONTACT_SIZE, MAX_CONTACTS, manifold_into
from sim.contact.rows import RIM, RIM_BODY
from sim.contact.subdivision import subdivided_manifold_into
from tests.sim.contact.pose_classes import CLASSES, HOLE, draw

LEVELS = (4, 6, 8, 10)
SEED = 1
OVERLAP = 1e-6  # [m]
SAME_PLACE = 0.01  # of the axis


def rim_contacts(rows: Array) -> Array:
    """Return the rows of ends and bodies that overlap the rim."""
    return rows[((rows[:, 7] == RIM) | (rows[:, 7] == RIM_BODY)) & (rows[:, 0] < -OVERLAP)]


def compare(p0: Array, p1: Array, r: float, levels: int) -> tuple[Array, Array]:
    """Return the exact rim contacts and, for each, its counterpart's row, not a number where it is missed."""
    out = np.empty((MAX_CONTACTS, CONTACT_SIZE))
    exact = rim_contacts(out[: manifold_into(out, p0, p1, r, HOLE)]).copy()
    ours = out[: subdivided_manifold_into(out, p0, p1, r, HOLE, levels)]
    ours = ours[(ours[:, 7] == RIM) | (ours[:, 7] == RIM_BODY)]
    found = np.full_like(exact, np.nan)
    for i, row in enumerate(exact):
        near = ours[(np.abs(ours[:, 8] - row[8]) < SAME_PLACE) & (ours[:, 7] == row[7])]
        if len(near):
            found[i] = near[0]
    return exact, found


def class_row(name: str, levels: int, count: int) -> dict[str, Any]:
    """Return what the search misses in one class, and how exact it is where it does not."""
    pairs = [compare(p0, p1, r, levels) for r, p0, p1 in zip(*draw(name, count, SEED), strict=True)]
    exact, found = (np.concatenate(side) for side in zip(*pairs, strict=True))
    missed = np.isnan(found[:, 0])
    ends = exact[:, 7] == RIM
    depth = np.abs(found[~missed, 0] - exact[~missed, 0])
    point = np.linalg.norm(found[~missed, 1:4] - exact[~missed, 1:4], axis=1)
    return {
        "class": name,
        "levels": levels,
        "ends": int(ends.sum()),
        "ends_missed": int((ends & missed).sum()),
        "bodies": int((~ends).sum()),
        "bodies_missed": int((~ends & missed).sum()),
        "deepest_missed_mm": 1e3 * float(-exact[missed, 0].min()) if missed.any() else 0.0,
        "depth_error_m": float(depth.max()) if len(depth) else 0.0,
        "point_error_m": float(point.max()) if len(point) else 0.0,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--poses", type=int, default=1500, help="of each class")
    parser.add_argument("--json", type=Path, help="write the table here")
    arguments = parser.parse_args()
    print(
        f"{'class':<20} {'levels':>6} {'ends':>6} {'missed':>7} {'bodies':>7} {'missed':>7}"
        f" {'deepest mm':>11} {'depth error m':>14} {'point error m':>14}"
    )
    rows = [class_row(name, levels, arguments.poses) for name in CLASSES for levels in LEVELS]
    for row in rows:
        print(
            f"{row['class']:<20} {row['levels']:>6} {row['ends']:>6} {row['ends_missed']:>7} "
            f"{row['bodies']:>7} {row['bodies_missed']:>7} {row['deepest_missed_mm']:>11.3f} "
            f"{row['depth_error_m']:>14.1e} {row['point_error_m']:>14.1e}"
        )
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
