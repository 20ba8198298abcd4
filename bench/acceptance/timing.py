"""Row 20: drives and skew found by the program, on the core, and what contacts gain by it."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bench.acceptance.row import Part, Trial
from bench.contact_plant import EXTERNAL
from bench.contact_trials import LAG, STEP, Rig, bounce
from bench.timing_trials import drive_by_motion, skew_by_bounces, skew_by_motion, with_drive

BOTH = (0.5, 1.0)
Told = tuple[str, str, float, float | None]


def timing_parts(seeds: int) -> Iterator[Part]:
    """20: in one piece, as what is found serves what follows."""
    yield Part(("20",), Trial(timed, (seeds,)))


def timed(seeds: int) -> list[Told]:
    """Return the rows."""
    return list(timing(Rig(), seeds))


def worst(rig: Rig, wTs: tuple[float, ...], zs: tuple[float, ...], seeds: int) -> float:
    """Return the greatest error of restitution over cells and seeds."""
    return max(abs(bounce(rig, wT, z, seed).error) for wT in wTs for z in zs for seed in range(seeds))


def timing(rig: Rig, seeds: int) -> Iterator[Told]:
    """20: drives and skew found by the program, and what contacts gain by it."""
    found = [drive_by_motion(STEP, LAG, 0.8, rig.noise, seed) for seed in range(seeds)]
    other = [drive_by_motion(4 * STEP, 0.014, 0.6, rig.noise, seed) for seed in range(seeds)]
    lags = [abs(one.lag - LAG) for one in found] + [abs(one.lag - 0.014) for one in other]
    totals = [abs(one.total - STEP - LAG) for one in found] + [abs(one.total - 0.022) for one in other]
    ratios = [abs(one.damping - 0.8) for one in found] + [abs(one.damping - 0.6) for one in other]
    yield ("20", "drives: error of the whole delay [ms]", 1e3 * max(totals), 0.5)
    yield ("20", "drives: error of the lag [ms]", 1e3 * max(lags), 0.5)
    yield ("20", "drives: error of the damping", max(ratios), 0.1)
    for z in (0.3, 0.5):
        wrong = worst(replace(rig, delay_error=0.002), BOTH, (z,), seeds)
        yield ("20", f"error of e, delay taken 2 ms too long, z {z}", wrong, None)
        right = max(worst(with_drive(rig, one), BOTH, (z,), 1) for one in found)
        yield ("20", f"error of e, drives as found, z {z}", right, 0.03)
    errors, of_two = [], []
    for skew in (0.0, 0.001, 0.002, 0.004):
        for seed in range(seeds):
            shown = skew_by_bounces(rig, 0.5, skew, seed)
            errors.append(math.inf if shown is None else abs(shown.skew - skew))
            if skew == 0.002 and shown is not None:
                of_two.append(shown.skew)
    yield ("20", "skew by bounces off a spring: error [ms]", 1e3 * max(errors), 0.5)
    for name, mass, noise, restless in (
        ("a force sensor, 5 kg", 5.0, EXTERNAL, 0.0),
        ("the estimate, 5 kg not in its load data", 5.0, rig.noise, 0.35),
    ):
        shown = [
            skew_by_motion(skew, mass, noise, restless, seed)
            for skew in (0.0, 0.003)
            for seed in range(seeds)
        ]
        truth = np.repeat([0.0, 0.003], seeds)
        missed = max(abs(one.skew - tau) for one, tau in zip(shown, truth, strict=True))
        bound = 0.5 if noise is EXTERNAL else None  # of the estimate the spring shows it
        yield ("20", f"skew by the motion, {name}: error [ms]", 1e3 * missed, bound)
    late = replace(rig, sensor_lag=0.002)
    yield ("20", "error of e, skew 2 ms, as it is", worst(late, BOTH, (0.0, 0.1), seeds), None)
    mended = [replace(late, settings={**late.settings, "skew": skew}) for skew in of_two]
    value = max(worst(one, BOTH, (0.0, 0.1), 1) for one in mended)
    yield ("20", "error of e, skew 2 ms, taken out as found", value, 0.03)
