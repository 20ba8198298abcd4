"""Time and error of the contact manifold of a pin and a holed box, side by side with its peers.

Six classes of poses (tests/sim/contact/pose_classes.py). Per pair: the exact manifold, the paper's eight-fold
subdivision of the rim, MuJoCo's own capsule against a hole of 8, 16 and 32 convex pieces with flats tangent
to the cylinder, and coal's capsule against a triangle mesh. Their error is that of the deepest overlap
against the exact one; "missed" are overlaps above 10 um that a peer does not see, "false" those that only it
sees. At last 20 pairs in one call from Python.

    python -m bench.contact_manifold [--poses N] [--json OUT.json]
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

import sim.contact  # noqa: F401  directs the kernels' cache
from bench.contact_peers import HAS_COAL, CoalMesh, MujocoPieces
from hil.common.arrays import Array
from sim.contact.manifold import CONTACT_SIZE, MAX_CONTACTS, manifold_into
from sim.contact.pairs import PinPairs, contacts_into
from sim.contact.subdivision import subdivided_manifold_into
from tests.sim.contact.pose_classes import CLASSES, HOLE, H, R, draw

SEED = 1
REPEATS = 200  # of one pose between two looks at the clock
LOOKS = 5  # of which the median counts
SEEN = 1e-5  # [m] of overlap from which on a contact counts as missed
LEVELS = 8
PAIRS = 20
GOALS_NS = dict.fromkeys(CLASSES, 400.0) | {"wholly inside": 50.0}
GOAL_CALL_US = 12.0
Poses = tuple[Array, Array, Array]


@njit(cache=True)
def repeat(out: Array, p0: Array, p1: Array, r: float, hole: Array, levels: int, count: int) -> int:
    """Compute one manifold `count` times and return the sum of contacts; no levels: the exact one."""
    total = 0
    for _ in range(count):
        if levels == 0:
            total += manifold_into(out, p0, p1, r, hole)
        else:
            total += subdivided_manifold_into(out, p0, p1, r, hole, levels)
    return total


def quantiles(times: Array) -> tuple[float, float]:
    """Return median and 99th percentile."""
    return float(np.median(times)), float(np.percentile(times, 99))


def own_times(poses: Poses, levels: int) -> Array:
    """Return the time of each pose [ns]."""
    out = np.empty((MAX_CONTACTS, CONTACT_SIZE))
    repeat(out, poses[1][0], poses[2][0], poses[0][0], HOLE, levels, 1)
    times = np.empty((len(poses[0]), LOOKS))
    for i, (r, p0, p1) in enumerate(zip(*poses, strict=True)):
        for k in range(LOOKS):
            begin = time.perf_counter_ns()
            repeat(out, p0, p1, r, HOLE, levels, REPEATS)
            times[i, k] = (time.perf_counter_ns() - begin) / REPEATS
    return np.median(times, axis=1)


def own_depths(poses: Poses, levels: int) -> Array:
    """Return the deepest overlap of each pose [m]."""
    out = np.empty((MAX_CONTACTS, CONTACT_SIZE))
    depths = np.zeros(len(poses[0]))
    for i, (r, p0, p1) in enumerate(zip(*poses, strict=True)):
        n = repeat(out, p0, p1, r, HOLE, levels, 1)
        depths[i] = -out[:n, 0].min() if n else 0.0
    return depths


def peer_run(peer: Any, poses: Poses) -> tuple[Array, Array]:
    """Return times [ns] and deepest overlaps [m] of a peer, clock and call from Python included."""
    times, depths = np.empty((len(poses[0]), LOOKS)), np.zeros(len(poses[0]))
    for i, (r, p0, p1) in enumerate(zip(*poses, strict=True)):
        peer.load(r, p0, p1)
        for k in range(LOOKS):
            begin = time.perf_counter_ns()
            peer.collide()
            times[i, k] = time.perf_counter_ns() - begin
        depths[i] = peer.depth()
    return np.median(times, axis=1), depths


def errors(depths: Array, exact: Array) -> dict[str, float]:
    """Return how a peer's deepest overlaps compare with the exact ones."""
    both = (depths > 0.0) & (exact > SEEN)
    wrong = np.abs(depths - exact)[both]
    return {
        "touching": int((exact > SEEN).sum()),
        "missed": int(((exact > SEEN) & (depths <= 0.0)).sum()),
        "false": int(((exact <= 0.0) & (depths > SEEN)).sum()),
        "error_median_um": 1e6 * float(np.median(wrong)) if len(wrong) else 0.0,
        "error_worst_um": 1e6 * float(wrong.max()) if len(wrong) else 0.0,
    }


