"""An assembled manipulator, driven, in MuJoCo's scene: its bodies and all contacts are MuJoCo's."""

from pathlib import Path

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.errors import SimulationError
from sim.assembly.database import Database
from sim.assembly.manipulator import Manipulator
from sim.drives.arm_simulation import ArmSimulation
from sim.drives.base import keep_momenta
from sim.drives.driven_arm import NO_WRENCH, Run
from sim.drives.mujoco_model import BODY, JOINT, SATELLITE, model_of
from sim.drives.of_assembly import ControllerName
from sim.drives.scene_step import begin_scene_step, changed_cases, end_scene_step, linearised, spins_in_scene

TRIALS = 20
SAME = 1e-9  # [rad/s, m/s] change of a joint's speed between trials at which a step is solved


class ArmInScene(ArmSimulation):
    """The same as `ArmSimulation`, with a scene around it; slower, and of first order in the step.

    Attributes:
        model: MuJoCo's; the scene's bodies have their names in it.
        data: MuJoCo's; what is in the scene may be placed and moved in it between steps.
    """

    def __init__(
        self,
        manipulator: Manipulator,
        database: Database,
        scene: Path,
        dt: float = 0.001,
        *,
        controller: ControllerName = "cascade",
        q_start: Array | None = None,
        gravity: Array | None = None,
        base_mass: float | None = None,
        base_inertia: Array | None = None,
        base_twist: Array | None = None,
        T_world_base: Array | None = None,
    ) -> None:
        """Place the manipulator at rest and in balance in a scene; see `ArmSimulation`.

        Args:
            manipulator: an assembly as a mechanism.
            database: of the components that its joints name.
            scene: MuJoCo's file; its gravity gives way to this arm's.
            dt: step [s].
            controller: of all joints.
            q_start: where it begins [rad, m], shape (n,).
            gravity: in world axes [m/s2], shape (3,).
            base_mass: of a satellite that floats with the arm on it [kg].
            base_inertia: of the satellite about the base's origin [kg m2], shape (3, 3).
            base_twist: with which a floating base begins; see `DrivenArm`.
            T_world_base: pose of the base, shape (4, 4).

        Raises:
            SceneError: MuJoCo refuses the scene or the whole.
            DriveError: see `ArmSimulation`.
            AssemblyError: see `ArmSimulation`.
        """
        self.data: mujoco.MjData | None = None
        super().__init__(
            manipulator, database, dt, controller=controller, q_start=q_start, gravity=gravity,
            base_mass=base_mass, base_inertia=base_inertia, base_twist=base_twist, T_world_base=T_world_base,
        )  # fmt: skip
        satellite = None if base_mass is None else (base_mass, np.array(base_inertia, np.float64))
        self.model = model_of(manipulator, self._arm, scene, T_world_base, satellite, dt)
        joints = [self.model.joint(f"{JOINT}{i + 1}").id for i in range(self.joints)]
        self._qpos, self._dof = self.model.jnt_qposadr[joints], self.model.jnt_dofadr[joints]
        self._base_body = self.model.body(f"{BODY}0").id
        self._last_body = self.model.body(f"{BODY}{self.joints}").id
        self._free = int(self.model.body(SATELLITE).dofadr[0]) if self.floats else -1
        if self.floats:
            self._free_qpos = int(self.model.jnt_qposadr[self.model.body(SATELLITE).jntadr[0]])
        self.data = mujoco.MjData(self.model)
        self.contact_wrench = np.zeros(6)
        self._place()

    def reset(
        self, q: Array | None = None, dq: Array | None = None, motor_speed: Array | None = None
    ) -> None:
        """Place arm and scene where they began; see `DrivenArm.reset`."""
        super().reset(q, dq, motor_speed)
        if self.data is not None:
            mujoco.mj_resetData(self.model, self.data)
            self._place()

    def step(self, q_reference: Array, dq_reference: Array, wrench_tip: Array = NO_WRENCH) -> None:
        """Carry arm and scene on by one step; see `DrivenArm.step`.

        Raises:
            SimulationError: the step has no solution.
        """
        assert self.data is not None
        orders, friction, cases = begin_scene_step(
            self._arm, self._drives, self._states, q_reference, self._own_gravity(), self.floats
        )
        self.model.opt.gravity[:] = self._gravity
        self._push(wrench_tip)
        ddq = self._states["ddq"].copy()
        own = np.zeros(self.joints)
        for _ in range(TRIALS):
            if self.rotors_spin:
                own = self._spin(orders, q_reference, dq_reference, ddq)
            applied, armature, torque = linearised(
                self._drives, self._states, orders, friction, cases, own, q_reference, dq_reference, ddq,
                self.dt,
            )  # fmt: skip
            self.model.dof_armature[self._dof] = self._arm.armatures + armature
            self.data.qfrc_applied[self._dof] = applied
            mujoco.mj_forward(self.model, self.data)
            found = self.data.qacc[self._dof].copy()
            change, ddq = float(np.abs(found - ddq).max()) * self.dt, found
            if not np.isfinite(found).all():
                raise self._diverged()
            if (
                not changed_cases(self._states, friction, cases, applied, armature, torque, ddq, self.dt)
                and change < SAME
            ):
                break
        impulse = self._observe(wrench_tip)
        end_scene_step(
            self._drives, self._states, orders, friction, cases, q_reference, dq_reference, applied, armature,
            torque, ddq, self.dt,
        )  # fmt: skip
        mujoco.mj_Euler(self.model, self.data)
        self.data.qpos[self._qpos], self.data.qvel[self._dof] = self._states["q"], self._states["dq"]
        if self.floats:
            self._move_base(impulse)
        self._steps += 1

    def run(self, q_references: Array, dq_references: Array, wrench_tip: Array = NO_WRENCH) -> Run:
        """Carry arm and scene on by a step for each row; see `DrivenArm.run`."""
        rows = [np.empty(q_references.shape) for _ in range(3)]
        for k in range(len(q_references)):
            self.step(q_references[k], dq_references[k], wrench_tip)
            for row, field in zip(rows, ("q", "current", "theta"), strict=True):
                row[k] = self._states[field]
        return Run(*rows)

    def variables(self) -> dict[str, float]:
        """Return all that can be watched; the contact's force on the arm with it."""
        found = super().variables()
        names = ("force_x_n", "force_y_n", "force_z_n", "moment_x_n_m", "moment_y_n_m", "moment_z_n_m")
        found.update(zip((f"contact.{name}" for name in names), self.contact_wrench.tolist(), strict=True))
        return found

    def _place(self) -> None:
        assert self.data is not None
        self.data.qpos[self._qpos], self.data.qvel[self._dof] = self._states["q"], self._states["dq"]
        if self.floats:
            self.data.qvel[self._free : self._free + 6] = self._base.twist
        mujoco.mj_forward(self.model, self.data)

    def _push(self, wrench_tip: Array) -> None:
        """Apply the wrench at the tip to the last body, about its centre, in world axes."""
        assert self.data is not None
        R, tip = self._base.pose[:3, :3], self._base.pose @ np.append(self.T_base_tip[:3, 3], 1.0)
        force, torque = R @ wrench_tip[:3], R @ wrench_tip[3:]
        lever = tip[:3] - self.data.xipos[self._last_body]
        self.data.xfrc_applied[self._last_body] = [*force, *(torque + np.cross(lever, force))]

    def _spin(self, orders: Array, q_reference: Array, dq_reference: Array, ddq: Array) -> Array:
        """Apply what the rotors' spin takes from its carriers in a trial; return the armatures' share."""
        assert self.data is not None
        acceleration = np.zeros(6)
        if self.floats:
            acceleration[3:] = self.data.qacc[self._free + 3 : self._free + 6]
        moments, own = spins_in_scene(
            self._arm, self._drives, self._states, orders, q_reference, dq_reference, ddq,
            self._base.twist[3:].copy(), acceleration, self.dt,
        )  # fmt: skip
        first = self._base_body
        self.data.xfrc_applied[first : first + self.joints, 3:] = -moments @ self._base.pose[:3, :3].T
        return own

    def _observe(self, wrench_tip: Array) -> Array:
        """Write the base's wrench and the contacts' on the arm, and return the impulse of all from outside.

        Of the step's beginning; the impulse about the world's origin in world axes [N s, N m s], shape (6,).
        """
        assert self.data is not None
        R, base = self._base.pose[:3, :3], self._base.pose[:3, 3]
        mujoco.mj_rnePostConstraint(self.model, self.data)
        inner = self.data.cfrc_int[self._base_body]
        force, about = inner[3:], self.data.subtree_com[self.model.body_rootid[self._base_body]]
        self._base.wrench[:3] = R.T @ force
        self._base.wrench[3:] = R.T @ (inner[:3] + np.cross(about - base, force))
        total, tip = np.zeros(6), base + R @ self.T_base_tip[:3, 3]
        six = np.zeros(6)
        for k in range(self.data.ncon):
            contact = self.data.contact[k]
            sign = self._side(contact.geom1, contact.geom2)
            if sign == 0.0:
                continue
            mujoco.mj_contactForce(self.model, self.data, k, six)
            axes = contact.frame.reshape(3, 3)
            push, turn = sign * (axes.T @ six[:3]), sign * (axes.T @ six[3:])
            total += np.concatenate([push, turn + np.cross(contact.pos - tip, push)])
        self.contact_wrench = np.concatenate([R.T @ total[:3], R.T @ total[3:]])
        total += np.concatenate([R @ wrench_tip[:3], R @ wrench_tip[3:]])
        weight = self._chain.masses.sum() * self._gravity
        moment = total[3:] + np.cross(tip, total[:3]) + np.cross(about, weight)
        return self.dt * np.concatenate([total[:3] + weight, moment])

    def _side(self, first: int, second: int) -> float:
        """Return the sign of a contact's force on the arm: it acts from the first geometry on the second."""
        mine = [
            self._base_body <= self.model.geom_bodyid[geom] <= self._last_body for geom in (first, second)
        ]
        return float(mine[1]) - float(mine[0])

    def _move_base(self, impulse: Array) -> None:
        """Take the floating base's pose from MuJoCo, and give it the twist that keeps the momenta."""
        assert self.data is not None
        at = self._free_qpos
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, self.data.qpos[at + 3 : at + 7])
        self._base.pose[:3, :3], self._base.pose[:3, 3] = R.reshape(3, 3), self.data.qpos[at : at + 3]
        free = slice(self._free, self._free + 6)
        self._base.twist[:] = self.data.qvel[free]
        self._base.momentum[:] += impulse
        keep_momenta(self._chain, self._base, self.q, self.dq, self._spins())
        self.data.qvel[free] = self._base.twist

    def _diverged(self) -> SimulationError:
        return SimulationError(f"{super()._diverged()} (in a scene)")
