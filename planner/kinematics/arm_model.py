"""The arm as the loop sees it: its geometry, its limits and its bodies, read from its URDF.

An arm of ours (see `closed_form`) has the closed form and with it all branches; any other arm of seven
joints is a chain, for the inverse kinematics of any chain.
"""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.errors import RobotModelError
from planner.kinematics.arm_bodies import Capsule, bodies_of, bodies_of_ours
from planner.kinematics.arm_geometry import Geometry, geometry_of
from planner.kinematics.closed_form import NoClosedFormError, chain_of, lengths_and_signs, massless_chain
from planner.kinematics.urdf_arm import axis_of, joints_of, limits_of, origin_of, urdf_root
from sim.chain.serial_chain import SerialChain

BRANCHES = "branches"  # the inverse kinematics by the closed form
WIRE_RANGE = 4.0  # [rad] to both sides: beyond, positions of 32 bits on the wire are coarser than is judged


@dataclass(frozen=True, eq=False)
class ArmModel:
    """An arm of seven joints that turn.

    Attributes:
        names: the joints' names, base to flange.
        chain: from base to flange; kinematics only, its bodies have no mass.
        geometry: the same for the kernels of `forward`.
        lower: lowest joint positions [rad], shape (7,).
        upper: highest joint positions [rad], shape (7,).
        velocity: largest joint speeds [rad/s], shape (7,).
        bodies: what the mock-up may touch,
        unjudged: and why nothing can be said of that; empty if it can.
        open_form: why the arm is none of ours; empty if it is.
    """

    names: tuple[str, ...]
    chain: SerialChain
    geometry: Geometry
    lower: Array
    upper: Array
    velocity: Array
    bodies: tuple[Capsule, ...] = ()
    unjudged: str = ""
    open_form: str = ""

    @property
    def lengths(self) -> Array:
        """Base to shoulder, to elbow, to wrist, to flange [m], shape (4,); of an arm of ours."""
        return self._of_closed_form("lengths")

    @property
    def signs(self) -> Array:
        """+1 or -1, direction of each axis along z, y, z, y, z, y, z at zero pose, shape (7,); likewise."""
        return self._of_closed_form("signs")

    def _of_closed_form(self, part: str) -> Array:
        if self.open_form:
            raise RobotModelError(f"the arm has no closed form: {self.open_form}")
        return frozen_array(self.geometry[0][part])


def load_arm_model(path: Path) -> ArmModel:
    """Return the arm that the URDF or the assembly at `path` describes.

    Raises:
        RobotModelError: the file cannot be read, or its arm breaks a rule; names joint and rule.
    """
    try:
        return _model_from(urdf_root(path))
    except RobotModelError as error:
        raise RobotModelError(f"{path}: {error}") from error


def check_inverse(model: ArmModel, inverse: str, name: str = "robot.model") -> None:
    """Refuse branches for an arm that has none.

    Args:
        model: the arm.
        inverse: as `planner.inverse` names it.
        name: of the arm's file, for people.

    Raises:
        RobotModelError: it cannot be.
    """
    if inverse == BRANCHES and model.open_form:
        raise RobotModelError(
            f"planner.inverse = {BRANCHES!r} is refused for the arm of {name}: {model.open_form}; write "
            "inverse = 'lagrange' or 'passive-chain' under [planner]"
        )


def model_of_ours(
    names: tuple[str, ...], lengths: Array, signs: Array, lower: Array, upper: Array, velocity: Array
) -> ArmModel:
    """Return an arm of ours of lengths [m], shape (4,), signs and limits, see `ArmModel`."""
    chain = chain_of(lengths, signs)
    limits = frozen_array(lower), frozen_array(upper), frozen_array(velocity)
    return ArmModel(names, chain, geometry_of(chain, (lengths, signs)), *limits, bodies_of_ours(lengths))


def _model_from(root: ElementTree.Element) -> ArmModel:
    joints, flange_joint = joints_of(root)
    names = tuple(joint.get("name", "") for joint in joints)
    placements = [origin_of(joint, f"joint {name!r}") for joint, name in zip(joints, names, strict=True)]
    T_last_tip = origin_of(flange_joint, "joint of the flange")
    chain = massless_chain(placements, [axis_of(joint) for joint in joints], T_last_tip)
    lower, upper, velocity = np.array([limits_of(joint) for joint in joints]).T
    try:
        lengths, signs = lengths_and_signs(names, chain)
    except NoClosedFormError as reason:
        bodies, unjudged = bodies_of(root, joints)
        limits = _within(names, lower, upper, WIRE_RANGE)
        geometry, speeds = geometry_of(chain, None), frozen_array(velocity)
        return ArmModel(names, chain, geometry, *limits, speeds, bodies, unjudged, str(reason))
    for name, low, high in zip(names, lower, upper, strict=True):
        if low < -np.pi or high > np.pi:
            raise RobotModelError(f"joint {name!r} has limits [{low}, {high}] rad; both must be within +-pi")
    return model_of_ours(names, lengths, signs, lower, upper, velocity)


def _within(names: tuple[str, ...], lower: Array, upper: Array, most: float) -> tuple[Array, Array]:
    """Return limits that are nowhere beyond +-`most` [rad]."""
    low, high = np.maximum(lower, -most), np.minimum(upper, most)
    for name, least, greatest in zip(names, low, high, strict=True):
        if not least < greatest:
            raise RobotModelError(
                f"joint {name!r} turns beyond +-{most} rad only, which the wire cannot tell"
            )
    return frozen_array(low), frozen_array(high)
