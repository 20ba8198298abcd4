"""Free rigid bodies keep their angular momentum: their part of a step, done again exactly.

theory: (section 17) MuJoCo's single-step integrators lose the energy of a tumbling body. Of every body that
has a free joint and carries nothing else, momentum and angular momentum about the centre of mass are
advanced by the forces that MuJoCo has found, contact forces included; the orientation follows
`q' = q omega(q, L) / 2` by the classical Runge-Kutta method with L kept, as in section 6.
"""

import math

import mujoco
import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray, frozen_array


def free_bodies(model: mujoco.MjModel) -> tuple[IntArray, Array]:
    """Return the free rigid bodies: a free joint, and below it nothing that moves against it.

    Returns:
        Addresses in qpos and qvel, shape (n, 2), and their data, shape (n, 22): mass [kg], centre of mass
        in the body's frame [m] 1:4, inertia about it in the body's axes [kg m2] 4:13 and its inverse 13:22.
    """
    data = mujoco.MjData(model)
    addresses, values = [], []
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        body = model.jnt_bodyid[joint]
        if model.body_dofnum[model.body_rootid == model.body_rootid[body]].sum() != 6:
            continue
        q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        data.qpos[q : q + 7] = 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
        addresses.append((q, v))
        values.append(np.zeros(22))
    mujoco.mj_fwdKinematics(model, data)
    mujoco.mj_makeM(model, data)
    full = np.zeros((model.nv, model.nv))
    if addresses:
        mujoco.mj_fullM(model, data, full)
    for (_, v), row in zip(addresses, values, strict=True):
        _rigid_into(row, full[v : v + 6, v : v + 6])
    return frozen_array(np.reshape(addresses, (-1, 2)), np.int64), frozen_array(np.reshape(values, (-1, 22)))


def _rigid_into(row: Array, block: Array) -> None:
    """Write mass, centre and inertia from the mass matrix (6, 6) of a body that is not turned."""
    mass = block[0, 0]
    # kinetic energy m |v + w x c|^2 / 2 + w I w / 2: the block of v and w is -m [c]x
    c = np.array([block[1, 5], block[2, 3], block[0, 4]]) / mass
    inertia = block[3:, 3:] - mass * (c @ c * np.eye(3) - np.outer(c, c))
    row[0], row[1:4] = mass, c
    row[4:13], row[13:22] = inertia.ravel(), np.linalg.inv(inertia).ravel()


@njit(cache=True, nogil=True, error_model="numpy")
def advance_momenta(
    qpos: Array,
    qvel: Array,
    force: Array,
    bias: Array,
    constraint: Array,
    gravity: Array,
    addresses: IntArray,
    bodies: Array,
    dt: float,
    momenta: Array,
) -> None:
    """Write what the free bodies will have after this step; before MuJoCo's integrator runs.

    Args:
        qpos: positions before the step.
        qvel: velocities before the step.
        force: MuJoCo's smooth force less bias (qfrc_smooth), shape (nv,).
        bias: its bias force (qfrc_bias), gravity included, shape (nv,).
        constraint: its constraint force, shape (nv,).
        gravity: acceleration of gravity, world axes [m/s2], shape (3,).
        addresses: see `free_bodies`.
        bodies: see `free_bodies`.
        dt: the step [s].
        momenta: velocity of the centre of mass 0:3 and angular momentum about it 3:6, world axes, then
            the orientation before the step 6:10 and the centre of mass 10:13, shape (n, 13).
    """
    R = np.empty((3, 3))
    for i in range(addresses.shape[0]):
        q, v = addresses[i, 0], addresses[i, 1]
        body = bodies[i]
        _matrix_into(R, qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6])
        cx, cy, cz = _turned(R, body[1], body[2], body[3])
        wx, wy, wz = _turned(R, qvel[v + 3], qvel[v + 4], qvel[v + 5])
        mass = body[0]
        fx = force[v] + bias[v] + constraint[v] + mass * gravity[0]
        fy = force[v + 1] + bias[v + 1] + constraint[v + 1] + mass * gravity[1]
        fz = force[v + 2] + bias[v + 2] + constraint[v + 2] + mass * gravity[2]
        tx, ty, tz = _turned(
            R,
            force[v + 3] + bias[v + 3] + constraint[v + 3],
            force[v + 4] + bias[v + 4] + constraint[v + 4],
            force[v + 5] + bias[v + 5] + constraint[v + 5],
        )
        # gravity acts at the centre of mass and has no torque about it
        gx, gy, gz = fx - mass * gravity[0], fy - mass * gravity[1], fz - mass * gravity[2]
        tx, ty, tz = tx - (cy * gz - cz * gy), ty - (cz * gx - cx * gz), tz - (cx * gy - cy * gx)
        a, b, c = qvel[v + 3], qvel[v + 4], qvel[v + 5]
        lx, ly, lz = _turned(
            R,
            body[4] * a + body[5] * b + body[6] * c,
            body[7] * a + body[8] * b + body[9] * c,
            body[10] * a + body[11] * b + body[12] * c,
        )
        out = momenta[i]
        out[0] = qvel[v] + (wy * cz - wz * cy) + dt * fx / mass
        out[1] = qvel[v + 1] + (wz * cx - wx * cz) + dt * fy / mass
        out[2] = qvel[v + 2] + (wx * cy - wy * cx) + dt * fz / mass
        out[3], out[4], out[5] = lx + dt * tx, ly + dt * ty, lz + dt * tz
        for j in range(4):
            out[6 + j] = qpos[q + 3 + j]
        out[10], out[11], out[12] = qpos[q] + cx, qpos[q + 1] + cy, qpos[q + 2] + cz


