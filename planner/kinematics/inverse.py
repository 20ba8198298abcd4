"""Closed-form inverse kinematics of the spherical-rotational-spherical arm: 8 branches, any arm angle.

The pose fixes shoulder-wrist line and elbow angle; the elbow may turn about that line by the arm
angle. It is measured stereographically (Elias and Wen): singular only for a wrist straight below the
shoulder, where a reference to the base's vertical would also jump above the base. One posture with
a2, a4, a6 >= 0 (a_j = sign_j q_j) is computed; the other seven follow by flips:

    bit 0, shoulder: (a1 + pi, -a2, a3 + pi)
    bit 1, elbow:    (a3 + pi, -a4, a5 + pi)
    bit 2, wrist:    (a5 + pi, -a6, a7 + pi)

At a2 = 0 (a6 = 0) only the sum a1 + a3 (a5 + a7) is fixed: a1 (a5) is then taken from the joints that
the caller stands at, and the flip leaves the joints as they are.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray

BRANCHES = 8
SHOULDER, ELBOW, WRIST = 1, 2, 4
SINGULAR = 1e-13  # sine of a2 or a6 below which the direction of a1 or a5 is lost to rounding
STRETCH_ROUNDING = 1e-12  # [m2] by which a stretched arm may be too short
Scratch = tuple[Array, Array, Array]


@njit(cache=True, error_model="numpy")
def elbow_frame(lengths: Array, T: Array, frame: Array) -> tuple[float, float, float]:
    """Return a4 >= 0 and cosine and sine of the angle at the shoulder; a4 is -1 when out of reach.

    `frame` (3, 3) receives as rows the direction shoulder to wrist, and the two directions across it
    from which and towards which the arm angle counts.
    """
    upper, fore, hand = lengths[1], lengths[2], lengths[3]
    x = T[0, 3] - hand * T[0, 2]
    y = T[1, 3] - hand * T[1, 2]
    z = T[2, 3] - hand * T[2, 2] - lengths[0]
    square = x * x + y * y + z * z
    stretch = (upper + fore) * (upper + fore) - square
    fold = square - (upper - fore) * (upper - fore)
    if stretch < -STRETCH_ROUNDING or fold <= 0.0 or square <= 0.0:
        return -1.0, 0.0, 0.0
    a4 = 2.0 * math.atan2(math.sqrt(max(stretch, 0.0)), math.sqrt(fold))
    scale = 1.0 / math.sqrt(square)
    x, y, z = x * scale, y * scale, z * scale
    # k = (v + e_z) x e_x lies across the reference half-plane; u = k x v points into it
    ky, kz = z + 1.0, -y
    ux, uy, uz = ky * z - kz * y, kz * x, -ky * x
    norm = math.sqrt(ux * ux + uy * uy + uz * uz)
    if norm < 1e-12:
        ux, uy, uz = 1.0, 0.0, 0.0
    else:
        ux, uy, uz = ux / norm, uy / norm, uz / norm
    frame[0, 0], frame[0, 1], frame[0, 2] = x, y, z
    frame[1, 0], frame[1, 1], frame[1, 2] = ux, uy, uz
    frame[2, 0], frame[2, 1], frame[2, 2] = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
    along, across = upper + fore * math.cos(a4), fore * math.sin(a4)
    inverse = 1.0 / math.sqrt(along * along + across * across)
    return a4, along * inverse, across * inverse


@njit(cache=True, error_model="numpy")
def _posture(
    T: Array,
    frame: Array,
    elbow: tuple[float, float, float],
    turn: tuple[float, float],
    near: Array,
    a: Array,
) -> tuple[bool, bool]:
    """Write the posture with a2, a4, a6 >= 0 into `a` (7,); return whether shoulder, wrist are singular.

    Args:
        T: T_base_flange, shape (4, 4).
        frame: as `elbow_frame` wrote it.
        elbow: as `elbow_frame` returned it.
        turn: cosine and sine of the arm angle.
        near: a1 and a5 to be used where the pose leaves them open, shape (2,).
        a: receives the seven angles.
    """
    a4, cb, sb = elbow
    cp, sp = turn
    vx, vy, vz = frame[0, 0], frame[0, 1], frame[0, 2]
    dx = cp * frame[1, 0] + sp * frame[2, 0]
    dy = cp * frame[1, 1] + sp * frame[2, 1]
    dz = cp * frame[1, 2] + sp * frame[2, 2]
    # upper arm e, and n across it in the arm's plane: x axis of the frame behind joint 3
    ex, ey, ez = cb * vx + sb * dx, cb * vy + sb * dy, cb * vz + sb * dz
    nx, ny, nz = sb * vx - cb * dx, sb * vy - cb * dy, sb * vz - cb * dz
    h = math.sqrt(ex * ex + ey * ey)
    a[1] = math.atan2(h, ez)
    shoulder_singular = h <= SINGULAR
    if shoulder_singular:
        a[0] = near[0]
        c1, s1 = math.cos(near[0]), math.sin(near[0])
    else:
        a[0] = math.atan2(ey, ex)
        c1, s1 = ex / h, ey / h
    a[2] = math.atan2(c1 * ny - s1 * nx, ez * (c1 * nx + s1 * ny) - h * nz)
    a[3] = a4
    # frame behind joint 4, and the flange's z axis in it
    c4, s4 = math.cos(a4), math.sin(a4)
    zx, zy, zz = c4 * ex + s4 * nx, c4 * ey + s4 * ny, c4 * ez + s4 * nz
    xx, xy, xz = c4 * nx - s4 * ex, c4 * ny - s4 * ey, c4 * nz - s4 * ez
    yx, yy, yz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
    fx = xx * T[0, 2] + xy * T[1, 2] + xz * T[2, 2]
    fy = yx * T[0, 2] + yy * T[1, 2] + yz * T[2, 2]
    fz = zx * T[0, 2] + zy * T[1, 2] + zz * T[2, 2]
    h = math.sqrt(fx * fx + fy * fy)
    a[5] = math.atan2(h, fz)
    wrist_singular = h <= SINGULAR
    if wrist_singular:
        a[4] = near[1]
        c5, s5 = math.cos(near[1]), math.sin(near[1])
    else:
        a[4] = math.atan2(fy, fx)
        c5, s5 = fx / h, fy / h
    gx, gy, gz = c5 * yx - s5 * xx, c5 * yy - s5 * xy, c5 * yz - s5 * xz
    a[6] = math.atan2(gx * T[0, 0] + gy * T[1, 0] + gz * T[2, 0], gx * T[0, 1] + gy * T[1, 1] + gz * T[2, 1])
    return shoulder_singular, wrist_singular


@njit(cache=True, inline="always")
def _opposite(angle: float) -> float:
    return angle + math.pi if angle <= 0.0 else angle - math.pi


@njit(cache=True, inline="always")
def _wrapped(angle: float) -> float:
    """Return an angle of at most three half turns as one within [-pi, pi]."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    if angle < -math.pi:
        return angle + 2.0 * math.pi
    return angle


