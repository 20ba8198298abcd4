"""A port, and an arm that stands in for a real one: each coordinate of the pose by a dead time and a lag.

No joints, no guard, no limits of jerk: the simple plant, on which the contact loop's core is measured alone.
"""

from collections import deque
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numba import njit
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.force.contact_state import ContactState

SUBSTEPS = 20
LINEAR, HERTZ, BUMP = 0.0, 1.0, 2.0


@dataclass(frozen=True)
class Port:
    """Feet on the mock-up, planes on the port.

    Attributes:
        feet: in object axes from the centre of mass [m], (n, 3).
        points: of the planes [m], (m, 3).
        normals: towards the mock-up, (m, 3).
        stiffness: of each foot on each plane [N/m].
        damping: of the same [N s/m].
        friction: coefficient.
        law: LINEAR, HERTZ (f = k x^1.5), BUMP (stiffer from `bump` on).
        bump: how deep a bump stop's middle lies [m].
        holds: whether it pulls as well.
        mass: of a port that moves freely along the first normal [kg]; inf: it stands.
    """

    feet: Array
    points: Array
    normals: Array
    stiffness: float
    damping: float = 0.0
    friction: float = 0.0
    law: float = LINEAR
    bump: float = 0.0
    holds: bool = False
    mass: float = np.inf


@dataclass(frozen=True)
class Noise:
    """Standard deviations of what is measured: force [N], torque [N m], position [m], rotation [rad]."""

    force: float = 0.06
    torque: float = 0.012
    position: float = 5e-6
    rotation: float = 2e-5


QUIET = Noise(0.0, 0.0, 0.0, 0.0)
EXTERNAL = Noise(0.02, 0.004, 1e-6, 5e-6)


class Plant(Protocol):
    """What a trial needs of an arm with its port; a whole loop with joints and guard can be one."""

    peak: float  # [N] the greatest real force so far

    def packet(self) -> tuple[Array, Array, Array, bool]:
        """Return position, quaternion (w x y z), wrench about the centre of mass, whether usable."""

    def command(self, state: ContactState) -> Array:
        """Command the led pose for the next cycle, move on, and return the mean twist commanded."""


@njit(cache=True)
def contact_wrench(
    p: Array,
    R: Array,
    v: Array,
    w: Array,
    feet: Array,
    points: Array,
    normals: Array,
    law: Array,
    port: Array,
) -> Array:
    """Return the wrench on the mock-up about its centre of mass, world axes, (6,).

    Args:
        p: centre of mass.
        R: attitude.
        v: velocity.
        w: angular velocity.
        feet: of the port.
        points: of the port.
        normals: of the port.
        law: stiffness, damping, friction, law, bump, holds.
        port: way and speed of the port along the first normal.
    """
    out = np.zeros(6)
    for i in range(feet.shape[0]):
        r = R @ feet[i]
        x = p + r
        vx = v + np.cross(w, r)
        for j in range(normals.shape[0]):
            n = normals[j]
            depth = -((x - points[j]) @ n) + port[0]
            rate = -(vx @ n) + port[1]
            if depth <= 0.0 and law[5] == 0.0:
                continue
            if law[3] == 1.0:
                fn = law[0] * depth**1.5 + law[1] * rate * np.sqrt(depth)
            else:
                fn = law[0] * depth + law[1] * rate
                if law[3] == 2.0 and depth > law[4]:
                    fn += 3.0 * law[0] * (depth - law[4])
            if fn <= 0.0 and law[5] == 0.0:
                continue
            f = fn * n
            if law[2] > 0.0:
                vt = vx - (vx @ n) * n
                s = np.sqrt(vt @ vt)
                if s > 1e-12:
                    f = f - min(law[2] * fn, 2000.0 * s) / s * vt
            out[:3] += f
            out[3:] += np.cross(r, f)
    return out


def law_of(port: Port) -> Array:
    """Return a port's law as `contact_wrench` takes it."""
    return np.array(
        [port.stiffness, port.damping, port.friction, port.law, port.bump, float(port.holds)]
    )  # fmt: skip


