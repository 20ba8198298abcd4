"""The poses at which the load is weighed, behind the circles: where they are and how the joints get there.

Twelve rests at which nothing moves, the first where the motion began. Between them the mock-up turns about
its axis, to one side and the other, and is tilted and shifted a little: attitude tells the weight, place the
slope of an offset, and no two of all these go together. Each leg is a straight line of the joints, from rest
to rest in a fixed time, as large as caps and set allow. In plain arrays, for the daemon loads no compiled
code; an iteration at a time, for the driver has a cycle to keep.
"""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.calibration.shape import DURATION
from hil.loop.plain_kinematics import held_frames, turns
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import ArmModel

SHARE = 0.8  # of the certified caps, and of the set's extent, that is used
PLANNED = 0.93  # of that share, by which poses are laid out: the joints' line bends the object's path
LEG, REST = 1.6, 0.4  # [s] of a leg, and of standing before each
# of the twelve steps of twist, tilts and shifts; chosen so that offset, slope, drift and weight stand apart
TWIST = (1, 2, 3, 2, 1, 0, -1, -2, -3, -2, -1)
TILTS = ((1, 1, -1, -1, -1, -1, 1, -1, -1, 1, 1), (-1, -1, -1, -1, 1, 1, 1, 1, -1, -1, 1))
SHIFTS = (
    (-1, -1, -1, -1, -1, 1, 1, 1, -1, 1, 1),
    (1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1),
    (-1, -1, -1, 1, -1, 1, 1, 1, 1, -1, 1),
)
LEGS = len(TWIST) + 1
VISITED = LEGS * (REST + LEG)  # [s] from the first rest to the last leg's end
WHOLE = DURATION + VISITED  # [s] of the circles and of all this
MOST_TILT, MOST_SHIFT = math.radians(10.0), 0.04  # more tells little more, and the arm bends its posture
PEAK_SPEED, PEAK_ACCELERATION, PEAK_JERK = (
    1.875,
    10.0 / math.sqrt(3.0),
    60.0,
)  # of a leg of one, in one second
ITERATIONS, NEAR = 12, 1e-5  # of Newton's search; what it leaves at most [m, rad]


@dataclass(frozen=True, eq=False)
class Visit:
    """Rests and legs, from a pose through all others back to it.

    Attributes:
        stations: joint positions at the rests and at the end [rad], shape (LEGS + 1, 7).
        step: between two states [s].
    """

    stations: Array
    step: float

    @property
    def count(self) -> int:
        """Of states, the first and the last at rest."""
        return round(VISITED / self.step) + 1

    def states(self, rows: slice) -> Array:
        """Return the joints' positions, velocities and accelerations in some states, shape (3, n, 7)."""
        t = self.step * np.arange(self.count)[rows]
        leg = np.minimum((t / (REST + LEG) + 1e-9).astype(int), LEGS - 1)
        u = np.clip((t - leg * (REST + LEG) - REST) / LEG, 0.0, 1.0)[:, None]
        begin, way = self.stations[leg], np.diff(self.stations, axis=0)[leg]
        shares = (
            u**3 * (10.0 - 15.0 * u + 6.0 * u**2),
            30.0 * (u * (1.0 - u)) ** 2 / LEG,
            60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / LEG**2,
        )
        return np.array([begin + shares[0] * way, shares[1] * way, shares[2] * way])


class Poses:
    """Lays the poses out from wherever the arm stands."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        self._model, self._T_flange_object = model, Frames.from_configuration(c).T_flange_object
        self._step = c.fri.sample_time
        limits = MotionLimits.from_configuration(model, c.limits).scaled(c.limits.command_fraction)
        self._most = np.array([limits.velocity, limits.acceleration, limits.jerk])
        turn = PLANNED * SHARE * c.stops.max_spin * LEG / PEAK_SPEED  # a leg may turn by so much
        reach = PLANNED * SHARE * np.array([c.stops.twist / max(TWIST), c.stops.swing / math.sqrt(2.0)])
        twist = min(2.0 / 3.0 * turn, float(reach[0]))
        tilt = min(0.5 * math.sqrt(turn**2 - twist**2), float(reach[1]), MOST_TILT)
        way = PLANNED * SHARE * c.stops.max_speed * LEG / PEAK_SPEED  # and shift by so much
        extent = PLANNED * SHARE * float(c.stops.half_extent.min())
        shift = min(way / math.sqrt(8.0), extent, MOST_SHIFT)
        self._shifts = shift * np.array(SHIFTS).T
        tilts = np.column_stack([tilt * np.array(TILTS).T, np.zeros(len(TWIST))])
        self._turns = turns(tilts) @ turns(np.outer(np.multiply(twist, TWIST), [0.0, 0.0, 1.0]))

    def sought(self, q: Array) -> "Search":
        """Begin to look for the poses' joints, from `q` [rad], shape (7,)."""
        R, p, _ = held_frames(self._model, q[None], self._T_flange_object)
        return Search(self, q, R[0] @ self._turns, p[0] + self._shifts)

    def laid_out(self, q: Array) -> tuple[Visit | None, str]:
        """Return the visit, or in words why there is none."""
        search = self.sought(q)
        while not search.over:
            search.advance()
        return search.visit, search.refusal

    def improved(self, q: Array, R_wanted: Array, p_wanted: Array) -> tuple[Array, float]:
        """Return joints a step of Newton's nearer to poses, (n, 7), and how far they were [m, rad]."""
        R, p, J = held_frames(self._model, q, self._T_flange_object)
        D = R_wanted @ np.swapaxes(R, 1, 2)
        twice = np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1)
        away = np.concatenate([p_wanted - p, 0.5 * twice], axis=1)
        return q + np.einsum("nij,nj->ni", np.linalg.pinv(J), away), float(np.abs(away).max())

    def visited(self, q: Array, poses: Array) -> tuple[Visit | None, str]:
        """Return the visit of these joint positions (n, 7), from `q` and back, unless limits forbid it."""
        stations = np.concatenate([q[None], poses, q[None]])
        way = np.abs(np.diff(stations, axis=0)).max(axis=0)
        peaks = np.array([PEAK_SPEED / LEG, PEAK_ACCELERATION / LEG**2, PEAK_JERK / LEG**3])
        used = float((np.outer(peaks, way) / self._most).max())
        if used > 1.0:
            return None, f"the joints' limits allow {1.0 / used:.2f} of the way between its poses here"
        return Visit(stations, self._step), ""


class Search:
    """Newton's search for the joints of all poses at once.

    Attributes:
        over: whether it has come to its end.
        visit: what it found; None: nothing,
        refusal: and why, in words.
    """

    def __init__(self, poses: Poses, q: Array, R: Array, p: Array) -> None:
        self._poses, self._begin, self._wanted = poses, q, (R, p)
        self._q = np.repeat(q[None], len(p), axis=0)
        self._left = ITERATIONS
        self.over, self.refusal = False, ""
        self.visit: Visit | None = None

    def advance(self) -> None:
        """Do one iteration."""
        improved, away = self._poses.improved(self._q, *self._wanted)
        if away < NEAR:
            self.visit, self.refusal = self._poses.visited(self._begin, self._q)
            self.over = True
            return
        self._q, self._left = improved, self._left - 1
        if not self._left:
            self.over, self.refusal = True, "a pose at which the load is weighed cannot be reached from here"
