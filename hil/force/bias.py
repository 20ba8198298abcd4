"""The bias of the wrench: tracked in free flight, frozen in contact, and learned over positions.

The low-pass is fed with what was read 20 ms ago and only if that lies within the gate: the sample that opens
a contact must not shift the zero against which the contact is measured. And a bias changes no faster than
drift and the arm's pose change it: what grows faster is a slow press, or a spring that a body at rest leans
on, and opens the gate.
"""

import math

from numba import njit

from hil.common.arrays import Array
from hil.force.contact_law import law_at_arm
from hil.force.rows import LINE, Record, Records
from hil.force.tuples import (
    Vector,
    along,
    dot,
    minus,
    put_quaternion,
    put_vector,
    quaternion_of,
    rotation_between,
    vector_at,
)

SLOPE_SPREAD = 10.0  # [N/m] how much a wrench may change with position, before anything was learned
DRIFT = 1e-3  # [N/s] of the level
LEARN_EVERY = 10  # cycles: what lies nearer is not independent
AFRESH = 8  # samples of which the bias is made after a contact
MOST_DRIFT = 0.2  # [1/s] gates by which a bias may change with time
MOST_SLOPE = 25.0  # [N/m] by which it may change with the arm's pose
TURN = 0.3  # [m] a turn is to it what so long a way is, and a torque what a force at such an arm is


@njit(cache=True, error_model="numpy")
def restart_bias(c: Record, s: Record, p: Array) -> None:
    """Forget the map; its origin is where the arm is."""
    for i in range(4):
        for j in range(6):
            s.map[i, j] = 0.0
        for j in range(4):
            s.map_P[i, j] = 0.0
    s.map_P[0, 0] = 100.0
    for i in range(1, 4):
        s.map_P[i, i] = SLOPE_SPREAD * SLOPE_SPREAD
    put_vector(s.map_origin, 0, vector_at(p, 0))


@njit(cache=True, error_model="numpy")
def settled(c: Record, s: Record) -> bool:
    """Return whether enough was read to know the bias."""
    return s.bias_count >= c.bias_delay


@njit(cache=True, error_model="numpy")
def track_bias(c: Record, s: Record, ring: Records) -> None:
    """Follow the bias in free flight."""
    size = ring.shape[0]
    if not settled(c, s):
        row = ring[s.n % size]
        if row.usable == 1:
            s.bias_count += 1
            for i in range(6):
                s.bias[i] += (row.raw[i] - s.bias[i]) / s.bias_count
                s.bias_read[i] = s.bias[i]
        return
    if s.n < c.bias_delay + 2:
        return
    row = ring[(s.n - c.bias_delay) % size]
    square = 0.0
    for i in range(3):
        square += (row.raw[i] - s.bias[i]) ** 2
    if row.usable == 0 or square >= c.gate * c.gate:
        return
    for i in range(6):
        s.bias_read[i] += c.bias_gain * (row.raw[i] - s.bias_read[i])
    change(s, vector_at(s.bias_read, 0), vector_at(s.bias_read, 3), may_change(c, s))
    if c.map_bias == 1 and s.n % LEARN_EVERY == 0:
        learn(c, s, row)


@njit(cache=True, error_model="numpy")
def may_change(c: Record, s: Record) -> float:
    """Return by how much a bias may have changed since the cycle before [N], as the arm moves."""
    way, turn = vector_at(s.v, 0), vector_at(s.v, 3)
    speed = magnitude_of(way) + TURN * magnitude_of(turn)
    most: float = c.step * (MOST_DRIFT * c.gate + MOST_SLOPE * speed)
    return most


@njit(cache=True, error_model="numpy")
def change(s: Record, force: Vector, torque: Vector, most: float) -> None:
    """Bring the bias to this force and torque, by `most` [N] and its like in torque at most."""
    by = within(minus(force, vector_at(s.bias, 0)), most)
    turned = within(minus(torque, vector_at(s.bias, 3)), TURN * most)
    for i in range(3):
        s.bias[i] += by[i]
        s.bias[3 + i] += turned[i]


@njit(cache=True, error_model="numpy")
def within(vector: Vector, most: float) -> Vector:
    """Return a vector, shortened to this length if it is longer."""
    length = magnitude_of(vector)
    share = 1.0 if length <= most else most / length
    return share * vector[0], share * vector[1], share * vector[2]


