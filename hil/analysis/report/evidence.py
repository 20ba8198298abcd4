"""What a run has to say about each metric: values to be pooled, or the reason why there are none."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.bounces import restitution_errors
from hil.analysis.figures.conservation import drifts
from hil.analysis.figures.impulses import match_impulses
from hil.analysis.figures.limits import speed_ratio, violations
from hil.analysis.figures.plans import changed_plans, configuration_changes, holds
from hil.analysis.figures.residual_acceleration import residual_accelerations
from hil.analysis.figures.tracking import tracking_errors
from hil.analysis.figures.velocity import SETTLED, SWUNG, overshoots, reactions, velocity_errors
from hil.analysis.figures.windows import free_pushes
from hil.common.arrays import Array, BoolArray
from hil.configuration import Configuration
from hil.loop.trace.fields import Trace

SMALL = 1.0  # [N s]; smaller pushes are judged apart where motion noise is on


@dataclass(frozen=True, eq=False)
class Evidence:
    """Values of one metric; none and a reason where it was not measured.

    Attributes:
        values: shape (k,).
        reason: why there are none.
        remark: what must be known of them.
    """

    values: Array
    reason: str = ""
    remark: str = ""


Measure = Callable[[Trace, Configuration], Array]


def missed(trace: Trace, c: Configuration) -> Array:
    """Return the number of pushes that were not detected."""
    return np.array([match_impulses(trace).missed], np.float64)


def false(trace: Trace, c: Configuration) -> Array:
    """Return the number of impulses without a push."""
    return np.array([match_impulses(trace).false], np.float64)


def sim_velocity_errors(trace: Trace, c: Configuration) -> Array:
    """Return the simulated velocity's errors after free pushes [%]."""
    return 100.0 * velocity_errors(trace)[0][counted_relatively(trace, c)[free_pushes(trace, SETTLED)]]


def arm_velocity_errors(trace: Trace, c: Configuration) -> Array:
    """Return the arm's velocity errors after free pushes [%]."""
    return 100.0 * velocity_errors(trace)[1][counted_relatively(trace, c)[free_pushes(trace, SETTLED)]]


def overshoots_percent(trace: Trace, c: Configuration) -> Array:
    """Return the overshoots of the arm's velocity after free pushes [%]."""
    return 100.0 * overshoots(trace)[counted_relatively(trace, c)[free_pushes(trace, SWUNG)]]


def reactions_ms(trace: Trace, c: Configuration) -> Array:
    """Return by how much the arm lags the ideal body after free pushes [ms]."""
    return 1e3 * reactions(trace)


def free_distances(trace: Trace, c: Configuration) -> Array:
    """Return arm against simulation in free rows [mm]."""
    return tracking_errors(trace)[0]


def free_angles(trace: Trace, c: Configuration) -> Array:
    """Return arm against simulation in free rows [deg]."""
    return tracking_errors(trace)[1]


def bounce_distances(trace: Trace, c: Configuration) -> Array:
    """Return arm against simulation in bounces [mm]."""
    return tracking_errors(trace)[2]


def energy_drift(trace: Trace, c: Configuration) -> Array:
    """Return the largest drift of energy; none where walls take some of it."""
    if c.scene is not None and (c.scene.restitution < 1.0 or c.scene.friction > 0.0 or c.scene.interfaces):
        return np.empty(0)
    return _single(drifts(trace)[0])


def momentum_drift(trace: Trace, c: Configuration) -> Array:
    """Return the largest drift of angular momentum."""
    return _single(drifts(trace)[1])


def accelerations(trace: Trace, c: Configuration) -> Array:
    """Return the residual acceleration of each free segment [mm/s2]."""
    return 1e3 * residual_accelerations(trace)


def limit_violations(trace: Trace, c: Configuration) -> Array:
    """Return the number of commands outside any limit."""
    return np.array([np.count_nonzero(violations(trace))], np.float64)


def speed_ratios(trace: Trace, c: Configuration) -> Array:
    """Return the largest joint speed over its limit."""
    return _single(speed_ratio(trace))


def counted_by(count: Callable[[Trace], int]) -> Measure:
    """Return the measure of a number of events."""
    return lambda trace, c: np.array([count(trace)], np.float64)


HOLDS, BRANCHES, MINDS = map(counted_by, (holds, configuration_changes, changed_plans))
RESTITUTION: Measure = restitution_errors


def counted_relatively(trace: Trace, c: Configuration) -> BoolArray:
    """Return which pushes count with their relative error: all, or under motion noise from 1 N s on."""
    size = np.linalg.norm(trace.push_value[:, :3], axis=1)
    noisy = c.emulator.wrench.motion_noise
    counted: BoolArray = (size >= SMALL) | (not noisy)
    return counted


def _single(value: float | None) -> Array:
    return np.empty(0) if value is None else np.array([value])
