"""Where panels on hinges are, to be drawn."""

import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.common.geometry import matrix_from_quat, quat_from_rotvec, quat_multiply
from hil.configuration.tables.inside import Panel


def panel_poses(panels: tuple[Panel, ...], angles: Array, p: Array, quat: Array) -> SingleArray:
    """Return position of the hinge and attitude of each panel in the world, (n, 7).

    Args:
        panels: on the object.
        angles: by which they are deflected [rad], shape (n,).
        p: of the object's frame in world [m], shape (3,).
        quat: its attitude, shape (4,).
    """
    R = matrix_from_quat(quat)
    rows = []
    for panel, angle in zip(panels, angles, strict=True):
        turn = quat_from_rotvec(float(angle) * panel.axis / np.linalg.norm(panel.axis))
        rows.append(np.concatenate((p + R @ panel.hinge, quat_multiply(quat, turn))))
    return np.array(rows, np.float32).reshape(-1, 7)
