"""The body's way among pins, plates and other moving bodies: MuJoCo solves the contacts, with our manifold."""

from typing import Protocol

import mujoco
import numpy as np

from hil.arrays import Array, SingleArray
from hil.configuration import Configuration
from sim.contact.contact_scene import ContactScene
from sim.contact.stepping import DONE
from sim.contact_motion import SCENE, WORK, contact_cell_into, contact_grid_into
from sim.flight import Flight
from sim.scene_bodies import other_bodies
from sim.scene_nodes import nodes_over
from sim.slice_book import Acting

TOUCHING = 1e-6  # [N] normal force from which on a contact counts as one


class Surroundings(Protocol):
    """A contact scene with the emulated object in it."""

    @property
    def scene(self) -> ContactScene:
        """Its simulation."""

    @property
    def object_body(self) -> int:
        """Number of the object's body, which has a free joint with its frame at the centre of mass."""

    def place(self, p: Array, quat: Array) -> None:
        """Put everything where a flight begins, with the object at rest at `p` [m], attitude `quat`."""


class ContactFlight(Flight):
    """Steps the whole scene in every cell, so that a row says all that a rewind needs."""

    def __init__(self, configuration: Configuration, surroundings: Surroundings) -> None:
        """Take the surroundings too; the scene's step is the grid's."""
        super().__init__(configuration)
        self._around, scene = surroundings, surroundings.scene
        self._scene, self._compiled = scene, scene.compiled
        joint = int(scene.model.body_jntadr[surroundings.object_body])
        self._addresses = np.array(
            [scene.model.jnt_qposadr[joint], scene.model.jnt_dofadr[joint]], np.int64
        )
        self._others = other_bodies(scene.model, surroundings.object_body)
        self.row_size = SCENE + scene.state_size

    def start_into(self, row: Array, p: Array, quat: Array, twist: Array) -> None:
        """Write the row at which a flight begins, all other bodies at their places around the object."""
        super().start_into(row, p, quat, twist)
        row[WORK] = 0.0
        self._around.place(row[:3], row[3:7])
        self._scene.state_into(row[SCENE:])

    def grid_into(self, ring: Array, first: int, last: int, acting: Acting) -> list[int]:
        """Fill the rows `first + 1` to `last` of a ring; return the grid points where contacts acted.

        Raises:
            SimulationError: the scene diverges; the state that led to it is saved.
        """
        hits = np.empty(max(last - first, 0), np.int64)
        status, count = contact_grid_into(
            ring, first, last, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps,
            self._compiled, self._addresses, hits,
        )  # fmt: skip
        if status != DONE:
            raise self._scene.failure(status)
        return [int(i) for i in hits[:count]]

    def cell_into(self, row: Array, index: int, until: float, acting: Acting) -> bool:
        """Carry a row on by `until` [s] within a cell, contacts first; return whether there were any.

        Raises:
            SimulationError: the scene diverges; the state that led to it is saved.
        """
        status, hit = contact_cell_into(
            row, index, until, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps,
            self._compiled, self._addresses,
        )  # fmt: skip
        if status != DONE:
            raise self._scene.failure(status)
        return bool(hit)

    def nodes(
        self, start: Array, first: int, ratio: int, count: int, acting: Acting
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, quaternions, twists at every `ratio`-th grid point, and when contacts begin."""
        return nodes_over(
            lambda ring, a, b: self.grid_into(ring, a, b, acting),
            start, first, ratio, count, self.step, self.body,
        )  # fmt: skip

    def contact_work(self, row: Array) -> float:
        """Return what bodies that move by themselves have done on this one so far [J].

        Things that stand still do none, so theirs is not told: what the object gains at them is an error.
        """
        return float(row[WORK]) if self._others else 0.0

    def other_poses(self, row: Array) -> SingleArray:
        """Return position and attitude of the scene's other moving bodies, (n, 7)."""
        self._scene.set_state(row[SCENE:])
        data = self._scene.data
        mujoco.mj_kinematics(self._scene.model, data)
        poses = np.concatenate((data.xpos[self._others], data.xquat[self._others]), axis=1)
        return poses.astype(np.float32)

    def warm(self) -> None:
        """Compile, or load from the cache, what contacts need; the world's warm-up has flown already."""
