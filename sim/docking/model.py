"""The scene of a docking as a MuJoCo model: the file's bodies with the masses of the configuration.

The scene is plain MJCF and opens in any MuJoCo viewer. The module is a body with a free joint. The servicer
is a body with a free joint whose descendants form an arm of seven hinges; the effector is its last body.
Frames of module and base lie at their centres of mass. What touches is the interface's business alone.
"""

from dataclasses import dataclass

import mujoco
import numpy as np

from hil.common.arrays import Array, IntArray
from hil.common.engine import hear_warnings
from hil.common.errors import SceneError
from hil.common.geometry import quat_from_matrix
from hil.configuration.docking import Docking
from hil.configuration.schema import EmulatedObject
from sim.docking.mating import Mating

JOINTS = 7
LATCH = "latch"
AT_COM = 1e-6  # [m] by which a frame may miss the centre of mass


@dataclass(frozen=True, eq=False)
class DockingModel:
    """The compiled scene and where in its state everything is."""

    model: mujoco.MjModel
    module: int  # bodies
    base: int
    effector: int
    module_qpos: int  # first of 7
    module_dof: int  # first of 6
    base_qpos: int  # first of 7, or -1: the base is fixed
    base_dof: int
    joint_qpos: IntArray  # (7,)
    joint_dof: IntArray  # (7,)
    latch: int  # the weld, or -1: there is none


def scene_spec(docking: Docking) -> mujoco.MjSpec:
    """Return the scene of a docking as the file has it, editable.

    Raises:
        SceneError: MuJoCo refuses the file, or it lacks what the rules above want.
    """
    hear_warnings()
    file = docking.scene
    try:
        spec = mujoco.MjSpec.from_file(str(file))
        plain = spec.compile()
    except (ValueError, OSError, mujoco.FatalError) as error:
        raise SceneError(f"{file}: MuJoCo refuses the scene: {' '.join(str(error).split())}") from error
    _check(plain, docking)
    return spec


def docking_model(
    spec: mujoco.MjSpec, docking: Docking, body: EmulatedObject, mating: Mating, T_module_plate: Array,
    kept: int = 0,
) -> DockingModel:  # fmt: skip
    """Return the scene of a docking, compiled with the configuration's masses.

    Args:
        spec: the scene, changed in place.
        docking: the configuration's table.
        body: mass and inertia of the module.
        mating: the seated pattern, for the latch.
        T_module_plate: the plate's frame in the module's, shape (4, 4).
        kept: how many numbers of the state seals and latches need.
    """
    spec.nuserdata = kept
    _weigh(spec.body(docking.module_body), body.mass, body.inertia)
    base = spec.body(docking.servicer_body)
    _weigh(base, docking.servicer.base_mass, docking.servicer.base_inertia)
    if docking.servicer.base_fixed:
        spec.delete(base.first_joint())
        base.mocap = True  # so that its pose is a part of the state
    if docking.latch:
        _add_latch(spec, docking, T_module_plate @ mating.T_plate_effector)
    spec.option.gravity = [0.0, 0.0, 0.0]
    return _addressed(spec.compile(), docking)


def _weigh(body: mujoco.MjsBody, mass: float, inertia: Array) -> None:
    """Give a body the configuration's mass, with its frame at the centre of mass."""
    body.explicitinertial = True
    body.mass, body.inertia = mass, inertia
    body.ipos, body.iquat = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])


def _add_latch(spec: mujoco.MjSpec, docking: Docking, T_module_effector: Array) -> None:
    """Add the weld that holds the effector seated, open at first."""
    weld = spec.add_equality(name=LATCH, type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_BODY)
    weld.name1, weld.name2, weld.active = docking.module_body, docking.effector_body, False
    weld.data[:] = 0.0
    weld.data[3:6] = T_module_effector[:3, 3]
    weld.data[6:10] = quat_from_matrix(np.ascontiguousarray(T_module_effector[:3, :3]))
    weld.data[10] = 1.0


def _check(model: mujoco.MjModel, docking: Docking) -> None:
    """Refuse a scene that lacks the bodies, or has them joined otherwise."""
    file = docking.scene
    names = ", ".join(repr(model.body(i).name) for i in range(1, model.nbody)) or "none"
    for key in ("module_body", "servicer_body", "effector_body"):
        name = getattr(docking, key)
        if mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) < 0:
            raise SceneError(f"{file}: there is no body {name!r} (docking.{key}); bodies: {names}")
    for name in (docking.module_body, docking.servicer_body):
        body = model.body(name).id
        kinds = model.jnt_type[model.jnt_bodyid == body].tolist()
        if kinds != [int(mujoco.mjtJoint.mjJNT_FREE)]:
            raise SceneError(f"{file}: body {name!r} must have a free joint and no other: <freejoint/>")
        off = float(np.linalg.norm(model.body_ipos[body]))
        if off > AT_COM:
            raise SceneError(
                f"{file}: body {name!r} has its centre of mass {1e3 * off:.3g} mm from its frame; give it "
                '<inertial pos="0 0 0" .../>'
            )
    base, effector = model.body(docking.servicer_body).id, model.body(docking.effector_body).id
    if int(model.body_rootid[effector]) != base:
        raise SceneError(
            f"{file}: body {docking.effector_body!r} (docking.effector_body) is no part of "
            f"{docking.servicer_body!r}: the arm between them must be within that body"
        )
    kinds = model.jnt_type[[j for j in range(model.njnt) if model.jnt_bodyid[j] != base]].tolist()
    hinges = kinds.count(int(mujoco.mjtJoint.mjJNT_HINGE))
    if hinges != JOINTS or model.njnt != JOINTS + 2:
        raise SceneError(
            f"{file}: {model.njnt} joints, {hinges} of them hinges: two free joints and an arm of {JOINTS} "
            "hinges are wanted"
        )


def _addressed(model: mujoco.MjModel, docking: Docking) -> DockingModel:
    """Return the compiled model with its addresses."""

    def first_joint(name: str) -> int:
        return int(model.body(name).jntadr[0])

    module, base = first_joint(docking.module_body), first_joint(docking.servicer_body)
    hinges = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE)
    return DockingModel(
        model=model,
        module=model.body(docking.module_body).id,
        base=model.body(docking.servicer_body).id,
        effector=model.body(docking.effector_body).id,
        module_qpos=int(model.jnt_qposadr[module]),
        module_dof=int(model.jnt_dofadr[module]),
        base_qpos=int(model.jnt_qposadr[base]) if base >= 0 else -1,
        base_dof=int(model.jnt_dofadr[base]) if base >= 0 else -1,
        joint_qpos=np.array(model.jnt_qposadr[hinges], np.int64),
        joint_dof=np.array(model.jnt_dofadr[hinges], np.int64),
        latch=mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_EQUALITY, LATCH),
    )
