"""The 3D picture: arm, held mock-up, simulated object, walls, stops, path, contacts and the last push."""

from dataclasses import replace
from typing import Any

import numpy as np
import viser

from drivers.robot.model import MOCKUP
from hil.common.arrays import Array, SingleArray
from hil.configuration import Configuration
from hil.dashboard.contacts import Contacts, edges_of, stops_room
from hil.dashboard.pushes import Shown
from hil.loop.creases import creases
from hil.loop.port_solids import PORT, port_frames
from hil.loop.second_solids import SECOND, SecondPicture
from hil.loop.solid import WORLD, Mesh, Solid
from hil.loop.solids import OBJECT, ArmPicture, other_frames, surroundings_of
from hil.messaging.grasp_messages import PartnerWords

PATH, STOPS, TOUCH, EDGES = (0, 120, 190), (120, 120, 120), (220, 30, 30), (60, 40, 120)
SEE_THROUGH = {MOCKUP: 0.45, OBJECT: 0.15}  # opacity at most: path and stops lie within the held mock-up
WITHIN = 0.99  # of its size: else the object's faces hide here and there those of the mock-up under them
DETECTED, TRUE = (200, 75, 0), (0, 120, 75)
BEHIND = {DETECTED: 0.0, TRUE: 0.04}  # [m] else two arrows that agree would hide each other
PATH_POINTS, TOUCH_POINTS = 40, 8
ARROW_PER_N_S, ARROW_LEAST, ARROW_MOST = 0.06, 0.08, 0.5  # [m]
AXIS_LENGTH, AXIS_RADIUS = 0.12, 0.005  # [m]
EYE = np.array([0.9, -1.1, 0.5])  # of the camera, from what it looks at [m]
FAR = 2.5  # times as far, where a base drives through a hall
BOTH = 1.6  # the same, for two arms
EDGED = ("box", "mesh")  # what is round has no edges
FLOOR = 0.3  # [m] below the base: the mock-up goes down to there
LIGHT = 1.6  # from above and around, in viser's measure


