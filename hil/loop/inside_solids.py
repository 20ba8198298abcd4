"""What bodies inside the object look like: bars from joint to joint, panels as thin boxes."""

import numpy as np

from drivers.robot.model import quat_of
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.solid import Solid

INSIDE = "inside_"  # begins the names of their frames
THICK = 0.06  # [m] of a bar
BAR, JOINT = np.array([0.55, 0.75, 0.95, 0.6]), np.array([0.25, 0.35, 0.5, 0.8])
LEAST = 0.02  # [m] between two joints that are drawn as a bar


def inside_frames(configuration: Configuration) -> list[str]:
    """Return the names of the frames of the bodies that move inside, in `SimState.other_poses`' order.

    Raises:
        ConfigurationError: what is inside is refused.
    """
    if configuration.object.inside is None:
        return []
    from sim.world.flight.inside_setting import inside_shapes  # most runs never need it

    return [f"{INSIDE}{k + 1}" for k in range(len(inside_shapes(configuration)))]


def inside_solids(configuration: Configuration) -> list[Solid]:
    """Return the solids of the bodies that move inside, on the frames of `inside_frames`.

    Raises:
        ConfigurationError: what is inside is refused.
    """
    if configuration.object.inside is None:
        return []
    from sim.world.flight.inside_setting import inside_shapes  # most runs never need it

    solids = []
    for k, shape in enumerate(inside_shapes(configuration)):
        frame = f"{INSIDE}{k + 1}"
        if shape.box is not None:
            centre, size = shape.box
            solids.append(Solid(frame, "box", size, centre, np.array([1.0, 0.0, 0.0, 0.0]), BAR))
            continue
        solids.append(
            Solid(
                frame, "sphere", np.full(3, THICK * 1.2), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), JOINT
            )
        )
        solids += [_bar(frame, end) for end in shape.ends if np.linalg.norm(end) > LEAST]
    return solids


def _bar(frame: str, end: Array) -> Solid:
    """Return a cylinder from a frame's origin to a point in it (3,) [m]."""
    length = float(np.linalg.norm(end))
    z = end / length
    x = np.cross(z, [0.0, 0.0, 1.0] if abs(z[2]) < 0.9 else [1.0, 0.0, 0.0])
    x /= np.linalg.norm(x)
    R = np.column_stack((x, np.cross(z, x), z))
    return Solid(frame, "cylinder", np.array([THICK, THICK, length]), 0.5 * end, quat_of(R), BAR)
