"""Whether the simulated body keeps its energy and angular momentum where nothing acts on it."""

import numpy as np
from numba import njit

from hil.analysis.figures.windows import holes, moving_rows, taking_in
from hil.common.arrays import Array, BoolArray
from hil.loop.trace.fields import Trace

FULL_PACE = 1.0 - 1e-9
NEGLIGIBLE = 1e-12  # [J], [N m s] a norm below which no relative drift is formed


def drifts(trace: Trace) -> tuple[float | None, float | None]:
    """Return the largest relative drifts of kinetic energy and angular momentum.

    A stretch runs from one reported impulse slice or press of a pin to the next, at full pace: an object
    that floats anew may begin within a stop and creeps out of it while object time gains pace. It ends where
    rows are missing, as where the simulation stood still longer than its states count: a push that came
    meanwhile is in the first row behind the hole, and its slices are told before. Energy is
    compared with the stretch's first contact-free row, across contacts but not within them (the stops'
    springs then hold some of it); angular momentum only as far as the first contact, since the stops
    exert torques.
    """
    disturbed = ~moving_rows(trace) | taking_in(trace) | (trace.rate < FULL_PACE) | trace.pressed_sim
    disturbed |= holes(trace)
    disturbed[1:] |= np.diff(trace.epoch) != 0
    if len(trace.inside_t):
        return _of_all_bodies(trace, disturbed)
    momentum, energy = _momentum_and_energy(trace)
    nothing = np.zeros(len(trace.t), dtype=bool)
    energy_drift = _largest_drift(energy[:, None], disturbed, trace.contact_sim)
    momentum_drift = _largest_drift(momentum, disturbed | trace.contact_sim, nothing)
    return (
        None if np.isnan(energy_drift) else float(energy_drift),
        None if np.isnan(momentum_drift) else float(momentum_drift),
    )


def _of_all_bodies(trace: Trace, disturbed: BoolArray) -> tuple[float | None, float | None]:
    """Return the drifts of an object with bodies inside: of all of them, about their common centre.

    Energy is that of all bodies less what those that move by themselves have done, and only its growth
    counts,
    for dampers inside may take some; momentum is that along and about. A state counts only where the rows
    around it are undisturbed.

    Args:
        trace: the run.
        disturbed: rows at which something acts, shape (n,).
    """
    row = np.searchsorted(trace.t, trace.inside_t, side="right") - 1
    ends = np.concatenate([[0], np.cumsum(disturbed)])
    known = row >= 0
    acted = np.diff(ends[np.maximum(row, 0)], prepend=0) > 0
    ended = ~known | acted | disturbed[np.maximum(row, 0)]
    touching = trace.contact_sim[np.maximum(row, 0)]
    energy = trace.inside_energy - trace.inside_work
    found = (
        _largest_growth(energy, ended, touching),
        _largest_drift(np.ascontiguousarray(trace.inside_momentum), ended | touching, np.zeros_like(ended)),
    )
    energy_drift, momentum_drift = (None if np.isnan(drift) else float(drift) for drift in found)
    return energy_drift, momentum_drift


def _largest_growth(values: Array, ends: BoolArray, skipped: BoolArray) -> float:
    """Return the largest growth within a stretch over its first value; NaN when no stretch has two rows."""
    largest, first, least = np.nan, np.nan, np.nan
    for value, end, skip in zip(values.tolist(), ends.tolist(), skipped.tolist(), strict=True):
        if end:
            first = np.nan
        elif not skip and np.isnan(first):
            first = least = value
        elif not skip and first > NEGLIGIBLE:
            least = min(least, value)
            largest = float(np.nanmax([largest, (value - least) / first]))
    return largest


def _momentum_and_energy(trace: Trace) -> tuple[Array, Array]:
    """Return angular momentum in world axes [N m s] (n, 3) and kinetic energy [J] (n,)."""
    w, x, y, z = trace.quat_world_object_sim.T
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    v, omega = trace.twist_world_object_sim[:, :3], trace.twist_world_object_sim[:, 3:]
    spin = np.einsum("ijn,ni->nj", R, omega)  # in object axes
    momentum = np.einsum("ijn,nj->ni", R, spin @ trace.inertia_object.T)
    energy = 0.5 * float(trace.mass_kg) * np.sum(v * v, axis=1) + 0.5 * np.sum(omega * momentum, axis=1)
    return momentum, energy


@njit(cache=True)
def _largest_drift(values: Array, ends: BoolArray, skipped: BoolArray) -> float:
    """Return the largest relative change within a stretch; NaN when no stretch has two rows."""
    largest = np.nan
    reference = np.zeros(values.shape[1])
    norm = -1.0
    for k in range(len(values)):
        if ends[k]:
            norm = -1.0
        elif not skipped[k]:
            if norm < 0.0:
                reference = values[k].copy()
                norm = np.sqrt(np.sum(reference**2))
            elif norm > NEGLIGIBLE:
                drift = np.sqrt(np.sum((values[k] - reference) ** 2)) / norm
                if not drift <= largest:
                    largest = drift
    return largest
