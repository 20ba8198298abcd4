"""X3D: the arm's solids grouped by link unit, joints as transforms that a viewer or a script turns.

source: Krenn et al., VRML export; X3D is VRML's successor. Each joint is a Transform `NAME` whose rotation
(revolute) or translation (linear) is what a script or a ROUTE sets; `MOTION` and `CLOCK` swing the joints
one after the other, by 0.4 rad or a tenth of the way.
"""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix, rotvec_from_quat
from sim.assembly.chain import Chain
from sim.assembly.manipulator import Manipulator
from sim.exports.link_units import sides_of
from sim.exports.primitives import Primitive, primitives_of
from sim.exports.swing import KEYS, swing
from sim.exports.text import identifier, number, numbers, xml_text

SECONDS = 2.0  # of each joint's swing


def x3d_text(manipulator: Manipulator, chain: Chain) -> str:
    """Return a manipulator as X3D."""
    root = Element("X3D", {"profile": "Interchange", "version": "3.3"})
    head = SubElement(root, "head")
    SubElement(head, "meta", {"name": "title", "content": manipulator.name})
    scene = SubElement(root, "Scene")
    up = {"DEF": "base", "rotation": numbers([1.0, 0.0, 0.0, -0.5 * np.pi])}  # X3D has y upwards
    place = SubElement(scene, "Transform", up)
    _add_unit(place, manipulator, 0)
    for i, axis in enumerate(manipulator.axes):
        placed = _transform(place, manipulator.chain.placements[i])
        place = SubElement(placed, "Transform", {"DEF": identifier(axis.name)})
        _add_unit(place, manipulator, i + 1)
    tip = _transform(place, manipulator.chain.T_last_tip)
    tip.set("DEF", "flange")
    _add_motion(scene, manipulator)
    return xml_text(root)


def _transform(parent: Element, T: Array) -> Element:
    turn = rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(T[:3, :3])))
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle > 0.0 else np.array([0.0, 0.0, 1.0])
    attributes = {"translation": numbers(T[:3, 3]), "rotation": numbers([*axis, angle])}
    return SubElement(parent, "Transform", attributes)


def _add_unit(parent: Element, manipulator: Manipulator, i: int) -> None:
    for side, bodies in sides_of(manipulator, i).items():
        group = SubElement(parent, "Group", {"DEF": f"link_{i}_{side}"})
        for placed in bodies:
            for primitive in primitives_of(placed):
                _add_solid(_transform(group, primitive.T), primitive)


def _add_solid(place: Element, primitive: Primitive) -> None:
    if primitive.solid == "cylinder":  # X3D's lie along y
        place = SubElement(place, "Transform", {"rotation": numbers([1.0, 0.0, 0.0, 0.5 * np.pi])})
    names = {"Box": ("size",), "Cylinder": ("radius", "height"), "Sphere": ("radius",)}
    kind = primitive.solid.capitalize()
    values = [numbers(primitive.size)] if kind == "Box" else map(number, primitive.size)
    node = SubElement(place, "Shape")
    SubElement(SubElement(node, "Appearance"), "Material", {"diffuseColor": numbers(primitive.colour)})
    SubElement(node, kind, dict(zip(names[kind], values, strict=True)))


def _add_motion(scene: Element, manipulator: Manipulator) -> None:
    n = len(manipulator.axes)
    clock = {"DEF": "CLOCK", "cycleInterval": number(SECONDS * max(n, 1)), "loop": "true"}
    SubElement(scene, "TimeSensor", clock)
    for i, (axis, keys) in enumerate(zip(manipulator.axes, swing(manipulator), strict=True)):
        name, direction = identifier(axis.name), manipulator.chain.axes[i]
        times = np.array([(i + key) / n for key in KEYS])
        values: Iterable[float]
        if axis.linear:
            kind, field, values = "Position", "translation", np.outer(keys, direction).ravel()
        else:
            kind, field, values = "Orientation", "rotation", [v for q in keys for v in (*direction, q)]
        curve = {"DEF": f"MOTION_{name}", "key": numbers(times), "keyValue": numbers(values)}
        SubElement(scene, f"{kind}Interpolator", curve)
        for source, event, sink, slot in (
            ("CLOCK", "fraction_changed", f"MOTION_{name}", "set_fraction"),
            (f"MOTION_{name}", "value_changed", name, f"set_{field}"),
        ):
            route = {"fromNode": source, "fromField": event, "toNode": sink, "toField": slot}
            SubElement(scene, "ROUTE", route)
