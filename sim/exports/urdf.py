"""URDF: links, joints, limits, drives, solids, and the interfaces of a joint controller.

Link i is link unit i with its joint's frame, `flange` the tip. URDF has no gravity and no armature: the
latter stands in the transmissions, as rotor inertia and ratio in Drake's elements, their product
`rotor_inertia * gear_ratio**2`.
"""

from xml.etree.ElementTree import Element, SubElement

import numpy as np

from hil.common.arrays import Array
from sim.assembly.chain import Chain, pose_of
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import Manipulator
from sim.exports.joint_side import joint_side
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
        for shape in placed.body.shapes:
            _add_shape(link, shape, placed.T_unit_body)


def _add_shape(link: Element, shape: Shape, T_unit_body: Array) -> None:
    T = T_unit_body @ pose_of(shape.position, shape.rotvec)
    radius, length = shape.size[0], shape.size[1]
    balls: tuple[float, ...] = ()
    if shape.solid == "box":
        solid = "box", {"size": numbers(shape.size)}
    elif shape.solid == "sphere":
        solid = "sphere", {"radius": number(radius)}
    elif shape.solid in ("cylinder", "capsule"):
        solid = "cylinder", {"radius": number(radius), "length": number(length)}
        balls = (-0.5 * length, 0.5 * length) if shape.solid == "capsule" else ()
    else:
        return
    _add_visual(link, T, *solid, shape.colour)
    for z in balls:
        end = T @ pose_of(np.array([0.0, 0.0, z]), np.zeros(3))
        _add_visual(link, end, "sphere", {"radius": number(radius)}, shape.colour)


def _add_visual(link: Element, T: Array, solid: str, size: dict[str, str], colour: Array) -> None:
    visual = SubElement(link, "visual")
    _add_origin(visual, T)
    SubElement(SubElement(visual, "geometry"), solid, size)
    material = SubElement(visual, "material", {"name": "_".join(f"{255 * c:.0f}" for c in colour)})
    SubElement(material, "color", {"rgba": numbers([*colour, 1.0])})


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
