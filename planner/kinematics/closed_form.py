"""Whether an arm is one of ours: spherical-rotational-spherical without offsets, so with a closed form.

At zero pose the joint axes of such an arm are z, y, z, y, z, y, z (each up to its sign) and cross the line
x = y = 0 of the base, and the flange has the base's axes.
"""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain, serial_chain

AXIS_TOLERANCE = 1e-6  # of a unit axis' components
OFFSET_TOLERANCE = 1e-6  # [m]
LEAST_LENGTH = 0.01  # [m] from shoulder to elbow to wrist
LINE_NAMES = ("z", "y", "z", "y", "z", "y", "z")
HEIGHTS = (0, -1, 1, -1, 2, -1, -1)  # which length lies below each joint; -1: none


class NoClosedFormError(Exception):
    """An arm's geometry is not ours; says by which joint."""


def lengths_and_signs(names: Sequence[str], chain: SerialChain) -> tuple[Array, Array]:
    """Return the lengths [m], shape (4,), and signs (7,) of an arm of ours.

    Args:
        names: of the joints.
        chain: from base to flange, of seven joints.

    Raises:
        NoClosedFormError: it is none.
    """
    T, heights, signs = np.eye(4), [], []
    for index, name in enumerate(names):
        T = T @ chain.placements[index]
        sign, height = _axis_on_line(name, index, T, chain.axes[index])
        signs.append(sign)
        heights.append(height)
    T = T @ chain.T_last_tip
    beside = np.hypot(T[0, 3], T[1, 3])
    if np.max(np.abs(T[:3, :3] - np.eye(3))) > AXIS_TOLERANCE or beside > OFFSET_TOLERANCE:
        raise NoClosedFormError(
            "link 'flange' must lie on joint 7's axis with the base's axes at zero pose; put offsets and "
            "turns into robot.tcp_position_mm and robot.tcp_rotvec_deg"
        )
    lengths = np.array([heights[1], heights[3] - heights[1], heights[5] - heights[3], T[2, 3] - heights[5]])
    for value, text in zip(lengths[1:3], ("shoulder to elbow", "elbow to wrist"), strict=True):
        if value <= LEAST_LENGTH:
            raise NoClosedFormError(f"length {text} is {value:.4f} m, must be above {LEAST_LENGTH} m")
    if lengths[0] < 0.0 or lengths[3] < 0.0:
        raise NoClosedFormError(
            f"base to shoulder and wrist to flange must not be negative: {lengths.tolist()}"
        )
    return lengths, np.array(signs)


def chain_of(lengths: Array, signs: Array) -> SerialChain:
    """Return an arm of ours as a chain from base to flange; its bodies have no mass."""
    axes = [sign * np.eye(3)[2 if j % 2 == 0 else 1] for j, sign in enumerate(signs)]
    placements = [_lifted(lengths[k] if k >= 0 else 0.0) for k in HEIGHTS]
    return massless_chain(placements, axes, _lifted(lengths[3]))


def massless_chain(placements: Sequence[Array], axes: Sequence[Array], T_last_tip: Array) -> SerialChain:
    """Return a chain of joints that turn, for its kinematics alone."""
    n = len(placements)
    nothing = [np.zeros(3)] * (n + 1)
    still = [np.zeros((3, 3))] * (n + 1)
    return serial_chain([False] * n, placements, axes, T_last_tip, [0.0] * (n + 1), nothing, still)


def _lifted(height: float) -> Array:
    T = np.eye(4)
    T[2, 3] = height
    return T


def _axis_on_line(name: str, index: int, T: Array, axis: Array) -> tuple[float, float]:
    """Return sign and height [m] of a joint axis; refuse one that is not on the arm's line."""
    direction = T[:3, :3] @ axis
    wanted = 2 if LINE_NAMES[index] == "z" else 1
    sign = float(np.sign(direction[wanted]))
    if abs(abs(direction[wanted]) - 1.0) > AXIS_TOLERANCE:
        raise NoClosedFormError(
            f"joint {name!r} (number {index + 1}) turns about {np.round(direction, 4).tolist()} at zero "
            f"pose; a spherical-rotational-spherical arm needs +-{LINE_NAMES[index]} there"
        )
    offset = abs(T[0, 3]) if wanted == 1 else float(np.hypot(T[0, 3], T[1, 3]))
    if offset > OFFSET_TOLERANCE:
        raise NoClosedFormError(
            f"the axis of joint {name!r} (number {index + 1}) passes {1e3 * offset:.3f} mm beside the "
            "arm's line x = y = 0; the axes of shoulder, elbow and wrist must cross it (no offsets)"
        )
    return sign, float(T[2, 3])
