"""The robot of an experiment in its place, its path, and the frames of the parts."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ExperimentError
from hil.trials.mating.robot_schema import PathSection, Place, RobotSection
from sim.insertion.assembled_robot import assembled_robot
from sim.insertion.elastic_robot import ElasticRobot, compliance, puma_robot, tuned_at
from sim.insertion.joint_drives import Servo
from sim.insertion.motion import minimum_jerk, recorded, times_of, trapezoid
from sim.insertion.reach import Nominal, nominal_path, position_at, tip_of

FEWEST_STEPS, MOST_STEPS = 10, 200_000  # for all that is kept of them takes 2 KB a step


@dataclass(frozen=True, eq=False)
class Setting:
    """A robot where its path begins.

    Attributes:
        robot: see there.
        nominal: its path.
        axes: of the hole in the base: x into it, y across, z towards the robot's base; shape (3, 3).
        way: along the path at every step, shape (n + 1,) [m].
        begin: depth at its beginning [m].
    """

    robot: ElasticRobot
    nominal: Nominal
    axes: Array
    way: Array
    begin: float

    def peg(self, back: float = 0.0, aside: float = 0.0) -> Array:
        """Return the pose on the tip of a part in the hole's axes, shape (4, 4).

        Args:
            back: how far its origin is above the tip, against the path [m].
            aside: how far it is off along y [m].
        """
        T, R = np.eye(4), self.nominal.T_begin[:3, :3]
        T[:3, :3] = R.T @ self.axes
        T[:3, 3] = T[:3, :3] @ np.array([-back, aside, 0.0])
        return T

    def hole(self, offset_y: float, offset_z: float, aside: float = 0.0) -> Array:
        """Return the pose in the base of the hole that a part is off by these offsets, shape (4, 4)."""
        T = np.eye(4)
        T[:3, :3] = self.axes
        T[:3, 3] = self.nominal.T_begin[:3, 3] + self.axes @ np.array(
            [-self.begin, aside - offset_y, -offset_z]
        )
        return T

    def outwards(self) -> float:
        """Return towards where an upward force moves the tip: its angle from -z over -y [rad].

        That is in the arm's own plane; by stiffness alone, so any arm has it.
        """
        by_up = self.axes.T @ compliance(self.robot, self.robot.position) @ -self.axes[:, 0]
        return float(np.arctan2(-by_up[1], -by_up[2]))


def setting(robot: RobotSection, path: PathSection, step: float, place: Place | None = None) -> Setting:
    """Return the robot of a file where its path begins.

    Args:
        robot: of the file.
        path: of the file.
        step: [s].
        place: instead of the joints' or tip's position that `robot` says.

    Raises:
        ZeroGError: it cannot reach, or files that do not hold what they should.
    """
    servo = Servo(robot.frequency.tolist(), robot.damping, robot.integral)
    if robot.assembly:
        arm = assembled_robot(Path(robot.assembly), None, servo, robot.torque_limits)
        down = arm.numbers.gravity / max(float(np.linalg.norm(arm.numbers.gravity)), 1e-9)
        down = down if np.linalg.norm(down) > 0.5 else np.array([0.0, 0.0, -1.0])
        at, turn = robot.at if place is None else np.array([place.reach, 0.0, place.height]), 0.0
        arm = tuned_at(arm, position_at(arm, _standing(at, down)))
    else:
        arm = puma_robot(
            robot.joints,
            robot.tool,
            robot.payload,
            robot.payload_height,
            robot.stiffness,
            robot.gear_damping,
            servo,
            robot.torque_limits,
        )
        turn = robot.turn
        if place is not None:
            at = np.array([-place.reach, 0.0, place.height])
            arm, turn = tuned_at(arm, position_at(arm, _standing(at, np.array([0.0, 0.0, -1.0])))), 0.0
    begin, (duration, way) = path.begin, (0.0, None)
    if path.profile == "recorded":
        duration, way, begin = recorded(Path(path.file))
    elif path.profile == "trapezoid":
        duration, way = trapezoid(path.distance, path.speed, path.ramp)
    else:
        duration, way = minimum_jerk(path.distance, path.speed)
    lasts = duration + path.rest
    if not FEWEST_STEPS * step <= lasts <= MOST_STEPS * step:
        most, least = 1e3 * lasts / FEWEST_STEPS, 1e3 * lasts / MOST_STEPS
        raise ExperimentError(
            f"step_ms = {1e3 * step:g} makes {lasts / step:.3g} steps of a motion of {lasts:.3g} s, "
            f"{FEWEST_STEPS} to {MOST_STEPS} are taken: between {least:.3g} and {most:.3g}, or another motion"
        )
    ways = way(times_of(duration, path.rest, step))
    T = tip_of(arm)
    c, s = np.cos(turn), np.sin(turn)
    y, z = T[:3, 1], -T[:3, 0]
    axes = np.column_stack([T[:3, 2], c * y + s * z, c * z - s * y])
    return Setting(arm, nominal_path(arm, axes[:, 0].copy(), float(ways.max())), axes, ways, begin)


def _standing(at: Array, down: Array) -> Array:
    """Return the pose of a tip whose z axis looks down and whose x axis looks away from the base's."""
    out = at - (at @ down) * down
    size = float(np.linalg.norm(out))
    x = out / size if size > 1e-6 else np.linalg.svd(down[None])[2][1]
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.column_stack([x, np.cross(down, x), down]), at
    return T