@njit(cache=True, error_model="numpy")
def _branch_joints(a: Array, singular: tuple[bool, bool], branch: int, signs: Array, q: Array) -> None:
    """Write the joints (7,) of one branch, from the posture with a2, a4, a6 >= 0."""
    shoulder = branch & SHOULDER != 0
    elbow = branch & ELBOW != 0
    wrist = branch & WRIST != 0
    turn_1 = shoulder and not singular[0]
    turn_7 = wrist and not singular[1]
    q[0] = signs[0] * (_opposite(a[0]) if turn_1 else a[0])
    q[1] = signs[1] * (-a[1] if shoulder else a[1])
    q[2] = signs[2] * (_opposite(a[2]) if turn_1 != elbow else a[2])
    q[3] = signs[3] * (-a[3] if elbow else a[3])
    q[4] = signs[4] * (_opposite(a[4]) if elbow != turn_7 else a[4])
    q[5] = signs[5] * (-a[5] if wrist else a[5])
    q[6] = signs[6] * (_opposite(a[6]) if turn_7 else a[6])


@njit(cache=True, inline="always")
def _within(q: Array, lower: Array, upper: Array) -> bool:
    for j in range(7):
        if not lower[j] <= q[j] <= upper[j]:
            return False
    return True


@njit(cache=True, error_model="numpy")
def solve_into(
    q: Array, lengths: Array, signs: Array, T: Array, arm_angle: float, branch: int, q_near: Array
) -> bool:
    """Write the joints of one branch and arm angle into `q` (7,); return False when out of reach.

    Args:
        q: receives the solution [rad]; joint limits are not looked at.
        lengths: of the arm model [m], shape (4,).
        signs: of the arm model, shape (7,).
        T: T_base_flange, shape (4, 4).
        arm_angle: stereographic arm angle [rad].
        branch: 0 to 7, sum of SHOULDER, ELBOW and WRIST.
        q_near: joints that decide where a singular pose leaves a choice [rad], shape (7,).
    """
    return solve_with(scratch(), q, lengths, signs, T, arm_angle, branch, q_near)


