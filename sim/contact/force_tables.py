"""What the compiled forces read, arrays only: a model's tree, an impedance, a push, an orbit, seals, latches.

Built once from the model; nothing here changes while the simulation runs, so that a state and its time say
all that a rewind or a prediction needs.
"""

from typing import NamedTuple

import mujoco
import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from sim.contact.parts import Parts, no_parts
from sim.contact.seating import Latch, no_latch

NO_IMPEDANCE, JOINT, CARTESIAN = 0, 1, 2


class Tree(NamedTuple):
    """The model's bodies and joints."""

    parent: IntArray  # (nbody,) of each body; parents come before their children
    root: IntArray  # (nbody,) the body under the world that carries it
    mass: Array  # (nbody,) kg
    inertia: Array  # (nbody, 3) principal, about the centre of mass [kg m2]
    joint_kind: IntArray  # (njnt,) mujoco.mjtJoint
    joint_body: IntArray  # (njnt,)
    joint_dof: IntArray  # (njnt,) the first of its degrees of freedom


class Chain(NamedTuple):
    """The joints from a base to an effector, and the point that is held."""

    joint: IntArray  # (n,)
    qpos: IntArray  # (n,) addresses
    dof: IntArray  # (n,)
    base: int  # body
    effector: int  # body
    point: Array  # (3,) held point, effector's frame [m]


class Impedance(NamedTuple):
    """Springs and dampers of the joints (7,) or of the effector (6,), and the path that they hold to."""

    kind: int  # NO_IMPEDANCE, JOINT or CARTESIAN
    stiffness: Array  # (n,) N m/rad; or (6,) N/m, N m/rad, axes of the desired pose
    damping: Array  # the same, N m s/rad; or N s/m, N m s/rad
    nullspace_damping: float  # N m s/rad, Cartesian only
    time: Array  # (m,) of the knots [s], rising
    knots: Array  # (m, n) joints [rad]; or (m, 7) position [m] and attitude w x y z in the base's frame


class ForceTables(NamedTuple):
    """All that acts beside gravity and contact."""

    tree: Tree
    chain: Chain
    impedance: Impedance
    push_time: Array  # (k,) of the push's knots [s], rising
    push: Array  # (k,) force [N] on the held point
    push_axis: Array  # (3,) its direction, effector's frame
    rate: float  # mean motion of the orbit [rad/s]; 0: no orbit
    latch: Latch
    parts: Parts


class Kinematics(NamedTuple):
    """Where everything is: views of MuJoCo's data, of the step's beginning."""

    qpos: Array  # (nq,)
    qvel: Array  # (nv,)
    bias: Array  # (nv,) qfrc_bias
    xpos: Array  # (nbody, 3) frames in world
    xquat: Array  # (nbody, 4)
    xmat: Array  # (nbody, 9)
    xipos: Array  # (nbody, 3) centres of mass
    ximat: Array  # (nbody, 9)
    xaxis: Array  # (njnt, 3)
    xanchor: Array  # (njnt, 3)
    cvel: Array  # (nbody, 6) angular, then linear at the root's subtree_com
    subtree_com: Array  # (nbody, 3)
    eq_active: BoolArray  # (neq,)
    userdata: Array  # (n,) what the parts remember


def tree_of(model: mujoco.MjModel) -> Tree:
    """Return the tables of a model's bodies and joints."""
    return Tree(
        parent=np.array(model.body_parentid, dtype=np.int64),
        root=np.array(model.body_rootid, dtype=np.int64),
        mass=np.array(model.body_mass),
        inertia=np.array(model.body_inertia),
        joint_kind=np.array(model.jnt_type, dtype=np.int64),
        joint_body=np.array(model.jnt_bodyid, dtype=np.int64),
        joint_dof=np.array(model.jnt_dofadr, dtype=np.int64),
    )


def chain_of(model: mujoco.MjModel, base: int, effector: int, point: Array) -> Chain:
    """Return the hinges between two bodies, from the base on.

    Args:
        model: the compiled scene.
        base: body that the impedance is relative to.
        effector: body that is held.
        point: of the effector that is held, its frame [m], shape (3,).
    """
    joints: list[int] = []
    body = effector
    while body not in (base, 0):
        first = int(model.body_jntadr[body])
        joints[:0] = range(first, first + int(model.body_jntnum[body])) if first >= 0 else []
        body = int(model.body_parentid[body])
    index = np.array(joints, dtype=np.int64)
    return Chain(
        joint=index,
        qpos=np.array(model.jnt_qposadr[index], dtype=np.int64),
        dof=np.array(model.jnt_dofadr[index], dtype=np.int64),
        base=base,
        effector=effector,
        point=np.array(point, dtype=np.float64),
    )


def no_forces(model: mujoco.MjModel) -> ForceTables:
    """Return tables with which nothing acts."""
    nothing = np.zeros(0)
    chain = Chain(*(np.zeros(0, np.int64),) * 3, 0, 0, np.zeros(3))
    impedance = Impedance(NO_IMPEDANCE, nothing, nothing, 0.0, nothing, np.zeros((0, 0)))
    return ForceTables(
        tree_of(model), chain, impedance, nothing, nothing, np.array([0.0, 0.0, 1.0]), 0.0, no_latch(),
        no_parts(),
    )  # fmt: skip


def kinematics_of(data: mujoco.MjData) -> Kinematics:
    """Return views of what the forces read of a simulation's state."""
    return Kinematics(
        qpos=data.qpos,
        qvel=data.qvel,
        bias=data.qfrc_bias,
        xpos=data.xpos,
        xquat=data.xquat,
        xmat=data.xmat,
        xipos=data.xipos,
        ximat=data.ximat,
        xaxis=data.xaxis,
        xanchor=data.xanchor,
        cvel=data.cvel,
        subtree_com=data.subtree_com,
        eq_active=data.eq_active,
        userdata=data.userdata,
    )
