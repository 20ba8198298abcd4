"""The servicer's arm as the impedance needs it: gains from damping ratios, a path of knots, its stability."""

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.common.geometry import quat_conjugate, quat_from_matrix, quat_multiply, rotvec_from_quat
from hil.configuration.docking import Docking
from sim.contact.force_tables import CARTESIAN, JOINT, Chain, Impedance, chain_of
from sim.docking.model import DockingModel

STABLE = 1.0  # largest eigenvalue of M^-1 D times the step; explicit damping diverges above 2
STIFF = 0.25  # the same of M^-1 K times the step squared; above 4 it diverges
INVERSE_ROUNDS, INVERSE_DONE = 100, 1e-10
KNOT = 0.01  # [m] of way between two knots of a joint path


class Arm:
    """The arm at its start, on a base at the origin."""

    def __init__(self, scene: DockingModel, docking: Docking, point: Array) -> None:
        """Bring the arm to its start.

        Args:
            scene: the compiled model.
            docking: the configuration's table.
            point: of the effector that is held, its frame [m], shape (3,).
        """
        self._scene, self._docking = scene, docking
        self._data = mujoco.MjData(scene.model)
        self.chain: Chain = chain_of(scene.model, scene.base, scene.effector, point)
        self._place(docking.servicer.start)

    @property
    def T_base_effector(self) -> Array:
        """The effector's pose in the base's frame, shape (4, 4)."""
        data, scene = self._data, self._scene
        R = data.xmat[scene.base].reshape(3, 3)
        T = np.eye(4)
        T[:3, :3] = R.T @ data.xmat[scene.effector].reshape(3, 3)
        T[:3, 3] = R.T @ (data.xpos[scene.effector] - data.xpos[scene.base])
        return T

    def impedance(self, step: float, way: Array, duration: float) -> Impedance:
        """Return the impedance whose point goes from the start by `way` in `duration`.

        Args:
            step: of the simulation [s].
            way: of the held point in the base's frame [m], shape (3,).
            duration: of that way [s]; ignored without a way.

        Raises:
            ConfigurationError: the arm cannot go that way, or the step is too long for the gains.
        """
        T = self.T_base_effector
        first = np.concatenate((T[:3, 3] + T[:3, :3] @ self.chain.point, quat_from_matrix(T[:3, :3].copy())))
        count = 1 + int(np.ceil(np.linalg.norm(way) / KNOT))
        share = np.linspace(0.0, 1.0, count)[:, None] if count > 1 else np.zeros((1, 1))
        poses = np.repeat(first[None], count, axis=0)
        poses[:, :3] += share * way
        time = share[:, 0] * duration
        joint, cartesian = self._docking.joint_impedance, self._docking.cartesian_impedance
        M_inverse = self._mobility()
        if joint is not None:
            damping = 2.0 * joint.damping * np.sqrt(joint.stiffness / np.diag(M_inverse))
            self._stable(M_inverse, np.diag(damping), np.diag(joint.stiffness), step, "joint_impedance")
            return Impedance(JOINT, joint.stiffness.copy(), damping, 0.0, time, self._inverted(poses))
        assert cartesian is not None  # the configuration has one of the two
        stiffness = np.concatenate((cartesian.translation, cartesian.rotation))
        J = self._jacobian()
        damping = 2.0 * cartesian.damping * np.sqrt(stiffness / np.diag(J @ M_inverse @ J.T))
        D, K = J.T @ np.diag(damping) @ J, J.T @ np.diag(stiffness) @ J
        D += cartesian.nullspace_damping * (np.eye(7) - np.linalg.pinv(J) @ J)
        self._stable(M_inverse, D, K, step, "cartesian_impedance")
        return Impedance(CARTESIAN, stiffness, damping, cartesian.nullspace_damping, time, poses)

    def _place(self, q: Array) -> None:
        self._data.qpos[self._scene.joint_qpos] = q
        mujoco.mj_fwdKinematics(self._scene.model, self._data)

    def _mobility(self) -> Array:
        """Return what the joints answer to torques with the base as it is, free or fixed, shape (7, 7)."""
        model, data = self._scene.model, self._data
        mujoco.mj_makeM(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        dof = self._scene.joint_dof
        return np.asarray(np.linalg.inv(M)[np.ix_(dof, dof)], np.float64)

    def _jacobian(self) -> Array:
        """Return the held point's Jacobian relative to the base, effector's axes, shape (6, 7)."""
        data = self._data
        R = data.xmat[self._scene.effector].reshape(3, 3)
        point = data.xpos[self._scene.effector] + R @ self.chain.point
        axis, anchor = data.xaxis[self.chain.joint], data.xanchor[self.chain.joint]
        return np.vstack((R.T @ np.cross(axis, point - anchor).T, R.T @ axis.T))

    def _inverted(self, poses: Array) -> Array:
        """Return the joints at each pose, from the start on by Newton's method, shape (m, 7)."""
        joints = np.empty((len(poses), 7))
        q = self._docking.servicer.start.copy()
        for row, pose in zip(joints, poses, strict=True):
            row[:] = q = self._joints_at(pose, q)
        self._place(self._docking.servicer.start)
        return joints

    def _joints_at(self, pose: Array, q: Array) -> Array:
        """Return the joints near `q` with which the held point is at a pose in the base's frame."""
        for _ in range(INVERSE_ROUNDS):
            self._place(q)
            T = self.T_base_effector
            quat = quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
            turn = rotvec_from_quat(quat_multiply(quat_conjugate(quat), pose[3:]))
            shift = T[:3, :3].T @ (pose[:3] - T[:3, 3]) - self.chain.point
            error = np.concatenate((shift, turn))
            if np.abs(error).max() < INVERSE_DONE:
                return q
            J = self._jacobian()
            q = q + J.T @ np.linalg.solve(J @ J.T + 1e-8 * np.eye(6), error)
        raise ConfigurationError(
            f"docking.approach: the arm cannot reach {1e3 * np.linalg.norm(pose[:3]):.0f} mm from its base "
            "along the approach: bring the servicer nearer (docking.approach.distance_mm) or change "
            "docking.servicer.start_deg"
        )

    def _stable(self, M_inverse: Array, D: Array, K: Array, step: float, key: str) -> None:
        """Refuse gains that the step cannot follow: they are applied explicitly."""
        damped = float(np.abs(np.linalg.eigvals(M_inverse @ D)).max()) * step
        stiff = float(np.abs(np.linalg.eigvals(M_inverse @ K)).max()) * step**2
        if damped > STABLE or stiff > STIFF:
            raise ConfigurationError(
                f"docking.{key}: too stiff or too damped for simulation.step_ms = {1e3 * step:g}: "
                f"|M^-1 D| dt = {damped:.3g} must be at most {STABLE:g} and |M^-1 K| dt^2 = {stiff:.3g} at "
                f"most {STIFF:g}; lower stiffness or damping, or shorten the step"
            )
