"""What was found of the load, for people and for the configuration."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.load_stamp import load_stamp
from hil.wrench.load.identification import FoundLoad

NAMES = ("mass", "moment x", "moment y", "moment z", "inertia xx", "inertia yy", "inertia zz",
         "inertia xy", "inertia xz", "inertia yz")  # fmt: skip
UNITS = ("kg", *["kg mm"] * 3, *["kg m2"] * 6)
SCALES = np.array([1.0, *[1e3] * 3, *[1.0] * 6])  # from SI to the units above
OF_MASS = 0.5  # of the mass may be its interval, where a centre is told


def found_lines(found: FoundLoad, c: Configuration) -> list[str]:
    """Return the finding, and the table that takes it out of pushes when it stands in the configuration."""
    values, halves = SCALES * found.value, SCALES * found.interval
    lines = ["missed by the load data, about the object's centre of mass, object axes (95 %):"]
    for k, name in enumerate(NAMES):
        shown = "" if found.shown[k] else "   not shown by this motion"
        lines.append(f"  {name:<10} {values[k]:9.4f} +- {halves[k]:.4f} {UNITS[k]}{shown}")
    lines.append(f"  centre     {_centre(found)}")
    lines.append(f"noise left: {found.noise[0]:.3f} N, {found.noise[1]:.4f} N m")
    lines.append("write this into the configuration, and `zerog run` or `zerog reload` takes it:")
    return [*lines, "", *found_table(found, load_stamp(c))]


def found_table(found: FoundLoad, stamp: str) -> list[str]:
    """Return the lines of `[mockup.found]`."""
    values, halves = SCALES * found.value, SCALES * found.interval
    return [
        "[mockup.found]",
        f'stamp = "{stamp}"',
        f"mass_kg = {values[0]:.5f}",
        f"mass_interval_kg = {halves[0]:.5f}",
        f"moment_kg_mm = {_list(values[1:4])}",
        f"moment_interval_kg_mm = {_list(halves[1:4])}",
        f"inertia_kg_m2 = {_list(values[4:])}",
        f"inertia_interval_kg_m2 = {_list(halves[4:])}",
    ]


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
