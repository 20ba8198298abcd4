"""From the driver's cycles and what it told of contacts to the wrench's skew, by bounces off a spring."""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.force.timing.spring import AROUND, Loop, SpringSkew, closed_loop, compression, spring_skew
from hil.loop.approach.held_cube import HeldCube
from hil.messaging.messages import Contact, CycleBlock

BIAS = 0.1  # [s] before a contact, of which the bias is the mean
CLEAR = 0.02  # [s] between that and the contact's beginning, as it was told
LEAST_SHARE = 0.95  # of a contact's cycles that must have come


def spring_shown(
    blocks: Sequence[CycleBlock], contacts: Sequence[Contact], c: Configuration
) -> SpringSkew | None:
    """Return what the contacts that ended show; None if too few of them can be used.

    Args:
        blocks: the driver's cycles, in order.
        contacts: what it told of contacts.
        c: the run's.
    """
    if not blocks:
        return None
    stamps = np.concatenate([block.stamps[:, 0] for block in blocks])
    q = np.concatenate([block.q_measured for block in blocks])
    wrench = np.concatenate([block.wrench_object for block in blocks])
    known = np.isfinite(wrench).all(axis=1) & (np.diff(stamps, prepend=stamps[0] - 1) > 0)
    stamps, q, wrench = stamps[known], q[known], wrench[known]
    cube, loops = HeldCube(c), []
    for contact in contacts:
        if contact.ended and (loop := _loop(contact, stamps, q, wrench, cube, c.fri.sample_time)) is not None:
            loops.append(loop)
    return spring_skew(loops)


def _loop(
    contact: Contact, stamps: Array, q: Array, wrench: Array, cube: HeldCube, step: float
) -> Loop | None:
    """Return what one contact shows; None if it is too short, or cycles of it are missing."""
    before, after = round(1e9 * (BIAS + AROUND)), round(1e9 * AROUND)
    part = slice(*np.searchsorted(stamps, (contact.t_start_ns - before, contact.t_end_ns + after)).tolist())
    t = 1e-9 * (stamps[part] - contact.t_start_ns)
    whole = BIAS + 2.0 * AROUND + 1e-9 * (contact.t_end_ns - contact.t_start_ns)
    if len(t) < LEAST_SHARE * whole / step:
        return None
    grid = np.arange(t[0], t[-1], step)
    R, p = cube.object_poses(np.stack([np.interp(grid, t, x) for x in q[part].T], axis=1))
    felt = np.stack([np.interp(grid, t, x) for x in wrench[part].T], axis=1)
    in_world = np.einsum("nij,nkj->nki", R, felt.reshape(-1, 2, 3)).reshape(-1, 6)
    in_world -= in_world[(grid > -BIAS) & (grid < -CLEAR)].mean(axis=0)
    during = grid > -AROUND
    depth, force = compression(p[during], _turns(R[during]), in_world[during])
    return closed_loop(depth, force, step)


def _turns(R: Array) -> Array:
    """Return the small turns from the first attitude, world axes [rad], shape (n, 3)."""
    D = R @ R[0].T
    return 0.5 * np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1)
