"""What an assembly is as a mechanism: bodies that move as one, the joints between them, all numbers.

theory: the pose of each part is the product of markers and joint motions (Krenn, model export). Bodies
between two joints are one for the dynamics; each keeps its place in it, for pictures and exported files: a
link unit is the output side of the joint before, the structure, and the input side of the next one.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from sim.assembly.chain import Chain, marker, pose_of
from sim.assembly.component_rules import inertia_matrix
from sim.assembly.component_schema import Body, Joint, Revolute
from sim.chain.serial_chain import SerialChain, serial_chain


@dataclass(frozen=True, eq=False)
class PlacedBody:
    """A component's body in its link unit.

    Attributes:
        name: part and number of the body in it.
        body: what it is.
        T_unit_body: its place in the link unit's frame, shape (4, 4).
    """

    name: str
    body: Body
    T_unit_body: Array


@dataclass(frozen=True, eq=False)
class Axis:
    """A joint of the mechanism.

    Attributes:
        name: part, and a number where the part has several joints.
        joint: its component's table, with limits and the names of its drive's parts.
    """

    name: str
    joint: Joint

    @property
    def linear(self) -> bool:
        """Whether it slides."""
        return not isinstance(self.joint, Revolute)

    @property
    def effort(self) -> float:
        """Greatest torque [N m] or force [N]."""
        return self.joint.torque if isinstance(self.joint, Revolute) else self.joint.force


@dataclass(frozen=True, eq=False)
class Manipulator:
    """An assembly as a mechanism of n joints.

    Attributes:
        name: of the assembly.
        chain: the constants of its dynamics, for kernels.
        axes: its joints, base first, n of them.
        units: the bodies of each link unit, base first, n + 1 of them.
        gravity: in the base's axes [m/s2], shape (3,).
    """

    name: str
    chain: SerialChain
    axes: tuple[Axis, ...]
    units: tuple[tuple[PlacedBody, ...], ...]
    gravity: Array

    @property
    def lower(self) -> Array:
        """Least joint positions [rad, m], shape (n,)."""
        return np.array([axis.joint.lower for axis in self.axes])

    @property
    def upper(self) -> Array:
        """Greatest joint positions [rad, m], shape (n,)."""
        return np.array([axis.joint.upper for axis in self.axes])

    @property
    def speeds(self) -> Array:
        """Greatest joint speeds [rad/s, m/s], shape (n,)."""
        return np.array([axis.joint.speed for axis in self.axes])

    @property
    def efforts(self) -> Array:
        """Greatest joint torques and forces [N m, N], shape (n,)."""
        return np.array([axis.effort for axis in self.axes])

    @property
    def mass(self) -> float:
        """Of all bodies [kg]."""
        return float(self.chain.masses.sum())


def manipulator_of(chain: Chain) -> Manipulator:
    """Return the mechanism that an assembly is.

    Raises:
        AssemblyError: it has no parts.
    """
    if not chain.parts:
        raise AssemblyError(f"{chain.name}: has no parts; it begins with a base")
    axes: list[Axis] = []
    placements: list[Array] = []
    units: list[list[PlacedBody]] = [[]]
    T = np.eye(4)  # where the next part is joined, in the frame of the present link unit
    for part in chain.parts:
        c = part.component
        if c.input is not None:
            T = T @ pose_of(np.zeros(3), np.array([0.0, 0.0, part.turn])) @ np.linalg.inv(marker(c.input))
        for k, body in enumerate(c.bodies):
            if k > 0:
                joint = c.joints[k - 1]
                placements.append(T @ pose_of(joint.position, joint.rotvec))
                name = part.name if len(c.joints) == 1 else f"{part.name}_{k}"
                axes.append(Axis(name, joint))
                units.append([])
                T = np.eye(4)  # the joint's frame is that of the body behind it
            units[-1].append(PlacedBody(part.name if k == 0 else f"{part.name}_{k}", body, T))
        assert c.output is not None  # a rule of components
        T = T @ marker(c.output)
    merged = [_merged(unit) for unit in units]
    return Manipulator(
        chain.name,
        serial_chain(
            [axis.linear for axis in axes],
            placements,
            [axis.joint.axis for axis in axes],
            T,
            [mass for mass, _, _ in merged],
            [centre for _, centre, _ in merged],
            [inertia for _, _, inertia in merged],
            [armature_of(chain, axis.joint) for axis in axes],
        ),
        tuple(axes),
        tuple(tuple(unit) for unit in units),
        np.array(chain.gravity),
    )


def armature_of(chain: Chain, joint: Joint) -> float:
    """Return a drive's inertia on the joint's side [kg m2, kg]: its rotor's, by the square of its ratio."""
    if joint.motor is None or joint.gear is None:
        return joint.armature
    motor, gear = chain.database[joint.motor].motor, chain.database[joint.gear].gear
    if motor is None or gear is None:
        raise AssemblyError(f"{joint.motor!r} must be a motor, and {joint.gear!r} a gear")
    inertia = (motor.rotor_inertia + gear.inertia) * gear.ratio**2
    if isinstance(joint, Revolute):
        return inertia
    if joint.pitch is None:
        raise AssemblyError("a linear joint with motor and gear needs pitch_mm, the way of a turn")
    return inertia * (2.0 * np.pi / joint.pitch) ** 2


def _merged(unit: list[PlacedBody]) -> tuple[float, Array, Array]:
    """Return mass, centre (3,) and inertia about it (3, 3) of bodies that move as one, in the unit's axes."""
    mass = sum(placed.body.mass for placed in unit)
    centres = [placed.T_unit_body[:3, :3] @ placed.body.centre + placed.T_unit_body[:3, 3] for placed in unit]
    weighted = [placed.body.mass * centre for placed, centre in zip(unit, centres, strict=True)]
    centre = np.sum(weighted, axis=0) / mass if mass > 0.0 else np.zeros(3)
    total = np.zeros((3, 3))
    for placed, place in zip(unit, centres, strict=True):
        R, away = placed.T_unit_body[:3, :3], place - centre
        total += R @ inertia_matrix(placed.body.inertia) @ R.T
        total += placed.body.mass * (np.eye(3) * (away @ away) - np.outer(away, away))
    return mass, centre, total
