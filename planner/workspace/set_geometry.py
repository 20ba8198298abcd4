"""The set of poses that stops allow, as six coordinates in [-1, 1]: centre (3), swing (2), twist (1).

Stops are soft: a body that meets one at its largest speed goes on by `speed / rate`, the rate of all
stops being pi / contact_time. The set therefore reaches that much beyond the stops. What a stop's spring
holds is missing from the motion, so the object is slower there.
"""

import dataclasses
import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import (
    matrix_from_quat,
    quat_from_rotvec,
    quat_multiply,
    transform_from,
    transform_inverse,
)
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.penetration import Penetration
from hil.configuration.stops_axis import nominal_quat

ALIGNED = 1e-9  # how far the object's z axis may be from A7's axis (sine, metres) to count as it


class SetGeometry(NamedTuple):
    """What the compiled kernels need of a set: extents with penetration, and the frames around it."""

    centre: Array  # world [m]
    half_extent: Array  # [m]
    swing: float  # [rad]
    twist: float  # [rad], of the grid
    quat: Array  # of the object in world at no swing and no twist
    T_base_world: Array
    T_object_flange: Array
    mockup_half: float  # half the edge of the held cube [m]
    inner: Array  # where the stops are, on each axis' way from 0 to 1, shape (6,)
    spin_ratio: float  # by which equal energy may spin faster about another axis, at least 1


@dataclasses.dataclass(frozen=True, eq=False)
class WorkspaceSet:
    """The stops with their penetration, and where arm and mock-up stand to them.

    Attributes:
        centre: of the box of centre positions, world [m], shape (3,).
        half_extent: of the stops' box [m], shape (3,).
        depth: how far the centre may go beyond it [m].
        swing: largest swing of the stops [rad].
        swing_depth: how far swing may go beyond it [rad].
        twist: largest twist of the stops [rad].
        twist_depth: how far twist may go beyond it [rad].
        quat: orientation of the object in world at no swing and no twist, shape (4,).
        T_base_world: pose of world in the robot's base, shape (4, 4).
        T_object_flange: pose of the flange in the object, shape (4, 4).
        mockup_half: half the edge of the held cube [m].
        spin_ratio: square root of the largest inertia over the smallest.
    """

    centre: Array
    half_extent: Array
    depth: float
    swing: float
    swing_depth: float
    twist: float
    twist_depth: float
    quat: Array
    T_base_world: Array
    T_object_flange: Array
    mockup_half: float
    spin_ratio: float

    @classmethod
    def from_configuration(cls, configuration: Configuration) -> "WorkspaceSet":
        """Return the set that the stops of `configuration` allow at the speeds to be certified.

        All rotational energy may come to rest in one stop, so unequal inertias deepen the penetration.
        """
        stops, frames = configuration.stops, Frames.from_configuration(configuration)
        beyond = Penetration.of(stops, configuration.object.inertia)
        return cls(
            centre=np.array(stops.centre),
            half_extent=np.array(stops.half_extent),
            depth=beyond.depth,
            swing=stops.swing,
            swing_depth=beyond.swing,
            twist=stops.twist,
            twist_depth=beyond.twist,
            quat=nominal_quat(stops),
            T_base_world=transform_inverse(frames.T_world_base),
            T_object_flange=transform_inverse(frames.T_flange_object),
            mockup_half=0.5 * configuration.mockup.edge,
            spin_ratio=beyond.spin_ratio,
        )

    def scaled(self, factor: float) -> "WorkspaceSet":
        """Return the set with box and swing of the stops times `factor`; twist and penetration stay."""
        return dataclasses.replace(self, half_extent=self.half_extent * factor, swing=self.swing * factor)

    @property
    def full_twist(self) -> float:
        """Twist with penetration [rad]."""
        return self.twist + self.twist_depth

    @property
    def twist_is_a7(self) -> bool:
        """Whether twist turns A7 alone: the object's z axis lies along A7's, either way."""
        T = self.T_object_flange
        tilt = math.hypot(T[0, 2], T[1, 2])
        beside = math.hypot(T[0, 3], T[1, 3])
        return tilt < ALIGNED and beside < ALIGNED

    def geometry(self) -> SetGeometry:
        """Return the set for the kernels; the grid has no twist where that turns A7 alone."""
        full = self.half_extent + self.depth
        swing = min(self.swing + self.swing_depth, math.pi)
        twist = min(self.full_twist, math.pi)
        angles = [self.swing / swing, self.swing / swing, self.twist / twist]
        return SetGeometry(
            centre=self.centre,
            half_extent=full,
            swing=swing,
            twist=0.0 if self.twist_is_a7 else twist,
            quat=self.quat,
            T_base_world=self.T_base_world,
            T_object_flange=self.T_object_flange,
            mockup_half=self.mockup_half,
            inner=np.concatenate([self.half_extent / full, angles]),
            spin_ratio=self.spin_ratio,
        )


@njit(cache=True)
def object_pose_at(geometry: SetGeometry, u: Array) -> Array:
    """Return T_base_object (4, 4) at six coordinates `u`, each within [-1, 1].

    The square of the two swing coordinates is mapped on the disc of swings ring by ring, so that its
    whole edge lies at the largest swing.
    """
    p_world = geometry.centre + geometry.half_extent * u[:3]
    a, b = u[3], u[4]
    ring, length = max(abs(a), abs(b)), math.sqrt(a * a + b * b)
    scale = geometry.swing * ring / length if length > 0.0 else 0.0
    swung = quat_from_rotvec(np.array([scale * a, scale * b, 0.0]))
    twisted = quat_from_rotvec(np.array([0.0, 0.0, geometry.twist * u[5]]))
    quat = quat_multiply(geometry.quat, quat_multiply(swung, twisted))
    return geometry.T_base_world @ transform_from(matrix_from_quat(quat), p_world)


@njit(cache=True)
def speed_shares(geometry: SetGeometry, u: Array) -> tuple[float, float]:
    """Return which shares of the largest speed and spin the stops' springs leave at coordinates `u`."""
    taken, turned = 0.0, 0.0
    for axis in range(3):
        taken += _beyond(abs(u[axis]), geometry.inner[axis]) ** 2
    turned += _beyond(max(abs(u[3]), abs(u[4])), geometry.inner[3]) ** 2
    turned += _beyond(abs(u[5]), geometry.inner[5]) ** 2
    spin = geometry.spin_ratio * math.sqrt(max(0.0, 1.0 - turned))
    return math.sqrt(max(0.0, 1.0 - taken)), min(1.0, spin)


@njit(cache=True, inline="always")
def _beyond(u: float, inner: float) -> float:
    """Return the depth in a stop's spring, 1 being the deepest."""
    return max(0.0, (u - inner) / (1.0 - inner)) if inner < 1.0 else 0.0
