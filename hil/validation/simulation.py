"""A run of an experiment: the stiffness-controlled arm follows its commands among contacts."""

from pathlib import Path

import mujoco
import numpy as np

from drivers.stiffness_arm import TOOL
from hil.arrays import Array
from hil.errors import SimulationError
from hil.frames import pose_of
from hil.validation.arm_run import ArmRun
from hil.validation.arm_scene import ArmScene
from hil.validation.parameters import NAMES, Parameters
from hil.validation.setup import Setup

RUNAWAY = 50.0  # [rad/s] of a joint: no arm turns so fast
BAD = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)


def simulate(
    setup: Setup,
    parameters: Parameters,
    commands: Array | None = None,
    shift: Array | None = None,
    lost: Path = Path("diverged.npz"),
) -> ArmRun:
    """Return a run; the same arguments give the same run, to the bit.

    Args:
        setup: of the experiment.
        parameters: of arm, contact and tool.
        commands: joints on the simulation's grid [rad], shape (n, 7); None: the experiment's sequence.
        shift: of the plate from its place, world axes [m], shape (3,).
        lost: file to which the last good state goes if the simulation diverges.

    Raises:
        SimulationError: it diverged; names the file.
    """
    rows = setup.commands if commands is None else commands
    scene = ArmScene(setup, parameters, np.zeros(3) if shift is None else shift)
    return _Recording(setup, parameters, scene, lost).follow(np.ascontiguousarray(rows))


class _Recording:
    """Drives the scene through the commands and keeps every sample."""

    def __init__(self, setup: Setup, parameters: Parameters, scene: ArmScene, lost: Path) -> None:
        e = setup.experiment
        self._parameters, self._scene, self._lost = parameters, scene, lost
        self._step, self._every = e.simulation.step, round(e.simulation.sample / e.simulation.step)
        self._T_plate_world = np.linalg.inv(pose_of(e.plate.rotvec, e.plate.position))
        self._tip, self._tool = e.peg.tip, scene.model.body(TOOL).id
        self._good = np.empty(scene.state_size)

    def follow(self, commands: Array) -> ArmRun:
        data, every = self._scene.data, self._every
        count = 1 + (len(commands) - 1) // every
        run = ArmRun(np.arange(count) * every * self._step, commands[::every], *self._columns(count))
        speed = np.zeros((count, 7))
        data.qpos[:7] = commands[0]
        mujoco.mj_forward(self._scene.model, data)
        for k in range(count):
            if k:
                self._scene.state_into(self._good)
                # the command at the end of a step is the one that is held during it
                self._scene.run(every, commands[(k - 1) * every + 1 : k * every + 1])
                self._check(run.t[k - 1])
            run.q[k], speed[k], run.gravity[k] = data.qpos[:7], data.qvel[:7], data.qfrc_gravcomp[:7]
            run.force[k] = self._scene.force()
            run.tip[k] = data.xpos[self._tool] + self._tip * data.xmat[self._tool][2::3]
        control = self._parameters.control
        run.torque[:] = control.stiffness * (run.command - run.q) - control.damping * speed + run.gravity
        run.tip[:] = run.tip @ self._T_plate_world[:3, :3].T + self._T_plate_world[:3, 3]
        return run

    @staticmethod
    def _columns(count: int) -> tuple[Array, ...]:
        return tuple(np.zeros((count, width)) for width in (7, 7, 7, 3, 3))

    def _check(self, t: float) -> None:
        """Stop when the arm is no longer believable; what it was at `t` [s], before, is kept."""
        data = self._scene.data
        wild = not np.all(np.abs(data.qvel[:7]) < RUNAWAY)  # NaN is wild
        if not wild and not any(data.warning[kind].number for kind in BAD):
            return
        np.savez(
            self._lost, t=t, state=self._good, parameters=self._parameters.values, parameter_names=NAMES
        )
        raise SimulationError(
            f"the simulation diverged within {1e3 * self._every * self._step:g} ms after t = {t:g} s; the "
            f"state before is in {self._lost}: try a shorter simulation.step_ms, less contact.stiffness_n_per_m "
            "or more damping"
        )
