"""Two rigid bodies that meet: a mock-up, and a port that stands, drifts, is free, holds or twists.

The port's planes are fixed to it; what it feels turns and moves it.
"""

from dataclasses import dataclass, field

import numpy as np
from numba import njit
from scipy.spatial.transform import Rotation

from bench.contact_plant import Port, contact_wrench
from bench.contact_trials import MASS
from hil.common.arrays import Array

BENCH_PORT = Port(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3)), 0.0)


@dataclass(frozen=True)
class Clamp:
    """What holds one point of the mock-up to one of the port, and turns against it.

    Attributes:
        at: the point, in object axes from the centre of mass [m], (3,).
        stiffness: in all directions [N/m].
        damping: the same [N s/m].
        twist_stiffness: about all axes, or about z alone where it is a stop [N m/rad].
        twist_damping: the same [N m s/rad].
        stop: a stop of rotation about z, which pushes from angle 0 on and does not pull.
    """

    at: Array = field(default_factory=lambda: np.zeros(3))
    stiffness: float = 0.0
    damping: float = 0.0
    twist_stiffness: float = 0.0
    twist_damping: float = 0.0
    stop: bool = False

    def packed(self) -> Array:
        """Return the numbers as `clamp_wrench` takes them."""
        return np.array(
            [self.stiffness, self.damping, self.twist_stiffness, self.twist_damping, self.stop, *self.at]
        )


@dataclass(frozen=True)
class Swing:
    """What hangs on the arm's elasticity, and swings in translation; the joints do not see it.

    Attributes:
        frequency: of its own [Hz].
        mass: of what is held [kg].
        damping: ratio.
    """

    frequency: float
    mass: float
    damping: float = 0.03


@dataclass(frozen=True)
class Meeting:
    """A mock-up and a port before they touch; world axes.

    Attributes:
        port: feet, planes (fixed to the port's body) and law.
        clamp: beside them.
        p: of the mock-up's centre of mass [m].
        rotvec: its attitude [rad].
        twist: its speed [m/s, rad/s], (6,).
        centre: of the port's mass [m].
        port_mass: [kg]; inf: it goes on as it does.
        port_inertia: in all axes [kg m2]; inf: it does not turn.
        port_twist: its speed before [m/s, rad/s], (6,).
        mass: of the mock-up [kg]; its inertia goes with it.
    """

    p: Array
    twist: Array
    port: Port = BENCH_PORT
    clamp: Clamp = field(default_factory=Clamp)
    rotvec: Array = field(default_factory=lambda: np.zeros(3))
    centre: Array = field(default_factory=lambda: np.zeros(3))
    port_mass: float = np.inf
    port_inertia: float = np.inf
    port_twist: Array = field(default_factory=lambda: np.zeros(6))
    mass: float = MASS

    @property
    def quat(self) -> Array:
        """Attitude of the mock-up, w x y z, (4,)."""
        return np.roll(Rotation.from_rotvec(self.rotvec).as_quat(), 1)


@njit(cache=True)
def clamp_wrench(p: Array, R: Array, turned: Array, v: Array, w: Array, clamp: Array) -> Array:
    """Return the clamp's wrench about the centre of mass, in the port's axes, (6,).

    Args:
        p: centre of mass from the port's origin.
        R: attitude against the port.
        turned: the same as a rotation vector.
        v: velocity against the port.
        w: angular velocity against the port.
        clamp: its numbers.
    """
    out = np.zeros(6)
    r = R @ clamp[5:8]
    f = -clamp[0] * (p + r) - clamp[1] * (v + np.cross(w, r))
    out[:3] = f
    out[3:] = np.cross(r, f)
    if clamp[4] == 0.0:
        out[3:] -= clamp[2] * turned + clamp[3] * w
    elif turned[2] > 0.0:
        out[5] -= max(0.0, clamp[2] * turned[2] + clamp[3] * w[2])
    return out


@njit(cache=True)
def matrix_of(q: Array) -> Array:
    """Return the rotation matrix of a quaternion x y z w of any length."""
    x, y, z, w = q / np.sqrt(q @ q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


@njit(cache=True)
def quat_rate(q: Array, w: Array) -> Array:
    """Return the rate of a quaternion x y z w that turns with `w` in world axes."""
    out = np.empty(4)
    out[:3] = 0.5 * (q[3] * w + np.cross(w, q[:3]))
    out[3] = -0.5 * (w @ q[:3])
    return out


@njit(cache=True)
def rotvec_of(R: Array) -> Array:
    """Return the rotation vector of a matrix, less than half a turn."""
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine = 0.5 * np.sqrt(axis @ axis)
    if sine < 1e-12:
        return 0.5 * axis
    return 0.5 * np.arctan2(sine, 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1.0)) / sine * axis


@njit(cache=True)
def met(
    R: Array, mock: Array, E: Array, port: Array, centre: Array, feet: Array, points: Array, normals: Array,
    law: Array, clamp: Array,
) -> Array:  # fmt: skip
    """Return the wrench on the mock-up about its centre of mass, world axes, (6,).

    Args:
        R: attitude of the mock-up.
        mock: its place and twist, (9,).
        E: attitude of the port.
        port: its place and twist, (9,).
        centre: of the port's mass, where planes and clamp are told.
        feet: of the mock-up.
        points: of the planes.
        normals: of the planes.
        law: of the planes.
        clamp: its numbers.
    """
    lever, back = mock[:3] - port[:3], np.ascontiguousarray(E.T)
    v = back @ (mock[3:6] - port[3:6] - np.cross(port[6:], lever))
    w = back @ (mock[6:] - port[6:])
    here, A = back @ lever + centre, back @ R
    wrench = contact_wrench(here, A, v, w, feet, points, normals, law, np.zeros(2))
    if clamp[0] > 0.0 or clamp[2] > 0.0:
        wrench += clamp_wrench(here, A, rotvec_of(A), v, w, clamp)
    out = np.empty(6)
    out[:3], out[3:] = E @ wrench[:3], E @ wrench[3:]
    return out


