"""A robot seen in one plane through its hole, as the paper looks at rectangular pegs.

Of the tip's motion two translations and one turn are left, of forces those in the plane. Where the plane
stands across the arm's own, each joint moves the tip either along the path or across it, never both: the
stiffness is then the same for an offset to either side. The inertia is not, for the arm's shoulder is off
its plane; a planar description has no place for that, and it is averaged with its mirror image.
"""

import numpy as np

from hil.common.arrays import Array
from sim.insertion.reach import Nominal

CLEAN = 1e-6  # share of a joint's motion that counts as none


def in_plane(nominal: Nominal, hole: Array, across: int) -> Nominal:
    """Return a path's linear models with the motion in one plane alone.

    Args:
        nominal: of the whole robot.
        hole: axes of the hole in the base, its first along the path, shape (3, 3).
        across: the hole's axis across the plane, 1 or 2.
    """
    kept = np.ones(6)
    kept[across] = 0.0
    kept[[3, 4, 5]] = 0.0
    kept[3 + across] = 1.0
    both = np.zeros((6, 6))
    both[:3, :3] = both[3:, 3:] = hole
    J = both @ (kept[:, None] * (both.T @ nominal.J))
    sides = _sides(both.T @ J, 3 - across, across)
    M = nominal.M if sides is None else 0.5 * (nominal.M + sides[:, None] * nominal.M * sides)
    return nominal._replace(J=np.ascontiguousarray(J), M=np.ascontiguousarray(M))


def _sides(J: Array, lateral: int, across: int) -> Array | None:
    """Return for each coordinate 1 if it moves the tip along the path, -1 if across; None: one does both.

    Motors are with the joints that they drive: their columns are empty, and they move neither.
    """
    along = np.abs(J[:, 0]).max(axis=0)
    aside = np.maximum(np.abs(J[:, lateral]), np.abs(J[:, 3 + across])).max(axis=0)
    size = max(along.max(), aside.max())
    if (np.minimum(along, aside) > CLEAN * size).any():
        return None
    return np.where(aside > CLEAN * size, -1.0, 1.0)
