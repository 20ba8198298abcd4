"""What was found of the load, for people and for the configuration."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.load_stamp import load_stamp
from hil.wrench.load.identification import FoundLoad
from hil.wrench.load.left_over import LeftOver
from hil.wrench.load.offset import FoundOffset

NAMES = ("mass", "moment x", "moment y", "moment z", "inertia xx", "inertia yy", "inertia zz",
         "inertia xy", "inertia xz", "inertia yz")  # fmt: skip
UNITS = ("kg", *["kg mm"] * 3, *["kg m2"] * 6)
SCALES = np.array([1.0, *[1e3] * 3, *[1.0] * 6])  # from SI to the units above
OF_MASS = 0.5  # of the mass may be its interval, where a centre is told
AXES = ("force x", "force y", "force z", "torque x", "torque y", "torque z")


def found_lines(found: FoundLoad, left: LeftOver | None, c: Configuration) -> list[str]:
    """Return the finding, and the table that takes it out of the wrench when it stands in a configuration."""
    values, halves = SCALES * found.value, SCALES * found.interval
    lines = ["missed by the load data, about the object's centre of mass, object axes (95 %):"]
    for k, name in enumerate(NAMES):
        shown = "" if found.shown[k] else "   not shown by this motion"
        lines.append(f"  {name:<10} {values[k]:9.4f} +- {halves[k]:.4f} {UNITS[k]}{shown}")
    lines.append(f"  centre     {_centre(found)}")
    if found.mended:
        lines.append("  as measured no body's: the nearest numbers that a body can have stand above")
    lines += _weight_lines(found)
    if found.offset is not None:
        lines += _offset_lines(found.offset)
    lines.append(f"noise left: {found.noise[0]:.3f} N, {found.noise[1]:.4f} N m")
    if left is not None:
        lines += _left_lines(left)
    lines.append("write this into the configuration, and `zerog run` or `zerog reload` takes it:")
    return [*lines, "", *found_table(found, load_stamp(c))]


def found_table(found: FoundLoad, stamp: str) -> list[str]:
    """Return the lines of `[mockup.found]`."""
    values, halves = SCALES * found.value, SCALES * found.interval
    table = [
        "[mockup.found]",
        f'stamp = "{stamp}"',
        f"mass_kg = {values[0]:.5f}",
        f"mass_interval_kg = {halves[0]:.5f}",
        f"moment_kg_mm = {_list(values[1:4])}",
        f"moment_interval_kg_mm = {_list(halves[1:4])}",
        f"inertia_kg_m2 = {_list(values[4:])}",
        f"inertia_interval_kg_m2 = {_list(halves[4:])}",
    ]
    offset = found.offset
    if offset is None or not offset.placed:  # a sensor is tared, and all of its load's weight taken out
        return table
    return [
        *table,
        f"weighs = {str(bool(found.weighs)).lower()}",
        f"bias_n = {_list(offset.bias[:3])}",
        f"bias_interval_n = {_list(offset.bias_interval[:3])}",
        f"bias_torque_n_m = {_list(offset.bias[3:])}",
        f"bias_torque_interval_n_m = {_list(offset.bias_interval[3:])}",
        f"slope_n_per_m = {_list(offset.slope[:3].ravel())}",
        f"slope_interval_n_per_m = {_list(offset.slope_interval[:3].ravel())}",
        f"slope_torque_n_m_per_m = {_list(offset.slope[3:].ravel())}",
        f"slope_torque_interval_n_m_per_m = {_list(offset.slope_interval[3:].ravel())}",
    ]


def _weight_lines(found: FoundLoad) -> list[str]:
    """Return what the rests told of the weight."""
    if found.weighs is None:
        return ["  not weighed: there were too few rests; the weight of it stays in the wrench"]
    if not found.weighs:
        return ["  weight     not missed: what was weighed does not go with the inertia, which alone counts"]
    if found.offset is not None and found.offset.placed:
        return [
            "  weight     missed as well; its force keeps the base's axes, as the offset does, and counts to",
            "             it: mass is known by acceleration, the centre across the vertical by weight",
        ]
    return ["  weight     missed as well: mass and centre are known by it"]


def _offset_lines(offset: FoundOffset) -> list[str]:
    """Return what the sensor reads beside the load."""
    placed = "at the tcp, base axes, missed weight included"
    where = placed if offset.placed else "beyond its tare, its own axes"
    lines = [f"read at rest, {where}:"]
    for k, name in enumerate(AXES):
        unit = "N" if k < 3 else "N m"
        line = f"  {name:<10} {offset.bias[k]:9.4f} +- {offset.bias_interval[k]:.4f} {unit}"
        if offset.placed:
            slope, half = offset.slope[k], float(offset.slope_interval[k].max())
            told = ", ".join(f"{x:.2f}" for x in slope)
            line += f", over the place [{told}] +- {half:.2f} {unit}/m"
        lines.append(f"{line}, drift {60.0 * offset.drift[k]:.3f} {unit}/min")
    return lines


def _left_lines(left: LeftOver) -> list[str]:
    """Return what the wrench showed that nobody exerted, before and after."""
    lines = []
    for name, figures in (("in motion", left.in_motion), ("at rest", left.at_rest)):
        if figures is not None:
            (f0, f1), (t0, t1) = figures
            lines.append(f"  {name:<10} {f0:.3f} -> {f1:.3f} N, {t0:.4f} -> {t1:.4f} N m")
    return ["exerted by nobody, rms before and after this is taken out:", *lines]


def _centre(found: FoundLoad) -> str:
    """Return where the missed mass is, in words."""
    mass, moment = found.value[0], found.value[1:4]
    if not abs(found.interval[0]) <= OF_MASS * abs(mass):
        return "not known: the mass is not"
    place = 1e3 * moment / mass
    half = 1e3 * np.hypot(found.interval[1:4] / mass, moment * found.interval[0] / mass**2)
    parts = ", ".join(f"{x:.0f} +- {d:.0f}" for x, d in zip(place, half, strict=True))
    return f"{parts} mm from it"


def _list(values: Array) -> str:
    return "[" + ", ".join(f"{x:.6f}" for x in values) + "]"
