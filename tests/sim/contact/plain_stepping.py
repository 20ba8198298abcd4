"""The step of `ContactScene` once more, in plain Python over MuJoCo's public API.

It shares the tables, the manifold and the law in 1D with the compiled step, and nothing else.
"""

from itertools import groupby
from typing import Any

import mujoco
import numpy as np

from hil.common.arrays import Array
from sim.contact.contact_laws import COEFFICIENT, DAMPING, HARD, RATE, RATIOS, STIFFNESS
from sim.contact.contact_scene import ContactScene
from sim.contact.friction import LONGEST, MOST_ROUNDS, SHORTEST, STANDS
from sim.contact.plate import plate_manifold_into
from sim.contact.restitution import GRID_RATIO, GRID_SIZE, GRID_START, averaging, engaged
from sim.contact.rows import CONTACT_SIZE, MAX_CONTACTS


def plain_step(scene: ContactScene) -> list[tuple[float, float]]:
    """Do one step of the scene; return change and size of the slip in every round of friction."""
    model, data, tables = scene.model, scene.data, scene._tables
    mujoco.mj_fwdKinematics(model, data)
    mujoco.mj_makeM(model, data)
    mujoco.mj_factorM(model, data)
    mujoco.mj_collision(model, data)
    laws = []
    for contact in data.contact:
        first, second = contact.geom
        law = tables.laws[tables.pairs[tables.geom_material[first], tables.geom_material[second]]]
        contact.friction[:2] = max(law[COEFFICIENT], 1e-5)
        laws.append(law)
        shut = tables.shut
        if (shut[first, 0] & shut[second, 1]) | (shut[second, 0] & shut[first, 1]):
            contact.exclude = 1
    for law, contact in _own_contacts(scene):
        mujoco.mj_addContact(model, data, contact)
        laws.append(law)
    mujoco.mj_makeConstraint(model, data)
    mujoco.mj_projectConstraint(model, data)
    normal = _write_rows(scene, laws)
    mujoco.mj_island(model, data)
    mujoco.mj_transmission(model, data)
    mujoco.mj_fwdVelocity(model, data)
    mujoco.mj_fwdActuation(model, data)
    mujoco.mj_fwdAcceleration(model, data)
    rounds = _solve(scene, normal)
    momenta = [_momenta(scene, i) for i in range(len(tables.free_addresses))]
    mujoco.mj_implicit(model, data)
    for i, values in enumerate(momenta):
        _place(scene, i, values)
    return rounds


def _own_contacts(scene: ContactScene) -> list[tuple[Array, Any]]:
    own, pins, data = scene._own, scene._own.pins, scene.data
    rows = np.empty((MAX_CONTACTS, CONTACT_SIZE))
    found = []
    for k, body in enumerate(pins.plate_body):
        turn = data.xmat[body].reshape(3, 3)
        R = turn @ pins.plate_pose[k, :, :3]
        o = data.xpos[body] + turn @ pins.plate_pose[k, :, 3]
        holes = pins.holes[slice(*pins.hole_range[k])]
        for pin in range(*pins.pin_range[k]):
            other = pins.pin_body[pin]
            ends = data.xpos[other] + pins.pin_ends[pin] @ data.xmat[other].reshape(3, 3).T
            p0, p1 = (ends - o) @ R
            n = plate_manifold_into(rows, p0, p1, pins.pin_radius[pin], pins.plate_size[k], holes)
            for row in rows[:n]:
                found.append((scene._tables.laws[own.law[k]], _contact(scene, k, pin, row, R, o)))
    return found


