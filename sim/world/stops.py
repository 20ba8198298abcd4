"""The stops: energy-neutral springs on the centre's box, the swing cone and the twist, compiled.

theory: all springs share the rate `w = pi / contact_time`, so that a hit lasts half a period. An axis
of the centre follows `x'' = -w^2 (|x| - half)` beyond its bound, which is solved exactly. Swing and
twist have the potential `V = k (angle - limit)^2 / 2`, `k = I w^2` with a constant reference inertia,
so that their torque, `-dV/dangle` times the angle's gradient, neither adds nor takes energy whatever
the body's inertia.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.base_rules import elevation_limit, object_room
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat

# a packed array: centre [m] 0:3, half extent [m] 3:6, nominal quaternion 6:10, swing limit [rad] 10,
# twist limit [rad] 11, spring rate w [rad/s] 12, stiffness of swing 13 and twist 14 [N m/rad],
# cosines of the swing limit 15 and of half the twist limit 16 (below -1: never passed), whether the nominal
# orientation turns with the axis's heading 17, and its heading as it stands there [rad] 18
SWING, TWIST, RATE, SWING_STIFFNESS, TWIST_STIFFNESS, COS_SWING, COS_HALF_TWIST = range(10, 17)
TURNS, HEADING = 17, 18
STOPS_SIZE = 19
NEVER = -2.0
CROSSINGS = 16  # of a bound within one step, at most
UPSIDE_DOWN = 1e-6  # 1 + cos(swing) below which the twist is not defined


def pack_stops(stops: Stops, inertia: Array) -> Array:
    """Return the stops as the kernels want them, shape (19,).

    Args:
        stops: the configuration; when not enabled, every bound is infinitely far.
        inertia: principal inertia of the object about its axes [kg m2], shape (3,).
    """
    packed = np.empty(STOPS_SIZE)
    rate = math.pi / stops.contact_time
    packed[0:3] = stops.centre
    packed[3:6] = stops.half_extent if stops.enabled else np.inf
    packed[6:10] = nominal_quat(stops)
    packed[SWING] = stops.swing if stops.enabled else np.inf
    packed[TWIST] = stops.twist if stops.enabled else np.inf
    packed[RATE] = rate
    packed[SWING_STIFFNESS] = 0.5 * (inertia[0] + inertia[1]) * rate**2
    packed[TWIST_STIFFNESS] = inertia[2] * rate**2
    packed[COS_SWING] = math.cos(packed[SWING]) if packed[SWING] < math.pi else NEVER
    packed[COS_HALF_TWIST] = math.cos(0.5 * packed[TWIST]) if packed[TWIST] < math.pi else NEVER
    packed[TURNS], packed[HEADING] = 0.0, stops.axis_yaw
    return packed


def world_stops(c: Configuration) -> Array:
    """Return what bounds the object in the world, shape (19,).

    Before an arm that stands these are the stops. A base takes the object out of them where it follows: along
    a rail, or in the plane and about the vertical; there its floor is the bound, if it has one.
    """
    packed = pack_stops(c.stops, c.object.inertia)
    if c.base.kind == "none":
        return packed
    packed[0:3], packed[3:6] = object_room(c)
    if c.base.kind == "platform":
        packed[TURNS], packed[SWING] = 1.0, elevation_limit(c.stops, c.base)
        # as the arm sees it, a heading that lags turns what is raised by so much more
        packed[TWIST] -= 0.5 * packed[SWING] * c.base.heading_reserve
        packed[COS_SWING], packed[COS_HALF_TWIST] = math.cos(packed[SWING]), math.cos(0.5 * packed[TWIST])
    return packed


@njit(cache=True, error_model="numpy")
def spring_flow(x: float, v: float, half: float, rate: float, dt: float) -> tuple[float, float]:
    """Return an axis's position [m] from the box's centre and its speed [m/s] after `dt` [s], exactly.

    Args:
        x: position from the box's centre [m].
        v: speed [m/s].
        half: half the box's extent [m], may be infinite.
        rate: `w` of the spring beyond it [rad/s].
        dt: time to pass [s].
    """
    rest = dt
    for _ in range(CROSSINGS):
        side = 1.0 if x >= 0.0 else -1.0
        depth, speed = side * x - half, side * v
        if depth < 0.0 or (depth == 0.0 and speed <= 0.0):
            if v == 0.0:
                return x, v
            bound = half if v > 0.0 else -half
            until = (bound - x) / v
            if until >= rest:
                return x + v * rest, v
            # the speed carries on beyond the bound: from here the spring acts
            x = bound
            rest -= until
            side, depth, speed = (1.0 if v > 0.0 else -1.0), 0.0, abs(v)
        until = (math.pi - math.atan2(depth * rate, speed)) / rate
        if until > rest:
            cosine, sine = math.cos(rate * rest), math.sin(rate * rest)
            moved = depth * cosine + speed / rate * sine
            return side * (half + moved), side * (speed * cosine - depth * rate * sine)
        x = side * half
        v = -side * math.sqrt(speed * speed + (depth * rate) ** 2)
        rest -= until
    return x, v


@njit(cache=True, error_model="numpy")
def swing_twist(quat: Array, stops: Array) -> tuple[float, float]:
    """Return swing in [0, pi] and twist in [-pi, pi] [rad] of an orientation, against the nominal one."""
    w, x, y, z = _relative(quat[0], quat[1], quat[2], quat[3], stops)
    if w < 0.0:
        w, z = -w, -z
    return 2.0 * math.atan2(math.sqrt(x * x + y * y), math.sqrt(w * w + z * z)), 2.0 * math.atan2(z, w)


@njit(cache=True, error_model="numpy")
def _relative(w: float, x: float, y: float, z: float, stops: Array) -> tuple[float, float, float, float]:
    """Return the rotation from the nominal orientation, in the nominal axes."""
    a, b, c, d = _nominal(w, x, y, z, stops)
    return (
        a * w + b * x + c * y + d * z,
        a * x - b * w - c * z + d * y,
        a * y + b * z - c * w - d * x,
        a * z - b * y + c * x - d * w,
    )


@njit(cache=True, error_model="numpy", inline="always")
def _nominal(w: float, x: float, y: float, z: float, stops: Array) -> tuple[float, float, float, float]:
    """Return the nominal orientation; before a platform it has the heading of the object's axis."""
    a, b, c, d = stops[6], stops[7], stops[8], stops[9]
    if stops[TURNS] == 0.0:
        return a, b, c, d
    half = 0.5 * (math.atan2(2.0 * (y * z - w * x), 2.0 * (x * z + w * y)) - stops[HEADING])
    u, v = math.cos(half), math.sin(half)
    return u * a - v * d, u * b - v * c, u * c + v * b, u * d + v * a


