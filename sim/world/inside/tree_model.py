"""The physics engine's model of an object on which bodies hang by hinges: an arm, panels."""

from dataclasses import dataclass

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.engine import hear_warnings
from hil.common.errors import ConfigurationError
from hil.common.geometry import quat_from_matrix
from hil.configuration.tables.inside import Panel
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.modal_shapes import about_hinge

OBJECT = 1  # number of the base's body in the model


@dataclass(frozen=True, eq=False)
class ArmJoints:
    """An arm on the base, whose joints are springs.

    Attributes:
        arm: the arm; its base is the object's.
        rest: where the springs rest, and the joints begin [rad], shape (n,).
        stiffness: [N m/rad], shape (n,).
        damping: [N m s/rad], shape (n,).
    """

    arm: ArmTree
    rest: Array
    stiffness: Array
    damping: Array


def tree_model(
    mass: float, inertia: Array, joints: ArmJoints | None, panels: tuple[Panel, ...]
) -> tuple[mujoco.MjModel, Array]:
    """Return the model, without gravity, and where its hinges begin.

    Coordinates are those of a free joint at the object's frame, then the arm's joints, then the panels'.

    Args:
        mass: of the object without what hangs on it [kg].
        inertia: its principal moments [kg m2], shape (3,).
        joints: of an arm on it.
        panels: on it.

    Raises:
        ConfigurationError: the engine refuses it.
    """
    hear_warnings()
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, 0.0]
    # nothing touches and nothing is tied: what the engine need not look for
    off = mujoco.mjtDisableBit.mjDSBL_CONTACT, mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    spec.option.disableflags |= int(off[0]) | int(off[1])
    base = spec.worldbody.add_body(name="object")
    base.add_freejoint()
    begins: list[float] = []
    if joints is None:
        _weigh(base, mass, np.zeros(3), np.diag(inertia))
    else:
        _add_arm(base, joints)
        begins += joints.rest.tolist()
    for panel in panels:
        _add_panel(base, panel)
        begins.append(panel.start)
    try:
        return spec.compile(), np.array(begins)
    except (ValueError, mujoco.FatalError) as error:
        told = " ".join(str(error).split())
        raise ConfigurationError(f"object.inside: the physics engine refuses the tree: {told}") from error


def _add_arm(base: mujoco.MjsBody, joints: ArmJoints) -> None:
    arm, bodies = joints.arm, [base]
    _weigh(base, float(arm.mass[0]), arm.centre[0], arm.inertia[0])
    for k in range(1, len(arm.mass)):
        T = arm.placement[k]
        body = bodies[arm.parent[k]].add_body(
            pos=T[:3, 3], quat=quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
        )
        _weigh(body, float(arm.mass[k]), arm.centre[k], arm.inertia[k])
        _add_hinge(body, arm.axis[k], joints.stiffness[k - 1], joints.damping[k - 1], joints.rest[k - 1])
        bodies.append(body)


def _add_panel(base: mujoco.MjsBody, panel: Panel) -> None:
    about, omega = about_hinge(panel), 2.0 * np.pi * panel.frequency
    body = base.add_body(pos=panel.hinge)
    _weigh(body, panel.mass, panel.centre, np.diag(panel.inertia))
    axis = panel.axis / np.linalg.norm(panel.axis)
    _add_hinge(body, axis, omega * omega * about, 2.0 * panel.damping * omega * about, 0.0)


def _weigh(body: mujoco.MjsBody, mass: float, centre: Array, inertia: Array) -> None:
    body.explicitinertial = True
    body.mass, body.ipos = mass, centre
    body.fullinertia = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def _add_hinge(body: mujoco.MjsBody, axis: Array, stiffness: float, damping: float, rest: float) -> None:
    joint = body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    joint.stiffness, joint.damping = [float(stiffness), 0.0, 0.0], [float(damping), 0.0, 0.0]
    joint.springref, joint.limited = float(rest), mujoco.mjtLimited.mjLIMITED_FALSE
