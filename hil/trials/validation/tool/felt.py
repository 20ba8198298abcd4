"""What a sensor between flange and peg really feels: contacts, and the peg's weight and inertia."""

import mujoco
import numpy as np

from drivers.robot.stiffness_arm import TOOL
from hil.common.arrays import Array
from hil.common.geometry import cross
from hil.configuration.frames import pose_of
from hil.trials.validation.schema import Experiment
from sim.contact.contact_scene import ContactScene


class ToolFelt:
    """Reads a scene's last step: Newton and Euler about the peg's centre of mass."""

    def __init__(self, scene: ContactScene, experiment: Experiment) -> None:
        """Hang the sensor of an experiment at the scene's flange."""
        T = pose_of(experiment.sensor.rotvec, experiment.sensor.position)
        self._R_flange_sensor, self._p_flange_sensor = T[:3, :3], T[:3, 3]
        self._scene, self._body = scene, scene.model.body(TOOL).id

    def now(self) -> Array:
        """Return what the environment exerts on the peg's side, see `ArmRun.wrench`, shape (6,)."""
        model, data, body = self._scene.model, self._scene.data, self._body
        R = data.xmat[body].reshape(3, 3)  # the tool's frame is the flange's
        sensor = data.xpos[body] + R @ self._p_flange_sensor
        force, torque = np.zeros(3), np.zeros(3)
        for contact in self._scene.contacts():  # their normals lead from plate to peg
            f = contact["force"][0] * contact["normal"] + contact["force"][1:] @ contact["tangents"]
            force += f
            torque += cross(contact["point"] - sensor, f)
        # turning and straight acceleration of the centre of mass, less gravity's: what an accelerometer reads
        mujoco.mj_rnePostConstraint(model, data)
        proper, speed = np.empty(6), np.empty(6)
        mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_BODY, body, proper, 0)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, speed, 0)
        axes = data.ximat[body].reshape(3, 3)
        inertia = axes @ np.diag(model.body_inertia[body]) @ axes.T
        held = -model.body_mass[body] * proper[3:]
        turned = inertia @ proper[:3] + cross(speed[:3], inertia @ speed[:3])
        force += held
        torque += cross(data.xipos[body] - sensor, held) - turned
        R_world_sensor = R @ self._R_flange_sensor
        return np.concatenate((R_world_sensor.T @ force, R_world_sensor.T @ torque))