@njit(cache=True)
def moved(
    state: Array, path: Array, lag: Array, R0: Array, port: Array, turn: Array, weights: Array,
    centre: Array, feet: Array, points: Array, normals: Array, law: Array, clamp: Array, dt: float,
    felt: Array, swing: Array,
) -> None:  # fmt: skip
    """Move arm and port along a piece of the delayed path.

    Args:
        state: of the arm: pose (6,) and its rate (6,); written.
        path: poses at the substeps' bounds, (n + 1, 6).
        lag: of a coordinate over a substep.
        R0: attitude of pose 0.
        port: place and twist; written.
        turn: attitude of the port, a quaternion x y z w; written.
        weights: mobility and inverse inertia of the port.
        centre: see `met`.
        feet: see `met`.
        points: see `met`.
        normals: see `met`.
        law: see `met`.
        clamp: see `met`.
        dt: of a substep [s].
        felt: greatest force and torque, time in contact, (3,); written.
        swing: of what hangs on the arm's elasticity: w^2 [1/s2], 2 z w [1/s], one over its mass [1/kg], its
            way and speed against the joints' pose, (9,); written.
    """
    mock = np.empty(9)
    for j in range(path.shape[0] - 1):
        a, b, speed = path[j], path[j + 1], state[6:9].copy()
        for i in range(6):
            x, v = state[i], state[6 + i]
            state[i] = lag[0, 0] * x + lag[0, 1] * v + lag[0, 2] * a[i] + lag[0, 3] * b[i]
            state[6 + i] = lag[1, 0] * x + lag[1, 1] * v + lag[1, 2] * a[i] + lag[1, 3] * b[i]
        R = pose_of(state, R0, swing, mock)
        wrench = met(R, mock, matrix_of(turn), port, centre, feet, points, normals, law, clamp)
        size = np.sqrt(wrench[:3] @ wrench[:3])
        felt[0], felt[1] = max(felt[0], size), max(felt[1], np.sqrt(wrench[3:] @ wrench[3:]))
        felt[2] += dt * (size > 0.0)
        if swing[0] > 0.0:  # driven by the contact, and by the joints' acceleration
            pull = swing[2] * wrench[:3] - swing[0] * swing[3:6] - swing[1] * swing[6:]
            swing[6:] += dt * pull - (state[6:9] - speed)
            swing[3:6] += dt * swing[6:]
        moment = wrench[3:] + np.cross(mock[:3] - port[:3], wrench[:3])
        port[3:6] -= dt * weights[0] * wrench[:3]
        port[6:] -= dt * weights[1] * moment
        port[:3] += dt * port[3:6]
        turn += dt * quat_rate(turn, port[6:])


@njit(cache=True)
def pose_of(state: Array, R0: Array, swing: Array, mock: Array) -> Array:
    """Write place and twist of what the arm holds, (9,), and return its attitude."""
    t, rate = state[3:6], state[9:]
    a2 = t @ t
    K = np.array([[0.0, -t[2], t[1]], [t[2], 0.0, -t[0]], [-t[1], t[0], 0.0]])
    one, two = 1.0 - a2 / 6.0 * (1.0 - a2 / 20.0), 0.5 - a2 / 24.0 * (1.0 - a2 / 30.0)
    three = (1.0 - a2 / 20.0 * (1.0 - a2 / 42.0)) / 6.0
    mock[:3], mock[3:6] = state[:3] + swing[3:6], state[6:9] + swing[6:]
    mock[6:] = (np.eye(3) + two * K + three * (K @ K)) @ rate
    return (np.eye(3) + one * K + two * (K @ K)) @ R0


@njit(cache=True)
def both_rates(
    y: Array,
    weights: Array,
    centre: Array,
    feet: Array,
    points: Array,
    normals: Array,
    law: Array,
    clamp: Array,
) -> tuple[Array, Array]:
    """Return the rate of both bodies' states, (26,), and the wrench between them.

    Args:
        y: place, quaternion (x y z w) and twist of the mock-up, the same of the port.
        weights: one over mass and inertia of the mock-up and of the port.
        centre: see `met`.
        feet: see `met`.
        points: see `met`.
        normals: see `met`.
        law: see `met`.
        clamp: see `met`.
    """
    mock, port = np.empty(9), np.empty(9)
    mock[:3], mock[3:], port[:3], port[3:] = y[:3], y[7:13], y[13:16], y[20:]
    wrench = met(
        matrix_of(y[3:7]), mock, matrix_of(y[16:20]), port, centre, feet, points, normals, law, clamp
    )
    out = np.empty(26)
    out[:3], out[3:7] = y[7:10], quat_rate(y[3:7], y[10:13])
    out[7:10], out[10:13] = weights[0] * wrench[:3], weights[1] * wrench[3:]
    out[13:16], out[16:20] = y[20:23], quat_rate(y[16:20], y[23:])
    out[20:23] = -weights[2] * wrench[:3]
    out[23:] = -weights[3] * (wrench[3:] + np.cross(y[:3] - y[13:16], wrench[:3]))
    return out, wrench
