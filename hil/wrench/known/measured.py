"""Known forces on the resting arm as the robot measures them: from the driver's cycles to probes. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import LinkError
from hil.common.geometry import cross, wrench_moved
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.messaging.messages import CycleBlock, RobotState
from hil.wrench.known.verdict import Probe
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose

GRAVITY = 9.81  # [m/s2]
LEAST_SAMPLES = 20
LEAST_STATES = 3


@dataclass(frozen=True, eq=False)
class Measured:
    """What the driver measured for a while.

    Attributes:
        t: times of the samples [s], shape (n,).
        q: joint positions [rad], shape (7,).
        wrench: about the object's centre, object axes [N, N m], shape (n, 6).
        t_witness: times at which the joint torques were looked at [s], shape (m,).
        disagreement: what the wrench then had more than they explain, shape (m, 6).
    """

    t: Array
    q: Array
    wrench: Array
    t_witness: Array
    disagreement: Array

    @property
    def span(self) -> float:
        """Time from the first sample to the last [s]."""
        return float(self.t[-1] - self.t[0])

    @property
    def mean_wrench(self) -> Array:
        """Mean over time, gaps bridged, shape (6,)."""
        return np.array(np.trapezoid(self.wrench, self.t, axis=0)) / self.span

    @property
    def mean_disagreement(self) -> Array:
        """The same of the disagreement, shape (6,)."""
        span = float(self.t_witness[-1] - self.t_witness[0])
        return np.array(np.trapezoid(self.disagreement, self.t_witness, axis=0)) / span


def measured(
    blocks: Sequence[CycleBlock], states: Sequence[RobotState], start_ns: int, stop_ns: int
) -> Measured:
    """Return what was measured between two instants.

    Args:
        blocks: the driver's cycles, every sample.
        states: the driver's states, some of the samples.
        start_ns: the first instant.
        stop_ns: the last.

    Raises:
        LinkError: too little came.
    """
    stamps = np.concatenate([np.zeros(0, np.int64), *(block.stamps[:, 0] for block in blocks)])
    inside = (stamps >= start_ns) & (stamps <= stop_ns)
    looked = [state for state in states if start_ns <= state.t_ns <= stop_ns]
    if inside.sum() < LEAST_SAMPLES or len(looked) < LEAST_STATES:
        raise LinkError(
            f"check-wrench: only {inside.sum()} samples and {len(looked)} states of the robot came in "
            f"{1e-9 * (stop_ns - start_ns):.2g} s: is the driver running, and does the machine keep up?"
        )
    return Measured(
        t=1e-9 * (stamps[inside] - start_ns),
        q=np.concatenate([block.q_measured for block in blocks])[inside][-1],
        wrench=np.concatenate([block.wrench_object for block in blocks])[inside],
        t_witness=np.array([1e-9 * (state.t_ns - start_ns) for state in looked]),
        disagreement=np.array([state.wrench_object - state.wrench_witness for state in looked]),
    )


class KnownForce:
    """Turns what was measured with and without a known force into a probe."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        self._frames = Frames.from_configuration(configuration)
        self._model = model
        self._sign = configuration.fri.wrench_sign
        self._in_tool_axes = configuration.fri.wrench_frame == "tool"
        self._torque_sign = configuration.fri.torque_sign

    def weight(self, before: Measured, after: Measured, mass: float, lever: Array) -> Probe:
        """Return the probe of a hung weight.

        Args:
            before: the untouched arm.
            after: with the weight.
            mass: of the weight [kg].
            lever: where it hangs, from the tcp, tcp axes [m], shape (3,).
        """
        force = self._frames.T_world_base[:3, :3].T @ np.array([0.0, 0.0, -mass * GRAVITY])
        arm = np.ascontiguousarray(self._base_tcp(after.q)[:3, :3] @ lever)
        return self._probe(before, after, np.concatenate([force, cross(arm, force)]))

    def push(self, before: Measured, during: Measured, impulse: Array, point_object: Array) -> Probe:
        """Return the probe of a push, as the mean force over the time measured.

        Args:
            before: the untouched arm.
            during: from before the push until after it.
            impulse: of the push, world axes [N s], shape (3,).
            point_object: where it acts, from the object's centre, object axes [m], shape (3,).
        """
        force = self._frames.T_world_base[:3, :3].T @ (impulse / during.span)
        T_tcp_object = self._frames.T_tcp_object
        in_tcp = T_tcp_object[:3, :3] @ point_object + T_tcp_object[:3, 3]
        arm = self._base_tcp(during.q)[:3, :3] @ in_tcp
        return self._probe(before, during, np.concatenate([force, cross(arm, force)]))

    def _probe(self, before: Measured, after: Measured, expected: Array) -> Probe:
        change = after.mean_wrench - before.mean_wrench
        witness = change - (after.mean_disagreement - before.mean_disagreement)
        q = after.q
        R = self._base_tcp(q)[:3, :3]
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
        pose: Array = flange_pose(self._model.geometry, q) @ self._frames.T_flange_tcp
        return pose
