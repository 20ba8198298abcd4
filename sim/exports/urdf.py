"""URDF: links, joints, limits, drives, solids, and the interfaces of a joint controller.

Link i is link unit i with its joint's frame, `flange` the tip. URDF has no gravity and no armature: the
latter stands in the transmissions, as rotor inertia and ratio in Drake's elements, their product
`rotor_inertia * gear_ratio**2`.
"""

from xml.etree.ElementTree import Element, SubElement

from hil.common.arrays import Array
from sim.assembly.chain import Chain
from sim.assembly.manipulator import Manipulator
from sim.exports.joint_side import joint_side
from sim.exports.primitives import Primitive, primitives_of
from sim.exports.text import number, numbers, roll_pitch_yaw, xml_text

DRAKE = "http://drake.mit.edu"  # the name of a space of elements, no address that anybody visits
TIP = "flange"


def urdf_text(manipulator: Manipulator, chain: Chain) -> str:
    """Return a manipulator as URDF."""
    robot = Element("robot", {"name": manipulator.name, "xmlns:drake": DRAKE})
    mujoco = SubElement(robot, "mujoco")  # read by MuJoCo only: keep what is drawn, and each link
    SubElement(mujoco, "compiler", {"discardvisual": "false", "fusestatic": "false"})
    for i in range(len(manipulator.units)):
        _add_link(robot, manipulator, i)
    SubElement(robot, "link", {"name": TIP})
    for i in range(len(manipulator.axes)):
        _add_joint(robot, manipulator, chain, i)
    fixed = SubElement(robot, "joint", {"name": f"{TIP}_fixed", "type": "fixed"})
    _add_ends(fixed, f"link_{len(manipulator.axes)}", TIP, manipulator.chain.T_last_tip)
    for axis in manipulator.axes:
        side = joint_side(chain, axis.joint)
        transmission = SubElement(robot, "transmission", {"name": f"{axis.name}_drive"})
        SubElement(transmission, "type").text = "transmission_interface/SimpleTransmission"
        SubElement(transmission, "joint", {"name": axis.name})
        actuator = SubElement(transmission, "actuator", {"name": f"{axis.name}_motor"})
        SubElement(actuator, "mechanicalReduction").text = number(side.ratio)
        SubElement(actuator, "drake:rotor_inertia", {"value": number(side.rotor_inertia)})
        SubElement(actuator, "drake:gear_ratio", {"value": number(side.ratio)})
    _add_controller(robot, manipulator)
    return xml_text(robot)


def _add_link(robot: Element, manipulator: Manipulator, i: int) -> None:
    link = SubElement(robot, "link", {"name": f"link_{i}"})
    inertial = SubElement(link, "inertial")
    SubElement(inertial, "origin", {"xyz": numbers(manipulator.chain.centres[i]), "rpy": "0 0 0"})
    SubElement(inertial, "mass", {"value": number(manipulator.chain.masses[i])})
    I = manipulator.chain.inertias[i]  # noqa: E741
    moments = {"ixx": I[0, 0], "ixy": I[0, 1], "ixz": I[0, 2], "iyy": I[1, 1], "iyz": I[1, 2], "izz": I[2, 2]}
    SubElement(inertial, "inertia", {key: number(value) for key, value in moments.items()})
    for placed in manipulator.units[i]:
        for primitive in primitives_of(placed):
            _add_visual(link, primitive)


def _add_visual(link: Element, primitive: Primitive) -> None:
    names = {"box": ("size",), "cylinder": ("radius", "length"), "sphere": ("radius",)}[primitive.solid]
    values = [numbers(primitive.size)] if primitive.solid == "box" else map(number, primitive.size)
    visual = SubElement(link, "visual")
    _add_origin(visual, primitive.T)
    SubElement(SubElement(visual, "geometry"), primitive.solid, dict(zip(names, values, strict=True)))
    material = SubElement(visual, "material", {"name": "_".join(f"{255 * c:.0f}" for c in primitive.colour)})
    SubElement(material, "color", {"rgba": numbers([*primitive.colour, 1.0])})


def _add_joint(robot: Element, manipulator: Manipulator, chain: Chain, i: int) -> None:
    axis, side = manipulator.axes[i], joint_side(chain, manipulator.axes[i].joint)
    kind = "prismatic" if axis.linear else "revolute"
    joint = SubElement(robot, "joint", {"name": axis.name, "type": kind})
    _add_ends(joint, f"link_{i}", f"link_{i + 1}", manipulator.chain.placements[i])
    SubElement(joint, "axis", {"xyz": numbers(manipulator.chain.axes[i])})
    limits = {"lower": axis.joint.lower, "upper": axis.joint.upper, "effort": axis.effort}
    SubElement(
        joint, "limit", {key: number(v) for key, v in {**limits, "velocity": axis.joint.speed}.items()}
    )
    SubElement(joint, "dynamics", {"damping": number(side.damping), "friction": number(side.friction)})


def _add_ends(joint: Element, parent: str, child: str, T: Array) -> None:
    SubElement(joint, "parent", {"link": parent})
    SubElement(joint, "child", {"link": child})
    _add_origin(joint, T)


def _add_origin(element: Element, T: Array) -> None:
    SubElement(element, "origin", {"xyz": numbers(T[:3, 3]), "rpy": numbers(roll_pitch_yaw(T[:3, :3]))})


def _add_controller(robot: Element, manipulator: Manipulator) -> None:
    """Add what ros2_control asks a URDF for: each joint's command and states."""
    control = SubElement(robot, "ros2_control", {"name": manipulator.name, "type": "system"})
    SubElement(SubElement(control, "hardware"), "plugin").text = "mock_components/GenericSystem"
    for axis in manipulator.axes:
        joint = SubElement(control, "joint", {"name": axis.name})
        command = SubElement(joint, "command_interface", {"name": "position"})
        SubElement(command, "param", {"name": "min"}).text = number(axis.joint.lower)
        SubElement(command, "param", {"name": "max"}).text = number(axis.joint.upper)
        for state in ("position", "velocity", "effort"):
            SubElement(joint, "state_interface", {"name": state})
