"""What the load's weight tells while the arm stands in many poses (docs/theory.md, section 23).

At rest a sensor reads `w = b + b' t + B d + (m g, h x g)`: its offset, drift, the offset's slope over the
place, and the missed weight. An estimate from joint torques has its offset in the base's axes, for what it
rests on does not turn with the mock-up: the weight's force, which does not turn either, then cannot be told
from the offset, and only its torque speaks. A sensor at the flange has its offset in its own axes, in which
the weight turns: both speak.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.wrench.load.inertial import PARAMETERS, Acceleration, crossing, regressor

SPARE = 12  # values more than unknowns, at least: by them the scatter of the poses is judged


@dataclass(frozen=True, eq=False)
class Sensed:
    """Where a wrench is measured.

    Attributes:
        T_object_sensor: place and axes of what measures, in the object's, shape (4, 4).
        placed: its offset keeps the base's axes and goes with its place; else it turns with the sensor.
        origin: place of the sensor from which on the slope counts, base [m], shape (3,).
        gravity: acceleration, base [m/s2], shape (3,).
    """

    T_object_sensor: Array
    placed: bool
    origin: Array
    gravity: Array

    def moved(self, R: Array, p: Array, wrench: Array) -> Array:
        """Return wrenches (n, 6, ...) about the object's centre, object axes, where they are measured.

        Args:
            R: attitudes of the object in base, shape (n, 3, 3).
            p: places of its centre in base [m], shape (n, 3).
            wrench: what is to be moved, further axes are columns.
        """
        lever = -np.einsum("nij,j->ni", R, self.T_object_sensor[:3, 3])
        force = np.einsum("nij,nj...->ni...", R, wrench[:, :3])
        torque = np.einsum("nij,nj...->ni...", R, wrench[:, 3:]) + np.einsum(
            "nij,nj...->ni...", crossing(lever), force
        )
        axes = self._axes(R)
        return np.concatenate([np.einsum("nji,nj...->ni...", axes, x) for x in (force, torque)], axis=1)

    def back(self, R: Array, p: Array, wrench: Array) -> Array:
        """Return wrenches (n, 6) as they are measured about the object's centre, object axes."""
        lever = np.einsum("nij,j->ni", R, self.T_object_sensor[:3, 3])
        axes = self._axes(R)
        force = np.einsum("nij,nj->ni", axes, wrench[:, :3])
        torque = np.einsum("nij,nj->ni", axes, wrench[:, 3:]) + np.cross(lever, force)
        return np.concatenate([np.einsum("nji,nj->ni", R, x) for x in (force, torque)], axis=1)

    def displaced(self, R: Array, p: Array) -> Array:
        """Return the sensor's place beyond its origin, base [m], shape (n, 3)."""
        found: Array = p + np.einsum("nij,j->ni", R, self.T_object_sensor[:3, 3]) - self.origin
        return found

    def weights(self, R: Array) -> Array:
        """Return what the weight of each parameter's unit is about the object's centre, (n, 6, 10)."""
        still = np.zeros((len(R), 3))
        down = np.einsum("nji,j->ni", R, self.gravity)
        return -regressor(Acceleration(-down, still, still))

    def _axes(self, R: Array) -> Array:
        if self.placed:
            return np.broadcast_to(np.eye(3), R.shape)
        turned: Array = R @ self.T_object_sensor[:3, :3]
        return turned


@dataclass(frozen=True, eq=False)
class Rests:
    """Means while the arm stood.

    Attributes:
        t: instants [s], shape (n,).
        R: attitudes of the object in base, shape (n, 3, 3).
        p: places of its centre in base [m], shape (n, 3).
        wrench: about it, object axes [N, N m], shape (n, 6); the weight that load data has is taken out.
    """

    t: Array
    R: Array
    p: Array
    wrench: Array


@dataclass(frozen=True, eq=False)
class Weighed:
    """Rows of the rests, where they are measured.

    Attributes:
        Y: what each parameter's weight reads, shape (n, 6, 10).
        w: what was read [N, N m], shape (n, 6).
        nuisance: shapes of an axis's offset, shape (n, k): one, time, and place if it goes with it.
    """

    Y: Array
    w: Array
    nuisance: Array

    def evidence(self) -> tuple[Array, Array, float]:
        """Return information (10, 10), what it says of the parameters (10,), and its degrees of freedom."""
        Q, _ = np.linalg.qr(self.nuisance)
        rows, seen = (x - np.tensordot(Q, np.tensordot(Q.T, x, 1), 1) for x in (self.Y, self.w))
        scales = np.ones(6)
        value = np.zeros(PARAMETERS)
        for _ in range(3):
            left = seen - rows @ value
            for part in (slice(0, 3), slice(3, 6)):
                lost = 3 * self.nuisance.shape[1] + 2  # of the parameters some four are shown by both parts
                scales[part] = np.sqrt(np.sum(left[:, part] ** 2) / (left[:, part].size - lost))
            A = (rows / scales[:, None]).reshape(-1, PARAMETERS)
            information, said = A.T @ A, A.T @ (seen / scales).ravel()
            value = np.linalg.pinv(information, rcond=1e-9, hermitian=True) @ said
        return information, said, float(self.w.size - 6 * self.nuisance.shape[1] - 4)

    def offsets(self, value: Array, covariance: Array, told: Array) -> tuple[Array, Array]:
        """Return what the axes' offsets are beside parameters, (k, 6), and their deviations.

        Args:
            value: of the parameters, shape (10,).
            covariance: of them, shape (10, 10).
            told: which rows of the weight are told apart from the offset, shape (6,); others stay in it.
        """
        Y = self.Y * told[:, None]
        inverse = np.linalg.pinv(self.nuisance)
        offset = inverse @ (self.w - Y @ value)
        left = self.w - Y @ value - self.nuisance @ offset
        spread = np.linalg.inv(self.nuisance.T @ self.nuisance)
        freedom = len(left) - self.nuisance.shape[1]
        moves = np.tensordot(inverse, Y, 1)
        variance = np.einsum("kic,cd,kid->ki", moves, covariance, moves)
        for part in (slice(0, 3), slice(3, 6)):
            noise = np.sum(left[:, part] ** 2) / (3 * freedom)
            variance[:, part] += noise * np.diag(spread)[:, None]
        return offset, np.sqrt(variance)


def weighed(rests: Rests, sensed: Sensed) -> Weighed | None:
    """Return the rows of the rests; None where they are too few to tell anything."""
    columns = [np.ones(len(rests.t)), _centred(rests.t)]
    if sensed.placed:
        columns += list(sensed.displaced(rests.R, rests.p).T)
    if len(rests.t) * 6 < 6 * len(columns) + 4 + SPARE:
        return None
    return Weighed(
        sensed.moved(rests.R, rests.p, sensed.weights(rests.R)),
        sensed.moved(rests.R, rests.p, rests.wrench),
        np.column_stack(columns),
    )


def _centred(t: Array) -> Array:
    middle: Array = t - 0.5 * (t[0] + t[-1])
    return middle
