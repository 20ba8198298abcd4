"""Every bounce of a run and its restitution, for stops and walls alike, without their geometry.

theory: what a contact without friction gives the body is one impulse P = (m dv, dL) along the contact's
own direction. The speed along it is u = P . (v, omega) / sqrt(P . M^-1 P), and the restitution is
-u_after / u_before. At a wall that is Newton's law, at however many points; at the energy-neutral stops it
is 1 exactly when the kinetic energy is kept, whatever the axes that are touched at once. With friction it
is that of the whole impulse, not of the wall's normal.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hil.analysis.figures.windows import TWIST_SCALE, holes, moving_rows, taking_in
from hil.common.arrays import Array, BoolArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from hil.loop.trace.fields import Trace
from hil.loop.trace.ideal_body import touching_stops
from sim.world.stops import world_stops

Body = Literal["sim", "ideal"]
SLOWEST = 1e-3  # [m/s] of a bounce that counts: a touch that is slower is all rounding
STOPS_RESTITUTION = 1.0
SUDDEN = 0.2  # of a contact's change of velocity in one row; a stop takes tens of rows for all of it


@dataclass(frozen=True, eq=False)
class Bounce:
    """One contact, from its beginning to its end.

    Attributes:
        t: its middle [s].
        rows: the row before it and the row behind it.
        direction: of its impulse: unit force, and torque over the same size [m], world axes, shape (6,).
        speed_before: along it, towards the obstacle, as a speed of the centre of mass of the same
            energy [m/s].
        speed_after: away from the obstacle [m/s].
    """

    t: float
    rows: tuple[int, int]
    direction: Array
    speed_before: float
    speed_after: float

    @property
    def restitution(self) -> float:
        """Speed after over speed before."""
        return self.speed_after / self.speed_before


def bounces(trace: Trace, body: Body = "sim") -> list[Bounce]:
    """Return the bounces of a body in which nothing but the obstacle acts on it.

    Left out are those that begin or end outside the motion, those with a push (of the ideal body) or a
    slice (of the simulated one) within, and touches that are slower than 1 mm/s.

    Args:
        trace: of a run.
        body: `sim`: as simulated; `ideal`: the ideal body, which knows no walls.
    """
    contact = trace.contact_ideal if body == "ideal" else trace.contact_sim
    found = []
    for first, last in _stretches(contact, _disturbed(trace, body)):
        bounce = _bounce(trace, first, last, body)
        if bounce.speed_before > SLOWEST:
            found.append(bounce)
    return found


def restitution_errors(trace: Trace, c: Configuration) -> Array:
    """Return how far the restitution of each simulated bounce is from what is configured, shape (k,).

    Stops are neutral: 1. Walls have that of the scene; with friction they are left out, since its impulse
    is not along the wall's normal. So is a wall that is hit while a stop is touched: what both do together
    is configured nowhere.
    """
    stops = world_stops(c)
    errors = []
    for bounce in bounces(trace):
        rows = slice(bounce.rows[0] + 1, bounce.rows[1])
        p, quat = trace.p_world_object_sim[rows], trace.quat_world_object_sim[rows]
        if touching_stops(p, quat, stops).any():
            if not _sudden(trace, bounce):
                errors.append(abs(bounce.restitution - STOPS_RESTITUTION))
        elif c.scene is not None and c.scene.friction == 0.0 and c.scene.interfaces is None:
            errors.append(abs(bounce.restitution - c.scene.restitution))
    return np.array(errors)


def _sudden(trace: Trace, bounce: Bounce) -> bool:
    """Return whether a contact made much of its change from one row to the next, as no spring does."""
    twist = trace.twist_world_object_sim[bounce.rows[0] : bounce.rows[1] + 1] * TWIST_SCALE
    steps = np.linalg.norm(np.diff(twist, axis=0), axis=1)
    return bool(steps.max() > SUDDEN * np.linalg.norm(twist[-1] - twist[0]))


def bounce_figures(trace: Trace) -> dict[str, float | int | None]:
    """Return `{count, restitution_least, restitution_most}` of the simulated body."""
    found = [bounce.restitution for bounce in bounces(trace)]
    return {
        "count": len(found),
        "restitution_least": min(found, default=None),
        "restitution_most": max(found, default=None),
    }


def _disturbed(trace: Trace, body: Body) -> BoolArray:
    """Return the rows at which something else may act on a body, shape (n,)."""
    disturbed = ~moving_rows(trace) | (trace.rate < 1.0 - 1e-9) | holes(trace)
    disturbed[1:] |= np.diff(trace.epoch) != 0
    if body == "ideal":
        return disturbed | trace.ideal_reset | trace.wrench_true.any(axis=1)
    found: BoolArray = disturbed | taking_in(trace)
    return found


def _stretches(contact: BoolArray, disturbed: BoolArray) -> list[tuple[int, int]]:
    """Return first and last row of each contact that is undisturbed, the rows around it included."""
    edges = np.diff(np.concatenate([[0], contact.astype(np.int64), [0]]))
    count = np.concatenate([[0], np.cumsum(disturbed)])
    found = []
    for first, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        # a body that is set anew in the row before has come into that row undisturbed
        if first > 0 and end < len(contact) and count[end + 1] == count[first]:
            found.append((int(first), int(end) - 1))
    return found


def _bounce(trace: Trace, first: int, last: int, body: Body) -> Bounce:
    quat = getattr(trace, f"quat_world_object_{body}")
    twist = getattr(trace, f"twist_world_object_{body}")
    before, after = first - 1, last + 1
    momenta = [_momentum(trace, quat[row], twist[row]) for row in (before, after)]
    impulse = momenta[1] - momenta[0]
    return _along(trace, impulse, (before, after), quat[before], twist[before], twist[after])


def _along(
    trace: Trace, impulse: Array, rows: tuple[int, int], quat: Array, before: Array, after: Array
) -> Bounce:
    """Return the bounce by an impulse (6,) of a body with twists (6,) before and after it."""
    R = matrix_from_quat(quat)
    turned = np.linalg.solve(R @ trace.inertia_object @ R.T, impulse[3:])
    mass = float(trace.mass_kg)
    size = float(np.sqrt(impulse[:3] @ impulse[:3] + mass * impulse[3:] @ turned))
    t = 0.5 * float(trace.t[rows[0]] + trace.t[rows[1]])
    if size == 0.0:
        return Bounce(t, rows, impulse, 0.0, 0.0)
    norm = np.linalg.norm(impulse[:3]) or np.linalg.norm(impulse)
    return Bounce(t, rows, impulse / norm, -float(impulse @ before) / size, float(impulse @ after) / size)


def _momentum(trace: Trace, quat: Array, twist: Array) -> Array:
    """Return momentum and angular momentum, world axes, shape (6,)."""
    R = matrix_from_quat(quat)
    momentum = float(trace.mass_kg) * twist[:3]
    return np.concatenate([momentum, R @ trace.inertia_object @ R.T @ twist[3:]])
