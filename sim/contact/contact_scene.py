"""A MuJoCo scene with pins and plates, stepped in compiled code: `ContactScene`."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from hil.common.arrays import Array
from hil.common.engine import hear_warnings
from hil.common.errors import SimulationError
from sim.contact import stepping
from sim.contact.applied_forces import bound_forces
from sim.contact.contact_laws import COEFFICIENT
from sim.contact.force_tables import ForceTables, no_forces
from sim.contact.friction import STANDS
from sim.contact.interface import Interface
from sim.contact.interface_schema import Material
from sim.contact.material import SHIPPED
from sim.contact.own_contacts import INTERFACE, LABEL_KIND, PIN
from sim.contact.scene_tables import check_memory, own_pairs, prepare_model, rooms, tables, views

STATE = mujoco.mjtState.mjSTATE_INTEGRATION
FASTEST = 100.0  # [m/s, rad/s] default of the velocity that none may have
CONTACT = np.dtype(
    [
        ("point", float, 3),  # midway between the surfaces, world [m]
        ("normal", float, 3),  # from the first to the second, of ours from plate to pin, world
        ("tangents", float, (2, 3)),  # the other two axes of the contact's frame, world
        ("depth", float),  # [m]
        ("force", float, 3),  # on the second, along normal and tangents [N]
        ("friction", float),  # coefficient
        ("kind", np.int64),  # see `sim.contact.rows`; 0: found by MuJoCo
        ("interface", np.int64),  # number of the interface; -1: found by MuJoCo
        ("pin", np.int64),  # number of the pin in it; -1: found by MuJoCo
        ("geoms", np.int64, 2),  # first and second
    ]
)


class ContactScene:
    """A model, its data, and the interfaces of pins and plates on its bodies.

    The state is MuJoCo's alone (`STATE`): a run from a saved state repeats bit by bit, in this scene and in
    any other of the same model, interfaces and step.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        interfaces: Sequence[Interface],
        *,
        step: float,
        default: Material = SHIPPED,
        materials: Mapping[str, Material] | None = None,
        forces: ForceTables | None = None,
        fastest: float = FASTEST,
        folder: Path | None = None,
        stands: float = STANDS,
    ) -> None:
        """Prepare a scene; the model's options are set to what the contact laws need.

        Args:
            model: the scene; every body of an interface has a geom, at best visual ones (contype 0).
            interfaces: pins and plates.
            step: of the simulation [s].
            default: material of geoms that `materials` does not name.
            materials: materials by name of geom, for MuJoCo's own contacts.
            forces: what acts by tables, see `sim.contact.force_tables`.
            fastest: velocity above which the simulation is taken to diverge [m/s, rad/s].
            folder: where the state that led to a divergence is saved; None: nowhere.
            stands: where the rounds of friction end, see `sim.contact.friction.solve_contacts`; where runs
                are compared with runs of parameters hardly different, 1e-7 makes their difference smooth.

        Raises:
            InterfaceError: the scene lacks a body.
            SceneError: a body has no geom, there is none of a name, or the scene lacks memory.
            SimulationError: a pair of materials has no law, or MuJoCo is of another version.
        """
        hear_warnings()
        prepare_model(model, step)
        self.model, self.data = model, mujoco.MjData(model)
        self.step = step
        self.state_size: int = mujoco.mj_stateSize(model, STATE)
        self._fastest, self._folder = fastest, folder
        self._tables = tables(model, interfaces, default, materials or {}, stands)
        self._own = own_pairs(model, interfaces, self._tables)
        self._rooms = rooms(model, self._own, check_memory(model, self._own), self.state_size)
        self._views = views(self.data)
        self.forces = bound_forces(forces or no_forces(model), self.data)
        self._no_controls = np.empty((0, model.nu))
        self._compiled = stepping.Compiled(
            model._address,
            self.data._address,
            step,
            fastest,
            int(STATE),
            self._views,
            self._tables,
            self._own,
            self.forces,
            self._rooms,
        )

    def run(self, n: int, controls: Array | None = None) -> None:
        """Do n steps in one compiled call that does not hold the interpreter's lock.

        Args:
            n: number of steps.
            controls: ctrl of each step, shape (n, nu); without, `data.ctrl` is kept, as are
                `data.xfrc_applied` and `data.qfrc_applied` in any case.

        Raises:
            SimulationError: a velocity is no number or too large, or there are too many contacts; the
                state before that step is saved, and the message names the file.
        """
        if controls is not None and controls.shape != (n, self.model.nu):
            raise SimulationError(f"controls of shape {controls.shape}; expected {(n, self.model.nu)}")
        # writable like the other, or all would be compiled for both
        rows = self._no_controls if controls is None else np.require(controls, float, ["C", "W"])
        status = stepping.run_steps(self._compiled, n, self.data.time, rows)
        if status != stepping.DONE:
            raise self.failure(status)

    @property
    def compiled(self) -> stepping.Compiled:
        """The scene for compiled code that steps it itself (`sim.contact.stepping.step_once`)."""
        return self._compiled

    def failure(self, status: int) -> SimulationError:
        """Return the error of a step that did not end well; the state before it is saved."""
        return SimulationError(self._failure(status))

    def contacts(self) -> NDArray[np.void]:
        """Return the contacts of the last step, an array of `CONTACT`; empty before the first step."""
        number = int(self._rooms.counters[stepping.CONTACTS])
        own_from = int(self._rooms.counters[stepping.OWN_FROM])
        out = np.zeros(number, CONTACT)
        if number == 0:
            return out
        contact = self.data.contact
        frames = contact.frame.reshape(-1, 3, 3)
        out["point"], out["normal"], out["tangents"] = contact.pos, frames[:, 0], frames[:, 1:]
        out["depth"], out["geoms"] = -contact.dist, contact.geom
        out["friction"] = self._tables.laws[self._rooms.law_of[:number], COEFFICIENT]
        labels = self._rooms.labels[:number]
        for name, column, none in (("interface", INTERFACE, -1), ("pin", PIN, -1), ("kind", LABEL_KIND, 0)):
            out[name] = np.where(np.arange(number) < own_from, none, labels[:, column])
        force = self.data.efc_force
        for row, address, dim in zip(out, contact.efc_address, contact.dim, strict=True):
            if address >= 0:
                row["force"][: min(dim, 3)] = force[address : address + min(dim, 3)]
        return out

    @property
    def deepest(self) -> float:
        """Return the largest depth of any contact in the last run [m]."""
        return float(self._rooms.deepest[0])

    @property
    def solver_rounds(self) -> tuple[int, float]:
        """Return the largest and the mean number of rounds of friction in the last run."""
        counters = self._rooms.counters
        steps = max(1, int(counters[stepping.STEPS]))
        return int(counters[stepping.MOST_ROUNDS]), float(counters[stepping.ALL_ROUNDS]) / steps

    def state_into(self, row: Array) -> None:
        """Write the state, shape (state_size,)."""
        mujoco.mj_getState(self.model, self.data, row, STATE)

    def set_state(self, row: Array) -> None:
        """Take over a state of `state_into`; contacts are known after the next step."""
        mujoco.mj_setState(self.model, self.data, row, STATE)
        self._rooms.counters[:] = 0

    def _failure(self, status: int) -> str:
        """Save the state before the step that failed and return the message."""
        mujoco.mj_setState(self.model, self.data, self._rooms.before, STATE)
        time = float(self.data.time)
        kept = (
            "" if self._folder is None else f"; the state before that step {self._saved(self._folder, time)}"
        )
        what = (
            f"more than {self._rooms.law_of.shape[0]} contacts at once"
            if status == stepping.TOO_MANY_CONTACTS
            else f"a velocity is no number or above {self._fastest:g} m/s or rad/s"
        )
        return (
            f"contact simulation stopped at {time:.4f} s: {what}{kept}; "
            "look for bodies that overlap at the start, too stiff a material, or too long a step"
        )

    def _saved(self, folder: Path, time: float) -> str:
        """Save the state and return where it is, in words."""
        path = folder / f"diverged-{os.getpid()}-{time:.4f}s.npz"
        fields = {"qpos": self.data.qpos, "qvel": self.data.qvel, "ctrl": self.data.ctrl}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            np.savez(path, state=self._rooms.before, time_s=time, **fields)
        except OSError as error:  # the reason of the stop must not be lost with it
            return f"cannot be written to {path}: {error.strerror}"
        return f"is in {path}"