class PoseLagPlant:
    """Six coordinates of a pose, position and rotation vector, each behind a dead time and a lag.

    The commanded path is linear from one cycle's pose to the next; `dead_time` after it the arm is driven
    along it by `x'' = w^2 (u - x) - 2 z w x'`. The answer to the packet of cycle n is reached at n + 1.
    """

    def __init__(
        self, port: Port, step: float, dead_time: float, lag: float, damping: float = 0.8,
        noise: Noise = Noise(), seed: int = 0, lost: float = 0.0, sensor_lag: float = 0.0, bias: float = 0.0,
    ) -> None:  # fmt: skip
        """Prepare; `start` puts it on its way."""
        self.port, self._step, self._noise = port, step, noise
        self._rng = np.random.default_rng(seed)
        self._dt = step / SUBSTEPS
        w = 2.0 * damping / lag
        rates = np.zeros((4, 4))
        rates[0, 1], rates[2, 3] = 1.0, 1.0
        rates[1] = -w * w, -2.0 * damping * w, w * w, 0.0
        flow = expm(rates * self._dt)
        ramp = flow[:2, 3] / self._dt
        self._lag = np.column_stack((flow[:2, 0], flow[:2, 1], flow[:2, 2] - ramp, ramp))
        self._delay = round(dead_time / self._dt)
        self._lag_time, self._lost, self._sensor = lag, lost, round(sensor_lag / self._dt)
        self._law = law_of(port)
        self._bias = np.array([0.0, 0.0, bias, 0.0, 0.0, 0.0])
        self.peak, self.contact_time = 0.0, 0.0

    def start(self, p: Array, quat: Array, twist: Array) -> None:
        """Let the arm be on the path of a body in steady flight."""
        self._R0 = Rotation.from_quat(np.roll(quat, -1))
        self._x = np.concatenate((p, np.zeros(3)))
        self._v = np.array(twist, float)
        # the command that puts it there: ahead by its delay
        ahead = self._x + self._v * (self._delay * self._dt + self._lag_time)
        back = self._delay + SUBSTEPS
        self._path = deque((ahead - self._v * self._dt * j for j in range(back, -1, -1)), maxlen=back + 1)
        self._u, self._felt = ahead, False
        self._port = np.zeros(2)
        self._forces = deque([np.zeros(6)] * (self._sensor + 1), maxlen=self._sensor + 1)

    def wrench(self) -> Array:
        """Return the contact's wrench at the arm's present pose."""
        R = Rotation.from_rotvec(self._x[3:]) * self._R0
        return contact_wrench(
            self._x[:3], R.as_matrix(), self._v[:3], self.turning(), self.port.feet, self.port.points,
            self.port.normals, self._law, self._port,
        )  # fmt: skip

    def turning(self) -> Array:
        """Return the arm's present angular velocity in world axes [rad/s], (3,)."""
        return _left_jacobian(self._x[3:]) @ self._v[3:]

    def packet(self) -> tuple[Array, Array, Array, bool]:
        """Return what is measured now; see `Plant`."""
        n, draw = self._noise, self._rng.standard_normal
        R = Rotation.from_rotvec(self._x[3:] + n.rotation * draw(3)) * self._R0
        wrench = self._forces[0].copy() if self._sensor else self.wrench()
        if self._felt:  # a bias that arises in contact, where it cannot be followed
            wrench = wrench + self._bias
        wrench[:3] += n.force * draw(3)
        wrench[3:] += n.torque * draw(3)
        usable = self._lost == 0.0 or self._rng.random() >= self._lost
        return self._x[:3] + n.position * draw(3), np.roll(R.as_quat(), 1), wrench, usable

    def command(self, state: ContactState) -> Array:
        """Move along to the led pose over one cycle; see `Plant`."""
        self._felt = state.in_contact
        led = Rotation.from_quat(np.roll(state.led_quat, -1))
        u = np.concatenate((state.led_p, (led * self._R0.inv()).as_rotvec()))
        if self._lost and self._rng.random() < self._lost:
            u = self._u + (
                self._path[-1] - self._path[-1 - SUBSTEPS]
            )  # a lost answer: the last speed goes on
        twist = (u - self._u) / self._step
        self._move(self._u, u)
        self._u = u
        return twist

    def _move(self, first: Array, u: Array) -> None:
        """Move along to a pose over one cycle."""
        for j in range(1, SUBSTEPS + 1):
            self._path.append(first + (u - first) * (j / SUBSTEPS))
            a, b = self._path[-2 - self._delay], self._path[-1 - self._delay]
            m = self._lag
            self._x, self._v = (
                m[0, 0] * self._x + m[0, 1] * self._v + m[0, 2] * a + m[0, 3] * b,
                m[1, 0] * self._x + m[1, 1] * self._v + m[1, 2] * a + m[1, 3] * b,
            )
            self._touch(j)

    def _touch(self, j: int) -> None:
        """Let the contact act over a substep: on a port that moves, and on the highest force so far."""
        moving = np.isfinite(self.port.mass)
        if not moving and not self._sensor and j % 4:
            return
        wrench = self.wrench()
        if self._sensor:
            self._forces.append(wrench)
        size = float(np.linalg.norm(wrench[:3]))
        self.peak = max(self.peak, size)
        self.contact_time += self._dt * (1 if moving or self._sensor else 4) * (size > 0.0)
        if moving:
            self._port[1] -= self._dt * float(wrench[:3] @ self.port.normals[0]) / self.port.mass
            self._port[0] += self._dt * self._port[1]


def _left_jacobian(t: Array) -> Array:
    """Return what turns the rate of a rotation vector into an angular velocity in world axes."""
    a = float(np.linalg.norm(t))
    K = np.array([[0.0, -t[2], t[1]], [t[2], 0.0, -t[0]], [-t[1], t[0], 0.0]])
    if a < 1e-6:
        return np.eye(3) + 0.5 * K
    return np.eye(3) + (1.0 - np.cos(a)) / a**2 * K + (a - np.sin(a)) / a**3 * K @ K
