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
    if c.kind in DRIVE_KINDS:
        return _drive_faults(c)
    faults = [f"{kind} is for a component of kind {kind!r}" for kind in DRIVE_KINDS if getattr(c, kind)]
    wanted = len(c.joints) + 1
    if len(c.bodies) != wanted:
        faults.append(f"bodies: {len(c.bodies)} of them; {len(c.joints)} joints need {wanted}")
    if c.kind == "base" and c.input is not None:
        faults.append("input: a base has none, it stands on the ground")
    if c.kind != "base" and c.input is None:
        faults.append("input is missing: the marker at which the part is joined to the one before")
    if c.output is None:
        faults.append("output is missing: the marker at which the next part is joined, or where a tool works")
    for i, body in enumerate(c.bodies):
        faults += [f"bodies[{i}].{fault}" for fault in body_faults(body)]
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


def body_faults(body: Body) -> list[str]:
    """Return why no body has this mass and inertia, each as a sentence."""
    moments = np.linalg.eigvalsh(inertia_matrix(body.inertia))
    if body.mass == 0.0:
        return ["inertia_kg_m2 must be 0 where mass_kg is 0"] if moments.any() else []
    slack = SLACK * float(np.abs(moments).max())
    if moments[0] < -slack or moments[0] + moments[1] < moments[2] - slack:
        named = ", ".join(f"{value:.4g}" for value in moments)
        return [
            f"inertia_kg_m2 is that of no body: its principal moments {named} must not be negative, and each "
            "at most the sum of the others"
        ]
    return []
