"""A picture of certified stops: the arm with its box and cone, and maps of arm angles and speeds."""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat, transform_inverse
from hil.configuration import Configuration
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose
from planner.workspace.certification import Certificate
from planner.workspace.flood import coordinates
from planner.workspace.set_geometry import SetGeometry

LINK_COLOUR, JOINT_COLOUR, SET_COLOUR, STOPS_COLOUR = "#e0701a", "#404448", "#2a78b8", "#123f66"
AXIS_LENGTH = 0.42  # [m] of the drawn fixture axis, from the object's centre backwards
CUBE_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)]


def draw_workspace(found: Certificate, configuration: Configuration, model: ArmModel, path: Path) -> None:
    """Write the picture of a certificate to `path`."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(15.0, 8.4), layout="constrained")
    parts: Any = figure.subfigures(1, 2, width_ratios=[1.05, 1.0])
    left, right = parts
    scene = left.add_subplot(projection="3d")
    _draw_scene(scene, found, model)
    _draw_deck(scene, configuration)
    _draw_maps(right, found, configuration)
    factor, stops = found.speeds.smallest, configuration.stops
    figure.suptitle(
        f"Certified stops, branch {found.dense.branch}: {1e3 * factor * stops.max_speed:.0f} mm/s together "
        f"with {np.degrees(factor * stops.max_spin):.0f} deg/s everywhere "
        f"(asked for {1e3 * stops.max_speed:.0f} mm/s, {np.degrees(stops.max_spin):.0f} deg/s)",
        fontsize=13,
    )
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _draw_scene(axes: Any, found: Certificate, model: ArmModel) -> None:
    grid = found.dense.grid
    geometry, workspace = grid.geometry, grid.workspace
    T_world_base = transform_inverse(geometry.T_base_world)
    for points, radius, colour in _links(model, found.q_start):
        ends = _moved(T_world_base, points)
        _tube(axes, ends, radius, colour)
        _ball(axes, ends[1], radius, JOINT_COLOUR)
    T_world_object = T_world_base @ grid.pose(grid.centre)
    _wire(axes, T_world_object, np.full(3, geometry.mockup_half), "#707070", 1.0, "held mock-up")
    upright = np.eye(4)
    upright[:3, 3] = workspace.centre
    _wire(axes, upright, workspace.half_extent, STOPS_COLOUR, 2.0, "stops: box of the object's centre")
    _wire(axes, upright, geometry.half_extent, SET_COLOUR, 1.0, "with the stops' softness")
    _cone(axes, geometry, workspace.swing)
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", box_aspect=(1, 1, 1))
    middle, half = 0.5 * (workspace.centre + T_world_base[:3, 3]), 0.62
    middle[2] += 0.15
    axes.set(
        xlim=(middle[0] - half, middle[0] + half),
        ylim=(middle[1] - half, middle[1] + half),
        zlim=(middle[2] - half, middle[2] + half),
    )
    axes.view_init(elev=20.0, azim=-62.0)
    axes.legend(loc="upper left", fontsize=9, frameon=False)


def _draw_deck(axes: Any, c: Configuration) -> None:
    """Draw the upper face of the deck of a base at the origin, if there is one."""
    if c.base.kind == "none" or c.base.deck is None:
        return
    (x0, y0), (x1, y1) = c.base.deck
    x, y = np.array([[x0, x1], [x0, x1]]), np.array([[y0, y0], [y1, y1]])
    axes.plot_surface(x, y, np.full((2, 2), c.base.deck_height), color=JOINT_COLOUR, alpha=0.5, linewidth=0)


def _links(model: ArmModel, q: Array) -> list[tuple[Array, float, str]]:
    """Return the arm's segments in base axes, each with radius [m] and colour."""
    T = flange_pose(model.geometry, q)
    elbow_q = q.copy()
    elbow_q[2:] = 0.0
    stretched = flange_pose(model.geometry, elbow_q)
    shoulder = np.array([0.0, 0.0, model.lengths[0]])
    elbow = shoulder + model.lengths[1] * stretched[:3, 2]
    wrist = T[:3, 3] - model.lengths[3] * T[:3, 2]
    return [
        (np.array([np.zeros(3), shoulder]), 0.075, JOINT_COLOUR),
        (np.array([shoulder, elbow]), 0.058, LINK_COLOUR),
        (np.array([elbow, wrist]), 0.052, LINK_COLOUR),
        (np.array([wrist, T[:3, 3]]), 0.040, JOINT_COLOUR),
    ]


