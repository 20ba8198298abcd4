"""The flight of an object that vibrates: panels and tanks as modes of small deflection."""

import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from hil.configuration.tables.inside import Panel
from sim.world.flight.inside import InsideFlight
from sim.world.inside.modal import (
    ETA,
    Modal,
    modal_energy,
    modal_grid_into,
    modal_motion_into,
    modal_nodes_into,
    modal_step_into,
)
from sim.world.inside.modal_shapes import Modes, about_hinge
from sim.world.inside.panel_poses import panel_poses
from sim.world.motion import ROW_SIZE


class ModalFlight(InsideFlight):
    """P and L of the whole are kept to rounding; the modes lose energy by their damping alone."""

    def __init__(self, configuration: Configuration, modes: Modes, panels: tuple[Panel, ...]) -> None:
        """Fly an object with modes, the first of which are its panels."""
        super().__init__(configuration, modes.mass, modes.inertia)
        self._modes, self._panels = modes, panels
        self._roots = np.sqrt([about_hinge(panel) for panel in panels])
        self._modal = Modal(
            modes.mass, modes.inertia, modes.omega**2, 2.0 * modes.damping * modes.omega,
            modes.translation, modes.rotation, np.asarray(np.linalg.inv(modes.left), np.float64),
        )  # fmt: skip
        self._count = len(modes.omega)
        self.row_size = ROW_SIZE + 2 * self._count
        self._work = np.empty((6, 4 + 2 * self._count))

    @property
    def modes(self) -> Modes:
        """Its modes."""
        return self._modes

    def start_into(self, row: Array, p: Array, quat: Array, twist: Array) -> None:
        """Write the row at which a flight begins.

        Of the rigid part's motion, the modes deflected and still.
        """
        n, m = self._count, self._modes
        quat = np.asarray(quat, float) / np.linalg.norm(quat)
        R = matrix_from_quat(quat)
        spin = R.T @ np.asarray(twist[3:], float)
        off = m.translation @ m.start / m.mass
        row[:3] = p + R @ off
        row[3:7] = quat
        row[7:10] = twist[:3] + R @ np.cross(spin, off)
        row[10:13] = R @ (m.inertia * spin)
        row[ETA : ETA + n] = m.start
        row[ETA + n :] = m.rotation.T @ spin  # with no modal speed
        self._nothing_acted(row)

    def motion(self, row: Array) -> tuple[Array, Array, Array]:
        """Return place (3,), attitude (4,) and twist (6,) of the rigid part, world axes."""
        p, quat, twist = np.empty(3), np.empty(4), np.empty(6)
        modal_motion_into(p, quat, twist, np.empty(self._count), row, self._modal)
        return p, quat, twist

    def speeds(self, row: Array) -> Array:
        """Return the modal speeds, shape (n,)."""
        speeds = np.empty(self._count)
        modal_motion_into(np.empty(3), np.empty(4), np.empty(6), speeds, row, self._modal)
        return speeds

    def mobility(self, row: Array) -> Array:
        """Return the rigid part's twist per impulse on it, about its frame and in its axes, shape (6, 6).

        theory: `W = diag(1 / m, I^-1) + B Mr^-1 B'` with `B = (dt / m; I^-1 dr)`, about the
        undeformed centre.
        """
        m = self._modes
        B = np.vstack((m.translation / m.mass, m.rotation / m.inertia[:, None]))
        rigid = np.concatenate((np.full(3, 1.0 / m.mass), 1.0 / m.inertia))
        return np.asarray(np.diag(rigid) + B @ self._modal.inverse @ B.T)

    def vibrations(self) -> tuple[Array, Array]:
        """Return angular frequencies of the free object and the rigid part's shapes; see `InsideFlight`."""
        m = self._modes
        omega, _, shapes = m.free()
        B = np.vstack((m.translation / m.mass, m.rotation / m.inertia[:, None]))
        return omega, B @ shapes

    def momentum(self, row: Array) -> tuple[Array, Array]:
        """Return the whole's centre [m], shape (3,), and its momenta P, L about it, world axes, (6,)."""
        return row[:3].copy(), np.concatenate((self.mass * row[7:10], row[10:13]))

    def energy(self, row: Array) -> float:
        """Return the energy of the whole and of all springs [J]."""
        return modal_energy(row, self._modal, self.stops)

    def joints(self, row: Array) -> Array:
        """Return the modal deflections, shape (n,)."""
        return row[ETA : ETA + self._count].copy()

    def push_into(self, row: Array, impulse: Array) -> None:
        """Let an impulse (6,) act on the rigid part, about its frame and in its axes."""
        n, m = self._count, self._modes
        R, eta = matrix_from_quat(row[3:7]), row[ETA : ETA + n]
        off = -m.translation @ eta / m.mass
        row[7:10] += R @ impulse[:3] / m.mass
        row[10:13] += R @ (impulse[3:] + np.cross(off, impulse[:3]))
        row[ETA + n :] -= m.translation.T @ impulse[:3] / m.mass

    def carry_into(self, row: Array, duration: float) -> None:
        """Carry a row on by a duration [s], at most a step; negative: back."""
        modal_step_into(row, self._modal, self.stops, duration, self._work)

    def fly_into(self, ring: Array, first: int, last: int, step: float) -> None:
        """Fill the rows `first + 1` to `last` of a ring on a grid of a step; no slice acts."""
        modal_grid_into(ring, first, last, step, self._modal, self.stops)

    def nodes_into(self, p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int) -> None:
        """Write the rigid part's motion at every `ratio`-th row of a ring of the predictions' grid."""
        modal_nodes_into(p, quat, twist, ring, first, ratio, self._modal)

    def other_poses(self, row: Array) -> SingleArray:
        """Return position and attitude of the panels, (n, 7)."""
        p, quat, _ = self.motion(row)
        angles = row[ETA : ETA + len(self._panels)] / self._roots
        return panel_poses(self._panels, angles, p, quat)
