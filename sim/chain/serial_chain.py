"""A serial chain of rigid bodies, for the kernels: joints that turn or slide, any number of them.

Body 0 is the base. Body i hangs at joint i; its frame is that of the joint and moves with it, as in URDF:
`T_base_i = T_base_(i-1) P_i M_i(q_i)` with the placement P_i at zero and the joint's motion M_i.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array, BoolArray, frozen_array


class SerialChain(NamedTuple):
    """The constants of a chain of n joints; read only.

    Attributes:
        linear: joints that slide along their axis; the others turn about it, shape (n,).
        placements: of each joint's frame in the body before it, at zero, shape (n, 4, 4).
        axes: unit vectors in the joints' frames, shape (n, 3).
        T_last_tip: the tip in the last body, shape (4, 4).
        masses: of the bodies, base first [kg], shape (n + 1,).
        centres: of mass, in the bodies' frames [m], shape (n + 1, 3).
        inertias: about the centres, in the bodies' axes [kg m2], shape (n + 1, 3, 3).
        armatures: the drives' inertia on the joint side [kg m2, kg], shape (n,).
    """

    linear: BoolArray
    placements: Array
    axes: Array
    T_last_tip: Array
    masses: Array
    centres: Array
    inertias: Array
    armatures: Array


def serial_chain(
    linear: Sequence[bool],
    placements: Sequence[Array],
    axes: Sequence[Array],
    T_last_tip: Array,
    masses: Sequence[float],
    centres: Sequence[Array],
    inertias: Sequence[Array],
    armatures: Sequence[float] | None = None,
) -> SerialChain:
    """Return a chain of these constants, with axes of length one; see `SerialChain` for the shapes.

    Raises:
        ValueError: the shapes do not belong together.
    """
    n = len(linear)
    directions = np.reshape(np.asarray(axes, np.float64), (-1, 3))
    chain = SerialChain(
        frozen_array(linear, np.bool_),
        frozen_array(np.reshape(placements, (-1, 4, 4))),
        frozen_array(directions / np.linalg.norm(directions, axis=1, keepdims=True)),
        frozen_array(T_last_tip),
        frozen_array(masses),
        frozen_array(np.reshape(centres, (-1, 3))),
        frozen_array(np.reshape(inertias, (-1, 3, 3))),
        frozen_array(np.zeros(n) if armatures is None else armatures),
    )
    wanted = (n, n, n, 4, n + 1, n + 1, n + 1, n)
    if tuple(len(part) for part in chain) != wanted:
        raise ValueError(f"a chain of {n} joints has parts of {[len(part) for part in chain]}, not {wanted}")
    return chain