@njit(cache=True)
def scratch() -> Scratch:
    """Return what `solve_with` writes into on its way."""
    return np.empty((3, 3)), np.empty(7), np.empty(2)


@njit(cache=True, error_model="numpy")
def solve_with(
    work: Scratch,
    q: Array,
    lengths: Array,
    signs: Array,
    T: Array,
    arm_angle: float,
    branch: int,
    q_near: Array,
) -> bool:
    """Solve as `solve_into` does, for loops: `work` is made once, by `scratch`."""
    frame, a, near = work
    elbow = elbow_frame(lengths, T, frame)
    if elbow[0] < 0.0:
        return False
    near[0], near[1] = signs[0] * q_near[0], signs[4] * q_near[4]
    if branch & ELBOW != 0:  # the flip at the elbow turns a5 as well
        near[1] = _opposite(_wrapped(near[1]))
    turn = (math.cos(arm_angle), math.sin(arm_angle))
    singular = _posture(T, frame, elbow, turn, near, a)
    _branch_joints(a, singular, branch, signs, q)
    return True


@njit(cache=True, error_model="numpy", inline="always")
def solve_branches(
    q: Array,
    valid: BoolArray,
    index: int,
    signs: Array,
    lower: Array,
    upper: Array,
    T: Array,
    frame: Array,
    elbow: tuple[float, float, float],
    turn: tuple[float, float],
    near: Array,
    a: Array,
) -> None:
    """Write all branches of one pose at one arm angle.

    Args:
        q: row `index` receives the joints [rad], shape (m, 8, 7).
        valid: row `index` receives which of them lie within the limits, shape (m, 8).
        index: number of the arm angle.
        signs: of the arm model, shape (7,).
        lower: lowest joint positions allowed [rad], shape (7,).
        upper: highest joint positions allowed [rad], shape (7,).
        T: T_base_flange, shape (4, 4).
        frame: as `elbow_frame` wrote it, shape (3, 3).
        elbow: as `elbow_frame` returned it.
        turn: cosine and sine of the arm angle.
        near: a1 and a5 to be used where the pose leaves them open, shape (2,).
        a: scratch, shape (7,).
    """
    singular = _posture(T, frame, elbow, turn, near, a)
    for branch in range(BRANCHES):
        _branch_joints(a, singular, branch, signs, q[index, branch])
        valid[index, branch] = _within(q[index, branch], lower, upper)


