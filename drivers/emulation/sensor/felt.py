"""What a sensor between flange and mock-up really feels: pushes, the mock-up's weight and its inertia."""

import numpy as np

from drivers.emulation.arm.arm import EmulatedArm
from hil.common.arrays import Array
from hil.common.geometry import cross
from hil.configuration.frames import mockup_centre, pose_of
from hil.configuration.schema import Configuration

GRAVITY = 9.81  # [m/s2]


class FeltWrench:
    """The true load of a sensor, from the arm's true motion (Newton and Euler about the mock-up's centre)."""

    def __init__(self, configuration: Configuration, arm: EmulatedArm) -> None:
        c, frames = configuration, arm.frames
        self._arm = arm
        T_flange_sensor = pose_of(c.sensor.rotvec, c.sensor.position)
        self._R_flange_sensor, self._p_flange_sensor = T_flange_sensor[:3, :3], T_flange_sensor[:3, 3]
        self._R_flange_tcp = frames.T_flange_tcp[:3, :3]
        self._p_flange_mockup = self._R_flange_tcp @ mockup_centre(c) + frames.T_flange_tcp[:3, 3]
        self._p_flange_object = frames.T_flange_object[:3, 3]
        self._R_base_world = frames.T_world_base[:3, :3].T
        self._mass, self._inertia = c.mockup.mass, c.mockup.inertia

    def now(self, wrench_world: Array) -> Array:
        """Return what the mock-up exerts on the sensor about its origin, in its axes [N, N m], shape (6,).

        Args:
            wrench_world: what pushes the mock-up, about the object's centre of mass, world axes, (6,).
        """
        m = self._arm.motion
        R = m.T_base_flange[:3, :3]
        mockup, sensor, pushed = (
            R @ self._p_flange_mockup,
            R @ self._p_flange_sensor,
            R @ self._p_flange_object,
        )
        weight = self._R_base_world @ np.array([0.0, 0.0, -self._mass * GRAVITY])
        a = m.a + cross(m.alpha, mockup) + cross(m.omega, cross(m.omega, mockup))
        R_base_tcp = R @ self._R_flange_tcp
        inertia = R_base_tcp @ np.diag(self._inertia) @ R_base_tcp.T
        turned = inertia @ m.alpha + cross(m.omega, inertia @ m.omega)
        push, twist = self._R_base_world @ wrench_world[:3], self._R_base_world @ wrench_world[3:]
        held = weight - self._mass * a
        force = push + held
        torque = twist + cross(pushed - sensor, push) + cross(mockup - sensor, held) - turned
        R_base_sensor = R @ self._R_flange_sensor
        return np.concatenate((R_base_sensor.T @ force, R_base_sensor.T @ torque))
