"""A scene of walls and obstacles around the object: MuJoCo reads it and finds the contacts.

What the file must be: `sim.world.scene.model`. Contact impulses are `sim.world.scene.bounce`'s.
"""

import mujoco
import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.common.errors import SceneError
from hil.configuration.schema import Scene as SceneSection
from sim.world.motion import ROW_SIZE
from sim.world.scene.bounce import hit_into
from sim.world.scene.clearance import Clearance
from sim.world.scene.model import checked_model


class Scene:
    """The object's geometry among that of the scene."""

    def __init__(self, section: SceneSection, body: Array, stops: Array) -> None:
        """Read the scene.

        Args:
            section: file, name of the object's body, restitution and friction.
            body: mass and principal inertia of the emulated object, shape (4,).
            stops: packed stops, shape (19,).

        Raises:
            SceneError: MuJoCo refuses the file, or it breaks a rule of ours.
        """
        self._section = section
        self._body, self._stops = body, stops
        self.model = checked_model(section)
        self._data = mujoco.MjData(self.model)
        own = self.model.geom_bodyid == self.model.body(section.body).id
        self._own = own
        self._pairs = _pairs(self.model, own)
        if not self._pairs:
            raise SceneError(
                f"{section.file}: no geometry of body {section.body!r} can touch anything: check its "
                "geoms, contype and conaffinity"
            )
        reach = self.model.geom_rbound + np.linalg.norm(self.model.geom_pos, axis=1)
        self._radius = float(reach[own].max())

    def clearance(self, step: float) -> Clearance:
        """Return the means to follow one flight on a grid of `step` [s] through this scene."""
        return Clearance(self.model, self._data, self._pairs, self._radius, self._body, self._stops, step)

    def hit(self, row: Array) -> bool:
        """Change the row's velocity by what it touches; return whether it did."""
        self._place(row)
        mujoco.mj_collision(self.model, self._data)
        if self._data.ncon == 0:
            return False
        contact = self._data.contact
        touching = contact.dist < 0.0
        if not touching.any():
            return False
        outward = np.where(self._own[contact.geom[:, 1]], 1.0, -1.0)[:, None]
        normals = np.ascontiguousarray((contact.frame[:, :3] * outward)[touching])
        points = np.ascontiguousarray(contact.pos[touching])
        section = self._section
        pressed = hit_into(row, points, normals, self._body, section.restitution, section.friction)
        return bool(pressed > 0.0)

    def warm(self) -> None:
        """Compile, or load from the cache, what contacts need."""
        row = np.zeros(ROW_SIZE)
        row[3] = row[9] = 1.0
        point, normal = np.array([[0.1, 0.0, 0.1]]), np.array([[0.0, 0.0, -1.0]])
        hit_into(row, point, normal, self._body, self._section.restitution, self._section.friction)

    def _place(self, row: Array) -> None:
        self._data.qpos[:] = row[:7]
        mujoco.mj_fwdKinematics(self.model, self._data)


def _pairs(model: mujoco.MjModel, own: BoolArray) -> list[tuple[int, int]]:
    """Return the pairs (geom of the object, other geom) that can collide."""
    return [
        (a, b)
        for a in np.flatnonzero(own).tolist()
        for b in np.flatnonzero(~own).tolist()
        if model.geom_contype[a] & model.geom_conaffinity[b]
        or model.geom_contype[b] & model.geom_conaffinity[a]
    ]
