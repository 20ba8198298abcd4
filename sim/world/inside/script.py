"""A script of joints over object time: read, checked against the arm, and made into a smooth path.

theory: between its rows the joints go along the cubic spline through them that begins and ends at rest, so
that speed and acceleration have no steps.
"""

import math
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from hil.common.arrays import Array
from hil.common.csv_rows import csv_rows
from hil.common.errors import ConfigurationError, RecordingError
from hil.configuration.tables.inside import Inside
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.joint_path import JointPath, standing

LEAST_GAP = 1e-3  # [s] between two rows: closer ones would ask for speeds beyond any arm
ROUNDING = 1e-9  # [rad, rad/s] by which a spline may miss a bound


def scripted_path(inside: Inside, arm: ArmTree) -> JointPath:
    """Return the path of a configuration's script.

    Raises:
        ConfigurationError: it does not fit the arm, goes back in time, or is too fast; names row and remedy.
    """
    where, times, joints = _rows(inside, arm)
    if len(times) == 1:
        path = standing(joints[0])
    else:
        gaps = np.diff(times)
        if not (gaps >= LEAST_GAP).all():
            k = int(np.argmin(gaps >= LEAST_GAP))
            raise ConfigurationError(
                f"{where}: row {k + 2} is at {times[k + 1]:g} s, the one before at {times[k]:g} s: each "
                "row must "
                f"be at least {1e3 * LEAST_GAP:g} ms later"
            )
        spline = CubicSpline(times, joints, bc_type="clamped")
        path = JointPath(np.array(times), np.ascontiguousarray(np.swapaxes(spline.c[::-1], 0, 1)))
    check_within(where, path, arm)
    return path


def check_within(where: str, path: JointPath, arm: ArmTree) -> None:
    """Refuse a path that leaves the joints' limits or goes faster than they.

    Raises:
        ConfigurationError: it does; names joint, time, value and bound.
    """
    for piece, (a, b, c, d) in enumerate(path.powers):
        begin, length = path.breaks[piece], path.breaks[piece + 1] - path.breaks[piece]
        for j, name in enumerate(arm.names):
            places = [0.0, length, *_roots(3.0 * d[j], 2.0 * c[j], b[j], length)]
            for t in places:
                q = a[j] + t * (b[j] + t * (c[j] + t * d[j]))
                if not arm.lower[j] - ROUNDING <= q <= arm.upper[j] + ROUNDING:
                    raise ConfigurationError(
                        f"{where}: joint {name!r} is at {math.degrees(q):.4g} deg at {begin + t:.4g} s, "
                        "its limits "
                        f"are {math.degrees(arm.lower[j]):.4g} to {math.degrees(arm.upper[j]):.4g} deg: "
                        "mend the rows"
                    )
            fastest = [0.0, length] + ([-c[j] / (3.0 * d[j])] if d[j] else [])
            for t in (t for t in fastest if 0.0 <= t <= length):
                speed = abs(b[j] + t * (2.0 * c[j] + t * 3.0 * d[j]))
                if speed > arm.velocity[j] + ROUNDING:
                    raise ConfigurationError(
                        f"{where}: joint {name!r} goes at {math.degrees(speed):.4g} deg/s at "
                        f"{begin + t:.4g} s, its "
                        f"limit is {math.degrees(arm.velocity[j]):.4g} deg/s: give the rows more time"
                    )


def _roots(a: float, b: float, c: float, length: float) -> list[float]:
    """Return where a t^2 + b t + c is 0 within a length."""
    if a == 0.0:
        found = [] if b == 0.0 else [-c / b]
    else:
        square = b * b - 4.0 * a * c
        found = [] if square < 0.0 else [(-b + sign * math.sqrt(square)) / (2.0 * a) for sign in (-1.0, 1.0)]
    return [t for t in found if 0.0 < t < length]


def _rows(inside: Inside, arm: ArmTree) -> tuple[str, Array, Array]:
    """Return where the rows stand, their times [s] (k,) and joints [rad] (k, n)."""
    if inside.script is not None:
        return _from_file(inside.script, arm)
    where, n = "object.inside.knot", len(arm.names)
    for k, knot in enumerate(inside.knot):
        if len(knot.joints) != n:
            raise ConfigurationError(
                f"{where}[{k}].joints_deg has {len(knot.joints)} joints, the arm of object.inside.arm has "
                f"{n}: "
                f"{', '.join(arm.names)}"
            )
    return where, np.array([k.time for k in inside.knot]), np.array([k.joints for k in inside.knot])


def _from_file(path: Path, arm: ArmTree) -> tuple[str, Array, Array]:
    wanted = ["time_s", *(f"{name}_deg" for name in arm.names)]
    where = f"object.inside.script = {str(path)!r}"
    try:
        names, rows = csv_rows(path, ",".join(wanted))
    except RecordingError as error:
        raise ConfigurationError(f"object.inside.script: {error}") from error
    if names != wanted:
        raise ConfigurationError(
            f"{where}: line 1 must name time and the arm's joints, {','.join(wanted)}; it has "
            f"{','.join(names)}"
        )
    values = []
    for line, row in rows:
        try:
            numbers = [float(cell) for cell in row]
        except ValueError:
            numbers = [math.nan]
        if len(numbers) != len(wanted) or not all(map(math.isfinite, numbers)):
            raise ConfigurationError(
                f"{where}: line {line} is not {len(wanted)} finite numbers: {','.join(row)[:80]}"
            )
        values.append(numbers)
    if not values:
        raise ConfigurationError(f"{where}: has no rows of numbers: give at least one")
    table = np.array(values)
    if table[0, 0] < 0.0:
        raise ConfigurationError(f"{where}: line 2 is at {table[0, 0]:g} s: object time begins at 0")
    return where, table[:, 0], np.deg2rad(table[:, 1:])
