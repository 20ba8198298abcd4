"""The body's way among pins, plates and other moving bodies; MuJoCo solves the contacts."""

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from sim.contact.contact_scene import ContactScene
from sim.contact.stepping import DONE
from sim.docking.standing import Standing
from sim.world.flight.free import Flight
from sim.world.scene.bodies import other_bodies
from sim.world.scene.contact_motion import PRESSED, SCENE, WORK, contact_cell_into, contact_grid_into
from sim.world.scene.nodes import nodes_over
from sim.world.slice_book import Acting

SHORTLY = 0.01  # [s]


@dataclass(frozen=True, eq=False)
class Surroundings:
    """A contact scene with the emulated object in it.

    Attributes:
        scene: its simulation.
        foresight: the same scene in longer steps, a multiple of the other's, for predictions.
        object_body: number of the object's body, which has a free joint and its frame at the centre of mass.
        place: puts everything where a flight begins, the object at a pose (4, 4) with a twist (6,).
        look: tells how a docking stands after the step that was done last.
    """

    scene: ContactScene
    foresight: ContactScene
    object_body: int
    place: Callable[[Array, Array], None]
    look: Callable[[], Standing]


class ContactFlight(Flight):
    """Steps the whole scene in every cell, so that a row says all that a rewind needs.

    A prediction takes longer steps: contacts are the dearest of all, and what is foreseen of them is renewed
    long before the arm gets there.
    """

    def __init__(self, configuration: Configuration, surroundings: Surroundings) -> None:
        """Take the surroundings too; the scene's step is the grid's."""
        super().__init__(configuration)
        self._around, scene = surroundings, surroundings.scene
        self._scene, self._compiled = scene, scene.compiled
        self._stride = round(surroundings.foresight.step / self.step)
        joint = int(scene.model.body_jntadr[surroundings.object_body])
        self._addresses = np.array([scene.model.jnt_qposadr[joint], scene.model.jnt_dofadr[joint]], np.int64)
        self._others = other_bodies(scene.model, surroundings.object_body)
        self.row_size = SCENE + scene.state_size

    def start_into(self, row: Array, p: Array, quat: Array, twist: Array) -> None:
        """Write the row at which a flight begins, all other bodies at their places around the object."""
        super().start_into(row, p, quat, twist)
        row[WORK], row[PRESSED] = 0.0, -np.inf
        T_world_object = np.eye(4)
        T_world_object[:3, :3], T_world_object[:3, 3] = matrix_from_quat(row[3:7]), p
        self._around.place(T_world_object, twist)
        self._scene.state_into(row[SCENE:])

    def grid_into(self, ring: Array, first: int, last: int, acting: Acting) -> list[int]:
        """Fill the rows `first + 1` to `last` of a ring; return the grid points where contacts acted.

        Raises:
            SimulationError: the scene diverges; the state that led to it is saved.
        """
        return self._grid_into(self._scene, ring, first, last, acting)

    def _grid_into(
        self, scene: ContactScene, ring: Array, first: int, last: int, acting: Acting
    ) -> list[int]:
        """Do it on the grid of a scene's own step."""
        hits = np.empty(max(last - first, 0), np.int64)
        status, count = contact_grid_into(
            ring, first, last, scene.step, acting.slices, acting.cells, self.body, self.stops, self._caps,
            scene.compiled, self._addresses, hits,
        )  # fmt: skip
        if status != DONE:
            raise scene.failure(status)
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
        scene, stride = self._around.foresight, self._stride
        longer = acting.on_grid(scene.step)
        return nodes_over(
            lambda ring, a, b: self._grid_into(scene, ring, a, b, longer),
            start, first // stride, ratio // stride, count, scene.step, self.body,
        )  # fmt: skip

    def contact_work(self, row: Array) -> float:
        """Return what bodies that move by themselves have done on this one so far [J].

        Things that stand still do none, so theirs is not told: what the object gains at them is an error.
        """
        return float(row[WORK]) if self._others else 0.0

    def contact_points(self) -> SingleArray:
        """Return where pins and plates pressed on the object in the cell flown last, world [m], (n, 3)."""
        found = self._scene.contacts()
        bodies = self._scene.model.geom_bodyid[found["geoms"]]
        pressing = (found["force"][:, 0] > 0.0) & (bodies == self._around.object_body).any(axis=1)
        return found["point"][pressing].astype(np.float32)

    def pressed(self, row: Array, s: float) -> bool:
        """Return whether pins and plates pressed on the object shortly before object time `s` [s]."""
        return bool(s - row[PRESSED] <= SHORTLY)

    def docking(self) -> Standing:
        """Return how a docking stands in the cell that was flown last."""
        return self._around.look()

    def other_poses(self, row: Array) -> SingleArray:
        """Return position and attitude of the scene's other moving bodies, (n, 7)."""
        self._scene.set_state(row[SCENE:])
        data = self._scene.data
        mujoco.mj_kinematics(self._scene.model, data)
        poses = np.concatenate((data.xpos[self._others], data.xquat[self._others]), axis=1)
        return poses.astype(np.float32)