@njit(cache=True, error_model="numpy")
def stop_torque(w: float, x: float, y: float, z: float, stops: Array) -> tuple[float, float, float]:
    """Return the torque of the swing and twist stops on the body, world axes [N m].

    theory: swing's gradient is the unit vector along `n0 x z`, twist's is `(z + n0) / (1 + z . n0)`,
    with z the object's axis and n0 the nominal one.
    """
    rw, rx, ry, rz = _relative(w, x, y, z, stops)
    along = rw * rw + rz * rz  # cos^2 of half the swing
    swung = 2.0 * along - 1.0 < stops[COS_SWING]
    twisted = abs(rw) < stops[COS_HALF_TWIST] * math.sqrt(along)
    if not (swung or twisted):
        return 0.0, 0.0, 0.0
    zx, zy, zz = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
    a, b, c, d = _nominal(w, x, y, z, stops)
    nx, ny, nz = 2.0 * (b * d + a * c), 2.0 * (c * d - a * b), 1.0 - 2.0 * (b * b + c * c)
    tx = ty = tz = 0.0
    if swung:
        ux, uy, uz = zy * nz - zz * ny, zz * nx - zx * nz, zx * ny - zy * nx
        sine = math.sqrt(ux * ux + uy * uy + uz * uz)
        swing = 2.0 * math.atan2(math.sqrt(rx * rx + ry * ry), math.sqrt(along))
        if sine > UPSIDE_DOWN:
            pull = stops[SWING_STIFFNESS] * (swing - stops[SWING]) / sine
            tx, ty, tz = pull * ux, pull * uy, pull * uz
    if twisted and 2.0 * along > UPSIDE_DOWN:
        twist = 2.0 * math.atan2(rz, rw) if rw >= 0.0 else 2.0 * math.atan2(-rz, -rw)
        beyond = twist - math.copysign(stops[TWIST], twist)
        if stops[TURNS] != 0.0:
            pull = -stops[TWIST_STIFFNESS] * beyond / max(zx * zx + zy * zy, UPSIDE_DOWN)
            return tx + pull * zx, ty + pull * zy, tz
        pull = -stops[TWIST_STIFFNESS] * beyond / (2.0 * along)
        tx, ty, tz = tx + pull * (zx + nx), ty + pull * (zy + ny), tz + pull * (zz + nz)
    return tx, ty, tz


@njit(cache=True, error_model="numpy")
def spin_potential(quat: Array, stops: Array) -> float:
    """Return the energy stored in the swing and twist stops [J]."""
    swing, twist = swing_twist(quat, stops)
    energy = 0.0
    if swing > stops[SWING]:
        energy += 0.5 * stops[SWING_STIFFNESS] * (swing - stops[SWING]) ** 2
    if abs(twist) > stops[TWIST]:
        energy += 0.5 * stops[TWIST_STIFFNESS] * (abs(twist) - stops[TWIST]) ** 2
    return energy


@njit(cache=True, error_model="numpy")
def stored_speed_squared(p: Array, stops: Array) -> float:
    """Return twice the energy per mass stored in the springs of the centre's box [m2/s2]."""
    total = 0.0
    for i in range(3):
        depth = abs(p[i] - stops[i]) - stops[3 + i]
        if depth > 0.0:
            total += (stops[RATE] * depth) ** 2
    return total
