"""Which bodies of a scene move by themselves, besides the emulated object."""

import mujoco


def other_bodies(model: mujoco.MjModel, own: int) -> list[int]:
    """Return the numbers of the bodies that move and are no part of body `own`, in the model's order.

    `SimState.other_poses` has a row for each of them.
    """
    roots = model.body_weldid
    return [i for i in range(1, model.nbody) if roots[i] not in (0, roots[own])]
