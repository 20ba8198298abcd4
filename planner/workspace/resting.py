"""Certified stops without branches, for any arm: the joints that it settles to, over the whole set.

The step-by-step planner draws the arm to its start pose. At each pose of a grid, from the joints of the pose
beside it, those are sought that hold the object and are nearest to that pose, slow joints weighing more. They
must keep limits, singularities and clearances by the same margins as an interval of arm angles, also when
moved along the self-motion to both sides, and change little from pose to pose. Where twist turns A7 alone,
the grid has none; twisted, the arm may settle aside by SPREAD at most. Evidence on a grid, no proof:
in motion the arm is beside these joints by what the motion has carried it, at most SPREAD as it is looked at.
"""

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.common.errors import RobotModelError
from hil.common.geometry import transform_inverse
from hil.configuration import Configuration
from planner.inverse.lagrange import LagrangeInverse
from planner.kinematics.arm_bodies import Capsule
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose, jacobian
from planner.kinematics.pseudo_inverse import joint_velocity_for
from planner.workspace.certification import SpeedCaps
from planner.workspace.flood import MIN_WIDTH, coordinates, neighbour
from planner.workspace.grid import COARSE, DENSE, Grid, Report, Resolution
from planner.workspace.set_geometry import WorkspaceSet, speed_shares
from planner.workspace.slack import MARGIN, distance_to_box
from planner.workspace.speed import speed_factor
from sim.chain.kinematics import body_poses

SPREAD = 0.5 * MIN_WIDTH  # [rad] of the joint that moves most, along the self-motion to either side
LARGEST_STEP = math.radians(30.0)  # of a joint from pose to pose: beyond, it may be another choice
LENGTH, NEARLY_SINGULAR = 0.2, 0.05  # [m], least singular value: as the step-by-step planner has them
CORRECTIONS = 3  # Newton steps back to the pose: the error is squared by each
SETTLED = 1e-5  # [m, rad] that may be left of it
AXIS_TOLERANCE = 1e-9
BUDGET = 64  # poses between two reports


@dataclass(frozen=True, eq=False)
class Failure:
    """Why a set is not certified.

    Attributes:
        grid: on which it failed.
        pose: where.
        text: why, in words.
    """

    grid: Grid
    pose: int
    text: str


@dataclass(frozen=True, eq=False)
class Resting:
    """A set over which the arm settles continuously, and the speeds allowed there.

    Attributes:
        coarse: poses of the coarse grid.
        grid: the denser one.
        joints: to which the arm settles [rad], shape (n, 7).
        speeds: caps on the denser grid; there is no arm angle, so `best` is 0.
        least: smallest distance to a limit [rad], singular value, clearance [m], shape (3,).
    """

    coarse: int
    grid: Grid
    joints: Array
    speeds: SpeedCaps
    least: Array

    @property
    def q_start(self) -> Array:
        """Joints in the set's middle [rad], shape (7,)."""
        q: Array = self.joints[self.grid.centre]
        return q


def certify_resting(
    configuration: Configuration,
    model: ArmModel,
    report: Report,
    coarse: Resolution = COARSE,
    dense: Resolution = DENSE,
) -> Resting | Failure:
    """Return the certificate of a configuration's stops for any arm, or where and why there is none.

    The certificate may still allow less speed than the stops ask for: look at `speeds.smallest`.

    Raises:
        RobotModelError: twist is taken for A7's turning, and is not; the arm's bodies are not known; the
            inverse kinematics settles nowhere.
    """
    if configuration.planner.inverse != "lagrange":
        raise RobotModelError(
            f"with planner.inverse = {configuration.planner.inverse!r} nothing draws the arm to a pose, so "
            "there is nothing to certify; write inverse = 'lagrange' under [planner]"
        )
    if model.unjudged:
        raise RobotModelError(f"how near the mock-up comes to the arm is not known: {model.unjudged}")
    workspace = WorkspaceSet.from_configuration(configuration)
    axis = model.chain.T_last_tip[:3, :3].T @ model.chain.axes[-1]
    beside = np.linalg.norm(model.chain.T_last_tip[:2, 3])
    if workspace.twist_is_a7 and (abs(axis[2]) < 1.0 - AXIS_TOLERANCE or beside > AXIS_TOLERANCE):
        raise RobotModelError("the flange's z axis must be A7's for stops about it to be certified")
    size = 0
    for resolution, stage in ((coarse, "coarse grid"), (dense, "denser grid")):
        grid = Grid.over(workspace, model, resolution)
        found = _Flood(grid, configuration, model).over(stage, report, size)
        if isinstance(found, Failure):
            return found
        size = grid.size
    return found


