"""Whether the motion that shows the load may be made from where the arm stands: looked at beforehand.

All along it the object stays within the stops, at most `SHARE` of the certified speeds, the joints within
their limits, and the mock-up clear of arm, mount and floor.
"""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.workspace_stamp import workspace_stamp
from hil.loop.approach.held_cube import HeldCube
from hil.loop.approach.way import beyond_bounds, position_bounds
from hil.loop.calibration.excitation import SHARE, WORTH, Excitation
from hil.loop.calibration.poses import LEGS, WHOLE, Poses
from hil.loop.calibration.shape import DURATION
from hil.loop.judging.held_pose import HeldPose
from hil.loop.judging.outside_set import place_of
from planner.kinematics.arm_model import load_arm_model

LOOK = 0.02  # [s] between two looks at stops and clearance: the object moves on by 2 mm
TO_THE_START = "bring the arm to its start pose (`zerog approach`)"


@dataclass(frozen=True)
class ExcitingWay:
    """A motion that may be made.

    Attributes:
        duration: [s].
        speed: of the object's centre at most [m/s].
        spin: at most [rad/s].
        nearest: how near the mock-up comes to anything [m].
    """

    duration: float
    speed: float
    spin: float
    nearest: float

    def words(self) -> str:
        """Return the motion in words."""
        return (
            f"the mock-up circles for {DURATION:.0f} s at up to {1e3 * self.speed:.0f} mm/s and "
            f"{math.degrees(self.spin):.0f} deg/s, then stands in {LEGS} poses, and comes back after "
            f"{self.duration:.0f} s; {1e3 * self.nearest:.0f} mm from the arm"
        )


class WayOfCalibration:
    """Judges the motion from any pose."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        c = configuration
        self._c = c
        self._cube, self._pose = HeldCube(c), HeldPose(c)
        model = load_arm_model(c.robot.model)
        self._excitation, self._poses = Excitation(c, model), Poses(c, model)
        self._bounds = position_bounds(c)
        self._uncertified = _uncertified(c)

    def refused_here(self, q: Array) -> str:
        """Return why no motion begins from `q`, as far as no way must be looked at for it; empty if none."""
        if self._uncertified:
            return self._uncertified
        if self._cube.unjudged:
            return f"how near the mock-up comes to the arm is not known: {self._cube.unjudged}"
        return self._left(q[None])

    def judged(self, q: Array) -> tuple[ExcitingWay | None, str]:
        """Return the motion, or in words why it may not be made from joint positions [rad], shape (7,)."""
        if refused := self.refused_here(q):
            return None, refused
        motion, scale = self._excitation.laid_out(q)
        if motion is None:
            return None, (
                f"the joints' limits allow {100.0 * scale:.0f} % of the motion here, {100.0 * WORTH:.0f} % "
                f"are needed: {TO_THE_START}"
            )
        visit, refusal = self._poses.laid_out(q)
        if visit is None:
            return None, f"{refusal}: {TO_THE_START}"
        step = self._excitation.step
        every = max(1, round(LOOK / step))
        circles, calm = motion.states(slice(None))[0], visit.states(slice(None, None, every))[0]
        along = np.concatenate([circles, calm])
        extremes = along.min(axis=0), along.max(axis=0)
        if outside := next(filter(None, (beyond_bounds(one, *self._bounds) for one in extremes)), ""):
            return None, f"the motion would pass a limit: {outside}; {TO_THE_START}"
        looks = np.concatenate([circles[::every], calm])
        if left := self._left(looks):
            return None, left
        nearest = float(self._cube.clearances(looks).min())
        if not nearest >= self._c.approach.clearance:
            return None, (
                f"the mock-up would come within {1e3 * nearest:.0f} mm of arm, mount or floor, "
                f"{1e3 * self._c.approach.clearance:.0f} mm are needed (approach.clearance_mm)"
            )
        speed, spin = np.maximum(self._speeds(circles, step), self._speeds(calm, every * step)).tolist()
        stops = self._c.stops
        if not (speed <= SHARE * stops.max_speed and spin <= SHARE * stops.max_spin):
            return None, (
                f"the motion would reach {1e3 * speed:.0f} mm/s and {math.degrees(spin):.1f} deg/s, beyond "
                f"{SHARE:g} of the certified caps"
            )
        return ExcitingWay(WHOLE, speed, spin, nearest), ""

    def _left(self, looks: Array) -> str:
        """Return where the motion would leave the certified set, in words; empty if nowhere."""
        moved = np.concatenate([[True], np.diff(looks, axis=0).any(axis=1)])
        for q in looks[moved]:
            place = place_of(*self._pose.at(q), self._c.stops)
            if not place.inside:
                return f"the motion would carry the object {place.words()}; {TO_THE_START}"
        return ""

    def _speeds(self, along: Array, step: float) -> tuple[float, float]:
        """Return the greatest speed of the object's centre [m/s] and its spin [rad/s]."""
        R, p = self._cube.object_poses(along)
        turns = np.einsum("nji,njk->nik", R[:-1], R[1:])
        twice = np.stack([turns[:, 2, 1] - turns[:, 1, 2], turns[:, 0, 2] - turns[:, 2, 0],
                          turns[:, 1, 0] - turns[:, 0, 1]])  # fmt: skip
        fastest = np.linalg.norm(np.diff(p, axis=0), axis=1).max() / step
        return float(fastest), float(0.5 * np.linalg.norm(twice, axis=0).max() / step)


def _uncertified(c: Configuration) -> str:
    """Return why there is no certified set to move within; empty if there is."""
    if not c.stops.enabled:
        return "stops.enabled = false: there is no certified set to move within"
    if c.stops.certified != workspace_stamp(c):
        return "these stops are not certified (`zerog workspace CONFIG`, then stops.certified as it prints)"
    return ""