class Stage:
    """The picture's things in viser's scene; changed only when something has moved."""

    def __init__(self, server: viser.ViserServer, configuration: Configuration, arm: ArmPicture) -> None:
        """Set up all that is to be seen; the camera looks at the arm."""
        self._scene, self._arm, self._c = server.scene, arm, configuration
        self._contacts = Contacts(configuration)
        # neither shadows nor mirrored surroundings: software renderers have enough to do
        self._scene.configure_default_lights(True, cast_shadow=False)
        self._scene.configure_environment_map(None)
        self._scene.add_light_hemisphere("/sky", ground_color=(190, 190, 190), intensity=LIGHT)
        self._others = other_frames(configuration)
        self._second = None if configuration.grasp is None else SecondPicture(configuration)
        second = [] if self._second is None else self._second.names
        names = [*arm.names, OBJECT, *self._others, *port_frames(configuration), *second]
        self._frames = {
            name: self._scene.add_frame(
                f"/{name}", show_axes=False, axes_length=AXIS_LENGTH, axes_radius=AXIS_RADIUS
            )
            for name in names
        }
        object_within = [smaller(solid) for solid in arm.ghost()]
        for k, solid in enumerate([*arm.solids, *object_within, *surroundings_of(configuration)]):
            self._add(f"{k}", solid)
        if self._second is not None:
            for k, solid in enumerate(self._second.solids):
                self._add(f"{SECOND}{k}", solid)
            for name in second:  # nobody has said where it is
                self._frames[name].visible = False
        for k, solid in enumerate(arm.ghost()):  # on the mock-up itself only its edges show
            if solid.shape not in EDGED:
                continue
            self._scene.add_line_segments(
                f"/{OBJECT}/edges{k}",
                _edges(solid),
                EDGES,
                thickness=0.004,
                position=solid.p,
                wxyz=solid.quat,
            )
        if configuration.port is not None:
            self.place_port(configuration.port.point)
        floor, size = _floor_of(configuration)
        self._scene.add_grid("/floor", *size, cell_size=0.25, shadow_opacity=0.0, position=floor)
        if configuration.stops.enabled:
            box = stops_room(configuration)
            self._scene.add_line_segments("/stops", edges_of(*box), STOPS, thickness=0.003)
        nothing = np.zeros((1, 2, 3))
        line = np.zeros((PATH_POINTS, 2, 3))
        self._path = self._scene.add_line_segments("/path", line, PATH, thickness=0.01, visible=False)
        self._touch = self._scene.add_point_cloud(
            "/touch",
            np.zeros((TOUCH_POINTS, 3)),
            TOUCH,
            point_size=0.025,
            point_shape="circle",
            visible=False,
        )
        self._arrows = {
            colour: self._scene.add_arrows(
                f"/push{n}",
                nothing,
                colour,
                shaft_radius=0.008,
                head_radius=0.02,
                head_length=0.05,
                visible=False,
            )
            for n, colour in enumerate((DETECTED, TRUE))
        }
        self._look(server)

    def show_axes(self, shown: bool) -> None:
        """Show the frames' axes or hide them."""
        for frame in self._frames.values():
            if frame.show_axes != shown:
                frame.show_axes = shown

    def place_arm(self, q: Array, base: Array | None = None) -> None:
        """Put the arm and what it holds where the joints [rad], shape (7,), say, on its base.

        `base` is the pose of what carries it, x, y [m] and heading [rad], shape (3,); None: the origin.
        """
        p, quat = self._arm.poses(q, base)
        for name, place, turn in zip(self._arm.names, p, quat, strict=True):
            _place(self._frames[name], place, turn)

    def place_object(self, p: Array, quat: Array, pressed: SingleArray) -> None:
        """Put the simulated object at `p` [m] with attitude `quat`, and show what it touches.

        `pressed` are points where the simulation has pins and plates press on it, world [m], shape (n, 3).
        """
        _place(self._frames[OBJECT], p, quat)
        self._frames[OBJECT].visible = True
        points = np.concatenate((pressed.astype(float), self._contacts.points(p, quat)))
        if len(points):  # always as many, for viser keeps the colours of so many
            some = points[np.arange(TOUCH_POINTS) % len(points)]
            self._touch.points = some.astype(np.float16)
        self._touch.visible = bool(len(points))

    def hide_object(self) -> None:
        """Show no simulated object: nobody says where it is."""
        self._frames[OBJECT].visible = self._touch.visible = False

    def place_others(self, poses: SingleArray) -> None:
        """Put the scene's other moving bodies where the simulation has them; poses (n, 7) or none."""
        for name, pose in zip(self._others, poses.astype(float), strict=False):
            _place(self._frames[name], pose[:3], pose[3:])

    def place_port(self, p: Array) -> None:
        """Put the point of an emulated port's face at `p` [m], shape (3,), if the port can move."""
        if PORT in self._frames:
            self._frames[PORT].position = p

    def place_second(self, words: PartnerWords) -> None:
        """Put the second arm where its client says."""
        if self._second is not None:
            for name, p, quat in zip(self._second.names, *self._second.poses(words), strict=True):
                _place(self._frames[name], p, quat)
                self._frames[name].visible = True

    def draw_path(self, p: Array) -> None:
        """Draw the predicted path [m], shape (n, 3); nothing of a single point."""
        if len(p) > 1:
            some = p[np.linspace(0, len(p) - 1, PATH_POINTS + 1).round().astype(int)]
            self._path.points = np.stack((some[:-1], some[1:]), axis=1).astype(np.float32)
        self._path.visible = len(p) > 1

    def draw_push(self, push: Shown | None, colour: tuple[int, int, int]) -> None:
        """Draw a push as an arrow that ends where it touches the mock-up; None: no arrow."""
        arrow = self._arrows[colour]
        if push is not None and push.size > 0.0:
            reach = 0.5 * self._c.mockup.edge + BEHIND[colour]
            arrow.points = arrow_of(push, reach)[None].astype(np.float32)
        arrow.visible = push is not None and push.size > 0.0

    def _add(self, name: str, solid: Solid) -> None:
        parent = "" if solid.frame == WORLD else f"/{solid.frame}"
        node, scene = f"{parent}/solid{name}", self._scene
        opacity = min(float(solid.rgba[3]), SEE_THROUGH.get(solid.frame, 1.0))
        common: dict[str, Any] = {
            "color": tuple(round(255 * float(x)) for x in solid.rgba[:3]),
            "opacity": None if opacity >= 1.0 else opacity,
            "cast_shadow": False,
            "receive_shadow": False,
            "position": solid.p,
            "wxyz": solid.quat,
        }
        x, y, z = solid.size.tolist()
        if solid.mesh is not None:
            vertices, faces = solid.mesh
            scene.add_mesh_simple(node, vertices, faces, flat_shading=True, side="double", **common)
        elif solid.shape == "sphere":
            scene.add_icosphere(node, 0.5, scale=(x, y, z), subdivisions=2, **common)
        elif solid.shape == "cylinder":
            scene.add_cylinder(node, 0.5 * x, z, radial_segments=24, **common)
        else:
            scene.add_box(node, dimensions=(x, y, z), **common)

    def _look(self, server: viser.ViserServer) -> None:
        base, end = self._arm.poses(self._c.robot.start)[0][[0, self._arm.names.index(MOCKUP)]]
        target = 0.5 * (base + end) + np.array([0.15, 0.0, 0.0])
        far = 1.0 if self._c.base.kind == "none" else FAR
        if self._c.partner is not None:  # both arms are seen
            target, far = 0.5 * (base + self._c.partner.mount_position) + np.array([0.0, 0.0, 0.2]), BOTH
        server.initial_camera.look_at = target
        server.initial_camera.position = target + far * EYE


