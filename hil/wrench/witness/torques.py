"""The joint torques as a witness of the wrench (docs/theory.md, section 14). Pure: no socket, no clock.

The robot's packet brings an estimate of the external joint torques as well. Neither `fri.wrench_sign`
nor `fri.wrench_frame` nor the tcp's frame touches them, so they show when one of those is wrong.
"""

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.messaging.messages import ImpulseSlice, Witness
from hil.wrench.witness.kernel import MEMORY, Record, disagreement, newest_until, note
from planner.kinematics.arm_model import ArmModel

PERIOD_NS = 20_000_000  # between two statements on the same slice
MARGIN = 1e-6  # [s] stamps of slices are whole nanoseconds
BASELINES_KEPT = 8  # pushes whose baseline may still be wanted


class TorqueWitness:
    """Follows by how much the measured wrench and the joint torques disagree."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        self._sign = float(configuration.fri.torque_sign)
        self._tau = configuration.detector.baseline_time
        self._delay = configuration.detector.baseline_delay
        self._geometry = model.geometry
        self._T_flange_object = Frames.from_configuration(configuration).T_flange_object
        self._memory: Record = np.zeros(1, MEMORY)
        self._origin_ns: int | None = None
        self._baselines: dict[int, Array] = {}  # of the last pushes, before they began [N, N m]
        self._told_of = (-1, -1)  # impulse and slice of the last statement
        self._told_ns = 0

    def warm(self) -> None:
        """Compile or load the kernels."""
        zero, memory = np.zeros(7), np.zeros(1, MEMORY)
        arm = (self._geometry, zero, self._T_flange_object, np.zeros(6), zero)
        disagreement(*arm)
        note(memory, 0.0, *arm, self._tau, True)
        newest_until(memory, 0.0)

    def take(self, t_ns: int, q: Array, wrench_object: Array, torque: Array, quiet: bool) -> None:
        """Take a sample.

        Args:
            t_ns: when it was measured.
            q: measured joint positions [rad], shape (7,).
            wrench_object: measured, about the object's centre, object axes [N, N m], shape (6,).
            torque: external joint torques as the controller has them [N m], shape (7,).
            quiet: whether no push acts.
        """
        if self._sign == 0.0:
            return
        if self._origin_ns is None:
            self._origin_ns = t_ns
        t = (t_ns - self._origin_ns) * 1e-9
        arm = (self._geometry, q, self._T_flange_object, wrench_object, self._sign * torque)
        note(self._memory, t, *arm, self._tau, quiet)

    @property
    def now(self) -> Array:
        """What the newest wrench has more than the torques explain, object axes [N, N m], shape (6,)."""
        return np.array(self._memory[0]["now"])

    def testify(self, slices: list[ImpulseSlice]) -> list[Witness]:
        """Return statements on slices just reported: on their first, their last and some revisions."""
        statements = []
        for item in slices:
            told = self._told_of == (item.impulse_id, item.slice_index)
            if told and not item.final and item.t_ns - self._told_ns < PERIOD_NS:
                continue
            self._told_of, self._told_ns = (item.impulse_id, item.slice_index), item.t_ns
            statements.append(
                Witness(item.t_ns, item.impulse_id, item.slice_index, self._disagreement_over(item))
            )
        return statements

    def _disagreement_over(self, item: ImpulseSlice) -> Array:
        """Return the impulse that the wrench has more than the torques over a slice, shape (6,)."""
        if self._origin_ns is None:
            return frozen_array(np.zeros(6))
        start, stop = (1e-9 * (t - self._origin_ns) + MARGIN for t in (item.t_start_ns, item.t_end_ns))
        row = self._memory[0]
        first, last = newest_until(self._memory, start), newest_until(self._memory, stop)
        if item.impulse_id not in self._baselines:
            self._baselines[item.impulse_id] = row["mean"][
                newest_until(self._memory, start - self._delay)
            ].copy()
            for old in list(self._baselines)[:-BASELINES_KEPT]:
                del self._baselines[old]
        span = row["t"][last] - row["t"][first]
        return frozen_array(row["sum"][last] - row["sum"][first] - span * self._baselines[item.impulse_id])
