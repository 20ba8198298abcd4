"""What a component must keep to beyond the bounds of its keys."""

import numpy as np

from hil.common.arrays import Array
from sim.assembly.component_schema import Body, ComponentFile, Gear, Revolute

DRIVE_KINDS = ("motor", "gear", "brake", "torque_sensor")
UNITY = 1e-6  # of the length of an axis
SLACK = 1e-9  # of an inertia's inequalities, of its largest moment


def inertia_matrix(values: Array) -> Array:
    """Return the matrix (3, 3) of moments and products xx yy zz xy xz yz."""
    xx, yy, zz, xy, xz, yz = values
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def component_faults(c: ComponentFile) -> list[str]:
    """Return each fault of a component as a sentence with key, value, bound and remedy."""
    unknown = [key for key in c.assumed if key not in _keys(c)]
    faults = [
        f"assumed names {key!r}, which is no key of this file; write table.key, or all" for key in unknown
    ]
    return faults + (_drive_faults(c) if c.kind in DRIVE_KINDS else _part_faults(c))


def _keys(c: ComponentFile) -> set[str]:
    """Return all keys of a component's tables as `assumed` names them."""
    tables = {"input": [c.input], "output": [c.output], "bodies": c.bodies, "joints": c.joints}
    tables |= {kind: [getattr(c, kind)] for kind in DRIVE_KINDS}
    named = {
        f"{name}.{key}"
        for name, sections in tables.items()
        for section in sections
        if section is not None
        for key in type(section).keys()
    }
    return {"all", *named}


def _part_faults(c: ComponentFile) -> list[str]:
    faults = [f"{kind} is for a component of kind {kind!r}" for kind in DRIVE_KINDS if getattr(c, kind)]
    wanted = len(c.joints) + 1
    if len(c.bodies) != wanted:
        faults.append(f"bodies: {len(c.bodies)} of them; {len(c.joints)} joints need {wanted}")
    if c.kind == "base" and c.input is not None:
        faults.append("input: a base has none, it stands on the ground")
    if c.kind not in ("base", "unit") and c.input is None:
        faults.append("input is missing: the marker at which the part is joined to the one before")
    if c.output is None:
        faults.append("output is missing: the marker at which the next part is joined, or where a tool works")
    for i, body in enumerate(c.bodies):
        faults += [f"bodies[{i}].{fault}" for fault in body_faults(body, c.inertia_as_published)]
    for i, joint in enumerate(c.joints):
        length = float(np.linalg.norm(joint.axis))
        if abs(length - 1.0) > UNITY:
            faults.append(f"joints[{i}].axis = {joint.axis.tolist()} must have length 1, it has {length:.6g}")
        if not joint.lower < joint.upper:
            key = "deg" if isinstance(joint, Revolute) else "mm"
            faults.append(f"joints[{i}].lower_{key} must be below upper_{key}")
    return faults


def _drive_faults(c: ComponentFile) -> list[str]:
    faults = [f"{kind} is missing" for kind in (c.kind,) if getattr(c, kind) is None]
    faults += [
        f"{kind} is for a component of kind {kind!r}"
        for kind in DRIVE_KINDS
        if kind != c.kind and getattr(c, kind) is not None
    ]
    if c.bodies or c.joints or c.input or c.output:
        faults.append(f"a {c.kind} has no bodies, joints or connectors: a joint names it")
    return faults if c.gear is None else faults + _gear_faults(c.gear)


def _gear_faults(gear: Gear) -> list[str]:
    limits = gear.torque_limits
    if (gear.stiffness is None) != (limits is None):
        return [
            "gear.stiffness_n_m_per_rad and gear.torque_limits_n_m belong together; a rigid gear has neither"
        ]
    if limits is not None and not limits[0] < limits[1]:
        return [f"gear.torque_limits_n_m: T1 = {limits[0]:g} must be below T2 = {limits[1]:g}"]
    return []


def is_lopsided(inertia: Array) -> bool:
    """Return whether the largest principal moment is above the sum of the others: no body has that."""
    moments = np.linalg.eigvalsh(inertia)
    return bool(moments[0] + moments[1] < moments[2] * (1.0 - SLACK))


def body_faults(body: Body, as_published: bool = False) -> list[str]:
    """Return why no body has this mass and inertia, each as a sentence; a lopsided one may be let through."""
    inertia = inertia_matrix(body.inertia)
    moments = np.linalg.eigvalsh(inertia)
    if body.mass == 0.0:
        return ["inertia_kg_m2 must be 0 where mass_kg is 0"] if moments.any() else []
    negative = moments[0] < -SLACK * float(np.abs(moments).max())
    if negative or (is_lopsided(inertia) and not as_published):
        named = ", ".join(f"{value:.4g}" for value in moments)
        return [
            f"inertia_kg_m2 is that of no body: its principal moments {named} must not be negative, and each "
            "at most the sum of the others"
        ]
    return []
