"""Where the simulated object touches: walls by MuJoCo's own collision, and the box of the stops."""

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.base_rules import object_room

NEAR = 0.002  # [m] a bounce lasts no time: what is as near as this is shown as touching
FAR = 50.0  # [m]
NOWHERE = np.zeros((0, 3))


class Contacts:
    """The object among walls and stops."""

    def __init__(self, configuration: Configuration) -> None:
        self._room = stops_room(configuration) if configuration.stops.enabled else None
        self._model: mujoco.MjModel | None = None
        if configuration.scene is not None:
            self._model = mujoco.MjModel.from_xml_path(str(configuration.scene.file))
            self._model.geom_margin[:] = NEAR
            self._data = mujoco.MjData(self._model)

    def points(self, p: Array, quat: Array) -> Array:
        """Return where an object at `p` [m] with attitude `quat` touches, world [m], shape (n, 3)."""
        return np.concatenate((self._at_walls(p, quat), self._at_stops(p)))

    def _at_walls(self, p: Array, quat: Array) -> Array:
        if self._model is None:
            return NOWHERE
        self._data.qpos[:3], self._data.qpos[3:7] = p, quat
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        mujoco.mj_collision(self._model, self._data)
        found: Array = self._data.contact.pos.copy()
        return found

    def _at_stops(self, p: Array) -> Array:
        """Return the centre's place on the box of the stops if it is there or beyond."""
        if self._room is None:
            return NOWHERE
        low, high = self._room
        on_it = np.clip(p, low, high)
        inside = (on_it > low + NEAR) & (on_it < high - NEAR)
        return NOWHERE if inside.all() else on_it[None]


def stops_room(c: Configuration) -> tuple[Array, Array]:
    """Return the corners of the stops' box with the least and the greatest coordinates, world, (3,) each.

    With a base it is that of the object in the world [m]; what has no end ends `FAR` away.
    """
    centre, half = (c.stops.centre, c.stops.half_extent) if c.base.kind == "none" else object_room(c)
    half = np.minimum(half, FAR)
    return centre - half, centre + half


def edges_of(low: Array, high: Array) -> Array:
    """Return the twelve edges of a box between two corners [m], shape (12, 2, 3)."""
    edges = []
    for axis in range(3):
        for other in np.ndindex(2, 2):
            begin, end = low.copy(), high.copy()
            rest = [k for k in range(3) if k != axis]
            for k, choice in zip(rest, other, strict=True):
                begin[k] = end[k] = (low[k], high[k])[choice]
            edges.append((begin, end))
    return np.array(edges)
