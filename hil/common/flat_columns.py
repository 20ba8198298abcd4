"""Arrays with units become flat columns of tables: one name a number, with its unit; times in seconds.

The only place where such names are made: exported tables and the tables of `zerog` are named here.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hil.common.arrays import Array, IntArray

NANOSECOND = 1e-9  # [s]
DIGITS = 9  # of a time [s]: nanoseconds
NO_SUFFIX = ("", "1", "text", "w x y z")
AXES = ("x", "y", "z")
QUATERNION = ("w", "x", "y", "z")
# six-vectors: what their halves are called; of others the second half has an r before its axis
HALVES = {"twist": ("v", "omega"), "wrench": ("force", "torque")}
DIRECTED = ("m", "n", "n_m", "n_s", "n_m_s", "m_s", "rad_s")  # units of vectors in space


@dataclass
class Table:
    """Flat columns of one table.

    Attributes:
        columns: by name, each of shape (n,).
        units: of the columns that have one.
        frames: in which axes a column is, of those that are in any: `world`, `object`.
        ragged: columns of lists that differ in length from row to row, end to end; `NAME_rows` among them
            says how many each row has.
    """

    columns: dict[str, Any] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    frames: dict[str, str] = field(default_factory=dict)
    ragged: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, unit: str, values: Any, frame: str = "", ragged: bool = False) -> None:
        """Add the columns of an array.

        Args:
            name: as the array is called, with quantity, reference and subject.
            unit: one for all its numbers, or one for each part of it, joined by a comma and a blank.
            values: shape (n, ...).
            frame: of the array; where none is told, what its name tells.
            ragged: the rows are not those of the table.
        """
        where = self.ragged if ragged else self.columns
        frame = frame or frame_of(name)
        for (flat, of_column), column in zip(
            flat_names(name, np.shape(values)[1:], unit), _components(values), strict=True
        ):
            where[flat] = column
            if of_column not in NO_SUFFIX:
                self.units[flat] = of_column
            if frame:
                self.frames[flat] = frame


def flat_names(name: str, shape: tuple[int, ...], unit: str) -> list[tuple[str, str]]:
    """Return name and unit of each number of an array of this shape, in the order of its memory.

    `_world_object` is left out: it says what is meant anyway. Halves of `twist` and `wrench` have own names.

    >>> flat_names("twist_world_object", (6,), "m/s, rad/s")[::3]
    [('v_x_m_s', 'm/s'), ('omega_x_rad_s', 'rad/s')]
    """
    name = name.replace("_world_object", "")
    if len(shape) != 1:
        places = ["_".join(map(str, place)) for place in np.ndindex(shape)]
        return [_named(name, place, unit) for place in places]
    size, units = shape[0], unit.split(", ")
    if units == ["m", "w x y z"] and size == 7:
        place = [_named(name, axis, "m") for axis in AXES]
        return place + [_named(f"{name}_quat", axis, "") for axis in QUATERNION]
    if units == ["w x y z"] and size == 4:
        return [_named(name, axis, "") for axis in QUATERNION]
    if size == 6 and len(units) == 2:
        return _halves(name, units)
    if size == 3 and len(units) == 1 and suffix(unit) in DIRECTED:
        return [_named(name, axis, unit) for axis in AXES]
    if size == 7 and len(units) == 1 and unit.startswith("rad"):
        return [_named(name, f"a{joint}", unit) for joint in range(1, 8)]
    each = units if len(units) == size else [unit] * size
    return [_named(name, str(k), each[k]) for k in range(size)]


def suffix(unit: str) -> str:
    """Return how a unit ends a column's name, as it ends the keys of a configuration.

    >>> suffix("m/s"), suffix("N m"), suffix("N/s")
    ('m_s', 'n_m', 'n_per_s')
    """
    if unit in NO_SUFFIX or ", " in unit:
        return ""
    small = unit.lower().replace(" ", "_")
    return re.sub(r"^(n|n_m|n_s)/", r"\1_per_", small).replace("/", "_")


def frame_of(name: str) -> str:
    """Return in which axes a quantity of this name is; empty where it has none.

    >>> frame_of("p_world_object"), frame_of("wrench_object"), frame_of("q_command")
    ('world', 'object', '')
    """
    if "_world_" in name or name.endswith("_world"):
        return "world"
    return "object" if name.endswith("_object") else ""


def seconds(values: IntArray, origin_ns: int = 0) -> Array:
    """Return nanoseconds as seconds from an origin on, exact to the nanosecond."""
    return np.round(NANOSECOND * (np.asarray(values) - origin_ns).astype(np.float64), DIGITS)


def _halves(name: str, units: list[str]) -> list[tuple[str, str]]:
    quantity, _, rest = name.partition("_")
    rest = f"_{rest}" if rest else ""
    if quantity in HALVES:
        bases = [f"{half}{rest}" for half in HALVES[quantity]]
        return [_named(base, axis, unit) for base, unit in zip(bases, units, strict=True) for axis in AXES]
    linear = [_named(name, axis, units[0]) for axis in AXES]
    return linear + [_named(name, f"r{axis}", units[1]) for axis in AXES]


def _named(name: str, place: str, unit: str) -> tuple[str, str]:
    return "_".join(part for part in (name, place, suffix(unit)) if part), unit


def _components(values: Any) -> list[Any]:
    array = np.asarray(values)
    flat = array.reshape(len(array), int(np.prod(array.shape[1:])))
    return [flat[:, k] for k in range(flat.shape[1])]
