"""What is read from the curves of O-rings and snap fasteners, and what the paper says of them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.result import MatingResult, Statement, passed
from hil.trials.mating.schema import ORingExperiment, SnapExperiment

Series = Mapping[str, Array]
EVEN = 1e-9  # over its mean, of a force that is called constant
FADED = 0.99  # share of dry friction below which its fading is told
LOST = (
    "no equilibrium is found, not even without friction: no figure beyond that place means anything; look at "
    "offset, stiffness and the hook's measures"
)
UNTOUCHED = (
    "nothing touches from begin_mm to end_mm: look at these, and at how far the moving part is off the other"
)
HELD = (
    "friction holds the parts: on this slope no force pushes them on; a smaller mu or a flatter slope lets go"
)


def warnings_of(phases: Sequence[str], speed: float, slip: float) -> list[str]:
    """Return what is said of parts that stand still, and of a motion so slow that friction fades."""
    said = [] if any(phases) else [UNTOUCHED]
    said += [HELD] if "jammed" in phases or "held" in phases else []
    said += [LOST] if "lost" in phases else []
    share = math.tanh(speed / slip)
    if share < FADED:
        said.append(
            f"at speed_mm_s = {1e3 * speed:g} only {100 * share:.2g} % of dry friction act, for below "
            f"slip_mm_s = {1e3 * slip:g} it fades: take a smaller slip_mm_s"
        )
    return said


def o_ring_features(experiment: ORingExperiment, series: Series, phases: Sequence[str]) -> MatingResult:
    """Return peak, plateau and what happens at the exit."""
    force, depth, name = series["force_n"], series["depth_mm"], np.array(phases)
    inside = force[name == "hole"]
    peak = int(force.argmax())
    features: dict[str, Any] = {
        "phases": passed(phases),
        "peak_n": float(force[peak]),
        "peak_at_mm": float(depth[peak]),
        "plateau_n": float(np.mean(inside)) if inside.size else None,
        "peak_over_plateau": float(force[peak] / np.mean(inside))
        if inside.size and np.mean(inside) > EVEN * force[peak]
        else None,
        "exit_min_n": float(force[name == "exit"].min()) if (name == "exit").any() else None,
        "side_max_n": float(np.hypot(series["side_x_n"], series["side_y_n"]).max()),
        "work_j": float(np.trapezoid(force, 1e-3 * depth)),
    }
    warnings = warnings_of(phases, experiment.motion.speed, experiment.o_ring.slip)
    statements = [
        Statement(
            "the maximum of the mating force arises when the ring is entering the hole",
            phases[peak] == "entrance",
            f"{features['peak_n']:.4g} N at {features['peak_at_mm']:.3g} mm",
        )
    ]
    if inside.size:
        statements.append(
            Statement(
                "inside the cylinder the load is constant",
                bool(np.ptp(inside) <= EVEN * abs(np.mean(inside))),
                f"{features['plateau_n']:.4g} N, spread {np.ptp(inside):.2g} N",
            )
        )
    return MatingResult(experiment.experiment, series, phases, features, statements, warnings)


def snap_features(experiment: SnapExperiment, series: Series, phases: Sequence[str]) -> MatingResult:
    """Return the order of contacts, the force's levels, and whether the material bears it."""
    force, depth, name = series["force_n"], series["depth_mm"], np.array(phases)
    top, order = int(force.argmax()), passed(phases)
    flat = np.isin(name, ["corner1", "corner2"])
    ended = bool(phases[-1] == "" and order)
    strain, allowed = float(series["strain"].max()), experiment.snap.allowable_strain
    features: dict[str, Any] = {
        "phases": [*order, "free"] if ended else order,
        "max_n": float(force[top]),
        "max_at_mm": float(depth[top]),
        "plateau_n": float(np.mean(force[flat])) if flat.any() else None,
        "min_n": float(force.min()),
        "side_max_n": float(np.abs(series["side_z_n"]).max()),
        "strain_max": strain or None,
        "strain_allowed": allowed,
        "work_j": float(np.trapezoid(force, 1e-3 * depth)),
    }
    warnings = warnings_of(phases, experiment.motion.speed, experiment.snap.slip)
    off, two = experiment.offset_z, experiment.snap.halves == 2
    if off < 0.0 or (two and off != 0.0):
        which = "the nose of one of both hooks" if two else "the hook's nose"
        warnings.append(
            f"offset_z_mm = {1e3 * off:g} {'is not' if two else 'is below'} 0: {which} would strike the "
            "counterpart's front, which is not computed; the figures are of a hook lifted on to the edge"
        )
    if allowed is not None and strain > allowed:
        warnings.append(
            f"the beam is strained by {100 * strain:.2g} %, allowed once are {100 * allowed:.2g} %: make it "
            "longer or thinner, or the hook lower"
        )
    return MatingResult(
        experiment.experiment,
        series,
        phases,
        features,
        _said_of_snaps(experiment, series, name, top),
        warnings,
        LOST if "lost" in phases else "",
    )


def _said_of_snaps(experiment: SnapExperiment, series: Series, name: Any, top: int) -> list[Statement]:
    force, side = series["force_n"], series["side_z_n"]
    ramp, slides = name == "ramp1", name == "corner2"
    after = force[top + 1] if top + 1 < force.size else force[top]
    mu, halves = experiment.snap.mu, experiment.snap.halves
    said = [
        Statement(
            "the force grows along the entry's ramp and has its maximum at the hook's first corner",
            bool(ramp.any() and name[top] == "ramp1" and (np.diff(force[ramp]) > 0.0).all()),
            f"{force[top]:.4g} N at {series['depth_mm'][top]:.3g} mm",
        ),
        Statement(
            "there it jumps", bool(after < 0.6 * force[top]), f"from {force[top]:.4g} to {after:.4g} N"
        ),
        Statement(
            "on the exit's ramp the hook pulls itself in",
            bool(force[name == "ramp2"].min(initial=math.inf) < 0.0),
            f"down to {force.min():.4g} N",
        ),
    ]
    if halves == 1 and slides.any() and experiment.snap.support.type != "ring":
        ratio = force[slides] / side[slides]
        said.append(
            Statement(
                "on the flat the force is friction alone",
                bool(np.abs(ratio - mu).max() < 1e-9),
                f"Fx / Fz = {ratio.mean():.6g}, mu = {mu:g}",
            )
        )
    if halves == 2:
        said.append(
            Statement(
                "with both halves the side force disappears",
                bool(np.abs(side).max() < 1e-6 * max(1.0, float(np.abs(force).max()))),
                f"at most {np.abs(side).max():.2g} N",
            )
        )
    return said