class _Flood:
    """The settled joints of one grid, pose by pose from the middle on."""

    def __init__(self, grid: Grid, c: Configuration, model: ArmModel) -> None:
        self._grid, self._stops, self._model = grid, c.stops, model
        self._velocity = np.minimum(model.velocity, c.limits.velocity) * c.planner.speed_fraction
        slowness = (self._velocity.max() / self._velocity) ** 2
        self._inverse, self._twisting = (
            LagrangeInverse(model.chain, *limits, weights=(slowness,), q_ref=np.array(c.robot.start))
            for limits in (
                (grid.arm.lower, grid.arm.upper),
                (model.lower + MARGIN, model.upper - MARGIN),
            )
        )
        self._T_flange_object = transform_inverse(grid.geometry.T_object_flange)
        self._start = np.clip(c.robot.start, grid.arm.lower, grid.arm.upper)
        self._least = np.full(3, np.inf)

    def over(self, stage: str, report: Report, coarse: int) -> Resting | Failure:
        """Return what the flood comes to; `coarse` is the size of the grid before."""
        grid = self._grid
        joints, factor = np.full((grid.size, 7), np.nan), np.empty(grid.size)
        joint: IntArray = np.zeros(grid.size, np.int64)
        waiting, reached = deque([(grid.centre, self._start)]), 0
        while waiting:
            i, near = waiting.popleft()
            if not np.isnan(joints[i, 0]):
                continue
            q, fault = self._settled(i, near)
            if fault:
                return Failure(grid, i, fault)
            joints[i] = q
            factor[i], joint[i] = self._speed(i, q)
            for axis in range(6):
                for side in (-1, 1):
                    j = neighbour(i, grid.shape, axis, side)
                    if j < 0:
                        continue
                    if np.isnan(joints[j, 0]):
                        waiting.append((j, q))
                    elif float(np.abs(joints[j] - q).max()) > LARGEST_STEP:
                        return Failure(grid, i, "the joints are not those of the pose beside it, moved on")
            reached += 1
            if reached % BUDGET == 0 or reached == grid.size:
                report(stage, reached / grid.size)
        speeds = SpeedCaps(factor, np.zeros(grid.size, np.int64), joint)
        return Resting(coarse, grid, joints, speeds, self._least)

    def _settled(self, i: int, near: Array) -> tuple[Array, str]:
        """Return the joints at a pose, and what is wrong with them."""
        T = np.ascontiguousarray(self._grid.pose(i) @ self._grid.geometry.T_object_flange)
        found = self._inverse.solve(T, near)
        if not found.reachable:
            away = f"{1e3 * found.position_error:.0f} mm off"
            return found.q, f"no joints within limits hold the object ({away})"
        J = jacobian(self._model.geometry, found.q, self._T_flange_object)
        free = np.linalg.svd(J)[2][-1]
        free = SPREAD / np.abs(free).max() * free
        for moved, where in ((0.0, ""), (1.0, ", moved along"), (-1.0, ", moved along the other way")):
            q = found.q + moved * free
            if moved and not self._returned(q, T):
                return found.q, f"the arm cannot move by itself{where}"
            if fault := self._fault(i, q):
                return found.q, fault + where
        return found.q, self._twisted_aside(found.q)

    def _twisted_aside(self, q: Array) -> str:
        """Return what is wrong with the joints when twist turns A7 as far as it may."""
        workspace = self._grid.workspace
        if not workspace.twist_is_a7:
            return ""
        for twist in (workspace.full_twist, -workspace.full_twist):
            turned = q.copy()
            turned[6] += twist
            found = self._twisting.solve(flange_pose(self._model.geometry, turned), turned)
            aside = np.abs(found.q - turned)
            if not found.reachable or aside.max() > SPREAD:
                most = f"A{aside.argmax() + 1} {math.degrees(aside.max()):.1f} deg aside"
                allowed = f"{math.degrees(SPREAD):.1f} deg allowed"
                return (
                    f"twisted by {math.degrees(twist):.0f} deg the arm settles elsewhere: {most}, {allowed}"
                )
        return ""

    def _returned(self, q: Array, T: Array) -> bool:
        """Bring joints back to a pose in place; return whether they are there."""
        for _ in range(CORRECTIONS):
            error = _misplaced(flange_pose(self._model.geometry, q), T)
            J = jacobian(self._model.geometry, q, np.eye(4))
            q += joint_velocity_for(J, error, self._velocity)
        return float(np.abs(_misplaced(flange_pose(self._model.geometry, q), T)).max()) < SETTLED

    def _fault(self, i: int, q: Array) -> str:
        """Return what the joints come too near to at a pose, and note how near they come."""
        arm, geometry = self._grid.arm, self._grid.geometry
        room = np.minimum(q - arm.lower, arm.upper - q)
        J = jacobian(self._model.geometry, q, np.eye(4))
        J[3:] *= LENGTH
        least = float(np.linalg.svd(J, compute_uv=False)[-1])
        poses, T = body_poses(self._model.chain, q), self._grid.pose(i)
        clear = [_clearance(body, poses[body.link], T, geometry.mockup_half) for body in self._model.bodies]
        self._least = np.minimum(self._least, [room.min(), least, min(clear, default=np.inf)])
        if room.min() < 0.0:
            return f"limit of A{int(np.argmin(room)) + 1} missed by {math.degrees(-room.min()):.1f} deg"
        if least < NEARLY_SINGULAR:
            return f"near a singularity: least singular value {least:.3f}, {NEARLY_SINGULAR} needed"
        if clear and min(clear) < 0.0:
            name = self._model.bodies[int(np.argmin(clear))].name
            return f"clearance of the mock-up to {name} missed by {-1e3 * min(clear):.0f} mm"
        return ""

    def _speed(self, i: int, q: Array) -> tuple[float, int]:
        """Return the factor on speed and spin that the joints' speeds allow, and by which joint."""
        J = jacobian(self._model.geometry, q, self._T_flange_object)
        rates = np.array([joint_velocity_for(J, twist, self._velocity) for twist in np.eye(6)]).T.copy()
        geometry = self._grid.geometry
        share, spin = speed_shares(geometry, coordinates(i, self._grid.shape, geometry.inner))
        stops = self._stops
        return speed_factor(rates, share * stops.max_speed, spin * stops.max_spin, self._velocity)


def _clearance(body: Capsule, T_link: Array, T_object: Array, half: float) -> float:
    """Return how far a body of the arm is from the mock-up [m]."""
    start, end = (T_link[:3, :3] @ x + T_link[:3, 3] for x in (body.start, body.end))
    return float(distance_to_box(start, end, T_object, half)) - body.radius


def _misplaced(T: Array, T_wanted: Array) -> Array:
    """Return the small motion from a pose to another, linear then angular, base axes, shape (6,)."""
    turn = T_wanted[:3, :3] @ T[:3, :3].T
    angular = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return np.concatenate([T_wanted[:3, 3] - T[:3, 3], angular])
