"""Certificates: flood against brute force, sets known to fail, walks inside the certified set."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hil.configuration import Configuration
from hil.configuration.workspace_stamp import workspace_stamp
from planner.kinematics.arm_model import ArmModel, load_arm_model
from planner.kinematics.inverse import arm_angle_and_branch, solve_into
from planner.workspace.certification import Certificate, certify
from planner.workspace.failure import failure_text, is_connected, largest_factor
from planner.workspace.flood import coordinates, following, intervals, neighbour
from planner.workspace.grid import COARSE, DENSE, Flood, Grid, Resolution, floods
from planner.workspace.set_geometry import WorkspaceSet, object_pose_at
from planner.workspace.slack import MARGIN, allowed_into

SMALL = Resolution(centre=5, swing=5, twist=5, arm_angles=36)


def quiet(stage: str, share: float) -> None:
    """Report to nobody."""


def with_stops(configuration: Configuration, **changes: Any) -> Configuration:
    stops = configuration.stops.model_copy(update=changes)
    return configuration.model_copy(update={"stops": stops})


@pytest.fixture(scope="module")
def model(cube: Configuration) -> ArmModel:
    return load_arm_model(cube.robot.model)


@pytest.fixture(scope="module")
def certificate(cube: Configuration, model: ArmModel) -> Certificate:
    """The default configuration's, on smaller grids."""
    found = certify(cube, model, quiet, SMALL, SMALL)
    assert isinstance(found, Certificate)
    return found


def test_default_stops_are_certified_and_stamped(cube: Configuration, certificate: Certificate) -> None:
    """The shipped stops hold with their speeds, and the file's stamp belongs to them."""
    assert cube.stops.certified == workspace_stamp(cube)
    assert certificate.speeds.smallest >= 1.0


def test_default_start_is_the_middle_of_the_set(
    cube: Configuration, certificate: Certificate, model: ArmModel
) -> None:
    """The arm begins in the certified branch where the certificate puts the set's middle."""
    assert np.degrees(certificate.q_start) == pytest.approx(np.degrees(cube.robot.start), abs=6e-4)
    _, branch = arm_angle_and_branch(model.lengths, model.signs, cube.robot.start)
    assert branch == certificate.dense.branch


@pytest.mark.parametrize("centre, half", [((0.79, 0.0, 0.15), 0.05), ((0.80, 0.0, 0.20), 0.06)])
def test_flood_stays_in_one_component_of_all_postures(
    cube: Configuration, model: ArmModel, centre: tuple[float, float, float], half: float
) -> None:
    """Brute force: nodes are allowed (pose, arm angle), edges to neighbours of either kind.

    Every interval of a complete flood is a whole run of allowed arm angles in the start's component.
    """
    stops = {"centre": np.array(centre), "half_extent": np.full(3, half)}
    workspace = WorkspaceSet.from_configuration(with_stops(cube, **stops))
    grid = Grid.over(workspace, model, Resolution(3, 5, 1, 36))
    allowed = np.zeros((8, grid.size, 36), bool)
    for branch in range(8):
        for i in range(grid.size):
            allowed_into(allowed[branch, i], grid.arm, grid.geometry, grid.pose(i), grid.arm_angles, branch)
    complete = [f for branch in range(8) for f in floods(grid, branch, "", quiet) if f.complete]
    assert complete
    for flood in complete:
        rows = allowed[flood.branch]
        labels = _components(rows, grid)
        home = labels[grid.centre, flood.low[grid.centre] % 36]
        for i in range(grid.size):
            steps = np.arange(flood.low[i], flood.high[i] + 1) % 36
            assert rows[i, steps].all() and (labels[i, steps] == home).all()
            whole = rows[i].all()
            assert whole or not (rows[i, flood.low[i] - 1 - 36] or rows[i, (flood.high[i] + 1) % 36])


def _components(rows: np.ndarray, grid: Grid) -> np.ndarray:
    n, m = rows.shape
    pairs = []
    number = np.arange(n * m).reshape(n, m)
    both = rows & np.roll(rows, -1, axis=1)
    pairs.append((number[both], np.roll(number, -1, axis=1)[both]))
    for i in range(n):
        for axis in range(6):
            j = neighbour(i, grid.shape, axis, 1)
            if j >= 0:
                shared = rows[i] & rows[j]
                pairs.append((number[i, shared], number[j, shared]))
    a, b = (np.concatenate(side) for side in zip(*pairs, strict=True))
    _, labels = connected_components(coo_array((np.ones(len(a)), (a, b)), shape=(n * m, n * m)), False)
    return labels.reshape(n, m)


def test_following_takes_the_run_nearest_to_the_anchor() -> None:
    """By hand: a row with a hole, runs 2..5 and 8..11 of 12 angles; one turn further up as well."""
    allowed = np.zeros(12, bool)
    allowed[2:6] = allowed[8:12] = True
    assert intervals(allowed).tolist() == [[2, 5], [8, 11]]
    assert following(allowed, 3, 10, 4.0, 1) == (2, 5, 2)
    assert following(allowed, 3, 10, 10.0, 1) == (8, 11, 2)
    assert following(allowed, 15, 22, 16.0, 1) == (14, 17, 2)
    assert following(allowed, -9, -2, -3.0, 1) == (-4, -1, 2)
    assert following(allowed, 5, 8, 6.0, 1)[2] < 1


