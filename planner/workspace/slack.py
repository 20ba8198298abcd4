"""How far one posture is from what a certified set forbids: limits, singularities, touching the arm.

Slacks are joint limits A1..A7 (0 to 6) and singularities A2, A4, A6 (7 to 9) in rad, then clearances of
the mock-up to column, upper arm and forearm (10 to 12) in m; a negative one is a violation.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray
from planner.kinematics.arm_bodies import ARM_RADIUS
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.inverse import solve_into
from planner.workspace.set_geometry import SetGeometry, WorkspaceSet

MARGIN = math.radians(5.0)  # to limits and singularities
SLACKS = 13
SEARCH_STEPS = 14  # of the nearest point of a link to the mock-up: (2/3)^14 of its length


class ArmBounds(NamedTuple):
    """The arm for the kernels: joint bounds with the margin, and A7's with the twist, taken off.

    Lengths and signs of an arm without a closed form are no numbers.
    """

    lengths: Array
    signs: Array
    lower: Array
    upper: Array


def arm_bounds(model: ArmModel, workspace: WorkspaceSet) -> ArmBounds:
    """Return the bounds for a set; where twist turns A7 alone, all of it must fit at every pose."""
    lower, upper = model.lower + MARGIN, model.upper - MARGIN
    if workspace.twist_is_a7:
        lower[6] += workspace.full_twist
        upper[6] -= workspace.full_twist
    row = model.geometry[0]
    return ArmBounds(np.array(row["lengths"]), np.array(row["signs"]), lower, upper)


def slack_name(index: int) -> str:
    """Return what slack `index` is about, for people."""
    if index < 7:
        return f"limit of A{index + 1}"
    if index < 10:
        return f"singularity at A{2 * (index - 7) + 2} = 0"
    return f"clearance of the mock-up to the {('column', 'upper arm', 'forearm')[index - 10]}"


@njit(cache=True, error_model="numpy")
def slacks_into(
    slacks: Array,
    q: Array,
    arm: ArmBounds,
    T_base_object: Array,
    T_base_flange: Array,
    mockup_half: float,
    arm_angle: float,
    branch: int,
) -> bool:
    """Write posture `q` (7,) and its slacks (13,); return False when the pose is out of reach.

    Args:
        slacks: receives the slacks, see the module.
        q: receives the joints [rad].
        arm: lengths, signs and bounds.
        T_base_object: pose of the mock-up's centre, shape (4, 4).
        T_base_flange: pose of the flange that goes with it, shape (4, 4).
        mockup_half: half the edge of the held cube [m].
        arm_angle: stereographic arm angle [rad].
        branch: 0 to 7.
    """
    q[:] = 0.0
    if not solve_into(q, arm.lengths, arm.signs, T_base_flange, arm_angle, branch, q):
        return False
    for j in range(7):
        slacks[j] = min(q[j] - arm.lower[j], arm.upper[j] - q[j])
    for k in range(3):
        slacks[7 + k] = abs(q[2 * k + 1]) - MARGIN
    a1, a2 = arm.signs[0] * q[0], arm.signs[1] * q[1]
    shoulder = np.array([0.0, 0.0, arm.lengths[0]])
    elbow = shoulder + arm.lengths[1] * np.array(
        [math.cos(a1) * math.sin(a2), math.sin(a1) * math.sin(a2), math.cos(a2)]
    )
    wrist = T_base_flange[:3, 3] - arm.lengths[3] * T_base_flange[:3, 2]
    slacks[10] = distance_to_box(np.zeros(3), shoulder, T_base_object, mockup_half) - ARM_RADIUS
    slacks[11] = distance_to_box(shoulder, elbow, T_base_object, mockup_half) - ARM_RADIUS
    slacks[12] = distance_to_box(elbow, wrist, T_base_object, mockup_half) - ARM_RADIUS
    return True


@njit(cache=True, error_model="numpy")
def distance_to_box(start: Array, end: Array, T_base_box: Array, half: float) -> float:
    """Return the distance of a segment from a cube [m], by thirds: it is convex along the segment.

    Args:
        start: of the segment, base axes [m], shape (3,).
        end: of the segment, base axes [m], shape (3,).
        T_base_box: pose of the cube's centre, shape (4, 4).
        half: half the cube's edge [m].
    """
    local, along = np.empty(3), np.empty(3)
    for i in range(3):
        local[i] = along[i] = 0.0
        for k in range(3):
            local[i] += T_base_box[k, i] * (start[k] - T_base_box[k, 3])
            along[i] += T_base_box[k, i] * (end[k] - start[k])
    low, high = 0.0, 1.0
    for _ in range(SEARCH_STEPS):
        first, second = (2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0
        if _square_outside(local, along, first, half) <= _square_outside(local, along, second, half):
            high = second
        else:
            low = first
    return math.sqrt(_square_outside(local, along, 0.5 * (low + high), half))


@njit(cache=True, inline="always")
def _square_outside(local: Array, along: Array, u: float, half: float) -> float:
    total = 0.0
    for i in range(3):
        beyond = abs(local[i] + u * along[i]) - half
        if beyond > 0.0:
            total += beyond * beyond
    return total


@njit(cache=True, error_model="numpy")
def allowed_into(
    allowed: BoolArray,
    arm: ArmBounds,
    geometry: SetGeometry,
    T_base_object: Array,
    arm_angles: Array,
    branch: int,
) -> int:
    """Write which arm angles keep every slack at one pose, shape (m,); return how many.

    An arm angle whose joints are more than a quarter turn from those of the one before is not allowed
    either: between the two a joint may have gone round.
    """
    T_base_flange = T_base_object @ geometry.T_object_flange
    slacks, q, before = np.empty(SLACKS), np.empty(7), np.empty(7)
    count = 0
    connected = False
    for j in range(-1, arm_angles.shape[0]):
        reached = slacks_into(
            slacks, q, arm, T_base_object, T_base_flange, geometry.mockup_half, arm_angles[j], branch
        )
        good = reached and bool(slacks.min() >= 0.0)
        if good and connected and largest_difference(q, before) > 0.5 * math.pi:
            good = False
        connected = good
        before[:] = q
        if j >= 0:
            allowed[j] = good
            count += 1 if good else 0
    return count


@njit(cache=True, inline="always")
def largest_difference(a: Array, b: Array) -> float:
    """Return the largest difference of two joint positions (7,) [rad]."""
    largest = 0.0
    for k in range(7):
        largest = max(largest, abs(a[k] - b[k]))
    return largest