def _floor_of(c: Configuration) -> tuple[Array, tuple[float, float]]:
    """Return middle [m], shape (3,), and width and height [m] of the grid: of a base's floor."""
    below = float(c.robot.mount_position[2]) - FLOOR
    if c.base.kind == "none" or c.base.floor is None:
        return np.array([*c.robot.mount_position[:2], below]), (4.0, 4.0)
    low, high = c.base.floor
    width, height = (high - low).tolist()
    return np.array([*(0.5 * (low + high)), below]), (width, height)


def arrow_of(push: Shown, reach: float) -> Array:
    """Return tail and head [m], shape (2, 3), of a push: its head lies on its line of action.

    Args:
        push: with its impulse about the object's centre.
        reach: how far outside the centre the head stays [m].
    """
    force, torque = push.impulse[:3], push.impulse[3:]
    size = float(np.linalg.norm(force))
    direction = force / size
    foot = push.centre + np.cross(force, torque) / size**2  # of the centre on the line of action
    length = min(max(ARROW_PER_N_S * size, ARROW_LEAST), ARROW_MOST)
    head = foot - reach * direction
    return np.array([head - length * direction, head])


def smaller(solid: Solid) -> Solid:
    """Return a solid that lies just within another about the same middle."""
    mesh = None if solid.mesh is None else Mesh(WITHIN * solid.mesh.vertices, solid.mesh.faces)
    return replace(solid, size=WITHIN * solid.size, mesh=mesh)


def _edges(solid: Solid) -> Array:
    if solid.mesh is not None:
        return creases(solid.mesh).astype(np.float32)
    return edges_of(-0.5 * solid.size, 0.5 * solid.size)


def _place(frame: viser.FrameHandle, p: Array, quat: Array) -> None:
    frame.position, frame.wxyz = p, quat
