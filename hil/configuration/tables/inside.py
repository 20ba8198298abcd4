"""What a configuration may say about bodies that move inside the floating object."""

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from hil.common.arrays import Array, frozen_array, plain_numbers
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import Degrees3, Millimetres3

NO_IDEAL = "bodies move inside the object: there is no rigid body to compare it with"
Kind = Literal["gyrostat", "modes", "tree"]
MASS_MEANS = {
    "gyrostat": "of its base alone: the arm inside comes on top",
    "modes": "of the whole object, panels and tanks in their places",
    "tree": "of its base alone: what hangs on it comes on top",
}
ALLOWED = {  # which keys a kind knows, besides the kind itself
    "gyrostat": ("arm", "arm_position", "arm_rotvec", "motion", "script", "knot", "start", "silence"),
    "modes": ("panel", "tank", "mode"),
    "tree": ("arm", "arm_position", "arm_rotvec", "start", "stiffness", "damping", "panel"),
}


class Panel(Section):
    """A rigid panel on a hinge with a spring, at rest as it is drawn. In: sim, driver, dashboard."""

    hinge: Millimetres3
    """A point of its hinge: from the object's frame, object axes."""
    axis: Annotated[Array, Quantity(length=3)]
    """Of the hinge, object axes, of any length but 0."""
    centre: Millimetres3
    """Its centre of mass at rest, from the hinge, object axes."""
    mass: Annotated[float, Quantity("kg", gt=0.0, le=1e5)]
    """Of the panel."""
    inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=1e6, length=3)]
    """Its moments about its own centre of mass along the object's axes, in which it must be principal."""
    frequency: Annotated[float, Quantity("hz", ge=0.0, le=1000.0)]
    """Cantilever: with the object held still. 0, only of a tree: the hinge is free."""
    damping: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.005
    """Ratio, cantilever as well."""
    start: Annotated[float, Quantity("deg", ge=-90.0, le=90.0)] = 0.0
    """Deflection with which floating begins."""


class Tank(Section):
    """Liquid that sloshes along a line: a mass on a spring. In: sim, driver."""

    place: Millimetres3
    """Where the mass rests: from the object's frame, object axes."""
    axis: Annotated[Array, Quantity(length=3)]
    """Along which it moves, object axes, of any length but 0."""
    mass: Annotated[float, Quantity("kg", gt=0.0, le=1e5)]
    """That takes part in the sloshing."""
    frequency: Annotated[float, Quantity("hz", gt=0.0, le=1000.0)]
    """With the object held still."""
    damping: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.01
    """Ratio, with the object held still as well."""
    start: Annotated[float, Quantity("mm", ge=-1000.0, le=1000.0)] = 0.0
    """Deflection with which floating begins."""


class ModeShape(Section):
    """A vibration's mode, normalised to a modal mass of 1, as structural analysis gives it.

    In: sim, driver.
    """

    frequency: Annotated[float, Quantity("hz", gt=0.0, le=1000.0)]
    """Cantilever: with the object held still."""
    damping: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.005
    """Ratio, cantilever as well."""
    translation: Annotated[Array, Quantity(length=3)]
    """Linear momentum per modal speed, object axes, in the root of kg."""
    rotation: Annotated[Array, Quantity(length=3)]
    """Angular momentum per modal speed about the object's centre of mass, object axes, in the root of kg
    times m."""
    start: Annotated[float, Quantity(ge=-100.0, le=100.0)] = 0.0
    """Modal deflection with which floating begins, in the root of kg times m."""


class Knot(Section):
    """A row of a gyrostat's script: where its joints are at an object time. In: sim."""

    time: Annotated[float, Quantity("s", ge=0.0, le=1e6)]
    """Object time, from the start of floating; each row later than the one before."""
    joints: Annotated[Array, Quantity("deg", ge=-720.0, le=720.0, some=True)]
    """All joints."""


class Inside(Section):
    """Bodies that move inside the floating object, or on it (docs/understand/inside.md).

    Absent: the object is rigid. Beside it `object.mass_kg` and `object.inertia_kg_m2` are, of a gyrostat and
    of a tree, the base's alone, and come with the arm's on top; of modes they are the whole object's.
    In: sim, driver, dashboard.
    """

    kind: Kind
    """`gyrostat`: an arm whose joints move as a script or the user says; `modes`: panels and tanks that
    vibrate a little; `tree`: an arm with free or compliant joints, and panels on hinges."""
    arm: Path | None = None
    """URDF of the arm inside, or an assembly of the workbench (.toml), relative to the configuration's
    folder; its first link is fixed to the object. Of a gyrostat and of a tree."""
    arm_position: Millimetres3 = frozen_array([0.0, 0.0, 0.0])
    """Where its first link's frame lies: from the object's frame, object axes."""
    arm_rotvec: Degrees3 = frozen_array([0.0, 0.0, 0.0])
    """Turn of that frame in the object's axes: axis times angle."""
    motion: Literal["script", "stream"] = "script"
    """Of a gyrostat's joints: over object time as a script has them, or as orders on the topic
    `inside_joints` say."""
    script: Path | None = None
    """CSV with a line of names, then rows of object time in s and of all joints in deg; in between the joints
    move along a cubic spline, before and behind it they stand."""
    knot: tuple[Knot, ...] = ()
    """The rows in the configuration itself, in place of a file."""
    start: Annotated[Array | None, Quantity("deg", ge=-720.0, le=720.0, some=True)] = None
    """Joints with which floating begins, of a stream and of a tree; absent: all 0."""
    silence: Annotated[float, Quantity("s", ge=0.1, le=60.0)] = 3.0
    """After the last order of a stream its velocities are held for so long, then the joints come to rest."""
    stiffness: Annotated[Array | None, Quantity("n_m_per_rad", ge=0.0, le=1e6, some=True)] = None
    """Of a tree's arm: of the spring of each joint about `start_deg`; absent: the joints are free."""
    damping: Annotated[Array | None, Quantity("n_m_s_per_rad", ge=0.0, le=1e5, some=True)] = None
    """Of a tree's arm: of each joint; absent: none."""
    panel: tuple[Panel, ...] = ()
    """Panels on hinges, of modes and of a tree."""
    tank: tuple[Tank, ...] = ()
    """Of modes."""
    mode: tuple[ModeShape, ...] = ()
    """Further modes."""


