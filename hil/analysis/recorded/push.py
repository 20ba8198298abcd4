"""The true force of a recorded run: sampled once a cycle, smooth in between, with kinks where a push begins.

A cubic spline through a push's samples and its feet keeps the impulse to 5e-4 (half a sine of 15 cycles),
where straight lines lose up to 0.8 (dt / duration)^2 of it: 4e-3.
"""

import numpy as np
from scipy.interpolate import CubicSpline

from drivers.emulation.operator.pushes_in_wrench import pushes_in, rest_level
from hil.analysis.latency.motion import Motion, PushTime, true_pushes
from hil.common.arrays import Array

LONGEST = 10.0  # [s]; a force that acts for longer is no push: a recorded wrench was replayed
PART = 0.0005  # [s] of the parts of a cycle at whose ends the force is told


class RecordedPushes:
    """The pushes in a recorded true wrench.

    Attributes:
        times: when each began and ended, on the rows' clock.
        impulses: of each, about the moving centre of mass, world axes [N s, N m s], shape (m, 6).
        endless: a force acted for longer than a push does; it is none of `times`.
        under_way: when the push began that the motion's end cuts off [s]; infinity if there is none.
    """

    def __init__(self, motion: Motion, replayed: bool = False) -> None:
        """Find the pushes of a motion; those that are cut off by its ends are left out.

        Args:
            motion: with the true wrench.
            replayed: a recorded wrench acted, which has noise between its pushes.
        """
        found = _pushes_in_noise(motion) if replayed else true_pushes(motion)
        self.times = [push for push in found if push.end - push.start <= LONGEST]
        self.endless = len(self.times) < len(found) or (not replayed and _never_rests(motion))
        self._motion = motion
        self.under_way = np.inf if replayed else _under_way(motion)
        self._splines = [_spline(motion, push) for push in self.times]
        impulses = [s.integrate(p.start, p.end) for s, p in zip(self._splines, self.times, strict=True)]
        self.impulses = np.array(impulses).reshape(-1, 6)

    def at_parts(self, t: Array) -> Array:
        """Return the wrench at the ends of equal parts of the cycles that end at `t` [s], (n, parts, 6).

        World axes, about the centre of mass [N, N m]; `t` rises, shape (n,).
        """
        before = np.concatenate([t[:1], t[:-1]])
        dt = float(np.median(np.diff(t))) if len(t) > 1 else PART
        shares = np.arange(1, 1 + max(1, round(dt / PART))) / max(1, round(dt / PART))
        instants = (before[:, None] + (t - before)[:, None] * shares).ravel()
        m = self._motion
        wrench = np.column_stack([np.interp(instants, m.t, m.wrench[:, axis]) for axis in range(6)])
        for push in self.times:  # the straight lines between its samples
            first, last = np.searchsorted(instants, [push.start - dt, push.end + dt])
            wrench[first:last] = 0.0
        for push, spline in zip(self.times, self._splines, strict=True):
            first, last = np.searchsorted(instants, [push.start, push.end])
            wrench[first:last] = spline(instants[first:last])
        return wrench.reshape(len(t), len(shares), 6)


def _spline(motion: Motion, push: PushTime) -> CubicSpline:
    """Return the wrench during a push: zero at its ends, and not bent there, as a half-sine is not."""
    first = np.searchsorted(motion.t, push.start, side="right")
    inside = slice(first, np.searchsorted(motion.t, push.end))
    t = np.concatenate([[push.start], motion.t[inside], [push.end]])
    values = np.concatenate([np.zeros((1, 6)), motion.wrench[inside], np.zeros((1, 6))])
    return CubicSpline(t, values, bc_type="natural")


def _pushes_in_noise(motion: Motion) -> list[PushTime]:
    _, deviation = rest_level(motion.t, motion.wrench)
    found = pushes_in(motion.t, motion.wrench, deviation)
    return [PushTime(float(motion.t[push.first]), float(motion.t[push.last])) for push in found]


def _under_way(motion: Motion) -> float:
    rests = np.flatnonzero(~motion.wrench.any(axis=1))
    last = int(rests[-1]) if len(rests) else -1
    return float(motion.t[last + 1]) if last + 1 < len(motion.t) else np.inf


def _never_rests(motion: Motion) -> bool:
    return len(motion.wrench) > 0 and float(np.mean(motion.wrench.any(axis=1))) > 0.9
