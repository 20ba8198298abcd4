"""Where a snap hook settles between its elastic support and its counterpart. Compiled.

theory: Meitinger & Pfeiffer, equations 34 to 38: the support's stiffness against the load of up to one
contact at either side of the hook's width, each of a type of figure 9; unknown are the support's deformation
and the normal forces, and every contact adds one equation, its gap. The hook's turn is taken whole and not
linearised as in equation 36. Friction acts against the part's motion.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.common.triples import crossed, triple, turned, turned_back

STEPS = 40  # of Newton's method
SMALL, HOPELESS = 1e-12, 1e9  # of the residual over its scale
STEP_LENGTH, STEP_ANGLE, STEP_FORCE = 1e-4, 1e-6, 1e-3  # of the differences: over their scale, [rad]
DEEP = 1e-9  # [m] that a hook may lie in its counterpart, and a point beyond the end of an edge
WEAK = 1e-10  # over the force's scale, that a contact may pull
APART = -1  # no contact at a side


class SnapNumbers(NamedTuple):
    """A snap fastener, in SI.

    Attributes:
        K: stiffness of the support between the part and the hook, (6, 6).
        flexible: directions of `K` that give way, ascending, shape (f,).
        hook: corners of the hook's profile from front to rear, x and z in its frame, shape (n, 2) [m].
        sides: where the profile is looked at, y in the hook's frame, shape (s,) [m].
        length: of the counterpart along x [m].
        mu: friction.
        slip: speed below which friction fades [m/s].
        whole: whether the counterpart's edges must stay out of a hook that touches elsewhere, as well as the
            hook's corners out of the counterpart. The paper's order of contacts comes of corners alone: the
            flat of a hook that its beam tilts by 7 degrees is then 0.23 mm deep in the front edge while its
            front corner slides.
        size: length by which errors are judged: the hook's height [m].
        force: the same for forces: what the stiffest support of the hook bears at such a way [N].
    """

    K: Array
    flexible: IntArray
    hook: Array
    sides: Array
    length: float
    mu: float
    slip: float
    whole: bool
    size: float
    force: float


class Settled(NamedTuple):
    """An equilibrium.

    Attributes:
        load: on the part about its origin, in the counterpart's axes, shape (6,) [N, N m].
        deformation: of the support, in the part's axes, shape (6,) [m, rad].
        contacts: by side, which contact it is, or `APART`, shape (s,).
        forces: by side, normal [N], shape (s,).
        points: by side, shape (s, 3) [m].
        found: whether it is one.
    """

    load: Array
    deformation: Array
    contacts: IntArray
    forces: Array
    points: Array
    found: bool


@njit(cache=True)
def hook_point(T: Array, corner: Array, y: float) -> Array:
    """Return a corner (x, z) of the profile at a side, in the counterpart, shape (3,)."""
    p = turned(T, (corner[0], y, corner[1]))
    return np.array([p[0] + T[0, 3], p[1] + T[1, 3], p[2] + T[2, 3]])


@njit(cache=True)
def contact_at(numbers: SnapNumbers, T: Array, side: int, contact: int) -> tuple[float, Array, Array, bool]:
    """Return gap, point, normal on the hook, and whether the point lies on both, of one contact.

    Contacts 0 to n - 2 are the hook's edges on the counterpart's front corner, the next n - 1 those on its
    rear corner, the last n the hook's corners on the face.
    """
    edges = numbers.hook.shape[0] - 1
    y = numbers.sides[side]
    if contact >= 2 * edges:
        i = contact - 2 * edges
        point = hook_point(T, numbers.hook[i], y)
        return point[2], point, np.array([0.0, 0.0, 1.0]), -DEEP <= point[0] <= numbers.length + DEEP
    i, corner = contact % edges, 0.0 if contact < edges else numbers.length
    begin = hook_point(T, numbers.hook[i], y)
    along = hook_point(T, numbers.hook[i + 1], y) - begin
    flat = math.hypot(along[0], along[2])
    normal = np.array([along[2] / flat, 0.0, -along[0] / flat])
    gap = normal[0] * (begin[0] - corner) + normal[2] * begin[2]
    u = -((begin[0] - corner) * along[0] + begin[2] * along[2]) / (flat * flat)
    return gap, begin + u * along, normal, -DEEP <= u * flat <= flat + DEEP


@njit(cache=True)
def lowest(numbers: SnapNumbers, T: Array, whole: bool) -> float:
    """Return the lowest height of the hook's corners, or profile, over the counterpart's face [m]."""
    least = np.inf
    for side in range(numbers.sides.size):
        least = min(least, lowest_at(numbers, T, side, whole))
    return least


@njit(cache=True)
def lowest_at(numbers: SnapNumbers, T: Array, side: int, whole: bool) -> float:
    """Return the same of one side [m]."""
    least, x0, z0 = np.inf, 0.0, 0.0
    for i in range(numbers.hook.shape[0]):
        p = hook_point(T, numbers.hook[i], numbers.sides[side])
        if 0.0 <= p[0] <= numbers.length:
            least = min(least, p[2])
        if i > 0 and whole:
            for corner in (0.0, numbers.length):
                if min(p[0], x0) <= corner <= max(p[0], x0) and p[0] != x0:
                    least = min(least, z0 + (p[2] - z0) * (corner - x0) / (p[0] - x0))
        x0, z0 = p[0], p[2]
    return least


@njit(cache=True)
def hook_pose(T: Array, deformation: Array) -> Array:
    """Return the hook's pose in the counterpart at a deformation of its support, shape (4, 4)."""
    turn = matrix_from_quat(quat_from_rotvec(deformation[3:]))
    shift = turned(T, (deformation[0], deformation[1], deformation[2]))
    out = T.copy()
    for i in range(3):
        out[i, 3] += shift[i]
        for j in range(3):
            out[i, j] = T[i, 0] * turn[0, j] + T[i, 1] * turn[1, j] + T[i, 2] * turn[2, j]
    return out


