"""What of an arm may touch the mock-up: capsules on its links, by which clearances are judged.

An arm of ours has three, as thick as its thickest link. Of any other each solid of its model is enclosed by
one. The last two links carry the mock-up, or turn beside it about the last axis: they do not count.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from planner.kinematics.arm_geometry import JOINTS
from planner.kinematics.urdf_arm import link_of, numbers, origin_of

ARM_RADIUS = 0.066  # [m] of the thickest link of an arm of ours, above the base's foot
CARRYING = 2  # links at the arm's end


@dataclass(frozen=True, eq=False)
class Capsule:
    """All points within a distance of a segment.

    Attributes:
        name: of what it stands for, in words.
        link: on which it is: 0 the base, i behind joint i.
        start: of the segment, in the link's frame [m], shape (3,).
        end: likewise.
        radius: [m].
    """

    name: str
    link: int
    start: Array
    end: Array
    radius: float


def bodies_of_ours(lengths: Array) -> tuple[Capsule, ...]:
    """Return column, upper arm and forearm; the frames are those of `closed_form.chain_of`."""
    parts = zip(("the column", "the upper arm", "the forearm"), (0, 2, 4), lengths[:3], strict=True)
    return tuple(
        Capsule(name, link, np.zeros(3), np.array([0.0, 0.0, length]), ARM_RADIUS)
        for name, link, length in parts
    )


def bodies_of(
    root: ElementTree.Element, joints: Sequence[ElementTree.Element]
) -> tuple[tuple[Capsule, ...], str]:
    """Return capsules around the solids of a URDF's links, and what cannot be judged by them; empty if all.

    Args:
        root: of the URDF.
        joints: from base to flange.
    """
    names = [link_of(joints[0], "parent"), *(link_of(joint, "child") for joint in joints)]
    links = {link.get("name"): link for link in root.findall("link")}
    found: list[Capsule] = []
    for index, name in enumerate(names[: JOINTS + 1 - CARRYING]):
        link = links.get(name)
        holders = [] if link is None else link.findall("collision") or link.findall("visual")
        own = [_around(holder, index, name) for holder in holders]
        if not own or None in own:
            return (), f"link {name!r} of the robot's model has no solids of its own, or meshes"
        found += [capsule for capsule in own if capsule is not None]
    return tuple(found), ""


def _around(holder: ElementTree.Element, link: int, name: str) -> Capsule | None:
    """Return a capsule that encloses a box, cylinder or sphere; None for anything else."""
    where = f"link {name!r}"
    geometry, T = holder.find("geometry"), origin_of(holder, where)
    solid = geometry[0] if geometry is not None and len(geometry) else None
    if solid is None or solid.tag not in ("box", "cylinder", "sphere"):
        return None
    if solid.tag == "box":
        size = numbers(solid.get("size"), "0 0 0", where)
        along = int(np.argmax(size))
        half, radius = 0.5 * size[along], 0.5 * float(np.linalg.norm(np.delete(size, along)))
    else:
        along, radius = 2, float(numbers(solid.get("radius"), "0", where)[0])
        half = 0.5 * float(numbers(solid.get("length"), "0", where)[0])
    lever = half * T[:3, along]
    return Capsule(f"link {name!r}", link, T[:3, 3] - lever, T[:3, 3] + lever, radius)