@njit(cache=True, nogil=True, error_model="numpy")
def place_bodies(
    qpos: Array, qvel: Array, addresses: IntArray, bodies: Array, dt: float, momenta: Array
) -> None:
    """Overwrite position and velocity of the free bodies; after MuJoCo's integrator has run."""
    R = np.empty((3, 3))
    for i in range(addresses.shape[0]):
        q, v = addresses[i, 0], addresses[i, 1]
        body, m = bodies[i], momenta[i]
        h = 0.5 * dt
        w, x, y, z = m[6], m[7], m[8], m[9]
        a0, a1, a2, a3 = _quat_rate(w, x, y, z, m, body)
        b0, b1, b2, b3 = _quat_rate(w + h * a0, x + h * a1, y + h * a2, z + h * a3, m, body)
        c0, c1, c2, c3 = _quat_rate(w + h * b0, x + h * b1, y + h * b2, z + h * b3, m, body)
        d0, d1, d2, d3 = _quat_rate(w + dt * c0, x + dt * c1, y + dt * c2, z + dt * c3, m, body)
        s = dt / 6.0
        w += s * (a0 + 2.0 * (b0 + c0) + d0)
        x += s * (a1 + 2.0 * (b1 + c1) + d1)
        y += s * (a2 + 2.0 * (b2 + c2) + d2)
        z += s * (a3 + 2.0 * (b3 + c3) + d3)
        scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = w * scale, x * scale, y * scale, z * scale
        _matrix_into(R, w, x, y, z)
        ox, oy, oz = _spin(R, m, body)
        cx, cy, cz = _turned(R, body[1], body[2], body[3])
        wx, wy, wz = _turned(R, ox, oy, oz)
        qpos[q] = m[10] + dt * m[0] - cx
        qpos[q + 1] = m[11] + dt * m[1] - cy
        qpos[q + 2] = m[12] + dt * m[2] - cz
        qpos[q + 3], qpos[q + 4], qpos[q + 5], qpos[q + 6] = w, x, y, z
        qvel[v] = m[0] - (wy * cz - wz * cy)
        qvel[v + 1] = m[1] - (wz * cx - wx * cz)
        qvel[v + 2] = m[2] - (wx * cy - wy * cx)
        qvel[v + 3], qvel[v + 4], qvel[v + 5] = ox, oy, oz


@njit(cache=True, inline="always")
def _matrix_into(R: Array, w: float, x: float, y: float, z: float) -> None:
    R[0, 0], R[0, 1], R[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    R[1, 0], R[1, 1], R[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    R[2, 0], R[2, 1], R[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@njit(cache=True, inline="always")
def _turned(R: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return `R (x, y, z)`."""
    return (
        R[0, 0] * x + R[0, 1] * y + R[0, 2] * z,
        R[1, 0] * x + R[1, 1] * y + R[1, 2] * z,
        R[2, 0] * x + R[2, 1] * y + R[2, 2] * z,
    )


@njit(cache=True, inline="always")
def _spin(R: Array, m: Array, body: Array) -> tuple[float, float, float]:
    """Return the angular velocity in the body's axes of the angular momentum `m[3:6]` in world axes."""
    a = R[0, 0] * m[3] + R[1, 0] * m[4] + R[2, 0] * m[5]
    b = R[0, 1] * m[3] + R[1, 1] * m[4] + R[2, 1] * m[5]
    c = R[0, 2] * m[3] + R[1, 2] * m[4] + R[2, 2] * m[5]
    return (
        body[13] * a + body[14] * b + body[15] * c,
        body[16] * a + body[17] * b + body[18] * c,
        body[19] * a + body[20] * b + body[21] * c,
    )


@njit(cache=True)
def _quat_rate(
    w: float, x: float, y: float, z: float, m: Array, body: Array
) -> tuple[float, float, float, float]:
    """Return `q omega / 2` with omega in the body's axes from the angular momentum `m[3:6]`."""
    R = np.empty((3, 3))
    _matrix_into(R, w, x, y, z)
    a, b, c = _spin(R, m, body)
    return (
        0.5 * (-x * a - y * b - z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b - x * c + z * a),
        0.5 * (w * c + x * b - y * a),
    )