@njit(cache=True)
def contact_force(numbers: SnapNumbers, T: Array, twist: Array, point: Array, normal: Array) -> Array:
    """Return the force on the hook by one newton of normal force, friction against the part's motion."""
    lever = (point[0] - T[0, 3], point[1] - T[1, 3], point[2] - T[2, 3])
    w = crossed((twist[3], twist[4], twist[5]), lever)
    v = np.array([twist[0] + w[0], twist[1] + w[1], twist[2] + w[2]])
    through = v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2]
    v -= normal * through
    speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if speed < 1e-300:
        return normal.copy()
    return normal - v * (numbers.mu * math.tanh(speed / numbers.slip) / speed)


@njit(cache=True)
def _residual_into(
    out: Array, numbers: SnapNumbers, T: Array, twist: Array, contacts: IntArray, x: Array, settled: Settled
) -> None:
    """Write what is left of equilibrium and gaps at x = (flexible deformations, forces); fill `settled`."""
    f = numbers.flexible.size
    for k in range(6):
        settled.load[k] = 0.0
        settled.deformation[k] = 0.0
    for a in range(f):
        settled.deformation[numbers.flexible[a]] = x[a]
    pose = hook_pose(T, settled.deformation)
    own = np.zeros(6)
    row = f
    for side in range(numbers.sides.size):
        settled.forces[side] = 0.0
        if contacts[side] == APART:
            continue
        gap, point, normal, _ = contact_at(numbers, pose, side, contacts[side])
        push = triple(contact_force(numbers, T, twist, point, normal) * x[row])
        about = crossed((point[0] - pose[0, 3], point[1] - pose[1, 3], point[2] - pose[2, 3]), push)
        outer = crossed((point[0] - T[0, 3], point[1] - T[1, 3], point[2] - T[2, 3]), push)
        force, moment = turned_back(T, push), turned_back(T, about)
        for k in range(3):
            settled.load[k] += push[k]
            settled.load[3 + k] += outer[k]
            own[k] += force[k]
            own[3 + k] += moment[k]
            settled.points[side, k] = point[k]
        settled.forces[side] = x[row]
        out[row] = gap / numbers.size
        row += 1
    for a in range(f):
        k = numbers.flexible[a]
        stiff = 0.0
        for b in range(f):
            stiff += numbers.K[k, numbers.flexible[b]] * x[b]
        out[a] = (stiff - own[k]) / (numbers.force if k < 3 else numbers.size * numbers.force)


@njit(cache=True)
def _eliminated(A: Array, b: Array) -> bool:
    """Solve A x = b in place, x in b, by elimination with pivots; False where A is singular."""
    n = b.size
    for i in range(n):
        best = i
        for j in range(i + 1, n):
            if abs(A[j, i]) > abs(A[best, i]):
                best = j
        if not abs(A[best, i]) > 1e-14:
            return False
        for k in range(n):
            A[i, k], A[best, k] = A[best, k], A[i, k]
        b[i], b[best] = b[best], b[i]
        for j in range(n):
            if j == i:
                continue
            share = A[j, i] / A[i, i]
            for k in range(i, n):
                A[j, k] -= share * A[i, k]
            b[j] -= share * b[i]
    for i in range(n):
        b[i] /= A[i, i]
    return True


