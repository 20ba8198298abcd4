"""Arm and port over one cycle of the loop, exactly: drives with a dead time, a port that may move.

The driver's answers are nodes, and the controller goes from one to the next in a straight line, one dead time
later. So a cycle has two pieces on which the input is linear, and their transitions are matrix exponentials.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import expm

from hil.common.arrays import Array
from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay

LEAST_PIECE = 1e-9  # of a cycle; shorter is none


@dataclass(frozen=True)
class SampledPlant:
    """The transitions of a cycle.

    Attributes:
        late: whole cycles of the dead time.
        share: of a cycle that is left of it; so long is the first piece.
        touching: new `[x_a, v_a, x_e, v_e]` of arm and port from `[x_a, v_a, x_e, v_e, u_0, u_1]` over one of
            `steps` equal parts of either piece, while they touch; shape (2, 4, 6).
        apart: the same while they do not.
        steps: parts of a piece.
    """

    late: int
    share: float
    touching: Array
    apart: Array
    steps: int


def sampled_plant(contact: Contact, loop: LoopDelay, steps: int = 1) -> SampledPlant:
    """Return the plant of a contact in a loop, each piece cut into `steps`."""
    cycles = loop.dead / loop.cycle + LEAST_PIECE
    late = int(cycles)
    share = cycles - late if cycles - late > 2.0 * LEAST_PIECE else 0.0
    pieces = [share * loop.cycle / steps, (1.0 - share) * loop.cycle / steps]
    k, d, m = contact.stiffness, contact.damping, contact.port_mass
    touching = np.array([_transition(loop, k / m, d / m, piece) for piece in pieces])
    apart = np.array([_transition(loop, 0.0, 0.0, piece) for piece in pieces])
    return SampledPlant(late, share, touching, apart, steps)


@lru_cache(maxsize=16384)
def _transition(loop: LoopDelay, k: float, d: float, step: float) -> Array:
    """Return the matrix (4, 6) of a step [s], to be read only; k, d over the port's mass [1/s^2, 1/s]."""
    if step == 0.0:
        return np.eye(4, 6)
    A = np.zeros((6, 6))  # of [x_a, v_a, x_e, v_e, u, u']
    if loop.lag > 0.0:
        wd = loop.drive_rate
        A[0, 1] = 1.0
        A[1, [0, 1, 4]] = -wd * wd, -2.0 * loop.damping * wd, wd * wd
    A[2, 3] = 1.0
    A[3] = [k, d, -k, -d, 0.0, 0.0]
    A[4, 5] = 1.0
    if loop.lag == 0.0:  # the arm is where its input is
        A[3] = [0.0, 0.0, -k, -d, k, d]
    full = expm(A * step)
    slope = full[:4, 5] / step
    M = np.column_stack((full[:4, :4], full[:4, 4] - slope, slope))
    if loop.lag == 0.0:
        M[0] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        M[1] = [0.0, 0.0, 0.0, 0.0, -1.0 / step, 1.0 / step]
    return M
