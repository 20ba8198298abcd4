"""A run of an experiment: the stiffness-controlled arm follows its commands among contacts."""

from pathlib import Path

import mujoco
import numpy as np

from drivers.robot.stiffness_arm import TOOL
from hil.common.arrays import Array
from hil.configuration.frames import pose_of
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.arm_scene import arm_scene, force_on_peg
from hil.trials.validation.parameters import Parameters
from hil.trials.validation.setup import Setup
from hil.trials.validation.tool.felt import ToolFelt

NO_SHIFT = np.zeros(3)


def simulate(
    setup: Setup,
    parameters: Parameters,
    commands: Array | None = None,
    shift: Array = NO_SHIFT,
    folder: Path | None = None,
    forces: bool = True,
) -> ArmRun:
    """Return a run; the same arguments give the same run, to the bit.

    Args:
        setup: of the experiment.
        parameters: of arm, contact and tool.
        commands: joints on the simulation's grid [rad], shape (n, 7); None: the experiment's sequence.
        shift: of the plate from its place, world axes [m], shape (3,).
        folder: where the state goes that led to a divergence.
        forces: of the contacts are wanted; asking for them costs a quarter of the time, and they are zero
            otherwise. What the tool's sensor reads is there in any case, if there is one.

    Raises:
        SimulationError: it diverged; names the file with the state before.
    """
    e = setup.experiment
    rows = np.ascontiguousarray(setup.commands if commands is None else commands)
    scene = arm_scene(setup, parameters, shift, folder)
    data, every = scene.data, round(e.simulation.sample / e.simulation.step)
    count = 1 + (len(rows) - 1) // every
    q, dq, gravity = (np.zeros((count, 7)) for _ in range(3))
    force, tip = (np.zeros((count, 3)) for _ in range(2))
    felt = ToolFelt(scene, e) if setup.has_tool_sensor else None
    wrench = None if felt is None else np.zeros((count, 6))
    data.qpos[:7] = rows[0]
    mujoco.mj_forward(scene.model, data)
    tool = scene.model.body(TOOL).id
    for k in range(count):
        if k:  # the command at the end of a step is the one that is held during it
            scene.run(every, rows[(k - 1) * every + 1 : k * every + 1])
            if forces:
                force[k] = force_on_peg(scene)
        q[k], dq[k], gravity[k] = data.qpos[:7], data.qvel[:7], data.qfrc_gravcomp[:7]
        if felt is not None and wrench is not None:
            wrench[k] = felt.now()
        tip[k] = data.xpos[tool] + e.peg.tip * data.xmat[tool][2::3]
    if wrench is not None and count > 1:
        wrench[0] = wrench[1]  # nothing is known before the first step
    command, control = rows[: every * count : every], parameters.control
    torque = np.asarray(control.stiffness * (command - q) - control.damping * dq + gravity)
    plate = pose_of(e.plate.rotvec, e.plate.position)
    t = np.linspace(0.0, (count - 1) * every * e.simulation.step, count)
    in_plate = np.asarray((tip - plate[:3, 3]) @ plate[:3, :3])
    return ArmRun(t, command, q, torque, gravity, force, in_plate, wrench)
