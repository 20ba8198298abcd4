"""The emulated arm: its plant, the motion of what it holds, and its dynamics on request."""

import mujoco
import numpy as np

from drivers.emulation.arm.plants import DynamicPlant, KinematicPlant, Plant, StiffPlant
from drivers.robot.chain import chain_of
from drivers.robot.flange_motion import FlangeMotion, held_body_into
from drivers.robot.model import compiled, joint_range, robot_spec
from hil.common.arrays import Array
from hil.common.geometry import transform_inverse, wrench_moved
from hil.common.planar import carried_pose, carried_twist
from hil.configuration.frames import Frames, mockup_centre
from hil.configuration.schema import Configuration

GRID = 1e-3  # [s]


def grid_of(sample_time: float) -> tuple[float, int]:
    """Return the grid step [s], about a millisecond, and the number of steps in a sample time [s]."""
    steps = max(1, round(sample_time / GRID))
    return sample_time / steps, steps


class EmulatedArm:
    """The arm with the held mock-up.

    Attributes:
        frames: the run's fixed frames.
        joint_range: the robot model's least and greatest joint positions [rad], shape (7, 2).
        motion: motion of the flange in base axes.
        T_world_object: pose of the emulated object's centre of mass and axes in world, shape (4, 4).
        twist_world_object: its twist in world axes [m/s, rad/s], shape (6,).
        T_world_base: where the base is, shape (4, 4); the mount, unless it is carried.
        base_motion: of what carries it, shape (3, 3) as in `hil.common.planar`; None: nothing does.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Stand at the emulator's start pose, or the robot's.

        Raises:
            RobotModelError: the robot model cannot be used.
        """
        frames = Frames.from_configuration(configuration)
        self.frames, fixed = frames, configuration.base.kind == "none"
        given = configuration.emulator.start
        start = np.array(configuration.robot.start if given is None else given)
        step, _ = grid_of(configuration.fri.sample_time)
        emulator = configuration.emulator
        self._model = compiled(robot_spec(configuration, frames), configuration.robot.model)
        self._data = mujoco.MjData(self._model)
        self._chain = chain_of(self._model)
        self.joint_range = joint_range(self._model)
        self._plant: Plant
        if emulator.control == "kinematic":
            self._plant = KinematicPlant(start, step)
        elif emulator.control == "position" and not emulator.elastic:
            self._plant = StiffPlant(emulator, start, step)
        else:
            self._plant = DynamicPlant(configuration, frames, start, step)
        self._dynamic = isinstance(self._plant, DynamicPlant)
        # from the mock-up's centre of mass to the object's, in the object's axes
        self._mockup_to_object = -transform_inverse(frames.T_tcp_object)[:3, :3] @ (
            mockup_centre(configuration) - frames.T_tcp_object[:3, 3]
        )
        self.motion = FlangeMotion()
        self.T_world_base, self.base_motion = frames.T_world_base, None if fixed else np.zeros((3, 3))
        self.T_world_object, self.twist_world_object = np.eye(4), np.zeros(6)
        self._update()

    @property
    def q(self) -> Array:
        """Joint positions [rad], shape (7,), live."""
        return self._plant.q

    @property
    def dq(self) -> Array:
        """Joint speeds [rad/s], shape (7,), live."""
        return self._plant.dq

    @property
    def ddq(self) -> Array:
        """Joint accelerations [rad/s2], shape (7,), live."""
        return self._plant.ddq

    @property
    def T_base_tcp(self) -> Array:
        """Pose of the tcp in base, shape (4, 4)."""
        pose: Array = self.motion.T_base_flange @ self.frames.T_flange_tcp
        return pose

    def step(self, u_0: Array, u_1: Array, wrench_world: Array) -> None:
        """Advance by a grid step.

        Args:
            u_0: commanded path at the start of the step [rad], shape (7,).
            u_1: the same at its end.
            wrench_world: what pushes the mock-up, about the object's centre of mass, world axes, (6,).
        """
        if self._dynamic and wrench_world.any():
            lever = self.T_world_object[:3, :3] @ self._mockup_to_object
            wrench_world = wrench_moved(wrench_world, lever)
        self._plant.step(u_0, u_1, wrench_world)
        self._update()

    def carry(self, motion: Array) -> None:
        """Take how the base moves from now on, shape (3, 3): pose, rate and acceleration in world."""
        self.base_motion = np.array(motion)
        self.T_world_base = carried_pose(np.ascontiguousarray(self.frames.T_world_base), self.base_motion[0])
        self._update()

    def _update(self) -> None:
        m, f = self.motion, self.frames
        m.update(self._chain, self._plant.q, self._plant.dq, self._plant.ddq)
        held_body_into(
            *(self.T_world_object, self.twist_world_object),
            *(self.T_world_base, m.T_base_flange, f.T_flange_object, m.omega, m.v),
        )
        if self.base_motion is not None:
            self.twist_world_object += carried_twist(self.base_motion, self.T_world_object[:3, 3])

    def jacobian(self) -> Array:
        """Return the tcp's Jacobian in base axes, rows linear then angular, shape (6, 7)."""
        return self.motion.jacobian(self.frames.T_flange_tcp[:3, 3])

    def gravity_and_mass(self) -> tuple[Array, Array]:
        """Return the joint torques that hold arm and mock-up still [N m], (7,), and the mass matrix (7, 7).

        The drives' own inertia is not part of it.
        """
        data = self._data
        data.qpos[:] = self._plant.q
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_comPos(self._model, data)
        mujoco.mj_crb(self._model, data)
        gravity = np.zeros(7)
        mujoco.mj_rne(self._model, data, 0, gravity)
        mass = np.zeros((7, 7))
        mujoco.mj_fullM(self._model, data, mass)
        return gravity, mass
