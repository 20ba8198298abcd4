"""How the joints answer the commanded path: ideally, with a stiff servo, or by dynamics (MuJoCo).

A plant keeps the joints' positions, speeds and accelerations `q, dq, ddq` (7,) and advances them by a
grid step from the path's value at the start and at the end of the step.
"""

from typing import Protocol

import mujoco
import numpy as np

from drivers.emulation.arm.second_order_lag import lag_step_into, lag_transition, natural_frequency
from drivers.robot.model import MOCKUP, ROTOR_INERTIA, add_rotors, compiled, robot_spec
from drivers.robot.urdf_for_physics import JOINTS
from hil.common.arrays import Array
from hil.common.engine import Watch
from hil.configuration.frames import Frames
from hil.configuration.schema import Configuration, Emulator

N = len(JOINTS)
REMEDY = "emulator.stiffness_n_m_per_rad and emulator.damping must suit the arm's inertia and the step"


class Plant(Protocol):
    """The joints of the arm."""

    q: Array  # rad
    dq: Array  # rad/s
    ddq: Array  # rad/s2

    def step(self, u_0: Array, u_1: Array, wrench: Array) -> None:
        """Advance by a grid step.

        Args:
            u_0: commanded path at the start of the step [rad], shape (7,).
            u_1: the same at its end.
            wrench: what pushes the mock-up, about its centre of mass, world axes [N, N m], shape (6,).
        """


class StiffPlant:
    """Position control with stiff joints: each follows its path with a second-order lag, pushes or not."""

    def __init__(self, emulator: Emulator, q: Array, step: float) -> None:
        """Stand at `q` [rad], shape (7,); `step` [s] is the grid."""
        self._transition = lag_transition(emulator.lag, emulator.damping, step)
        self._w, self._damping = natural_frequency(emulator.lag, emulator.damping), emulator.damping
        self.q, self.dq, self.ddq = np.array(q), np.zeros(N), np.zeros(N)

    def step(self, u_0: Array, u_1: Array, wrench: Array) -> None:
        """Advance by a grid step; the push does not move a stiff joint."""
        lag_step_into(self.q, self.dq, self.ddq, u_0, u_1, self._transition, self._w, self._damping)


class KinematicPlant:
    """The joints are where the path is: an ideal arm, quickly computed, for long runs on virtual time."""

    def __init__(self, q: Array, step: float) -> None:
        """Stand at `q` [rad], shape (7,); `step` [s] is the grid."""
        self._step = step
        self.q, self.dq, self.ddq = np.array(q), np.zeros(N), np.zeros(N)

    def step(self, u_0: Array, u_1: Array, wrench: Array) -> None:
        """Take on the path's value at the end of a grid step, and its mean speed; accelerations stay zero."""
        self.q[:] = u_1
        self.dq[:] = (u_1 - u_0) / self._step


class DynamicPlant:
    """Impedance control or elastic joints, or both: the arm's dynamics under joint torques.

    Impedance: `tau = K (u - q) - D dq` with `D_i = 2 z sqrt(K_i M_ii)` at the start pose. With elastic
    joints the control law holds the rotors (in position control they follow the path with the lag) and
    the links hang on springs. Gravity and Coriolis forces are compensated ideally, at the links.
    """

    def __init__(self, configuration: Configuration, frames: Frames, q: Array, step: float) -> None:
        """Stand at `q` [rad], shape (7,); `step` [s] is the grid."""
        emulator = configuration.emulator
        self._impedance = emulator.control == "impedance"
        self._elastic = emulator.elastic
        self._servo = StiffPlant(emulator, q, step)
        spec = robot_spec(configuration, frames)
        spec.option.timestep = step
        if self._elastic:
            add_rotors(spec, prescribed=not self._impedance)
        else:
            for name, inertia in zip(JOINTS, ROTOR_INERTIA, strict=True):
                spec.joint(name).armature = inertia
        self.model = compiled(spec, configuration.robot.model)
        self.data = mujoco.MjData(self.model)
        self._driven = slice(N, 2 * N) if self._elastic else slice(0, N)
        self.data.qpos[:N] = q
        self.data.qpos[self._driven] = q
        self._stiffness = emulator.stiffness
        mujoco.mj_forward(self.model, self.data)
        if self._impedance:
            self._add_damping(emulator.damping)
        self._mockup = self.model.body(MOCKUP).id
        self._watch = Watch(self.data, "the emulated arm", REMEDY)
        self.q, self.dq, self.ddq = self.data.qpos[:N], self.data.qvel[:N], self.data.qacc[:N]

    def _add_damping(self, damping: float) -> None:
        """Damp the driven coordinates (in the model, so that the integrator treats it implicitly)."""
        mass = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, mass)
        inertia = np.diag(mass)[:N] + (ROTOR_INERTIA if self._elastic else 0.0)
        self.model.dof_damping[self._driven] = np.reshape(
            2.0 * damping * np.sqrt(self._stiffness * inertia), self.model.dof_damping[self._driven].shape
        )

    def step(self, u_0: Array, u_1: Array, wrench: Array) -> None:
        """Advance by a grid step under the push."""
        data = self.data
        data.xfrc_applied[self._mockup] = wrench
        data.qfrc_applied[:N] = data.qfrc_bias[:N]  # compensation of gravity and Coriolis forces
        if self._impedance:
            law = self._stiffness * (u_0 - data.qpos[self._driven])
            if self._elastic:
                data.qfrc_applied[N:] = law
            else:
                data.qfrc_applied[:] += law
        else:
            data.qpos[N:], data.qvel[N:] = self._servo.q, self._servo.dq
            self._servo.step(u_0, u_1, wrench)
        before = data.time
        mujoco.mj_step(self.model, data)
        self._watch.look(before)
