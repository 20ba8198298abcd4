"""The fields of the map: errors of restitution and limits of stability over `w T` and damping."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact
from hil.force.map.critical_delay import critical_dead_time
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import COARSE, growth
from hil.force.map.restitution import ideal_restitution
from hil.force.map.rule import Touch, expected_error

LEAST_WT, MOST_WT, MOST_RATIO = 0.05, 4.0, 0.6
PLACES, RATIOS = 73, 37  # of the bounces
BORDERS = 16  # of the closed form at little damping, where it is told apart on a logarithm
COARSER = 4  # of the poles
PHASES = (0.15, 0.65)  # of entry, whose worse error counts


@dataclass(frozen=True)
class Fields:
    """What the map draws.

    Attributes:
        rate_delay: w T, shape (n,).
        ratio: damping ratios z, shape (m,).
        ideal: restitution as it should be, over `ratio`; shape (m,).
        bare: error of restitution `e - e_ideal` without compensation, shape (m, n).
        lead: the same with lead alone.
        model: bound on it with scheme S.
        coarse_rate_delay: of the next, shape (p,).
        coarse_ratio: shape (q,).
        lead_growth: rate at which a pressed contact swings up, with lead, over w; shape (q, p).
        border_ratio: of the next, shape (b,).
        border: closed-form border of stability without compensation, w T over `border_ratio`; shape (b,).
    """

    rate_delay: Array
    ratio: Array
    ideal: Array
    bare: Array
    lead: Array
    model: Array
    coarse_rate_delay: Array
    coarse_ratio: Array
    lead_growth: Array
    border_ratio: Array
    border: Array


def fields_of(contact: Contact, loop: LoopDelay, touch: Touch) -> Fields:
    """Return the fields for this body, port mass and loop; spring and damper vary.

    A long delay is looked at in coarser cycles.
    """
    loop = loop.coarsened(COARSE)
    wT = np.geomspace(LEAST_WT, MOST_WT, PLACES)
    ratio = np.linspace(0.0, MOST_RATIO, RATIOS)
    border_ratio = np.concatenate((np.geomspace(1e-3, 0.05, BORDERS), np.linspace(0.06, MOST_RATIO, 55)))
    cells = [_at(contact, loop, x, z) for z in ratio for x in wT]
    ideal = np.array([ideal_restitution(z) for z in ratio])
    model = np.array([expected_error(x / loop.total, loop.total, touch) for x in wT])
    coarse_rate_delay, coarse_ratio = wT[::COARSER], ratio[::COARSER]
    poles = [
        [growth(_at(contact, loop, x, z), loop, loop.interface) * loop.total / x for x in coarse_rate_delay]
        for z in coarse_ratio
    ]
    return Fields(
        wT, ratio, ideal,
        _errors(cells, loop, 0.0, ideal),
        _errors(cells, loop, loop.interface, ideal),
        np.tile(model, (RATIOS, 1)),
        coarse_rate_delay, coarse_ratio, np.array(poles),
        border_ratio,
        np.array([border_wT(contact, loop, z) for z in border_ratio]),
    )  # fmt: skip


def border_wT(contact: Contact, loop: LoopDelay, ratio: float) -> float:
    """Return the `w T` up to which a pressed contact of this damping ratio is stable in the bare loop."""
    low, high = 0.0, 2.0 * MOST_WT
    for _ in range(24):
        middle = 0.5 * (low + high)
        stable = critical_dead_time(_at(contact, loop, middle, ratio), loop) > loop.total - loop.lag
        low, high = (middle, high) if stable else (low, middle)
    return low


def _at(contact: Contact, loop: LoopDelay, wT: float, ratio: float) -> Contact:
    return Contact.of_ratio(contact.mass, wT / loop.total, ratio, contact.port_mass)


def _errors(cells: list[Contact], loop: LoopDelay, lead: float, ideal: Array) -> Array:
    """Return the worse error of two phases of entry, shape (m, n)."""
    found = np.array(
        [bounces(cells, [loop] * len(cells), [lead] * len(cells), p).restitution for p in PHASES]
    ).reshape(len(PHASES), len(ideal), -1)
    errors = found - ideal[:, None]
    worse = np.abs(errors).argmax(axis=0)
    chosen: Array = np.take_along_axis(errors, worse[None], axis=0)[0]
    return chosen