@njit(cache=True, error_model="numpy")
def magnitude_of(vector: Vector) -> float:
    """Return a vector's length."""
    return math.sqrt(dot(vector, vector))


@njit(cache=True, error_model="numpy")
def learn(c: Record, s: Record, row: Record) -> None:
    """Take a sample into the map `w = b + B (p - p0)`: recursive least squares, the level drifts."""
    s.map_P[0, 0] += (DRIFT * LEARN_EVERY * c.step) ** 2
    x1, x2, x3 = row.p[0] - s.map_origin[0], row.p[1] - s.map_origin[1], row.p[2] - s.map_origin[2]
    P = s.map_P
    noise = max(c.force_noise, c.gate / 3.0) ** 2
    g0 = P[0, 0] + P[0, 1] * x1 + P[0, 2] * x2 + P[0, 3] * x3
    g1 = P[1, 0] + P[1, 1] * x1 + P[1, 2] * x2 + P[1, 3] * x3
    g2 = P[2, 0] + P[2, 1] * x1 + P[2, 2] * x2 + P[2, 3] * x3
    g3 = P[3, 0] + P[3, 1] * x1 + P[3, 2] * x2 + P[3, 3] * x3
    total = noise + g0 + g1 * x1 + g2 * x2 + g3 * x3
    gains = (g0, g1, g2, g3)
    for j in range(6):
        missed = row.raw[j] - s.map[0, j] - s.map[1, j] * x1 - s.map[2, j] * x2 - s.map[3, j] * x3
        for i in range(4):
            s.map[i, j] += gains[i] / total * missed
    for i in range(4):
        for j in range(4):
            P[i, j] -= gains[i] * gains[j] / total


@njit(cache=True, error_model="numpy")
def freeze_bias(s: Record, row: Record) -> None:
    """Remember when, and where the arm was, when the bias was frozen."""
    put_vector(s.bias_at, 0, vector_at(row.p, 0))
    put_quaternion(s.bias_turned, quaternion_of(row.q))
    s.bias_frozen = s.n


@njit(cache=True, error_model="numpy")
def bias_of(c: Record, s: Record, row: Record, j: int) -> float:
    """Return component `j` of the bias where the arm is now [N, N m]."""
    b: float = s.bias[j]
    if s.open == 1 and c.map_bias == 1:
        for i in range(3):
            b += s.map[1 + i, j] * (row.p[i] - s.bias_at[i])
    return b


@njit(cache=True, error_model="numpy")
def bias_afresh(c: Record, s: Record, ring: Records) -> None:
    """Begin the bias anew after a contact from what was read last, as far as it may have changed.

    A late arm may still press when the body has come off: that is the contact's and no bias. What the pose
    changes is a matter of where the arm has come to, not of how far it has gone.
    """
    row = ring[s.n % ring.shape[0]]
    way = minus(vector_at(row.p, 0), vector_at(s.bias_at, 0))
    turn = rotation_between(quaternion_of(row.q), quaternion_of(s.bias_turned))
    most = MOST_DRIFT * c.gate * c.step * (s.n - s.bias_frozen)
    most += MOST_SLOPE * (magnitude_of(way) + TURN * magnitude_of(turn))
    change(s, read_last(s, ring, 0), read_last(s, ring, 3), most)
    for i in range(6):
        s.bias_read[i] = s.bias[i]


@njit(cache=True, error_model="numpy")
def read_last(s: Record, ring: Records, part: int) -> Vector:
    """Return the mean of the last samples of force (0) or torque (3) beside the contact; of none the bias."""
    count, total = 0, (0.0, 0.0, 0.0)
    for i in range(max(0, s.n - AFRESH + 1), s.n + 1):
        row = ring[i % ring.shape[0]]
        if row.usable == 1:
            total = along(total, 1.0, vector_at(row.raw, part))
            total = along(total, -presses(s, row), vector_at(row.line, part))
            count += 1
    if count == 0:
        return vector_at(s.bias, part)
    return total[0] / count, total[1] / count, total[2] / count


@njit(cache=True, error_model="numpy")
def presses(s: Record, row: Record) -> float:
    """Return how much of what was read along the line the contact explains that was identified [N]."""
    if row.law != LINE or row.pulls == 1:
        return 0.0
    beyond = dot(minus(vector_at(row.raw, 0), vector_at(s.bias, 0)), vector_at(row.line, 0))
    return max(0.0, min(beyond, law_at_arm(row)))
