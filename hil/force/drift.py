"""A port that moves before the touch: its speed along the line, by one unknown more.

The port's way is `u t` beside what the force gives it, `u` away from the mock-up, so the fit's offset grows
with time. That unknown is linear, and is taken out of the sums beforehand (Frisch and Waugh): what is left is
the fit as it was.

Speed and mass of a port cannot be told apart by a bounce alone. The arm goes as the body does, with S the
force's second integral `c = v t - S/M`, so `k (c - m S - u t) = k' (c - u' t)`, `k' = k (1 + m M)`: any pair
of this family moves the body alike, and the speed alone is enough where it explains what was felt.
"""

from numba import njit

from hil.common.arrays import Array
from hil.force.rows import SUMS, TIME, Record

RATE, ONE, FORCE = 1, 2, 5  # columns of the sums


@njit(cache=True, error_model="numpy")
def eliminate_time(s: Record, speed: float, expected: float) -> None:
    """Write `s.timeless`: the sums with the rate against a port of this speed [m/s], and without time.

    `expected` is the weight of the row that says that the speed is about 0 [s2].
    """
    G, out = s.sums, s.timeless
    for i in range(SUMS):
        for j in range(SUMS):
            out[i, j] = G[i, j]
    for j in range(SUMS):
        out[RATE, j] -= speed * out[ONE, j]
    for i in range(SUMS):
        out[i, RATE] -= speed * out[i, ONE]
    whole = out[TIME, TIME] + expected
    for i in range(TIME):
        share = out[i, TIME] / whole
        for j in range(TIME):
            out[i, j] -= share * out[TIME, j]


@njit(cache=True, error_model="numpy")
def speed_left(s: Record, k: float, d: float, offset: float, expected: float) -> float:
    """Return the port's speed [m/s] that goes with a fit of the timeless sums."""
    G = s.timeless
    slope = G[FORCE, TIME] - k * G[0, TIME] - d * G[RATE, TIME] - offset * G[ONE, TIME]
    return -slope / (G[TIME, TIME] + expected) / k


@njit(cache=True, error_model="numpy")
def port_way(row: Record) -> float:
    """Return how far the port has gone along the line under what was felt since the onset [m]."""
    return row.mobility * row.second + row.drift * row.since


@njit(cache=True, error_model="numpy")
def port_rate(row: Record) -> float:
    """Return its speed [m/s]."""
    return row.mobility * row.first + row.drift


@njit(cache=True, error_model="numpy")
def given_by_drift(s: Record, line: Array, push: tuple[float, float, float]) -> float:
    """Return what a port that comes on by its own speed has given with this impulse [N s], in [J].

    Nothing is created in the frame of a passive port that drifts: there the body may have what it had.
    """
    along_line = push[0] * line[0] + push[1] * line[1] + push[2] * line[2]
    return max(0.0, -s.drift * along_line)
