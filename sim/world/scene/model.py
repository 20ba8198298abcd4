"""The file of a scene: plain MJCF, which opens in any MuJoCo viewer.

It has one free body, the emulated object, with its frame at the centre of mass; mass and inertia are the
configuration's, not the file's, and gravity is none. All else stands still.
"""

import mujoco
import numpy as np

from hil.common.engine import hear_warnings
from hil.common.errors import SceneError
from hil.configuration.schema import Scene as SceneSection

AT_COM = 1e-6  # [m] by which the body's frame may miss the centre of mass


def checked_model(section: SceneSection) -> mujoco.MjModel:
    """Return the scene's model.

    Raises:
        SceneError: MuJoCo refuses the file, or it breaks one of the rules above.
    """
    hear_warnings()
    file, name = section.file, section.body
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
    except (ValueError, mujoco.FatalError) as error:
        raise SceneError(f"{file}: MuJoCo refuses the scene: {' '.join(str(error).split())}") from error
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
    if number < 0:
        names = ", ".join(repr(model.body(i).name) for i in range(1, model.nbody)) or "none"
        raise SceneError(f"{file}: there is no body {name!r} (scene.body); bodies: {names}")
    joints = model.jnt_type[model.jnt_bodyid == number]
    if list(joints) != [mujoco.mjtJoint.mjJNT_FREE]:
        raise SceneError(f"{file}: body {name!r} must have a free joint and no other: <freejoint/>")
    if model.njnt != 1:
        raise SceneError(f"{file}: {model.njnt} joints; only the object may move, make all else static")
    offset = float(np.linalg.norm(model.body_ipos[number]))
    if offset > AT_COM:
        raise SceneError(
            f"{file}: body {name!r} has its centre of mass {1e3 * offset:.3g} mm from its frame, at most "
            f'{1e3 * AT_COM:g} mm is allowed: shift its geoms, or give <inertial pos="0 0 0" .../>'
        )
    return model
