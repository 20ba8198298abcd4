"""Known forces on the resting arm as the robot measures them: from states of the robot to probes. Pure."""

from collections.abc import Sequence

import numpy as np

from hil.arrays import Array
from hil.configuration import Configuration
from hil.errors import OperatorError
from hil.frames import Frames
from hil.geometry import cross, wrench_moved
from hil.messages import RobotState
from hil.wrench_check import Probe
from planner.arm_model import ArmModel
from planner.kinematics import flange_pose

GRAVITY = 9.81  # [m/s2]
LEAST_STATES = 10


class KnownForce:
    """Turns what was measured with and without a known force into a probe."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        self._frames = Frames.from_configuration(configuration)
        self._model = model
        self._sign = configuration.fri.wrench_sign
        self._in_tool_axes = configuration.fri.wrench_frame == "tool"
        self._torque_sign = configuration.fri.torque_sign

    def weight(
        self, before: Sequence[RobotState], after: Sequence[RobotState], mass: float, lever: Array
    ) -> Probe:
        """Return the probe of a hung weight.

        Args:
            before: states of the untouched arm.
            after: states with the weight.
            mass: of the weight [kg].
            lever: where it hangs, from the tcp, tcp axes [m], shape (3,).
        """
        _enough(before, after)
        T = self._base_tcp(after[-1].q_measured)
        force = self._frames.T_world_base[:3, :3].T @ np.array([0.0, 0.0, -mass * GRAVITY])
        expected = np.concatenate([force, cross(np.ascontiguousarray(T[:3, :3] @ lever), force)])
        change, witness = (
            np.mean([getattr(state, name) for state in after], axis=0)
            - np.mean([getattr(state, name) for state in before], axis=0)
            for name in ("wrench_object", "wrench_witness")
        )
        return self._probe(after[-1].q_measured, expected, change, witness)

    def push(
        self, before: Sequence[RobotState], during: Sequence[RobotState], impulse: Array, point_object: Array
    ) -> Probe:
        """Return the probe of a push, by the impulses.

        Args:
            before: states of the untouched arm.
            during: states from before the push until after it.
            impulse: of the push, world axes [N s], shape (3,).
            point_object: where it acts, from the object's centre, object axes [m], shape (3,).
        """
        _enough(before, during)
        q = during[-1].q_measured
        span = 1e-9 * (during[-1].t_ns - during[0].t_ns)
        force = self._frames.T_world_base[:3, :3].T @ (impulse / span)
        T = self._base_tcp(q)
        lever = T[:3, :3] @ (
            self._frames.T_tcp_object[:3, :3] @ point_object + self._frames.T_tcp_object[:3, 3]
        )
        expected = np.concatenate([force, cross(lever, force)])
        t = np.array([1e-9 * (state.t_ns - during[0].t_ns) for state in during])
        change, witness = (
            np.trapezoid([getattr(state, name) for state in during], t, axis=0) / span
            - np.mean([getattr(state, name) for state in before], axis=0)
            for name in ("wrench_object", "wrench_witness")
        )
        return self._probe(q, expected, change, witness)

    def _probe(self, q: Array, expected: Array, change: Array, witness: Array) -> Probe:
        T_base_tcp = self._base_tcp(q)
        R = T_base_tcp[:3, :3]
        in_base = self._at_tcp(q, change)
        wire = in_base
        if self._in_tool_axes:
            wire = np.concatenate([R.T @ in_base[:3], R.T @ in_base[3:]])
        torques = self._torque_sign * self._at_tcp(q, witness) if self._torque_sign else None
        return Probe(expected, self._sign * wire, torques, R)

    def _at_tcp(self, q: Array, wrench_object: Array) -> Array:
        """Return a wrench about the object's centre, object axes, about the tcp in base axes, (6,)."""
        R = self._base_tcp(q)[:3, :3]
        R_base_object = R @ self._frames.T_tcp_object[:3, :3]
        in_base = np.concatenate([R_base_object @ wrench_object[:3], R_base_object @ wrench_object[3:]])
        return wrench_moved(in_base, R @ self._frames.T_tcp_object[:3, 3])

    def _base_tcp(self, q: Array) -> Array:
        pose: Array = flange_pose(self._model.lengths, self._model.signs, q) @ self._frames.T_flange_tcp
        return pose


def _enough(*series: Sequence[RobotState]) -> None:
    for states in series:
        if len(states) < LEAST_STATES:
            raise OperatorError(
                f"check-wrench: only {len(states)} states of the robot came, at least {LEAST_STATES} are "
                "needed: is the driver running?"
            )
