"""What is read from the courses of two bolts in one gripper, and what the paper says of them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.means import mean_of
from hil.trials.mating.pegs import TOUCHING
from hil.trials.mating.result import Statement

AFTER = 0.3  # [s] behind the force's maximum in which its dip and overshoot are looked for
BLIP = 0.25  # share of its greatest change of speed to which an impact must fall to be over
SWING = 0.08  # [s] in which an impact's first change of speed is looked for


def figures_of(series: Mapping[str, Array]) -> dict[str, float | None]:
    """Return what the courses of one place come to."""
    t, off = series["t_s"], series["speed_mm_s"] - series["nominal_speed_mm_s"]
    moving = series["nominal_speed_mm_s"] > 0.0
    rms = float(np.sqrt(np.mean(off[moving] ** 2))) if moving.any() else 0.0
    step = float(t[1] - t[0])
    return {
        **_of_the_ring(series["ring_n"], off, step),
        "deviation_rms_mm_s": rms,
        **_of_the_bolt(series["bolt_n"], off, t, step),
    }


def _of_the_ring(force: Array, off: Array, step: float) -> dict[str, float | None]:
    """Return what the ring does to the speed; None of one that is not reached."""
    top = int(force.argmax())
    if not force[top] > TOUCHING:
        return dict.fromkeys(("force_max_n", "dip_mm_s", "overshoot_mm_s", "dip_after_force_max_ms"))
    after = slice(max(0, top - round(0.1 / step)), top + round(AFTER / step))
    low = after.start + int(off[after].argmin())
    return {
        "force_max_n": float(force[top]),
        "dip_mm_s": float(-off[low]),
        "overshoot_mm_s": float(off[low : after.stop].max()),
        "dip_after_force_max_ms": 1e3 * step * float(low - top),
    }


def _of_the_bolt(force: Array, off: Array, t: Array, step: float) -> dict[str, float | None]:
    """Return what the bolt's first impact does to the speed; None of a bolt that touches nothing."""
    hits = np.flatnonzero(force > TOUCHING)
    if not hits.size:
        return dict.fromkeys(("impact_n", "impact_mm_s", "impact_ms", "impact_at_s"))
    begin = int(hits[0])
    soon = slice(begin, begin + round(SWING / step))
    change = np.abs(off[soon] - off[begin])
    most = int(change.argmax())
    return {
        "impact_n": float(mean_of(force, step)[soon].max()),
        "impact_mm_s": float(change[most]),
        "impact_ms": 1e3 * step * float(most + (change[most:] < BLIP * change[most]).argmax()),
        "impact_at_s": float(t[begin]),
    }


def said_of_combined(f: Mapping[str, Any]) -> list[Statement]:
    """Return the paper's statements; of a ring or bolt that is not reached none holds."""
    if f["force_max_far_n"] is None or f["force_max_near_n"] is None:
        said = [Statement("the forces are nearly the same at both places", False, "the ring is not reached")]
    else:
        said = _said_of_ring(f)
    if f["impact_far_n"] is None or f["impact_near_n"] is None:
        told = "the bolt touches nothing at one of them"
        return [*said, Statement("the impact of the bolt is stronger at the stiffer place", False, told)]
    blips = f["impact_far_mm_s"], f["impact_near_mm_s"]
    dips = f["dip_far_mm_s"] or 0.0, f["dip_near_mm_s"] or 0.0
    return [
        *said,
        Statement("the impact of the bolt is stronger at the stiffer place",
                  f["impact_near_n"] > f["impact_far_n"] > 0.0,
                  f"{f['impact_far_n']:.1f} and {f['impact_near_n']:.1f} N, at {f['impact_at_far_s']:.2f} s"),
        Statement("what the impact does is short and smaller than what the ring does",
                  max(f["impact_far_ms"], f["impact_near_ms"]) < 40.0 and blips[0] < dips[0]
                  and blips[1] < dips[1],
                  f"{f['impact_far_ms']:.0f} and {f['impact_near_ms']:.0f} ms, "
                  f"{blips[0]:.1f} and {blips[1]:.1f} mm/s"),
    ]  # fmt: skip


def _said_of_ring(f: Mapping[str, Any]) -> list[Statement]:
    forces = f["force_max_far_n"], f["force_max_near_n"]
    dips = abs(f["dip_after_force_max_far_ms"]), abs(f["dip_after_force_max_near_ms"])
    over = f["overshoot_far_mm_s"], f["overshoot_near_mm_s"]
    return [
        Statement("the forces are nearly the same at both places", abs(forces[0] / forces[1] - 1.0) < 0.02,
                  f"{forces[0]:.1f} and {forces[1]:.1f} N"),
        Statement("the speed falls where the force is greatest", max(dips) <= 30.0,
                  f"its least {dips[0]:.0f} and {dips[1]:.0f} ms from there"),
        Statement("then it overshoots, more at the softer place", over[0] > 2.0 * over[1] > 0.0,
                  f"{over[0]:.1f} and {over[1]:.1f} mm/s"),
    ]  # fmt: skip
