"""How far the arm held the mock-up from where the simulation had it."""

import math

import numpy as np

from hil.analysis.figures.windows import moving_rows
from hil.common.arrays import Array, BoolArray
from hil.loop.judging.state_machine import State
from hil.loop.trace.fields import Trace

BEGINNING = 2.0  # [s] after floating begins; the arm starts from rest
AFTER_PUSH = 1.0  # [s] after a push; the arm catches up with what could not be known
AFTER_BOUNCE = 0.2  # [s] after a contact that still belong to the bounce


def distances(trace: Trace) -> tuple[Array, Array]:
    """Return the distance [m] and the angle [rad] between arm and simulation at each row, shape (n,)."""
    distance = np.linalg.norm(trace.p_world_object_arm - trace.p_world_object_sim, axis=1)
    a, b = trace.quat_world_object_sim, trace.quat_world_object_arm
    # vector part of conj(a) b; the arc sine of it, since the cosine loses half the digits near zero
    vector = a[:, :1] * b[:, 1:] - b[:, :1] * a[:, 1:] - np.cross(a[:, 1:], b[:, 1:])
    sine = np.linalg.norm(vector, axis=1)
    return distance, 2.0 * np.arctan2(sine, np.abs(np.sum(a * b, axis=1)))


def followed_rows(trace: Trace) -> BoolArray:
    """Return the rows that count: floating for 2 s, and no push now nor in the second before.

    Where no true push is known, detected impulses stand for them.
    """
    t = trace.t
    moving = moving_rows(trace)
    counted = trace.state == State.FLOATING
    began = np.zeros(len(t), dtype=bool)
    began[:1] = moving[:1]
    began[1:] = moving[1:] & (~moving[:-1] | (np.diff(trace.epoch) != 0))
    for instant in t[began]:
        counted &= ~((t >= instant) & (t < instant + BEGINNING))
    pushes = (trace.push_t_start, trace.push_t_end)
    pushes = pushes if len(pushes[0]) else (trace.impulse_t_start, trace.impulse_t_end)
    for start, end in zip(*pushes, strict=True):
        first, last = np.searchsorted(t, [start, end + AFTER_PUSH])
        counted[first:last] = False
    rows: BoolArray = counted
    return rows


def tracking_errors(trace: Trace) -> tuple[Array, Array, Array]:
    """Return the distances in free rows [mm], the angles there [deg], and the distances in bounces [mm].

    Free rows are those without contact; a bounce is a contact and the 0.2 s after it.
    """
    distance, angle = distances(trace)
    counted = followed_rows(trace)
    free = counted & ~trace.contact_sim
    bouncing = counted & _with_aftermath(trace.t, trace.contact_sim)
    return 1e3 * distance[free], np.degrees(angle[free]), 1e3 * distance[bouncing]


def tracking_figures(trace: Trace) -> dict[str, float | None]:
    """Return `{free_rms_mm, free_rms_deg, bounce_max_mm}`."""
    mm, deg, bouncing = tracking_errors(trace)
    return {
        "free_rms_mm": rms(mm),
        "free_rms_deg": rms(deg),
        "bounce_max_mm": float(bouncing.max()) if len(bouncing) else None,
    }


def rms(values: Array) -> float | None:
    """Return the root of the mean square, None where there is nothing to measure."""
    return math.sqrt(float(np.mean(values**2))) if len(values) else None


def _with_aftermath(t: Array, contact: BoolArray) -> BoolArray:
    """Return the rows in contact or up to 0.2 s after one."""
    newest = np.maximum.accumulate(np.where(contact, t, -np.inf)) if len(t) else t
    near: BoolArray = t - newest <= AFTER_BOUNCE
    return near