def inside_faults(inside: Inside, mass: float, force_mode: str, beside: list[str]) -> list[str]:
    """Return what no single key of the table shows, a sentence each.

    Args:
        inside: the table.
        mass: `object.mass_kg`.
        force_mode: `force.mode`.
        beside: names of the tables `scene`, `docking` and `admittance` that are given.
    """
    faults = [
        f"object.inside and {name} are both given: {name} knows a rigid object only; take one of them out"
        for name in beside
    ]
    if force_mode != "pushes":
        faults.append(
            f"object.inside is refused with force.mode = {force_mode!r}: continuous force flies a rigid "
            "body; "
            'write force.mode = "pushes", or take [object.inside] out'
        )
    keys = {name: key for key, name in Inside.keys().items()}
    usual = {name: field.default for name, field in Inside.model_fields.items()}
    given = [name for name in keys if name != "kind" and _differs(getattr(inside, name), usual[name])]
    faults += [
        f"object.inside.{keys[name]} is refused with kind = {inside.kind!r}: take it out"
        for name in given
        if name not in ALLOWED[inside.kind]
    ]
    own = {"gyrostat": _gyrostat_faults, "modes": _modes_faults, "tree": _tree_faults}[inside.kind]
    return faults or [*own(inside, mass), *_axis_faults(inside)]


def _differs(value: Any, usual: Any) -> bool:
    """Return whether a value is not the default."""
    if isinstance(value, np.ndarray) or isinstance(usual, np.ndarray):
        return not np.array_equal(value, usual)
    return bool(value != usual)


def _gyrostat_faults(inside: Inside, mass: float) -> list[str]:
    if inside.arm is None:
        return ["object.inside.arm is missing: a gyrostat needs the URDF of its arm, or an assembly's .toml"]
    scripts = [name for name in ("script", "knot") if getattr(inside, name)]
    if inside.motion == "stream":
        return [f"object.inside.{name} is refused with motion = 'stream': take it out" for name in scripts]
    if len(scripts) != 1:
        return [
            f"object.inside.script and [[object.inside.knot]] are {'both' if scripts else 'not'} given: "
            "write "
            "exactly one of them, or motion = 'stream'"
        ]
    if inside.start is not None:
        return ["object.inside.start_deg is refused with motion = 'script': its first row is the start"]
    return []


def _modes_faults(inside: Inside, mass: float) -> list[str]:
    if not (inside.panel or inside.tank or inside.mode):
        return ["object.inside has no modes: write [[object.inside.panel]], tank or mode"]
    faults = [
        f"object.inside.panel[{k}].frequency_hz = 0 is refused with kind = 'modes': a free hinge is no "
        "vibration; write its frequency, or kind = 'tree'"
        for k, panel in enumerate(inside.panel)
        if not panel.frequency > 0.0
    ]
    carried = sum(panel.mass for panel in inside.panel) + sum(tank.mass for tank in inside.tank)
    if carried >= mass:
        faults.append(
            f"object.inside: panels and tanks weigh {carried:g} kg, object.mass_kg = {mass:g} is the whole "
            "object's, with them: it must be more"
        )
    return faults


def _tree_faults(inside: Inside, mass: float) -> list[str]:
    if inside.arm is None and not inside.panel:
        return [
            "object.inside has nothing that hangs on the base: name an arm, or write [[object.inside.panel]]"
        ]
    arms = [name for name in ("start", "stiffness", "damping") if getattr(inside, name) is not None]
    if inside.arm is None and arms:
        keys = {name: key for key, name in Inside.keys().items()}
        return [f"object.inside.{keys[name]} stands there without an arm: take it out" for name in arms]
    return []


def _axis_faults(inside: Inside) -> list[str]:
    parts: list[tuple[str, Any]] = [(f"panel[{k}]", part) for k, part in enumerate(inside.panel)]
    parts += [(f"tank[{k}]", part) for k, part in enumerate(inside.tank)]
    faults = [
        f"object.inside.{name}.axis = {plain_numbers(part.axis)} has no direction: write one, as [1.0, "
        "0.0, 0.0]"
        for name, part in parts
        if not np.linalg.norm(part.axis) > 0.0
    ]
    for k, panel in enumerate(inside.panel):
        a, b, c = sorted(panel.inertia)
        if a + b < c * (1.0 - 1e-9):
            faults.append(
                f"object.inside.panel[{k}].inertia_kg_m2 = {plain_numbers(panel.inertia)} is no body's: the "
                "largest must be at most the sum of the other two"
            )
    return faults
