"""Snapshots of a push: arm and mock-up at some instants, drawn from the physics engine's own shapes."""

from typing import Any

import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

from drivers.robot.model import MOCKUP
from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.chosen_push import ChosenPush
from hil.analysis.report.solid_mesh import faces_of, outline_of, shaded
from hil.analysis.report.style import BLACK, BLUE, GREEN, GREY, ORANGE, Picture, drawn
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.port_solids import PORT, port_solids
from hil.loop.solid import CORNERS, WORLD, Solid
from hil.loop.solids import ArmPicture, surroundings_of
from hil.loop.trace.fields import Trace

BEFORE, SOON, LATER, LATEST = 0.3, 0.25, 1.0, 5.0  # [s] about a push
AFTER_BOUNCE = 0.6  # [s] from its beginning
ARROW = 0.3  # [m] of the push's arrow,
SPEED = 5.0  # and [s] of motion that the velocity's arrow stands for
CAMERA = {"elev": 20.0, "azim": -68.0}
PANELS = 6
ZOOM, WITH_PORT = 1.2, 0.95  # the panels' edges cut off the mock-up's end, but not a port
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)]


def draw_snapshots(run: RecordedRun, push: ChosenPush) -> Picture:
    """Draw arm and mock-up before, during and after a push, and at the next bounce."""
    trace, c = run.trace, run.configuration
    instants = _instants(trace, push)
    rows = [min(int(np.searchsorted(trace.t, t)), len(trace.t) - 1) for t, _ in instants]
    arm = ArmPicture(c)
    faces = [_faces(arm, trace.q_measured[row]) for row in rows]
    places = [trace.p_world_port[row] if len(trace.p_world_port) else np.zeros(3) for row in rows]
    shown = [made for made, _, _ in faces] + [_wall_faces(port_solids(c), place) for place in places]
    room = _room([face for made in shown for face in made], c)
    options = {"projection": "3d", "computed_zorder": False}
    with drawn(5.0, 2, PANELS // 2, subplot_kw=options) as (_, grid, buffer):
        panels = grid.ravel()
        for panel in panels:
            panel.set_axis_off()
        for number, (panel, row) in enumerate(zip(panels, rows, strict=False)):
            _draw_scene(panel, c, places[number], *faces[number][:2])
            if number:
                _draw_outline(panel, faces[0][2])
            _draw_motion(panel, trace, rows[0], row)
            if instants[number][1] == "the push":
                _draw_push(panel, trace, row, push)
            ms = 1e3 * (trace.t[row] - push.start)
            panel.set_title(f"({'abcdef'[number]}) {instants[number][1]}, {ms:+.0f} ms", y=0.97)
            panel.set(xlim=room[:, 0], ylim=room[:, 1], zlim=room[:, 2])
            panel.set_box_aspect(np.ptp(room, axis=0), zoom=ZOOM if c.port is None else WITH_PORT)
            panel.view_init(**CAMERA)
    caption = (
        "Arm and mock-up, drawn from the robot model by the measured joints; times count from the push's "
        "start. Dashed: where the mock-up was at (a). Blue: the way of the centre of mass since then; green "
        f"arrow: its velocity, as long as its way in {SPEED:g} s. Orange arrow: the push. Grey: the box of "
        "the stops, within which the centre moves. As in the paper's figure 7."
    )
    return Picture("snapshots", "Snapshots of the push", caption, buffer.getvalue())


def _instants(trace: Trace, push: ChosenPush) -> list[tuple[float, str]]:
    """Return the instants [s] and what is to be seen there, in order."""
    found = [
        (push.start - BEFORE, "before"),
        (0.5 * (push.start + push.end), "the push"),
        (push.end + SOON, "the new motion"),
        (push.end + LATER, "going on"),
        (push.end + 2.0 * LATER, "going on"),
        (push.end + 3.0 * LATER, "going on"),
    ]
    near = (trace.t > push.end + SOON) & (trace.t < push.end + LATEST) & trace.contact_sim
    if near.any():
        touched = float(trace.t[np.argmax(near)])
        found = [item for item in found if item[0] < touched - 0.1][: PANELS - 2]
        found += [(touched, "touching a stop or wall"), (touched + AFTER_BOUNCE, "bounced back")]
    return [(t, words) for t, words in found if trace.t[0] <= t <= trace.t[-1]]


def _faces(arm: ArmPicture, q: Array) -> tuple[list[Array], list[Array], list[Array]]:
    """Return all faces of arm and mock-up at joints `q`, their colours, and the mock-up's edges."""
    poses = dict(zip(arm.names, zip(*arm.poses(q), strict=True), strict=True))
    faces, colours, held = list[Array](), list[Array](), list[Array]()
    for solid in arm.solids:
        place = poses.get(solid.frame, (np.zeros(3), IDENTITY))
        made = faces_of(solid, *place)
        faces += made
        colours += list(shaded(made, solid.rgba[:3]))
        held += outline_of(solid, *place) if solid.frame == MOCKUP else []
    return faces, colours, held


def _draw_scene(panel: Any, c: Configuration, port: Array, faces: list[Array], colours: list[Array]) -> None:
    """Draw all solids in one collection, so that the nearer ones hide the farther ones.

    `port` is where the point of an emulated port's face is [m], shape (3,), if it can move.
    """
    if c.stops.enabled:
        corners = c.stops.centre + c.stops.half_extent * CORNERS
        edges = [corners[list(edge)] for edge in EDGES]
        panel.add_collection3d(Line3DCollection(edges, colors=GREY, lw=0.8, zorder=4))
    if walls := _wall_faces(surroundings_of(c), port):
        panel.add_collection3d(Line3DCollection(walls, colors=GREY, lw=0.4, zorder=1))
    solids = Poly3DCollection(faces, facecolors=colours, edgecolors="none", zorder=3)
    # matplotlib pads faces of unlike corners with memory as it comes, and would take limits from that
    panel.add_collection3d(solids, autolim=False)


def _wall_faces(solids: list[Solid], port: Array) -> list[Array]:
    """Return the faces of what is in the world, or on a port whose face is at `port` [m], shape (3,)."""
    places = {WORLD: np.zeros(3), PORT: port}
    return [
        face
        for solid in solids
        if solid.frame in places
        for face in faces_of(solid, places[solid.frame], IDENTITY)
    ]


def _draw_outline(panel: Any, lines: list[Array]) -> None:
    panel.add_collection3d(Line3DCollection(lines, colors=BLACK, lw=0.7, ls="--", zorder=5))


def _draw_motion(panel: Any, trace: Trace, first: int, row: int) -> None:
    path = trace.p_world_object_arm[first : row + 1]
    panel.plot(*path.T, color=BLUE, lw=2.0, zorder=10)
    panel.plot(*path[-1:].T, color=BLUE, marker="o", ms=4, zorder=10)
    way = SPEED * trace.twist_world_object_sim[row, :3] * trace.rate[row]
    panel.quiver(*path[-1], *way, color=GREEN, lw=2.0, arrow_length_ratio=0.25, zorder=11)


def _draw_push(panel: Any, trace: Trace, row: int, push: ChosenPush) -> None:
    ahead = ARROW * push.direction
    begin = trace.p_world_object_arm[row] - ahead
    panel.quiver(*begin, *(0.9 * ahead), color=ORANGE, lw=3.0, arrow_length_ratio=0.25, zorder=12)


def _room(faces: list[Array], c: Configuration) -> Array:
    """Return the bounds of what is drawn, shape (2, 3)."""
    points = [np.concatenate(faces)]
    if c.stops.enabled:
        points.append(c.stops.centre + c.stops.half_extent * CORNERS)
    all_points = np.concatenate(points)
    return np.array([all_points.min(axis=0), all_points.max(axis=0)])