@njit(cache=True)
def _newton(
    numbers: SnapNumbers, T: Array, twist: Array, contacts: IntArray, x: Array, settled: Settled
) -> bool:
    """Bring x to where equilibrium and gaps hold; return whether they do."""
    n, f = x.size, numbers.flexible.size
    out, above, below, J, units = np.empty(n), np.empty(n), np.empty(n), np.empty((n, n)), np.empty(n)
    for _ in range(STEPS):
        _residual_into(out, numbers, T, twist, contacts, x, settled)
        worst = 0.0
        for k in range(n):
            worst = max(worst, abs(out[k]))
        if worst < SMALL:
            return True
        if not worst < HOPELESS:
            return False
        for k in range(n):
            unit, h, kept = numbers.force, STEP_FORCE * numbers.force, x[k]
            if k < f:
                unit, h = 1.0, STEP_ANGLE
                if numbers.flexible[k] < 3:
                    unit, h = numbers.size, STEP_LENGTH * numbers.size
            units[k] = unit
            x[k] = kept + h
            _residual_into(above, numbers, T, twist, contacts, x, settled)
            x[k] = kept - h
            _residual_into(below, numbers, T, twist, contacts, x, settled)
            x[k] = kept
            for i in range(n):
                J[i, k] = (above[i] - below[i]) / (2.0 * h) * unit
        if not _eliminated(J, out):
            return False
        for k in range(n):
            x[k] -= out[k] * units[k]
    return False


@njit(cache=True)
def settle_at(
    numbers: SnapNumbers, T: Array, twist: Array, contacts: IntArray, deformation: Array
) -> Settled:
    """Return the equilibrium with given contacts, one by side; `found` says whether it is one at all.

    It is when the equations hold, no force pulls, every point lies on both bodies and nothing penetrates.
    """
    f, sides = numbers.flexible.size, numbers.sides.size
    settled = Settled(np.zeros(6), np.zeros(6), contacts.copy(), np.zeros(sides), np.zeros((sides, 3)), False)
    touching = 0
    for side in range(sides):
        touching += contacts[side] != APART
    x = np.zeros(f + touching)
    for a in range(f):
        x[a] = deformation[numbers.flexible[a]]
    for row in range(touching):
        x[f + row] = numbers.force
    good = _newton(numbers, T, twist, contacts, x, settled)
    if good:
        pose = hook_pose(T, settled.deformation)
        edges, on_edge = numbers.hook.shape[0] - 1, False
        for side in range(sides):
            on_edge = on_edge or 0 <= contacts[side] < 2 * edges
        for side in range(sides):
            # while an edge of the hook lies on one corner of the counterpart none must cut through another,
            # neither there nor at a side that is apart
            whole = numbers.whole or touching == 0 or (on_edge and contacts[side] < 2 * edges)
            good = good and lowest_at(numbers, pose, side, whole) > -DEEP
            if contacts[side] != APART:
                on_both = contact_at(numbers, pose, side, contacts[side])[3]
                good = good and on_both and settled.forces[side] >= -WEAK * numbers.force
    return Settled(settled.load, settled.deformation, settled.contacts, settled.forces, settled.points, good)


@njit(cache=True)
def way_through(numbers: SnapNumbers) -> IntArray:
    """Return the contacts in the order in which a hook goes through them, and last `APART`.

    The first and the last corner are none: there the support begins, whose own contact is not looked at.
    """
    edges = numbers.hook.shape[0] - 1
    way = np.empty(3 * edges, np.int64)
    for i in range(edges):
        way[3 * i], way[3 * i + 1], way[3 * i + 2] = i, 2 * edges + i + 1, edges + i
    way[3 * edges - 2], way[3 * edges - 1] = 2 * edges - 1, APART
    return way


@njit(cache=True)
def settle(numbers: SnapNumbers, T: Array, twist: Array, contacts: IntArray, deformation: Array) -> Settled:
    """Return the equilibrium with the same contacts as before, else the next along the way that is one.

    Args:
        numbers: the snap's.
        T: pose of the part whose support carries the hook, in the counterpart, shape (4, 4).
        twist: of the part, shape (6,) [m/s, rad/s].
        contacts: the last ones, shape (s,).
        deformation: the last one, shape (6,).

    Returns:
        The equilibrium; `found` is False where there is none: friction holds the hook.
    """
    same = settle_at(numbers, T, twist, contacts, deformation)
    if same.found:
        return same
    way, sides = way_through(numbers), contacts.size
    tried, at = contacts.copy(), np.zeros(sides, np.int64)
    for side in range(sides):
        for k in range(way.size):
            if way[k] == contacts[side]:
                at[side] = k
    for touching in range(sides, -1, -1):  # a hook that rests on both sides rather than on one
        for code in range(way.size**sides):
            rest, count = code, 0
            for side in range(sides):
                tried[side] = way[(at[side] + rest) % way.size]
                rest //= way.size
                count += tried[side] != APART
            if count != touching:
                continue
            other = settle_at(numbers, T, twist, tried, deformation)
            if not other.found:
                other = settle_at(numbers, T, twist, tried, np.zeros(6))
            if other.found:
                return other
    return same
