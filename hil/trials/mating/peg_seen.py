"""The courses of a peg in short: contacts in their order, averaged forces, stretches of the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.trials.mating.means import MEAN, mean_of
from hil.trials.mating.setting import Setting

SOON = 0.05  # share of a run within which contacts count as begun together


@dataclass(frozen=True)
class Seen:
    """Courses in short.

    Attributes:
        order: names of contacts as they first come, without those that last less than forces are averaged.
        forces: of each, averaged, shape (n,) [N].
        begins: row at which each comes.
        push: averaged mating force, shape (n,) [N].
        depth: shape (n,) [mm].
        late: rows of the path's second half, shape (n,).
    """

    order: list[str]
    forces: dict[str, Array]
    begins: dict[str, int]
    push: Array
    depth: Array
    late: BoolArray


def seen_of(series: Mapping[str, Array], phases: Sequence[str], place: Setting) -> Seen:
    """Return the courses of a peg in short."""
    begins: dict[str, int] = {}
    rows: dict[str, int] = {}
    for k, phase in enumerate(phases):
        for name in phase.split(" + ") if phase else []:
            begins.setdefault(name, k)
            rows[name] = rows.get(name, 0) + 1
    t = series["t_s"]
    step = float(t[1] - t[0]) if len(t) > 1 else 1.0
    begins = {name: k for name, k in begins.items() if rows[name] * step >= MEAN}
    forces = {name: mean_of(series[f"{name}_n"], step) for name in begins}
    half = 1e3 * (place.begin + 0.5 * float(place.way.max()))
    return Seen(
        list(begins), forces, begins, series["force_mean_n"], series["depth_mm"], series["nominal_mm"] > half
    )


def sideways(series: Mapping[str, Array]) -> Array:
    """Return the averaged force across the motion, shape (n,) [N]."""
    t = series["t_s"]
    step = float(t[1] - t[0]) if len(t) > 1 else 1.0
    return np.hypot(mean_of(series["side_y_n"], step), mean_of(series["side_z_n"], step))


def sliding(seen: Seen) -> BoolArray:
    """Return the middle rows between the second contact and the next one well behind it."""
    rows = np.zeros(len(seen.push), dtype=bool)
    if len(seen.order) > 1:
        begin = seen.begins[seen.order[1]]
        later = [k for k in seen.begins.values() if k > begin + SOON * len(rows)]
        end = min(later, default=len(rows))
        rows[begin + (end - begin) // 3 : begin + 2 * (end - begin) // 3] = True
    return rows
