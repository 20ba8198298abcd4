"""By how much the wrench is later than the joints, from bounces off an elastic port, a steel spring.

What an elastic port exerts depends on its compression alone, on the way in as on the way out. A wrench that
is late by tau makes a loop of that line, which closes when the compression is taken tau earlier:

    f(t) = g(x(t - tau)),   g a polynomial

A damped port makes a loop as well, of the other sense: it looks like a wrench that is early by d / k. That is
why the port must be known to be elastic.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize_scalar
from scipy.special import stdtrit

from hil.common.arrays import Array

DEGREE = 3  # of the polynomial
EARLIEST, LATEST = -0.010, 0.026  # [s] between which a skew is looked for
AROUND = 0.03  # [s] of the motion before and after a contact that must be given
SHARE = 0.1  # of the greatest force, from which on a contact counts
FEWEST = 12  # samples of a contact
CONFIDENCE = 0.95
SHIFT = 1e-4  # [s] by which the derivative is taken
NEEDED = 5e-4  # [s] half interval, within which a skew counts as shown
CONTACTS = 3  # at least


@dataclass(frozen=True)
class Loop:
    """What one contact shows: the skew that closes its loop, and its standard deviation [s]."""

    skew: float
    deviation: float


@dataclass(frozen=True)
class SpringSkew:
    """What several contacts show.

    Attributes:
        skew: by which the wrench is later than the joints [s].
        interval: half of its 95 % interval [s].
        contacts: that show it.
    """

    skew: float
    interval: float
    contacts: int

    @property
    def shown(self) -> bool:
        """Whether it is known well enough for contacts."""
        return self.interval <= NEEDED

    @property
    def damped(self) -> bool:
        """Whether the port takes energy: no wrench is earlier than its joints."""
        return self.skew < -self.interval


def compression(p: Array, turns: Array, wrench: Array) -> tuple[Array, Array]:
    """Return compression [m] and force [N] along the line of a contact, each of shape (n,).

    Args:
        p: the body's centre of mass in the world [m], shape (n, 3).
        turns: rotation vectors from the first attitude, world axes [rad], shape (n, 3).
        wrench: of the contact about that centre, world axes [N, N m], shape (n, 6).
    """
    whole = wrench.sum(axis=0)
    line = whole / np.linalg.norm(whole[:3])
    depth: Array = -(p - p[0]) @ line[:3] - turns @ line[3:]
    force: Array = wrench[:, :3] @ line[:3]
    return depth, force


def closed_loop(x: Array, force: Array, step: float) -> Loop | None:
    """Return the skew that closes one contact's loop; None if it is too short.

    Args:
        x: compression [m], with `AROUND` before and after the contact, shape (n,), evenly apart.
        force: the bias taken out [N], shape (n,).
        step: between two samples [s].
    """
    t = step * np.arange(len(x))
    felt = np.flatnonzero(force > SHARE * force.max())
    inside = (t >= LATEST) & (t <= t[-1] + EARLIEST)
    rows = np.arange(felt[0], felt[-1] + 1) if felt.size else felt
    rows = rows[inside[rows]]
    if len(rows) < FEWEST:
        return None
    path, size = CubicSpline(t, x), float(np.ptp(x)) or 1.0
    middle, f = float(x.mean()), force[rows]

    def left(tau: float) -> Array:
        powers = np.vander((path(t[rows] - tau) - middle) / size, DEGREE + 1)
        Q, _ = np.linalg.qr(powers)
        rest: Array = f - Q @ (Q.T @ f)
        return rest

    tau = float(
        minimize_scalar(
            lambda tau: float(np.sum(left(tau) ** 2)), bounds=(EARLIEST, LATEST), method="bounded",
            options={"xatol": 1e-7},
        ).x
    )  # fmt: skip
    slope = (left(tau + SHIFT) - left(tau - SHIFT)) / (2.0 * SHIFT)
    spread = float(np.sum(left(tau) ** 2)) / (len(rows) - DEGREE - 2)
    return Loop(tau, math.sqrt(spread / float(slope @ slope)))


def spring_skew(loops: list[Loop]) -> SpringSkew | None:
    """Return what contacts show together, the more certain ones counting more; None if they are too few.

    The interval is that of their own scatter where this is more than what each is uncertain by.
    """
    if len(loops) < CONTACTS:
        return None
    skews, weights = (
        np.array([loop.skew for loop in loops]),
        np.array([1.0 / max(loop.deviation, 1e-6) ** 2 for loop in loops]),
    )
    skew = float(weights @ skews / weights.sum())
    free = len(loops) - 1
    excess = max(1.0, float(weights @ (skews - skew) ** 2) / free)
    half = float(stdtrit(free, 0.5 + 0.5 * CONFIDENCE)) if excess > 1.0 else 1.96
    return SpringSkew(skew, half * math.sqrt(excess / weights.sum()), len(loops))
