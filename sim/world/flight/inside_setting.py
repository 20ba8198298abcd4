"""What a configuration's bodies inside are: the arm, its joints' path, the flight; all refusals are here."""

import numpy as np

from hil.common.arrays import Array, plain_numbers
from hil.common.errors import ConfigurationError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.configuration import Configuration
from hil.configuration.tables.inside import Inside
from sim.world.flight.gyrostat import GyrostatFlight
from sim.world.flight.inside import InsideFlight
from sim.world.flight.modal import ModalFlight
from sim.world.flight.tree import TreeFlight
from sim.world.inside.arm_tree import ArmTree, bare_base, load_arm_tree
from sim.world.inside.joint_orders import JointOrders
from sim.world.inside.modal_shapes import modes_of
from sim.world.inside.script import scripted_path
from sim.world.inside.shapes import Shape, arm_shapes, panel_shapes
from sim.world.inside.tree_model import ArmJoints, tree_model


def inside_of(configuration: Configuration) -> Inside:
    """Return the table [object.inside] of a configuration that has one."""
    inside = configuration.object.inside
    assert inside is not None
    return inside


def inside_flight(configuration: Configuration) -> InsideFlight:
    """Return the flight of an object with bodies inside.

    Raises:
        ConfigurationError: they are refused; names key, value, bound and remedy.
    """
    inside = inside_of(configuration)
    if inside.kind == "modes":
        return ModalFlight(configuration, modes_of(configuration), inside.panel)
    if inside.kind == "tree":
        return _tree_flight(configuration)
    arm = arm_of(configuration)
    if inside.motion == "stream":
        orders = JointOrders(arm, start_of(inside, arm), inside.silence, configuration.simulation.history)
        return GyrostatFlight(configuration, arm, orders)
    return GyrostatFlight(configuration, arm, scripted_path(inside, arm))


def _tree_flight(configuration: Configuration) -> TreeFlight:
    """Return the flight of a tree of hinges."""
    inside, body, joints = inside_of(configuration), configuration.object, None
    if inside.arm is not None:
        arm = arm_of(configuration)
        rest = start_of(inside, arm)
        springs = (_of_joints(inside.stiffness, "stiffness_n_m_per_rad", arm),
                   _of_joints(inside.damping, "damping_n_m_s_per_rad", arm))  # fmt: skip
        joints = ArmJoints(arm, rest, *springs)
    carried = sum(panel.mass for panel in inside.panel) + (0.0 if joints is None else joints.arm.carried)
    if carried > body.mass:
        raise ConfigurationError(
            f"object.inside: what hangs on the base weighs {carried:.4g} kg, more than object.mass_kg = "
            f"{body.mass:g}, which is the base's alone: give the base's mass, or lighter bodies"
        )
    model, begins = tree_model(body.mass, np.array(body.inertia), joints, inside.panel)
    return TreeFlight(configuration, model, begins)


def _of_joints(values: Array | None, key: str, arm: ArmTree) -> Array:
    """Return one value for each joint of an arm, (n,); 0 where none is given."""
    n = len(arm.names)
    if values is not None and len(values) != n:
        raise ConfigurationError(
            f"object.inside.{key} has {len(values)} values, the arm of object.inside.arm has {n} joints: "
            f"{', '.join(arm.names)}"
        )
    return np.zeros(n) if values is None else np.array(values)


def inside_shapes(configuration: Configuration) -> list[Shape]:
    """Return what the bodies inside are drawn as, in the order of `Flight.other_poses`.

    Raises:
        ConfigurationError: they are refused.
    """
    inside = inside_of(configuration)
    arm = [] if inside.arm is None else arm_shapes(arm_of(configuration))
    return arm + panel_shapes(inside.panel)


def arm_of(configuration: Configuration) -> ArmTree:
    """Return the arm inside, on the object as its base.

    Raises:
        ConfigurationError: it is refused, or heavier than its base.
    """
    inside, body = inside_of(configuration), configuration.object
    assert inside.arm is not None
    T = np.eye(4)
    T[:3, :3] = matrix_from_quat(quat_from_rotvec(np.array(inside.arm_rotvec)))
    T[:3, 3] = inside.arm_position
    arm = load_arm_tree(inside.arm, T, bare_base(body.mass, np.array(body.inertia)))
    if arm.carried > body.mass:
        raise ConfigurationError(
            f"object.inside.arm = {str(inside.arm)!r}: what moves weighs {arm.carried:.4g} kg, more than "
            f"object.mass_kg = {body.mass:g}, which is the base's alone: give the base's mass, or a "
            "lighter arm"
        )
    return arm


def start_of(inside: Inside, arm: ArmTree) -> Array:
    """Return the joints with which floating begins [rad], shape (n,).

    Raises:
        ConfigurationError: they do not fit the arm.
    """
    n = len(arm.names)
    q = np.zeros(n) if inside.start is None else np.array(inside.start)
    if len(q) != n:
        raise ConfigurationError(
            f"object.inside.start_deg has {len(q)} joints, the arm of object.inside.arm has {n}: "
            f"{', '.join(arm.names)}"
        )
    for j, name in enumerate(arm.names):
        if not arm.lower[j] <= q[j] <= arm.upper[j]:
            low, high = np.rad2deg([arm.lower[j], arm.upper[j]])
            raise ConfigurationError(
                f"object.inside.start_deg = {plain_numbers(np.rad2deg(q))}: joint {name!r} must be within "
                f"{low:.4g} to {high:.4g} deg"
            )
    return q
