"""A peg's loads in the diagram of jamming: in one plane, at the depth where its way ends."""

from collections.abc import Mapping

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.trials.mating.result import JammingSeen
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from sim.insertion.jamming import jamming_diagram

LAST = 0.1  # share of the rows whose loads are shown
PUSHING = 1.0  # [N] of insertion force from which ratios mean something


def jamming_seen(
    experiment: RoundPegExperiment | RectangularPegExperiment, series: Mapping[str, Array], two: BoolArray
) -> JammingSeen | None:
    """Return the diagram of a peg that had two-point contact.

    Args:
        experiment: its file.
        series: its courses.
        two: rows in which two points touch, shape (n,).
    """
    pegs, depth = experiment.pegs, 1e-3 * float(series["depth_mm"][-1]) if len(two) else 0.0
    if not two.any() or pegs.mu <= 0.0 or depth <= 0.0:
        return None
    along_y = abs(experiment.offset_y) >= abs(experiment.offset_z)
    if isinstance(experiment, RoundPegExperiment):
        radius = 0.5 * experiment.pegs.peg
    else:
        radius = 0.5 * (experiment.pegs.peg_y if along_y else experiment.pegs.peg_z)
    slenderness = depth / (2.0 * radius * pegs.mu)
    rows = np.flatnonzero(two & (series["force_n"] > PUSHING))[-max(1, round(LAST * len(two))) :]
    push = series["force_n"][rows]
    aside = -series["side_y_n" if along_y else "side_z_n"][rows]
    moment = -series["moment_z_n_m"][rows] if along_y else series["moment_y_n_m"][rows]
    loads = np.column_stack([aside / push, moment / (radius * push)])
    title = f"depth {1e3 * depth:.1f} mm, lambda = {slenderness:.2f}, mu = {pegs.mu:g}"
    return JammingSeen(jamming_diagram(pegs.mu, slenderness).outline, loads, title)
