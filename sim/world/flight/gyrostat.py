"""The flight of an object with an arm whose joints move as a script or the user says."""

import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from sim.world.flight.inside import InsideFlight
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.composite import COMPOSITE_SIZE, tabulate_into
from sim.world.inside.gyrostat import (
    GIVEN,
    GYROSTAT_ROW,
    TIME,
    base_motion_into,
    base_nodes_into,
    gyrostat_energy,
    gyrostat_grid_into,
    gyrostat_step_into,
)
from sim.world.inside.joint_orders import JointOrders
from sim.world.inside.joint_path import JointPath
from sim.world.inside.link_poses import link_poses
from sim.world.inside.rigid_mobility import mobility_about
from sim.world.inside.tables import Tables

ROOM = 1.0  # [s] of rows that are kept beside history and prediction


class GyrostatFlight(InsideFlight):
    """The joints are functions of object time; P and L of the whole are kept to rounding."""

    row_size = GYROSTAT_ROW

    def __init__(self, configuration: Configuration, arm: ArmTree, joints: JointPath | JointOrders) -> None:
        """Fly an object with an arm inside, whose joints go along a path, or as they are ordered."""
        self._arm = arm
        self._orders = joints if isinstance(joints, JointOrders) else None
        self._path = joints.path if isinstance(joints, JointOrders) else joints
        at = self._composite(0.0)
        moments = np.array([at[16], at[19], at[21]])
        super().__init__(configuration, float(arm.mass.sum()), moments)
        simulation = configuration.simulation
        span = simulation.history + simulation.prediction + ROOM
        self._fine = Tables(arm, 0.5 * self.step, simulation.history + ROOM)
        self._coarse = Tables(arm, 0.5 * self.stride * self.step, span)

    @property
    def arm(self) -> ArmTree:
        """Its arm."""
        return self._arm

    @property
    def path(self) -> JointPath:
        """Along which its joints go, as far as is known."""
        return self._path

    def begin(self) -> None:
        """Forget all orders: a flight begins anew."""
        if self._orders is not None:
            self._orders.restart()
            self._follow(self._orders, -self.step)

    def order(self, s: float, q: Array, dq: Array) -> float | None:
        """Take an order of an object time `s` [s]; return from where on states change, None if not at all."""
        changed = None if self._orders is None else self._orders.take(s, q, dq)
        if self._orders is not None and changed is not None:
            self._follow(self._orders, changed)
        return changed

    def _follow(self, orders: JointOrders, s: float) -> None:
        """Let the joints go along the path of orders, which is as it was up to an object time `s` [s]."""
        self._path = orders.path
        self._fine.spoil(s)
        self._coarse.spoil(s)

    def refusals(self) -> tuple[int, str]:
        """Return how many orders were refused, and why the last of them was."""
        return (0, "") if self._orders is None else (self._orders.refused, self._orders.reason)

    def start_into(self, row: Array, p: Array, quat: Array, twist: Array) -> None:
        """Write the row at which a flight begins, at object time 0, of the base's motion."""
        at = self._composite(0.0)
        quat = np.asarray(quat, float) / np.linalg.norm(quat)
        R = matrix_from_quat(quat)
        spin = R.T @ np.asarray(twist[3:], float)
        row[:3] = p + R @ at[9:12]
        row[3:7] = quat
        row[7:10] = twist[:3] + R @ (np.cross(spin, at[9:12]) + at[12:15])
        row[10:13] = R @ (_square(at[16:22]) @ spin + at[6:9])
        self._nothing_acted(row)
        row[TIME] = row[GIVEN] = 0.0
        row[GIVEN] = self.energy(row)

    def motion(self, row: Array) -> tuple[Array, Array, Array]:
        """Return place (3,), attitude (4,) and twist (6,) of the base, world axes."""
        p, quat, twist = np.empty(3), np.empty(4), np.empty(6)
        base_motion_into(p, quat, twist, row, self._composite(row[TIME]))
        return p, quat, twist

    def mobility(self, row: Array) -> Array:
        """Return the base's twist per impulse on it, about its frame and in its axes, shape (6, 6)."""
        at = self._composite(row[TIME])
        return mobility_about(self.mass, _square(at[0:6]), at[9:12])

    def momentum(self, row: Array) -> tuple[Array, Array]:
        """Return the whole's centre [m], shape (3,), and its momenta P, L about it, world axes, (6,)."""
        return row[:3].copy(), np.concatenate((self.mass * row[7:10], row[10:13]))

    def energy(self, row: Array) -> float:
        """Return the energy of all bodies and of the stops' springs [J]."""
        return gyrostat_energy(row, self._composite(row[TIME]), self.mass, self.stops)

    def contact_work(self, row: Array) -> float:
        """Return what the joints' motors have done so far: what neither start nor pushes gave [J]."""
        return self.energy(row) - float(row[GIVEN])

    def joints(self, row: Array) -> Array:
        """Return the joints [rad], shape (n,)."""
        return self._path.at(float(row[TIME]))[0]

    def push_into(self, row: Array, impulse: Array) -> None:
        """Let an impulse (6,) act on the base, about its frame and in its axes.

        What it does is the impulse times the mean of the base's twists before and after. The motors hold the
        joints to their speeds against it: what they do in that instant is work of theirs.
        """
        at, R = self._composite(row[TIME]), matrix_from_quat(row[3:7])
        before = self._own_twist(row, R)
        row[7:10] += R @ impulse[:3] / self.mass
        row[10:13] += R @ (impulse[3:] - np.cross(at[9:12], impulse[:3]))
        row[GIVEN] += 0.5 * float(impulse @ (before + self._own_twist(row, R)))

    def _own_twist(self, row: Array, R: Array) -> Array:
        """Return the base's twist in its own axes (6,), whose attitude is `R` (3, 3)."""
        twist = self.motion(row)[2]
        return np.concatenate((R.T @ twist[:3], R.T @ twist[3:]))

    def carry_into(self, row: Array, duration: float) -> None:
        """Carry a row on by a duration [s], at most a step; negative: back."""
        s = float(row[TIME])
        begin, middle, end = (self._composite(s + k * 0.5 * duration) for k in range(3))
        gyrostat_step_into(row, row, begin, middle, end, self.mass, self.stops, duration)
        row[TIME] = s + duration

    def fly_into(self, ring: Array, first: int, last: int, step: float) -> None:
        """Fill the rows `first + 1` to `last` of a ring on a grid of a step; no slice acts."""
        tables = self._fine if step == self.step else self._coarse
        most = len(tables.ring) // 2 - 2
        for begin in range(first, last, most):
            until = min(last, begin + most)
            table = tables.over(self._path, 2 * begin, 2 * until)
            gyrostat_grid_into(ring, begin, until, step, table, self.mass, self.stops)

    def nodes_into(self, p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int) -> None:
        """Write the base's motion at every `ratio`-th row of a ring of the predictions' grid."""
        table = self._coarse.over(self._path, 2 * first, 2 * (first + (len(p) - 1) * ratio))
        base_nodes_into(p, quat, twist, ring, first, ratio, table)

    def other_poses(self, row: Array) -> SingleArray:
        """Return position and attitude of the arm's bodies that move, (n, 7)."""
        p, quat, _ = self.motion(row)
        return link_poses(self._arm, self.joints(row), p, quat)

    def _composite(self, s: float) -> Array:
        """Return the composite row at an object time [s], shape (22,)."""
        row = np.empty((1, COMPOSITE_SIZE))
        tabulate_into(row, 1, 1, float(s), self._path.breaks, self._path.powers, *self._arm.arrays)
        return row[0]


def _square(six: Array) -> Array:
    """Return the symmetric matrix (3, 3) of xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
