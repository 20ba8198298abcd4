"""A docking from beginning to end: the scene, its bodies in place, the forces, and what came of it."""

from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError, SceneError
from hil.common.geometry import matrix_from_quat, quat_from_matrix, quat_from_rotvec
from hil.configuration.docking import Outcome
from hil.configuration.schema import Configuration
from sim.contact.contact_scene import ContactScene
from sim.contact.force_tables import ForceTables, no_forces
from sim.contact.interface import Interface, load_interfaces
from sim.contact.parts import counts, kept_rows, parts_of
from sim.contact.seating import Latch, Seat
from sim.docking.arm import Arm
from sim.docking.coasting import coast
from sim.docking.judge import SMOOTH, History, Verdict, seated, verdict
from sim.docking.mating import Mating, mated, started
from sim.docking.model import DockingModel, docking_model, scene_spec
from sim.docking.part_steps import check_steps
from sim.docking.sampling import DEPTHS, INSERTION, history_of, sample_into, seen_of
from sim.orbit.clohessy_wiltshire import arrival_velocity, mean_motion

CHECKED = 100  # steps from one look at the verdict to the next


class DockingScenario:
    """Owns the contact scene of one docking; pure: time is the scene's own."""

    def __init__(
        self, configuration: Configuration, folder: Path | None = None, blunter: float = 1.0
    ) -> None:
        """Build the scene.

        Args:
            configuration: with a table `docking`.
            folder: where the state before a divergence is saved.
            blunter: times the speed at which the friction of seals and latches fades, for longer steps.

        Raises:
            ConfigurationError: there is no table `docking`, or the arm or step does not do, or seals and
                latches need a shorter one.
            InterfaceError: the file of the interface breaks a rule.
            SceneError: the scene does, or lacks a body.
        """
        if configuration.docking is None:
            raise ConfigurationError(
                "there is no table [docking]: see configs/docking.toml and docs/use/docking.md"
            )
        self.docking = docking = configuration.docking
        spec = scene_spec(docking)
        self.interface = _interface(docking.interfaces, docking.module_body, docking.effector_body).blunter(
            blunter
        )
        self.mating: Mating = mated(self.interface)
        plate = np.eye(4)
        plate[:3, :3], plate[:3, 3] = self.interface.plate.R_body_plate, self.interface.plate.p_body_plate
        self._T_module_plate = plate
        self.bodies: DockingModel = docking_model(
            spec, docking, configuration.object, self.mating, plate, kept_rows([self.interface])
        )
        self._arm = Arm(self.bodies, docking, self.mating.middle)
        self.rate = 0.0 if docking.orbit is None else mean_motion(docking.orbit.altitude)
        self.touch = docking.approach.distance / docking.approach.speed  # s, as planned
        self.full_push = self.touch + docking.push.rise  # s
        self._seat = self._seated()
        step = configuration.simulation.step
        self.parts = parts_of(self.bodies.model, self.interface, self.mating.T_plate_effector, step)
        self.fasteners = counts(self.parts)
        self.scene = ContactScene(
            self.bodies.model, [self.interface], step=step, forces=self._forces(step), folder=folder
        )
        self._seen = seen_of(self.bodies.model, self._seat, self.parts)
        self._rows: list[Array] = []
        self.place()
        if any(self.fasteners):
            check_steps(self.bodies.model, self.scene.data, self.interface, self.parts, step)

    def _seated(self) -> Seat:
        """Return which pins belong in which holes, as tables."""
        mating, plate = self.mating, self.interface.plate
        return Seat(
            module=self.bodies.module,
            effector=self.bodies.effector,
            p_module_plate=np.array(plate.p_body_plate),
            R_module_plate=np.array(plate.R_body_plate),
            tips=np.array(mating.tips),
            axis=np.array(mating.axis),
            holes=np.array(mating.holes),
            radius=mating.radius,
            hole_radius=mating.hole_radius,
            full_depth=mating.full_depth,
        )

    def _forces(self, step: float) -> ForceTables:
        """Return the tables of impedance, push and orbit."""
        way, duration = np.zeros(3), 0.0
        if self.docking.approach.by == "reach":
            R_base_plate = self._arm.T_base_effector[:3, :3] @ self._start[:3, :3].T
            approach = self.docking.approach
            length = approach.distance + self.mating.full_depth + approach.beyond
            way = R_base_plate @ [0.0, 0.0, -length]
            duration = float(np.linalg.norm(way)) / self.docking.approach.speed
        push, rules = self.docking.push.force, self.docking.outcome
        return no_forces(self.bodies.model)._replace(
            chain=self._arm.chain,
            impedance=self._arm.impedance(step, way, duration),
            push_time=np.array([self.touch, self.full_push]),
            push=np.array([0.0, push]),
            push_axis=self.mating.axis.copy(),
            rate=self.rate,
            latch=Latch(
                self.bodies.latch, self._seat, rules.depth, rules.tilt, np.zeros(len(self.mating.tips))
            ),
            parts=self.parts,
        )

    @property
    def _start(self) -> Array:
        """The effector's pose in the plate's frame at the beginning, shape (4, 4)."""
        approach = self.docking.approach
        return started(self.mating, approach.distance, approach.lateral, approach.tilt, approach.roll)

    def place(self, T_world_module: Array | None = None, twist_world_module: Array | None = None) -> None:
        """Begin anew at time 0: the servicer before the plate, as the approach has it.

        Args:
            T_world_module: pose of the module, shape (4, 4); without, at the origin with `module_rotvec`.
            twist_world_module: its motion, world axes [m/s, rad/s], shape (6,); the servicer moves along.
        """
        if T_world_module is None:
            T_world_module = np.eye(4)
            T_world_module[:3, :3] = matrix_from_quat(quat_from_rotvec(self.docking.module_rotvec))
        twist = np.zeros(6) if twist_world_module is None else twist_world_module
        data, bodies = self.scene.data, self.bodies
        mujoco.mj_resetData(bodies.model, data)
        T_world_plate = T_world_module @ self._T_module_plate
        T_world_base = T_world_plate @ self._start @ np.linalg.inv(self._arm.T_base_effector)
        data.qpos[bodies.joint_qpos] = self.docking.servicer.start
        self._set_pose(bodies.module_qpos, T_world_module)
        data.qvel[bodies.module_dof : bodies.module_dof + 3] = twist[:3]
        data.qvel[bodies.module_dof + 3 : bodies.module_dof + 6] = T_world_module[:3, :3].T @ twist[3:]
        if bodies.base_qpos < 0:
            data.mocap_pos[0] = T_world_base[:3, 3]
            data.mocap_quat[0] = quat_from_matrix(np.ascontiguousarray(T_world_base[:3, :3]))
        else:
            self._set_pose(bodies.base_qpos, T_world_base)
            along = twist[:3] + np.cross(twist[3:], T_world_base[:3, 3] - T_world_module[:3, 3])
            dof = bodies.base_dof
            data.qvel[dof : dof + 3] = along + self._closing(T_world_plate)
            data.qvel[dof + 3 : dof + 6] = T_world_base[:3, :3].T @ twist[3:]
        self._rows = []
        mujoco.mj_forward(bodies.model, data)
        self._look()
        self._coast()
        state = np.empty(self.scene.state_size)
        self.scene.state_into(state)
        self.scene.set_state(state)  # what the scene remembers of an earlier run is forgotten

    def _set_pose(self, start: int, T: Array) -> None:
        self.scene.data.qpos[start : start + 3] = T[:3, 3]
        self.scene.data.qpos[start + 3 : start + 7] = quat_from_matrix(np.ascontiguousarray(T[:3, :3]))

    def _closing(self, T_world_plate: Array) -> Array:
        """Return the velocity with which the servicer comes, relative to the module [m/s], shape (3,)."""
        approach = self.docking.approach
        if approach.by == "reach":
            return np.zeros(3)
        way = -approach.distance * T_world_plate[:3, 2]
        if self.rate == 0.0:
            return np.array(way / self.touch)
        mujoco.mj_fwdKinematics(self.bodies.model, self.scene.data)
        start = self.scene.data.subtree_com[self.bodies.base]
        return arrival_velocity(start, start + way, self.rate, self.touch)

    def _coast(self) -> None:
        """Let both drift, exactly, until they are near."""
        approach = self.docking.approach
        if approach.by == "reach" or approach.distance <= approach.near:
            return
        time = (approach.distance - approach.near) / approach.speed
        coast(self.bodies, self.scene.data, self.rate, time)
        self.scene.data.time = time

    def sample(self) -> Array:
        """Return what is to be seen of the step that was done last (`sim.docking.sampling`)."""
        row = np.empty(DEPTHS + len(self.mating.tips))
        sample_into(row, self._seen, self.scene.data)
        return row

    def _look(self) -> None:
        self._rows.append(self.sample())

    def run(self, n: int) -> None:
        """Do n steps and look at each.

        Raises:
            SimulationError: the simulation diverged; the state before is saved.
        """
        for _ in range(n):
            self.scene.run(1)
            self._look()

    @property
    def history(self) -> History:
        """What was seen since the last placing."""
        return history_of(np.array(self._rows))

    @property
    def verdict(self) -> Verdict:
        """What came of it so far, if it was looked at as often as `play` does."""
        rules = self.docking.outcome
        recent = 2 * CHECKED + int(np.ceil((rules.hold + SMOOTH) / self.scene.step))
        seen = history_of(np.array(self._rows[-recent:]))
        farthest = self._rows[0][INSERTION] - rules.reach
        return verdict(seen, rules, self.full_push, farthest, self.fasteners)

    def play(self, report: Callable[[float], None] = lambda time: None) -> Verdict:
        """Run until the outcome is sure.

        Args:
            report: told the time [s] now and then.

        Raises:
            SimulationError: the simulation diverged; the state before is saved.
        """
        while (found := self.verdict).word == "under way":
            self.run(CHECKED)
            report(self.scene.data.time)
        return found


def seated_since(history: History, rules: Outcome, fasteners: tuple[int, int] = (0, 0)) -> float | None:
    """Return since when all pins have been deep and straight and all parts held [s]; None: not at the end."""
    sits = seated(history, rules, fasteners)
    if not sits[-1]:
        return None
    before = np.flatnonzero(~sits)
    return float(history.time[before[-1] + 1 if len(before) else 0])


def _interface(path: Path, module: str, effector: str) -> Interface:
    """Return the one interface of effector and module."""
    found = load_interfaces(path)
    meant = [i for i in found if i.pins.body == effector and i.plate.body == module]
    if len(meant) != 1:
        raise SceneError(
            f"{path}: {len(meant)} interfaces have their pins on {effector!r} (docking.effector_body) and "
            f"their plate on {module!r} (docking.module_body); exactly one of the file's {len(found)} must"
        )
    return meant[0]
