"""The impulse detector: from wrench samples to slices of pushes (docs/theory.md, paper section 3.2)."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Detector, Filter
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.kernel import UNREADY, advance
from hil.wrench.detector.push_report import PushReport
from hil.wrench.detector.slices import PushRecord
from hil.wrench.detector.state import (
    IDLE,
    MASK,
    MAX_ROWS,
    PUSH,
    ROW_FLAGS,
    ROW_NUMBERS,
    forget_samples,
    fresh_state,
    thresholds,
)
from hil.wrench.noise_learning import NoiseScales, noise_from_configuration

LONGEST_ARMING_NS = 1_000_000_000  # a wrench that never rests is listened to all the same


class ImpulseDetector:
    """Finds pushes in the wrench and reports them in slices while they grow.

    None is looked for before the wrench has rested for 0.15 s: what is felt as the arm sets off is no push,
    and a hand that pushes then would be heard in part, and taken for the baseline in part.

    Every slice is at most `slice_time` long and revised with every sample until the next one starts
    or the push ends; only the newest revision of (impulse, slice) counts. A push that turns out to be
    a glitch is revised to zero. With `report = "ended"` each push is told once, when it is over.
    """

    def __init__(
        self,
        detector: Detector,
        filter: Filter,
        nominal_dt: float = 0.002,
        noise: NoiseScales | None = None,
    ) -> None:
        """Prepare for samples about `nominal_dt` [s] apart; `noise` replaces the configured noise."""
        self._filter, self._nominal_dt, self._noise = filter, nominal_dt, noise
        self._length = filter.length
        self._scale = np.repeat([1.0, 1.0 / filter.length], 3)
        self._whole = detector.report == "ended"
        self.retune(detector)
        self._flags = np.zeros((MAX_ROWS, ROW_FLAGS), np.int64)
        self._numbers = np.zeros((MAX_ROWS, ROW_NUMBERS))
        self._sample = np.zeros(6)
        self._state = fresh_state(self._scales.sample)
        advance(self._state.copy(), self._limits, 0.0, self._sample, self._flags, self._numbers)
        self._origin_ns: int | None = None
        self._begun_ns: int | None = None
        self._record = PushRecord(self._length)

    def retune(self, detector: Detector) -> None:
        """Take other thresholds; they hold from the next sample on, also of a push that goes on."""
        self._scales = self._noise or noise_from_configuration(detector, self._filter, self._nominal_dt)
        self._limits = thresholds(detector, self._filter, self._scales, self._nominal_dt)

    def restart(self) -> None:
        """Forget all samples; impulse ids go on, and what was learned of the noise stays."""
        state = self._state[0]
        if state["armed"]:
            state["before"], state["known_before"] = state["mean"], 1
        self._begun_ns = None
        self._forget()

    def _forget(self) -> None:
        forget_samples(self._state)
        self._origin_ns = None
        self._record = PushRecord(self._length)

    def mark_gap(self, t_ns: int) -> None:
        """Take note that the stamps jump with the next sample, to `t_ns`: there is a gap before it.

        A push that goes on is uncertain from then on. If they jump back, what was before is forgotten.
        """
        state, limits = self._state[0], self._limits[0]
        if self._origin_ns is None or not state["count"]:
            return
        t = (t_ns - self._origin_ns) * 1e-9
        passed = t - float(state["t"][(int(state["count"]) - 1) & MASK])
        if passed <= 0.0:
            self.restart()
        elif passed <= limits["gap"]:  # a longer one is found to be a gap anyway
            state["gaps"] += 1
            state["gap_at"] = t
            state["uncertain"] |= state["phase"] == PUSH

    def take(self, t_ns: int, wrench: Array) -> PushReport | None:
        """Take one sample and return what it changes, or None for nothing.

        Args:
            t_ns: when it was measured [ns].
            wrench: about the object's centre of mass, object axes [N, N m], (6,).
        """
        if self._begun_ns is None:
            self._begun_ns = t_ns
        if self._origin_ns is None:
            self._origin_ns = t_ns
        np.multiply(wrench, self._scale, out=self._sample)
        rows = advance(
            self._state,
            self._limits,
            (t_ns - self._origin_ns) * 1e-9,
            self._sample,
            self._flags,
            self._numbers,
        )
        if rows == UNREADY and t_ns - self._begun_ns <= LONGEST_ARMING_NS:
            self._forget()
        if rows <= 0:
            return None
        flags, numbers = self._flags[:rows].copy(), self._numbers[:rows].copy()
        report = PushReport(t_ns, self._origin_ns, self._length, flags, numbers)
        return self._as_one(report) if self._whole else report

    def step(self, t_ns: int, wrench: Array) -> list[ImpulseSlice]:
        """Take one sample, as `take` does, and return the slices that it changes, the older first."""
        report = self.take(t_ns, wrench)
        return [] if report is None else report.messages()

    def _as_one(self, report: PushReport) -> PushReport | None:
        """Return the push as one slice if it is over, else nothing."""
        for piece in report.messages():
            self._record.put(piece)
        if not self._record.ended:
            return None
        whole, self._record = self._record.total(), PushRecord(self._length)
        if not np.any(whole.impulse_object):
            return None
        return PushReport.of(whole, report.origin_ns, self._length)

    @property
    def quiet(self) -> bool:
        """Whether no push is going on."""
        return int(self._state[0]["phase"]) == IDLE

    @property
    def derivative_threshold(self) -> float:
        """What the norm of the filtered wrench's derivative must pass [N/s]."""
        return float(self._limits[0]["derivative"])

    @property
    def level_threshold(self) -> float:
        """What the slower change of the wrench must pass [N]."""
        return float(self._limits[0]["level"])

    @property
    def counts(self) -> dict[str, int]:
        """How many samples were taken, dropped as repeated or non-finite, and long gaps seen."""
        row = self._state[0]
        return {
            "samples": int(row["count"]),
            "dropped": int(row["dropped"]),
            "non_finite": int(row["non_finite"]),
            "gaps": int(row["gaps"]),
        }
