"""The flight of an object on which bodies hang by free or compliant hinges, by MuJoCo's accelerations.

theory: a step of the grid is one of the classical Runge-Kutta method, see `sim.world.inside.tree`: its
errors of
P, L and energy stay below 1e-9 in ten minutes at 1 ms, while the engine's usual methods drift by 1e-3 in
one. Behind the first numbers of a row, its place,
attitude and velocity, stands all of the engine's state: its coordinates and their speeds.
"""

import mujoco
import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from sim.world.flight.inside import InsideFlight
from sim.world.inside.stop_kick import stop_energy
from sim.world.inside.tree import engine_of, push_tree, tell, tree_grid_into, tree_step_into
from sim.world.inside.tree_model import OBJECT
from sim.world.motion import ROW_SIZE

SOFT = 1e-6  # [1/s2] square of the angular frequency of what is no vibration: whole turns, free hinges


class TreeFlight(InsideFlight):
    """All that hangs on the object moves by itself; nothing drives it."""

    def __init__(self, configuration: Configuration, model: mujoco.MjModel, begins: Array) -> None:
        """Fly a tree whose hinges begin at joints `begins` [rad], shape (n,)."""
        self._model, self._begins = model, begins
        self._data = mujoco.MjData(model)
        self._qpos = slice(ROW_SIZE, ROW_SIZE + model.nq)
        self._qvel = slice(ROW_SIZE + model.nq, ROW_SIZE + model.nq + model.nv)
        self.row_size = ROW_SIZE + model.nq + model.nv
        self._data.qpos[7:] = begins
        mass = float(model.body_subtreemass[OBJECT])
        self._engine = engine_of(model, self._data, np.zeros((6, model.nq)), mass)
        super().__init__(configuration, mass, self._moments_about_frame())

    def _moments_about_frame(self) -> Array:
        """Return the whole's moments about the object's frame, joints where they begin, shape (3,)."""
        self._look()
        full = np.zeros((self._model.nv, self._model.nv))
        mujoco.mj_fullM(self._model, self._data, full)
        return full.diagonal()[3:6].copy()

    def start_into(self, row: Array, p: Array, quat: Array, twist: Array) -> None:
        """Write the row at which a flight begins, of the base's motion, the hinges still on it."""
        quat = np.asarray(quat, float) / np.linalg.norm(quat)
        qpos, qvel = row[self._qpos], row[self._qvel]
        qpos[:3], qpos[3:7], qpos[7:] = p, quat, self._begins
        qvel[:] = 0.0
        qvel[:3], qvel[3:6] = twist[:3], matrix_from_quat(quat).T @ np.asarray(twist[3:], float)
        self._nothing_acted(row)
        tell(row, qpos, qvel)

    def motion(self, row: Array) -> tuple[Array, Array, Array]:
        """Return place (3,), attitude (4,) and twist (6,) of the base, world axes."""
        qpos, qvel = row[self._qpos], row[self._qvel]
        quat = qpos[3:7].copy()
        return qpos[:3].copy(), quat, np.concatenate((qvel[:3], matrix_from_quat(quat) @ qvel[3:6]))

    def mobility(self, row: Array) -> Array:
        """Return the base's twist per impulse on it, about its frame and in its axes, shape (6, 6)."""
        self._load(row)
        self._look()
        R = matrix_from_quat(row[self._qpos][3:7])
        turn = np.eye(6)
        turn[:3, :3] = R
        pushes, answers = np.zeros((6, self._model.nv)), np.zeros((6, self._model.nv))
        pushes[:, :6] = turn.T
        mujoco.mj_solveM(self._model, self._data, answers, pushes)
        return np.ascontiguousarray((answers[:, :6] @ turn).T)

    def vibrations(self) -> tuple[Array, Array]:
        """Return angular frequencies of the free object at its start and the base's shapes.

        See `InsideFlight`.
        """
        row, nv = np.zeros(self.row_size), self._model.nv
        self.start_into(row, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
        self._load(row)
        self._look()
        M, K = np.zeros((nv, nv)), np.zeros((nv, nv))
        mujoco.mj_fullM(self._model, self._data, M)
        K[range(6, nv), range(6, nv)] = self._model.jnt_stiffness[1:].reshape(nv - 6, -1)[:, 0]
        root = np.linalg.inv(np.linalg.cholesky(M))
        squares, vectors = np.linalg.eigh(root @ K @ root.T)
        stiff = squares > SOFT
        return np.sqrt(squares[stiff]), np.ascontiguousarray((root.T @ vectors)[:6, stiff])

    def momentum(self, row: Array) -> tuple[Array, Array]:
        """Return the whole's centre [m], shape (3,), and its momenta P, L about it, world axes, (6,)."""
        self._load(row)
        model, data = self._model, self._data
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_subtreeVel(model, data)
        linear = self.mass * data.subtree_linvel[OBJECT]
        return data.subtree_com[OBJECT].copy(), np.concatenate((linear, data.subtree_angmom[OBJECT]))

    def energy(self, row: Array) -> float:
        """Return the energy of all bodies, of the hinges' springs and of the stops' [J]."""
        self._load(row)
        self._look()
        model, qpos, qvel = self._model, row[self._qpos], row[self._qvel]
        full = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, self._data, full)
        bent = qpos[7:] - model.qpos_spring[7:]
        springs = 0.5 * float(model.jnt_stiffness[1:].reshape(len(bent), -1)[:, 0] @ bent**2)
        stops = stop_energy(qpos[:3].copy(), qpos[3:7].copy(), self.mass, self.stops)
        return 0.5 * float(qvel @ full @ qvel) + springs + stops

    def joints(self, row: Array) -> Array:
        """Return the hinges' angles [rad], shape (n,)."""
        return row[self._qpos][7:].copy()

    def push_into(self, row: Array, impulse: Array) -> None:
        """Let an impulse (6,) act on the base, about its frame and in its axes."""
        q, v = row[self._qpos], row[self._qvel]
        push_tree(q, v, self._engine, matrix_from_quat(q[3:7]) @ impulse[:3], np.array(impulse[3:]))
        tell(row, q, v)

    def carry_into(self, row: Array, duration: float) -> None:
        """Carry a row on by a duration [s], at most a step; negative: back."""
        tree_step_into(row, self._engine, self.stops, duration)

    def fly_into(self, ring: Array, first: int, last: int, step: float) -> None:
        """Fill the rows `first + 1` to `last` of a ring on a grid of a step; no slice acts."""
        tree_grid_into(ring, first, last, step, self._engine, self.stops)

    def nodes_into(self, p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int) -> None:
        """Write the base's motion at every `ratio`-th row of a ring of the predictions' grid."""
        for n in range(len(p)):
            p[n], quat[n], twist[n] = self.motion(ring[(first + n * ratio) % len(ring)])

    def other_poses(self, row: Array) -> SingleArray:
        """Return position and attitude of all bodies that hang on the base, (n, 7)."""
        self._load(row)
        mujoco.mj_kinematics(self._model, self._data)
        bodies = slice(OBJECT + 1, None)
        return np.concatenate((self._data.xpos[bodies], self._data.xquat[bodies]), axis=1).astype(np.float32)

    def _load(self, row: Array) -> None:
        self._data.qpos[:], self._data.qvel[:] = row[self._qpos], row[self._qvel]

    def _look(self) -> None:
        """Let the engine find what belongs to the coordinates that were loaded."""
        mujoco.mj_fwdPosition(self._model, self._data)
