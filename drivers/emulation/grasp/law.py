"""What pads, bar and a second arm's tip are, as the flat numbers that compiled code reads."""

from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array
from hil.configuration.grasp import Grasp, Partner, rotation_of

POINTS = 4  # of each pad
ALONG_SHARE = 0.5  # of a pad's stiffness and damping, along its face


class GraspLaw(NamedTuple):
    """Constants of a grasp; SI.

    Attributes:
        bar: its middle in the object [m], (3,).
        R_object_bar: its axes in the object's, (3, 3).
        half: half its edges [m], (3,).
        pad_half: half the way between the points of a pad [m].
        stiffness: of one point along the normal [N/m].
        damping: beside it [N s/m].
        along: stiffness of one point along the pad's face [N/m].
        drag: damping beside it [N s/m].
        friction: Coulomb's coefficient.
        grip: of each finger when closed [N].
        opening: of each pad from the middle when open [m].
        finger: mass of each finger [kg].
        finger_damping: so that a free finger closes at its speed [N s/m].
        mass: apparent, of the tip [kg].
        inertia: apparent, about the tip [kg m2].
        K: stiffness of the tip along and about each axis [N/m, N m/rad], (2,).
        D: damping of it [N s/m, N m s/rad], (2,).
        limits: of the impedance's force and torque [N, N m], (2,).
    """

    bar: Array
    R_object_bar: Array
    half: Array
    pad_half: float
    stiffness: float
    damping: float
    along: float
    drag: float
    friction: float
    grip: float
    opening: float
    finger: float
    finger_damping: float
    mass: float
    inertia: float
    K: Array
    D: Array
    limits: Array


def law_of(grasp: Grasp, partner: Partner) -> GraspLaw:
    """Return the constants of a configuration's grasp."""
    stiffness, damping = grasp.pad_stiffness / POINTS, grasp.pad_damping / POINTS
    return GraspLaw(
        bar=np.array(grasp.bar_position),
        R_object_bar=np.ascontiguousarray(rotation_of(grasp.bar_rotvec)),
        half=0.5 * np.array(grasp.bar_size),
        pad_half=grasp.pad_half,
        stiffness=stiffness,
        damping=damping,
        along=ALONG_SHARE * stiffness,
        drag=ALONG_SHARE * damping,
        friction=grasp.friction,
        grip=grasp.grip,
        opening=grasp.opening,
        finger=grasp.finger_mass,
        finger_damping=grasp.grip / grasp.closing_speed,
        mass=partner.mass,
        inertia=partner.inertia,
        K=np.array([partner.stiffness, partner.stiffness_turning]),
        D=np.array([partner.damping, partner.damping_turning]),
        limits=np.array([partner.force_limit, partner.torque_limit]),
    )