def _tube(axes: Any, ends: Array, radius: float, colour: str) -> None:
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    across = np.cross(along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.8 else [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    round_angle = np.linspace(0.0, 2.0 * np.pi, 25)[:, None, None]
    length = np.linspace(0.0, 1.0, 2)[None, :, None]
    ring = radius * (np.cos(round_angle) * across + np.sin(round_angle) * np.cross(along, across))
    x, y, z = np.moveaxis(ring + ends[0] + length * (ends[1] - ends[0]), -1, 0)
    axes.plot_surface(x, y, z, color=colour, alpha=0.9, linewidth=0, shade=True)


def _ball(axes: Any, centre: Array, radius: float, colour: str) -> None:
    longitude, latitude = np.linspace(0.0, 2.0 * np.pi, 21), np.linspace(0.0, np.pi, 11)[:, None]
    x = centre[0] + radius * np.sin(latitude) * np.cos(longitude)
    y = centre[1] + radius * np.sin(latitude) * np.sin(longitude)
    z = centre[2] + radius * np.cos(latitude) + 0.0 * longitude
    axes.plot_surface(x, y, z, color=colour, alpha=0.9, linewidth=0, shade=True)


def _wire(axes: Any, T: Array, half: Array, colour: str, width: float, label: str) -> None:
    signs = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)]) * 2.0 - 1.0
    corners = _moved(T, signs * half)
    for number, (a, b) in enumerate(CUBE_EDGES):
        pair = corners[[a, b]].T
        axes.plot(*pair, color=colour, linewidth=width, label=label if number == 0 else None)


def _cone(axes: Any, geometry: SetGeometry, swing: float) -> None:
    """Draw the cone in which the fixture axis may point, apex at the box's centre."""
    R = matrix_from_quat(geometry.quat)
    angle, length = np.linspace(0.0, 2.0 * np.pi, 49)[:, None], np.linspace(0.0, AXIS_LENGTH, 2)[None, :]
    local = np.stack(
        [
            length * np.sin(swing) * np.cos(angle),
            length * np.sin(swing) * np.sin(angle),
            length * np.cos(swing) + 0.0 * angle,
        ],
        axis=-1,
    )
    x, y, z = np.moveaxis(geometry.centre + local @ R.T, -1, 0)
    axes.plot_surface(x, y, z, color=SET_COLOUR, alpha=0.22, linewidth=0)
    tip = geometry.centre + AXIS_LENGTH * R[:, 2]
    axes.plot(
        *np.array([geometry.centre, tip]).T,
        "--",
        color=SET_COLOUR,
        label="fixture axis, cone of swing",
    )


def _moved(T: Array, points: Array) -> Array:
    moved: Array = points @ T[:3, :3].T + T[:3, 3]
    return moved


def _draw_maps(part: Any, found: Certificate, configuration: Configuration) -> None:
    grid = found.dense.grid
    width = np.degrees(_worst(found.dense.width, grid.shape))
    speed = 1e3 * configuration.stops.max_speed * _worst(found.speeds.factor, grid.shape)
    speed = speed[1:-1, 1:-1, 1:-1]  # beyond the stops the object slows down: a cap says nothing there
    place = _places(found)
    panels = part.subplots(2, 2)
    for row, (values, inside, text, colours) in enumerate(
        (
            (width, slice(None), "arm-angle interval [deg]", "viridis"),
            (speed, slice(1, -1), "speed cap, spin in proportion [mm/s]", "magma"),
        )
    ):
        x, y, z = (axis[inside] for axis in place)
        middle = [n // 2 for n in values.shape]
        slices = ((x, z, values[:, middle[1], :], "x", "y"), (y, z, values[middle[0], :, :], "y", "x"))
        bounds = {"vmin": values.min(), "vmax": values.max(), "cmap": colours, "shading": "gouraud"}
        for axes, (across, up, plane, name, fixed) in zip(panels[row], slices, strict=True):
            picture = axes.pcolormesh(1e3 * across, 1e3 * up, plane.T, **bounds)
            _stops_outline(axes, found, "xyz".index(name))
            axes.set(xlabel=f"{name} [mm]", ylabel="z [mm]", aspect="equal")
            axes.set_title(f"{text}, middle of {fixed}", fontsize=9)
        part.colorbar(picture, ax=panels[row].tolist(), shrink=0.9)
    part.suptitle("smallest over all swings and twists, at positions of the object's centre", fontsize=11)


def _worst(values: Array, shape: IntArray) -> Array:
    """Return the smallest value over swing and twist at every position of the centre."""
    smallest: Array = values.reshape(tuple(int(n) for n in shape)).min(axis=(3, 4, 5))
    return smallest


def _places(found: Certificate) -> list[Array]:
    """Return the grid's coordinates along x, y and z of the world [m]."""
    grid, places = found.dense.grid, []
    for axis in range(3):
        stride = int(np.prod(grid.shape[axis + 1 :]))
        u = [coordinates(stride * k, grid.shape, grid.geometry.inner)[axis] for k in range(grid.shape[axis])]
        places.append(grid.geometry.centre[axis] + grid.geometry.half_extent[axis] * np.array(u))
    return places


def _stops_outline(axes: Any, found: Certificate, axis: int) -> None:
    workspace = found.dense.grid.workspace
    low, high = workspace.centre - workspace.half_extent, workspace.centre + workspace.half_extent
    x, z = 1e3 * np.array([low[axis], high[axis]]), 1e3 * np.array([low[2], high[2]])
    axes.plot(x[[0, 1, 1, 0, 0]], z[[0, 0, 1, 1, 0]], color="white", linewidth=1.2, linestyle="--")
