"""The manifold against an oracle that knows the surface only and samples densely: 9,000 poses; plates."""

import numpy as np
import pytest

from hil.common.arrays import Array
from sim.contact.plate import plate_manifold_into
from sim.contact.rows import CONTACT_SIZE, CROSSING, DEEP, KIND_NAMES, MAX_CONTACTS
from tests.sim.contact.pose_classes import AX, AY, CLASSES, HOLE, C, draw
from tests.sim.contact.surface_oracle import along, minima, signed_distance

POSES = 1500  # of each class
LEFT_OUT = 1e-7  # [m] shallower minima are left out: they may be there or not
DEPTH_ERROR = 2e-8  # [m]
ONE_HOLE = np.array([[0.0, 0.0, HOLE[0], HOLE[1]]])
BOX = np.array([AX, AY, C])


def manifold(p0: Array, p1: Array, r: float, plate: Array, holes: Array) -> Array:
    out = np.full((MAX_CONTACTS, CONTACT_SIZE), np.nan)
    return out[: plate_manifold_into(out, p0, p1, r, plate, holes)]


def same_basin(a: float, b: float, bound: float, p0: Array, p1: Array, plate: Array, holes: Array) -> bool:
    """Whether the distance between two places of the axis never rises above a bound."""
    return all(along(t, p0, p1, plate, holes) <= bound for t in np.linspace(a, b, 9))


def disagreements(p0: Array, p1: Array, r: float, plate: Array, holes: Array) -> tuple[int, list[str]]:
    """Number of minima that the oracle finds, and what the manifold says otherwise."""
    rows = manifold(p0, p1, r, plate, holes)
    faults = []
    places, depths = minima(p0, p1, r, plate, holes)
    here = (p0, p1, plate, holes)
    for t, depth in zip(places, depths, strict=True):
        if depth > -LEFT_OUT:
            continue
        near = [row for row in rows if abs(row[0] - depth) < DEPTH_ERROR]
        if not any(same_basin(t, row[8], depth + r + DEPTH_ERROR, *here) for row in near):
            faults.append(f"missed at {t:.6f}, depth {depth:.3e}")
    for row in rows:
        name, t, s = KIND_NAMES[int(row[7])], row[8], row[0] + r
        if abs(along(t, *here) - s) > DEPTH_ERROR:
            faults.append(f"{name} at {t:.6f}: distance {s:.9f}, oracle {along(t, *here):.9f}")
        axis_point = p0 + t * (p1 - p0)
        normal = row[4:7]
        if abs(np.linalg.norm(normal) - 1.0) > 1e-9:
            faults.append(f"{name} at {t:.6f}: normal {normal}")
        if not np.allclose(row[1:4], axis_point - 0.5 * (s + r) * normal, atol=1e-9):
            faults.append(f"{name} at {t:.6f}: point {row[1:4]} is not midway")
        inner = 0.0 < t < 1.0
        if not (row[7] == DEEP and inner):  # there the normals of two surfaces are combined
            if abs(signed_distance(*(axis_point - s * normal), plate, holes)) > DEPTH_ERROR:
                faults.append(f"{name} at {t:.6f}: the normal {normal} does not lead to the surface")
        if inner and row[7] == CROSSING:
            if not on_an_outline(axis_point, plate, holes):
                faults.append(f"{name} at {t:.6f}: no outline there")
        elif inner:
            step = 2e-6
            if min(along(max(t - step, 0.0), *here), along(min(t + step, 1.0), *here)) < s - 1e-11:
                faults.append(f"spurious {name} at {t:.6f}, depth {row[0]:.3e}")
    apart = np.linalg.norm(p1 - p0) * np.diff(np.sort(rows[:, 8]))
    if len(rows) > 1 and apart.min() < 1e-9:
        faults.append(f"twice the same contact: {rows[:, 7:].tolist()}")
    return len(places), faults


def on_an_outline(p: Array, plate: Array, holes: Array) -> bool:
    """Whether a point is straight above the edge of a face or opening, or on the opening."""
    rims = np.abs(np.hypot(*(p[:2] - holes[:, :2]).T) - holes[:, 2]).min()
    planes = np.abs(
        [p[0] - plate[0], p[0] + plate[0], p[1] - plate[1], p[1] + plate[1], p[2], p[2] + plate[2]]
    )
    return bool(min(rims, planes.min()) < 1e-9)


@pytest.mark.parametrize("name", CLASSES)
def test_nothing_missed_nothing_spurious(name: str) -> None:
    """Every local minimum of the distance along the axis is a contact, and every contact is one."""
    found, faults = 0, []
    for number, (r, p0, p1) in enumerate(zip(*draw(name, POSES, 1), strict=True)):
        n, wrong = disagreements(p0, p1, r, BOX, ONE_HOLE)
        found += n
        faults += [f"{name} {number}, r {r!r}, {p0.tolist()}, {p1.tolist()}: {fault}" for fault in wrong]
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20])
    assert found > POSES // 4, "the class must touch something"