def _contact(scene: ContactScene, k: int, pin: int, row: Array, R: Array, o: Array) -> Any:
    own = scene._own
    contact = mujoco.MjContact()
    contact.dist, contact.pos[:] = row[0], o + R @ row[1:4]
    normal = R @ row[4:7]
    across = np.array([0.0, 1.0, 0.0] if abs(normal[1]) < 0.5 else [0.0, 0.0, 1.0])
    across -= normal * (across @ normal)
    across /= np.linalg.norm(across)
    contact.frame[:] = [*normal, *across, *np.cross(normal, across)]
    mu = own.friction[k]
    contact.friction[:] = max(mu, 1e-5), max(mu, 1e-5), 0.0, 0.0, 0.0
    contact.dim = 3 if mu > 0.0 else 1
    contact.solref[:], contact.solimp[:] = (-1.0, -1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
    contact.flex[:] = contact.elem[:] = contact.vert[:] = -1
    contact.geom[:] = own.plate_geom[k], own.pin_geom[pin]
    contact.efc_address, contact.exclude = -1, 0
    return contact


def _write_rows(scene: ContactScene, laws: list[Array]) -> Array:
    """Write R, D and mu of all contacts; return their normal references."""
    model, data, dt, tables = scene.model, scene.data, scene.step, scene._tables
    J = data.efc_J.reshape(data.nefc, model.nv)
    bodies = [tuple(model.geom_bodyid[c.geom]) for c in data.contact]
    normal = np.zeros(len(laws))
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    for pair, run in groupby(range(len(laws)), key=lambda i: bodies[i]):
        group = [i for i in run if data.contact[i].efc_address >= 0]
        if not group:
            continue
        rows = [data.contact[i].efc_address for i in group]
        A = J[rows] @ np.linalg.solve(M, J[rows].T)
        v = J[rows] @ data.qvel
        lam, pressed = (_inverse_mass(A, w) for w in (v, data.efc_pos[rows]))
        for i, row, rate in zip(group, rows, v, strict=True):
            contact = data.contact[i]
            K, B = _spring(laws[i], tables.mobility[list(pair)].sum(), lam, dt)
            x2 = K * max(lam, pressed) * dt**2
            gamma = averaging(x2)
            depth = (data.efc_pos[row] - data.efc_margin[row]) / dt
            gap, share = engaged(depth, rate, x2 / (1 + gamma * x2))
            c = gamma * K * dt**2 + 0.5 * B * share * dt
            normal[i] = -(K * gap * dt + B * share * rate) / c
            hard = HARD * data.efc_diagA[row]
            data.efc_R[row : row + contact.dim] = [1.0 / c, hard, hard][: contact.dim]
            data.efc_D[row : row + contact.dim] = 1.0 / data.efc_R[row : row + contact.dim]
            contact.mu = contact.friction[0] * np.sqrt(hard * c)
    return normal


def _inverse_mass(A: Array, weights: Array) -> float:
    mean = float(np.mean(np.diag(A)))
    squares = float(weights @ weights)
    if len(A) == 1 or squares < 1e-24:
        return mean
    return max(float(weights @ A @ weights) / squares, 1e-3 * mean)


def _spring(law: Array, lightness: float, lam: float, dt: float) -> tuple[float, float]:
    if law[RATE] == 0.0:
        return law[STIFFNESS], law[DAMPING]
    K = law[RATE] / lightness
    x = np.sqrt(K * lam) * dt
    grid = GRID_START * GRID_RATIO ** np.arange(GRID_SIZE)
    ratio = np.interp(np.log(x), np.log(grid), law[RATIOS:]) * max(1.0, x / grid[-1])
    return K, 2.0 * ratio * np.sqrt(K / lam)


def _solve(scene: ContactScene, normal: Array) -> list[tuple[float, float]]:
    model, data, dt = scene.model, scene.data, scene.step
    if data.nefc == 0:
        mujoco.mj_fwdConstraint(model, data)
        return []
    J = data.efc_J.reshape(data.nefc, model.nv).copy()
    reference, contacts = data.efc_aref, [c for c in data.contact if c.efc_address >= 0]
    normal = np.array([x for x, c in zip(normal, data.contact, strict=True) if c.efc_address >= 0])
    for c in contacts:
        if c.dim == 3:
            reference[c.efc_address + 1 : c.efc_address + 3] = (
                -data.efc_vel[c.efc_address + 1 : c.efc_address + 3] / dt
            )
    n = [c.efc_address for c in contacts]
    if all(c.dim == 1 for c in contacts):
        reference[n] = normal
        mujoco.mj_fwdConstraint(model, data)
        return []

    def slips(acceleration: Array, force: Array) -> Array:
        residual = J @ acceleration - reference + data.efc_R * force
        return np.array(
            [
                c.friction[0] * np.linalg.norm(residual[c.efc_address + 1 : c.efc_address + 3]) * (c.dim == 3)
                for c in contacts
            ]
        )

    slip, rounds = slips(data.qacc_warmstart, np.zeros(data.nefc)), []
    factor, last = 1.0, np.zeros(0)
    for _ in range(MOST_ROUNDS):
        reference[n] = normal - slip
        mujoco.mj_fwdConstraint(model, data)
        found = slips(data.qacc, data.efc_force)
        change = found - slip
        if last.size and np.any(change != last):
            step = change - last
            factor = float(np.clip(-factor * (last @ step) / (step @ step), SHORTEST, LONGEST))
        moved = abs(change) / (data.efc_diagA[n] + data.efc_R[n])
        rounds.append((float(moved.max()), float(data.efc_force[n].max())))
        if rounds[-1][0] <= STANDS * rounds[-1][1]:
            break
        slip, last = np.maximum(0.0, slip + factor * change), change
        data.qacc_warmstart[:] = data.qacc
    return rounds


def _momenta(scene: ContactScene, i: int) -> tuple[Array, Array, Array, Array]:
    """Return velocity and place of the centre of mass and L after the step, and q before it."""
    data, dt, body = scene.data, scene.step, scene._tables.free_bodies[i]
    q, v = scene._tables.free_addresses[i]
    mass, c, inertia = body[0], body[1:4], body[4:13].reshape(3, 3)
    quat = data.qpos[q + 3 : q + 7].copy()
    R = _matrix(quat)
    push = (data.qfrc_smooth + data.qfrc_bias + data.qfrc_constraint)[v : v + 6]
    omega = data.qvel[v + 3 : v + 6]
    velocity = data.qvel[v : v + 3] + R @ np.cross(omega, c) + dt * (push[:3] / mass + scene._tables.gravity)
    L = R @ (inertia @ omega) + dt * (R @ push[3:] - np.cross(R @ c, push[:3]))
    return velocity, data.qpos[q : q + 3] + R @ c + dt * velocity, L, quat


def _place(scene: ContactScene, i: int, values: tuple[Array, Array, Array, Array]) -> None:
    velocity, centre, L, quat = values
    data, dt, body = scene.data, scene.step, scene._tables.free_bodies[i]
    q, v = scene._tables.free_addresses[i]
    c, inverse = body[1:4], body[13:22].reshape(3, 3)

    def spin(x: Array) -> Array:
        return inverse @ (_matrix(x).T @ L)

    def rate(x: Array) -> Array:
        out = np.zeros(4)
        mujoco.mju_mulQuat(out, x, np.array([0.0, *spin(x)]))
        return 0.5 * out

    k1 = rate(quat)
    k2 = rate(quat + 0.5 * dt * k1)
    k3 = rate(quat + 0.5 * dt * k2)
    k4 = rate(quat + dt * k3)
    quat = quat + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
    quat /= np.linalg.norm(quat)
    R, omega = _matrix(quat), spin(quat)
    data.qpos[q : q + 7] = [*(centre - R @ c), *quat]
    data.qvel[v : v + 6] = [*(velocity - R @ np.cross(omega, c)), *omega]


def _matrix(quat: Array) -> Array:
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