def test_cube_of_0_4_m_is_refused_with_the_reason(cube: Configuration, model: ArmModel) -> None:
    """The wrist's shell is 0.395 to 0.79 m: a 0.4 m box needs 0.84 m at its far corners."""
    configuration = with_stops(cube, half_extent=np.full(3, 0.2))
    found = certify(configuration, model, quiet)
    assert isinstance(found, Flood)
    text = failure_text(found)
    assert "limit of A4" in text or "reach" in text
    assert "missed by" in text and "swing" in text
    factor = largest_factor(WorkspaceSet.from_configuration(configuration), model, SMALL)
    assert 0.3 < factor < 0.9
    smaller = WorkspaceSet.from_configuration(configuration).scaled(factor)
    assert is_connected(smaller, model, SMALL)


def test_steep_set_fails_densely(cube: Configuration, model: ArmModel) -> None:
    """A 0.1 m box with the axis 45 degrees down and a 45 degree cone (W4 of the measurements) fails."""
    configuration = with_stops(
        cube,
        centre=np.array([0.70, 0.0, 0.15]),
        half_extent=np.full(3, 0.05),
        axis_pitch=math.radians(-45.0),
        swing=math.radians(45.0),
        twist=math.radians(1.0),
        max_speed=1e-3,
        max_spin=1e-3,
    )
    workspace = WorkspaceSet.from_configuration(configuration)
    assert not is_connected(workspace, model, DENSE)


def test_twist_beyond_a7_is_refused_by_name(cube: Configuration, model: ArmModel) -> None:
    """A7 reaches +-170 degrees: with 5 degrees of margin no twist of +-166 fits."""
    found = certify(with_stops(cube, twist=math.radians(166.0)), model, quiet, SMALL, SMALL)
    assert isinstance(found, Flood) and "limit of A7" in failure_text(found)


def test_faster_stops_are_bounded_by_the_joints(cube: Configuration, model: ArmModel) -> None:
    """Joint speeds scale with the object's: half the joint speed allows half the object's."""
    limits = cube.limits.model_copy(update={"velocity": 0.5 * cube.limits.velocity})
    slow = certify(cube.model_copy(update={"limits": limits}), model, quiet, SMALL, SMALL)
    full = certify(cube, model, quiet, SMALL, SMALL)
    assert isinstance(slow, Certificate) and isinstance(full, Certificate)
    assert slow.speeds.smallest == pytest.approx(0.5 * full.speeds.smallest, rel=1e-9)


def test_walks_inside_the_set_keep_limits_and_continuity(
    cube: Configuration, model: ArmModel, certificate: Certificate
) -> None:
    """Smooth walks between the grid's points, twist included, arm angle interpolated from intervals.

    Joints stay within their limits (a degree of the certificate's five may be lost between the points),
    off the singularities, and no joint jumps.
    """
    rng = np.random.default_rng(4)
    grid, flood = certificate.dense.grid, certificate.dense
    arm_angle = _selection(flood)
    t = np.linspace(0.0, 1.0, 2000)
    for _ in range(10):
        phase, pace = rng.uniform(0.0, 2.0 * np.pi, 6), rng.uniform(5.0, 15.0, 6)
        walk = np.sin(np.outer(t, pace) + phase)
        q_before = np.full(7, np.nan)
        for u, angle in zip(walk, arm_angle(walk[:, :5]), strict=True):
            T = object_pose_at(grid.geometry, np.append(u[:5], 0.0))
            T = T @ _turned(grid.workspace.full_twist * u[5]) @ grid.geometry.T_object_flange
            q = np.zeros(7)
            assert solve_into(q, model.lengths, model.signs, T, angle, flood.branch, q)
            margin = np.min(np.minimum(q - model.lower, model.upper - q))
            assert margin > MARGIN - math.radians(1.0), np.degrees(q)
            assert np.min(np.abs(q[1:6:2])) > MARGIN - math.radians(1.0), np.degrees(q)
            if np.isfinite(q_before[0]):
                assert np.max(np.abs(q - q_before)) < math.radians(10.0)
            q_before = q


def _selection(flood: Flood) -> RegularGridInterpolator:
    """Return arm angles in the middle of the intervals, linear between the grid's points."""
    grid = flood.grid
    axes = []
    for axis in range(5):
        stride = int(np.prod(grid.shape[axis + 1 :]))
        places = range(int(grid.shape[axis]))
        axes.append([coordinates(k * stride, grid.shape, grid.geometry.inner)[axis] for k in places])
    middle = 0.5 * (flood.low + flood.high) * grid.step + grid.arm_angles[0]
    return RegularGridInterpolator(axes, middle.reshape(tuple(grid.shape[:5])))


def _turned(angle: float) -> np.ndarray:
    T = np.eye(4)
    T[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return T


def test_oblique_placement_has_twist_in_the_grid(cube: Configuration, model: ArmModel) -> None:
    """With the object's axis off A7's, twist is part of the grid, and a small set still connects."""
    body = cube.object.model_copy(update={"rotvec": np.radians([4.0, 3.0, 0.0])})
    stops = with_stops(cube, half_extent=np.full(3, 0.03), swing=math.radians(3.0), twist=math.radians(40.0))
    workspace = WorkspaceSet.from_configuration(stops.model_copy(update={"object": body}))
    grid = Grid.over(workspace, model, COARSE)
    assert grid.shape[5] == COARSE.twist
    assert is_connected(workspace, model, Resolution(3, 3, 5, 36))