def in_world(poses: Poses) -> tuple[PinPairs, Array, Array]:
    """Return the arguments of `contacts_into` with a body for each pin and each box, in random places."""
    rng = np.random.default_rng(SEED)
    count = len(poses[0])
    p_world, R_world = rng.normal(size=(2 * count, 3)), np.empty((2 * count, 9))
    for i in range(2 * count):
        turn, triangle = np.linalg.qr(rng.normal(size=(3, 3)))
        turn *= np.sign(np.diag(triangle))
        R_world[i] = (turn * np.linalg.det(turn)).ravel()
    ends = np.empty((count, 2, 3))
    for i, (_, p0, p1) in enumerate(zip(*poses, strict=True)):
        pin, box = R_world[2 * i].reshape(3, 3), R_world[2 * i + 1].reshape(3, 3)
        for k, p in enumerate((p0, p1)):
            ends[i, k] = pin.T @ (p_world[2 * i + 1] + box @ p - p_world[2 * i])
    each = np.arange(count)
    pairs = PinPairs(
        plate_pose=np.tile(np.eye(3, 4), (count, 1, 1)),
        plate_size=np.tile(HOLE[2:], (count, 1)),
        plate_body=2 * each + 1,
        holes=np.tile([0.0, 0.0, R, H], (count, 1)),
        hole_range=np.column_stack([each, each + 1]),
        pin_ends=ends,
        pin_radius=poses[0].copy(),
        pin_body=2 * each,
        pin_range=np.column_stack([each, each + 1]),
    )
    return pairs, p_world, R_world


def call_times(poses: Poses, calls: int) -> Array:
    """Return the times [us] of calls from Python with some pairs each, world poses to world contacts."""
    arguments = in_world(poses)
    out, which = arguments[0].room
    contacts_into(out, which, *arguments)
    times = np.empty(calls)
    for k in range(calls):
        begin = time.perf_counter_ns()
        contacts_into(out, which, *arguments)
        times[k] = 1e-3 * (time.perf_counter_ns() - begin)
    return times


def peers(quick: bool) -> dict[str, Callable[[], Any]]:
    """Return what is measured beside the exact manifold and the subdivision."""
    found: dict[str, Callable[[], Any]] = {
        f"MuJoCo, {n} pieces": lambda n=n: MujocoPieces(HOLE, n) for n in (8, 16, 32)
    }
    if HAS_COAL:
        found |= {f"coal, {n} flats": lambda n=n: CoalMesh(HOLE, n) for n in ((64,) if quick else (64, 256))}
    return found


def measure(count: int) -> dict[str, Any]:
    """Return the table: a row for each class and method, and one for each class of 20 pairs in a call."""
    rows, calls = [], []
    others = {name: make() for name, make in peers(count < 500).items()}
    for name in CLASSES:
        poses = draw(name, count, SEED)
        exact = own_depths(poses, 0)
        entries = [("exact", own_times(poses, 0), exact)]
        entries.append((f"subdivision, {LEVELS} levels", own_times(poses, LEVELS), own_depths(poses, LEVELS)))
        entries += [(other, *peer_run(peer, poses)) for other, peer in others.items()]
        for method, times, depths in entries:
            median, p99 = quantiles(times)
            row = {"class": name, "method": method, "median_ns": median, "p99_ns": p99}
            rows.append(row | errors(depths, exact))
            print_row(rows[-1])
        some = tuple(array[:PAIRS] for array in poses)
        median, p99 = quantiles(call_times(some, 3000))  # type: ignore[arg-type]
        calls.append({"class": name, "median_us": median, "p99_us": p99})
    return {"pairs": rows, "calls": calls}


def print_row(row: dict[str, Any]) -> None:
    """Print one row of the first table."""
    goal = f"{GOALS_NS[row['class']]:.0f}" if row["method"] == "exact" else ""
    print(
        f"{row['class']:<20} {row['method']:<22} {row['median_ns']:>9.0f} {row['p99_ns']:>9.0f} {goal:>5} "
        f"{row['touching']:>8} {row['missed']:>7} {row['false']:>6} {row['error_median_um']:>10.3g} "
        f"{row['error_worst_um']:>10.3g}",
        flush=True,
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--poses", type=int, default=1500, help="of each class")
    parser.add_argument("--json", type=Path, help="write the tables here")
    arguments = parser.parse_args()
    print(
        f"{'class':<20} {'method':<22} {'median ns':>9} {'p99 ns':>9} {'goal':>5} {'touching':>8}"
        f" {'missed':>7} {'false':>6} {'median um':>10} {'worst um':>10}"
    )
    result = measure(arguments.poses)
    if not HAS_COAL:
        print("coal is not installed: pip install -e .[oracles]")
    print(f"\n{PAIRS} pairs in one call from Python, call included, us (goal {GOAL_CALL_US:g})")
    for row in result["calls"]:
        print(f"{row['class']:<20} median {row['median_us']:6.2f}  p99 {row['p99_us']:6.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
