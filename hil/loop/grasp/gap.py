"""How far the pads of a second arm are from the bar, by where its tip and the mock-up are. Pure."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.grasp import Grasp, rotation_of

FINGERS = np.repeat([1.0, -1.0], 4)


class BarGap:
    """A bar and two pads, each a square of four points; between the pads there is nothing."""

    def __init__(self, grasp: Grasp) -> None:
        """Take the bar and the pads of a configuration."""
        h = grasp.pad_half
        self._points = np.array([(x, 0.0, z, 1.0) for _ in range(2) for x in (h, -h) for z in (h, -h)])
        T_object_bar = np.eye(4)
        T_object_bar[:3, :3], T_object_bar[:3, 3] = rotation_of(grasp.bar_rotvec), grasp.bar_position
        self._T_object_bar, self._half = T_object_bar, 0.5 * grasp.bar_size

    def between(self, T_world_object: Array, T_world_tip: Array, opening: float) -> float:
        """Return the way between the bar and the nearest point of a pad [m]; negative within it.

        Args:
            T_world_object: pose of the mock-up, (4, 4).
            T_world_tip: pose of the tip, (4, 4).
            opening: of each pad from the middle [m].
        """
        self._points[:, 1] = opening * FINGERS
        T_world_bar = T_world_object @ self._T_object_bar
        R, half = T_world_bar[:3, :3], self._half
        at = (self._points @ T_world_tip[:3].T - T_world_bar[:3, 3]) @ R
        side = FINGERS if float(T_world_tip[:3, 1] @ R[:, 1]) > 0.0 else -FINGERS
        depth = half[1] - side * at[:, 1]
        beside = np.maximum(np.abs(at[:, 0]) - half[0], np.abs(at[:, 2]) - half[2])
        return -float(np.minimum(depth, -beside).max())
