"""What the paper says of pegs, and whether it is so in a run."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.peg_seen import Seen, sliding
from hil.trials.mating.result import Statement
from hil.trials.mating.robot_schema import RectangularPegExperiment

NEAR_PLANE = 15.0  # [deg]
SECOND = "d-4'"


def _in_order(seen: Seen, wanted: Sequence[str]) -> bool:
    return seen.order[: len(wanted)] == list(wanted)


def said_of_round(seen: Seen, features: Mapping[str, Any], mu: float) -> list[Statement]:
    """Return the statements of section 6.1."""
    names = ("torus1-torus2", "cylinder1-torus2", "torus1-cylinder2")
    peak = {name: float(seen.forces[name].max()) if name in seen.forces else 0.0 for name in names}
    told = ", ".join(f"{name} at {features['phase_begins_mm'][name]:.2f} mm" for name in seen.order)
    two = (
        np.minimum(seen.forces[names[1]], seen.forces[names[2]]) > 1.0
        if {*names[1:]} <= seen.forces.keys()
        else np.zeros(0, bool)
    )
    said = [
        Statement("the chamfers touch first, then the peg's cylinder the hole's chamfer, then a second point "
                  "on the other side", _in_order(seen, names), told),
        Statement("the force between the chamfers is relatively small",
                  0.0 < peak[names[0]] < 0.5 * max(peak[names[1]], peak[names[2]]),
                  f"{peak[names[0]]:.0f} N against {peak[names[1]]:.0f} N"),
        Statement("with two points the opposing forces grow beyond 100 N",
                  min(peak[names[1]], peak[names[2]]) > 100.0,
                  f"{peak[names[1]]:.0f} and {peak[names[2]]:.0f} N"),
    ]  # fmt: skip
    if two.any():
        sum_of = seen.forces[names[1]] + seen.forces[names[2]]
        share = float((seen.push[two] / sum_of[two]).max())
        said.append(
            Statement("the mating force stays far below the contact forces, for these oppose each other",
                      bool(share <= 1.1 * mu), f"at most {share:.3f} of their sum, mu = {mu:g}")
        )  # fmt: skip
        azimuths = features["azimuth_deg"] or []
        off = [abs((a + 90.0) % 180.0 - 90.0) for a in azimuths]
        said.append(
            Statement("both points wander to the middle of the peg: into the arm's plane",
                      len(off) == 2 and max(off) <= NEAR_PLANE,
                      f"{', '.join(f'{a:.0f}' for a in azimuths)} deg from it")
        )  # fmt: skip
    return said


def said_of_rectangular(
    seen: Seen, features: Mapping[str, Any], series: Mapping[str, Array], experiment: RectangularPegExperiment
) -> list[Statement]:
    """Return the statements of section 6.2, by the direction of the offset."""
    along_y = abs(experiment.offset_y) >= abs(experiment.offset_z)
    offset = experiment.offset_y if along_y else experiment.offset_z
    chamfer, side = ("4-b'", "5-b'") if offset > 0.0 else ("2-a'", "1-a'")
    told = ", ".join(f"{name} at {features['phase_begins_mm'][name]:.2f} mm" for name in seen.order)
    entry = float(seen.push[~seen.late].max(initial=0.0))
    lateral = series["side_y_n" if along_y else "side_z_n"]
    rows = sliding(seen)
    slides = float(lateral[rows].mean()) if rows.any() else 0.0
    plateau, aside = features["plateau_n"] or 0.0, features["side_plateau_n"] or math.inf
    mu = experiment.pegs.mu
    said = [
        Statement(f"the chamfer slides over the hole's edge ({chamfer}), then one side rests on it ({side})",
                  _in_order(seen, (chamfer, side)), told),
        Statement("the mating force has a peak while the chamfer slides",
                  entry > 2.0 * plateau, f"{entry:.1f} N, then {plateau:.2f} N"),
        Statement("the side force acts towards the hole's middle", slides * offset < 0.0, f"{slides:.1f} N"),
        Statement("what is left then is friction", abs(plateau / aside - mu) <= 0.15 * mu,
                  f"{plateau / aside:.4f} of the side force, mu = {mu:g}"),
    ]  # fmt: skip
    if not along_y and offset > 0.0:
        said.append(
            Statement("it goes on sliding, with small forces",
                      features["inserted"] and features["late_max_n"] < 100.0,
                      f"late up to {features['late_max_n']:.0f} N")
        )  # fmt: skip
    if not along_y and offset < 0.0:
        deep = features["phase_begins_mm"].get(SECOND)
        said += [
            Statement("a second contact arises inside the hole (d-4')", deep is not None,
                      "none" if deep is None
                      else f"at {deep:.2f} mm, {features['phase_begins_s'][SECOND]:.2f} s"),
            Statement("mating force and side force become very large", features["late_max_n"] > 2.0 * entry,
                      f"{features['late_max_n']:.0f} N and {features['late_side_max_n']:.0f} N"),
            Statement("the insertion succeeds at last", features["inserted"],
                      f"{features['lag_mm']:.1f} mm are left"),
        ]  # fmt: skip
    return said
