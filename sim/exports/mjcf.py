"""MJCF: the arm for MuJoCo, with joint controllers, a command input at the tip, and states as sensors.

Two groups of actuators, of which one works at a time (`<option actuatorgroupdisable>`):
group 0, `joint.NAME`: a position controller for each joint, its command the joint's position;
group 1, `tip.x` to `tip.rz`: a spring from the tip to the commanded pose in the base, its command position
[m] and rotation vector [rad]; and `damper.NAME`, which calm what the tip does not decide.
Gravity is compensated by the joints' actuators, within their torque.
"""

from xml.etree.ElementTree import Element, SubElement

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix
from sim.assembly.chain import Chain
from sim.assembly.manipulator import Manipulator
from sim.chain.dynamics import mass_matrix
from sim.exports.joint_side import joint_side
from sim.exports.primitives import Primitive, primitives_of
from sim.exports.swing import home_of
from sim.exports.text import number, numbers, xml_text

LEAST = 1e-12  # kg, kg m2: MuJoCo takes no body without mass
BANDWIDTH = 20.0  # rad/s, of a joint's controller with the arm stretched
TIP_STIFFNESS = (1e4, 1e4, 1e4, 1e3, 1e3, 1e3)  # N/m, N m/rad
TIP_WAYS = ("x", "y", "z", "rx", "ry", "rz")


def mjcf_text(manipulator: Manipulator, chain: Chain) -> str:
    """Return a manipulator as MJCF, in one file."""
    root = Element("mujoco", {"model": manipulator.name})
    SubElement(root, "compiler", {"angle": "radian", "autolimits": "true", "balanceinertia": "false"})
    option = {"gravity": numbers(manipulator.gravity), "timestep": "0.001", "integrator": "implicitfast"}
    SubElement(root, "option", {**option, "actuatorgroupdisable": "1"})
    body = SubElement(SubElement(root, "worldbody"), "body", {"name": "link_0"})
    SubElement(body, "site", {"name": "base"})
    _fill_body(body, manipulator, 0)
    for i in range(len(manipulator.axes)):
        placement = _pose(manipulator.chain.placements[i])
        body = SubElement(body, "body", {"name": f"link_{i + 1}", **placement, "gravcomp": "1"})
        _add_joint(body, manipulator, chain, i)
        _fill_body(body, manipulator, i + 1)
    SubElement(body, "site", {"name": "flange", **_pose(manipulator.chain.T_last_tip)})
    _add_actuators(root, manipulator)
    _add_sensors(root, manipulator)
    home = numbers(home_of(manipulator))
    still = numbers([0.0] * (len(TIP_WAYS) + len(manipulator.axes)))
    SubElement(SubElement(root, "keyframe"), "key", {"name": "home", "qpos": home, "ctrl": f"{home} {still}"})
    return xml_text(root)


def _pose(T: Array) -> dict[str, str]:
    return {"pos": numbers(T[:3, 3]), "quat": numbers(quat_from_matrix(np.ascontiguousarray(T[:3, :3])))}


def _fill_body(body: Element, manipulator: Manipulator, i: int) -> None:
    """Add inertia and solids; the solids weigh and touch nothing."""
    chain = manipulator.chain
    I = chain.inertias[i]  # noqa: E741
    least = float(np.linalg.eigvalsh(I)[0])
    I = I + np.eye(3) * max(LEAST - least, 0.0)  # noqa: E741
    full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    mass = number(max(chain.masses[i], LEAST))
    SubElement(
        body, "inertial", {"pos": numbers(chain.centres[i]), "mass": mass, "fullinertia": numbers(full)}
    )
    for placed in manipulator.units[i]:
        for primitive in primitives_of(placed):
            _add_geom(body, primitive)


def _add_geom(body: Element, primitive: Primitive) -> None:
    halved = {"box": (0.5, 0.5, 0.5), "cylinder": (1.0, 0.5), "sphere": (1.0,)}[primitive.solid]
    SubElement(
        body,
        "geom",
        {
            "type": primitive.solid,
            "size": numbers(np.array(primitive.size) * halved),
            **_pose(primitive.T),
            "rgba": numbers([*primitive.colour, 1.0]),
            "mass": "0",
            "contype": "0",
            "conaffinity": "0",
            "group": "1",
        },
    )


def _add_joint(body: Element, manipulator: Manipulator, chain: Chain, i: int) -> None:
    axis, side = manipulator.axes[i], joint_side(chain, manipulator.axes[i].joint)
    SubElement(
        body,
        "joint",
        {
            "name": axis.name,
            "type": "slide" if axis.linear else "hinge",
            "axis": numbers(manipulator.chain.axes[i]),
            "range": numbers([axis.joint.lower, axis.joint.upper]),
            "armature": number(manipulator.chain.armatures[i]),
            "damping": number(side.damping),
            "frictionloss": number(side.friction),
            "actuatorfrcrange": numbers([-axis.effort, axis.effort]),
            "actuatorgravcomp": "true",
        },
    )


def _add_actuators(root: Element, manipulator: Manipulator) -> None:
    actuators = SubElement(root, "actuator")
    inertias = np.diag(mass_matrix(manipulator.chain, home_of(manipulator)))
    for axis, inertia in zip(manipulator.axes, inertias, strict=True):
        SubElement(
            actuators,
            "position",
            {
                "name": f"joint.{axis.name}",
                "joint": axis.name,
                "group": "0",
                "kp": number(inertia * BANDWIDTH**2),
                "kv": number(2.0 * inertia * BANDWIDTH),
                "ctrlrange": numbers([axis.joint.lower, axis.joint.upper]),
            },
        )
    for k, (way, stiffness) in enumerate(zip(TIP_WAYS, TIP_STIFFNESS, strict=True)):
        SubElement(
            actuators,
            "position",
            {
                "name": f"tip.{way}",
                "site": "flange",
                "refsite": "base",
                "gear": numbers(np.eye(6)[k]),
                "group": "1",
                "kp": number(stiffness),
            },
        )
    for axis, inertia in zip(manipulator.axes, inertias, strict=True):
        SubElement(
            actuators,
            "velocity",
            {
                "name": f"damper.{axis.name}",
                "joint": axis.name,
                "group": "1",
                "kv": number(0.25 * inertia * BANDWIDTH),
            },
        )


def _add_sensors(root: Element, manipulator: Manipulator) -> None:
    sensors = SubElement(root, "sensor")
    for axis in manipulator.axes:
        for quantity, kind in (("q", "jointpos"), ("dq", "jointvel"), ("torque", "jointactuatorfrc")):
            SubElement(sensors, kind, {"name": f"{axis.name}.{quantity}", "joint": axis.name})
    for kind in ("framepos", "framequat", "framelinvel", "frameangvel"):
        ends = {"objtype": "site", "objname": "flange", "reftype": "site", "refname": "base"}
        SubElement(sensors, kind, {"name": f"tip.{kind.removeprefix('frame')}", **ends})
    for kind in ("force", "torque"):
        SubElement(sensors, kind, {"name": f"base.{kind}", "site": "base"})
