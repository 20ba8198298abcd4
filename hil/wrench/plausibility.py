"""Is a measured wrench one that a hand can exert? A sensor at the end of its range is not.

A pure core. What is no number is not plausible either; single samples of it are left out by the detector
and go unnoticed here.
"""

import math

from hil.common.arrays import Array
from hil.configuration.schema import Detector


class PlausibleWrench:
    """Says so when force or torque have been beyond what a hand exerts for too long."""

    def __init__(self, detector: Detector) -> None:
        self._force, self._torque = detector.plausible_force, detector.plausible_torque
        self._time_ns = round(1e9 * detector.plausible_time)
        self._since_ns: int | None = None

    def judge(self, t_ns: int, wrench: Array) -> str:
        """Return what is wrong; empty if nothing is, or not for long enough.

        Args:
            t_ns: when the wrench was measured.
            wrench: estimate at the tcp [N, N m], shape (6,).
        """
        values = wrench.tolist()
        force, torque = math.hypot(*values[:3]), math.hypot(*values[3:])
        if force <= self._force and torque <= self._torque:
            self._since_ns = None
            return ""
        if self._since_ns is None:
            self._since_ns = t_ns
        if t_ns - self._since_ns < self._time_ns:
            return ""
        lasted_ms = 1e-6 * (t_ns - self._since_ns)
        return (
            f"the wrench has been {force:.0f} N, {torque:.0f} N m for {lasted_ms:.0f} ms, "
            f"no hand's push (detector.plausible_force_n = {self._force:g}, plausible_torque_n_m = "
            f"{self._torque:g}): look for a collision, a sensor at its end or wrong load data"
        )