@njit(cache=True, error_model="numpy")
def solve_grid(
    q: Array,
    valid: BoolArray,
    lengths: Array,
    signs: Array,
    lower: Array,
    upper: Array,
    T: Array,
    arm_angles: Array,
    q_near: Array,
) -> int:
    """Write all branches at all arm angles of many poses; return how many lie within the limits.

    Args:
        q: receives the joints [rad], shape (n, m, 8, 7).
        valid: receives which of them lie within the limits, shape (n, m, 8).
        lengths: of the arm model [m], shape (4,).
        signs: of the arm model, shape (7,).
        lower: lowest joint positions allowed [rad], shape (7,).
        upper: highest joint positions allowed [rad], shape (7,).
        T: T_base_flange, shape (n, 4, 4).
        arm_angles: stereographic arm angles [rad], shape (m,).
        q_near: joints that decide where a singular pose leaves a choice [rad], shape (7,).
    """
    frame = np.empty((3, 3))
    a = np.empty(7)
    near = np.array([signs[0] * q_near[0], signs[4] * q_near[4]])
    turns = np.empty((arm_angles.shape[0], 2))
    for j in range(arm_angles.shape[0]):
        turns[j, 0], turns[j, 1] = math.cos(arm_angles[j]), math.sin(arm_angles[j])
    count = 0
    for i in range(T.shape[0]):
        elbow = elbow_frame(lengths, T[i], frame)
        if elbow[0] < 0.0:
            valid[i] = False
            continue
        for j in range(arm_angles.shape[0]):
            turn = (turns[j, 0], turns[j, 1])
            solve_branches(q[i], valid[i], j, signs, lower, upper, T[i], frame, elbow, turn, near, a)
            for branch in range(BRANCHES):
                count += 1 if valid[i, j, branch] else 0
    return count


@njit(cache=True, error_model="numpy")
def arm_angle_and_branch(lengths: Array, signs: Array, q: Array) -> tuple[float, int]:
    """Return the stereographic arm angle [rad, within (-pi, pi]] and the branch of joints `q` (7,).

    It inverts `solve_into`: solving the flange pose of `q` with its result gives `q` again.
    """
    a1, a2, a3 = signs[0] * q[0], signs[1] * q[1], signs[2] * q[2]
    a4, a6 = signs[3] * q[3], signs[5] * q[5]
    c1, s1, c2, s2 = math.cos(a1), math.sin(a1), math.cos(a2), math.sin(a2)
    c3, s3 = math.cos(a3), math.sin(a3)
    side = 1.0 if a4 >= 0.0 else -1.0
    ex, ey, ez = c1 * s2, s1 * s2, c2
    nx, ny, nz = side * (c1 * c2 * c3 - s1 * s3), side * (s1 * c2 * c3 + c1 * s3), -side * s2 * c3
    along = lengths[1] + lengths[2] * math.cos(a4)
    across = lengths[2] * math.sin(abs(a4))
    inverse = 1.0 / math.sqrt(along * along + across * across)
    cb, sb = along * inverse, across * inverse
    vx, vy, vz = cb * ex + sb * nx, cb * ey + sb * ny, cb * ez + sb * nz
    dx, dy, dz = sb * ex - cb * nx, sb * ey - cb * ny, sb * ez - cb * nz
    ky, kz = vz + 1.0, -vy
    ux, uy, uz = ky * vz - kz * vy, kz * vx, -ky * vx
    norm = math.sqrt(ux * ux + uy * uy + uz * uz)
    if norm < 1e-12:
        ux, uy, uz, norm = 1.0, 0.0, 0.0, 1.0
    ux, uy, uz = ux / norm, uy / norm, uz / norm
    wx, wy, wz = vy * uz - vz * uy, vz * ux - vx * uz, vx * uy - vy * ux
    angle = math.atan2(dx * wx + dy * wy + dz * wz, dx * ux + dy * uy + dz * uz)
    branch = (SHOULDER if a2 < 0.0 else 0) | (ELBOW if a4 < 0.0 else 0) | (WRIST if a6 < 0.0 else 0)
    return angle, branch
