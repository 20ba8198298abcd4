"""The way of an approach: the straight line of the joints from where the arm stands to its start pose.

All joints move in proportion, so that the way does not depend on its pace, and what was checked is what is
moved along, also when the arm brakes on it.
"""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.schema import Limits
from hil.loop.approach.caps import CORNER_SPEED, JOINT_SPEED, PLANNED
from hil.loop.approach.held_cube import HeldCube
from planner.kinematics.arm_model import load_arm_model

SAMPLE = math.radians(0.25)  # [rad] of the joint that turns farthest, between two looks at the way
ARRIVED = 1e-6  # [rad] from the start pose, at most: the arm is there


@dataclass(frozen=True)
class Way:
    """A way that may be taken.

    Attributes:
        angle: by which the joint that turns farthest turns [rad].
        speed: of that joint at most [rad/s], so that no corner is too fast.
        nearest: how near the mock-up comes to anything [m],
        to: and to what.
    """

    angle: float
    speed: float
    nearest: float
    to: str

    def words(self) -> str:
        """Return the way in words."""
        speed = math.degrees(self.speed)
        return (
            f"{math.degrees(self.angle):.1f} deg at {speed:.2f} deg/s, {self.angle / self.speed:.0f} s; the "
            f"mock-up comes within {1e3 * self.nearest:.0f} mm of {self.to}"
        )


class WayHome:
    """Judges ways to the start pose."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        self._cube = HeldCube(configuration)
        self._goal = np.array(configuration.robot.start)
        self._clearance = configuration.approach.clearance
        self._bounds = position_bounds(configuration)

    def judged(self, q: Array, speed: float) -> tuple[Way | None, str]:
        """Return the way, or why there is none in words.

        Args:
            q: joint positions from which it leads [rad], shape (7,).
            speed: of the fastest joint at most [rad/s].
        """
        turn = self._goal - q
        angle = float(np.abs(turn).max())
        if not angle > ARRIVED:
            return None, "the arm is at its start pose (robot.start_deg) already"
        if self._cube.unjudged:
            return None, f"how near the mock-up comes to the arm is not known: {self._cube.unjudged}"
        if outside := beyond_bounds(q, *self._bounds):
            return None, f"{outside}: the arm must stand within its limits"
        count = max(2, math.ceil(angle / SAMPLE) + 1)
        along = q + np.linspace(0.0, 1.0, count)[:, None] * turn
        clearances = self._cube.clearances(along)
        sample, pair = np.unravel_index(int(clearances.argmin()), clearances.shape)
        nearest = float(clearances[sample, pair])
        if not nearest >= self._clearance:
            return None, self._too_near(clearances, angle)
        steps = np.linalg.norm(np.diff(self._cube.corners(along), axis=0), axis=2)
        longest = float(steps.max()) * (count - 1) / angle  # [m] of a corner, by radian of that joint
        allowed = min(speed, PLANNED * JOINT_SPEED, PLANNED * CORNER_SPEED / longest if longest else math.inf)
        return Way(angle, allowed, nearest, self._cube.pairs[pair]), ""

    def _too_near(self, clearances: Array, angle: float) -> str:
        """Return where the way first comes too near, to what, and how near it comes there."""
        first = int(np.argmax((clearances < self._clearance).any(axis=1)))
        pair = int(clearances[first].argmin())
        nearest = float(clearances[:, pair].min())
        share = first / (len(clearances) - 1)
        how = f"within {1e3 * nearest:.0f} mm" if nearest > 0.0 else "in touch"
        what = self._cube.pairs[pair]
        return (
            f"on the way the mock-up comes {how} of {what}, first {100.0 * share:.0f} % of the way on "
            f"({math.degrees(share * angle):.1f} deg of {math.degrees(angle):.1f} deg); "
            f"{1e3 * self._clearance:.0f} mm are needed (approach.clearance_mm): bring the arm to where the "
            "straight way of its joints is free"
        )


def position_bounds(configuration: Configuration) -> tuple[Array, Array]:
    """Return the least and the greatest joint positions that may be commanded [rad], each (7,)."""
    model, limits = load_arm_model(configuration.robot.model), configuration.limits
    return _bounds(np.array(model.lower), np.array(model.upper), limits)


def beyond_bounds(q: Array, lower: Array, upper: Array) -> str:
    """Return which joint is beyond its limits in words; empty if none is."""
    for j, (value, low, high) in enumerate(zip(q.tolist(), lower.tolist(), upper.tolist(), strict=True)):
        if not low <= value <= high:
            bounds = f"[{math.degrees(low):.2f}, {math.degrees(high):.2f}]"
            return f"A{j + 1} stands at {math.degrees(value):.2f} deg, not in {bounds} deg"
    return ""


def _bounds(lower: Array, upper: Array, limits: Limits) -> tuple[Array, Array]:
    return lower + limits.position_margin, upper - limits.position_margin
