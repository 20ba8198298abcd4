"""What a drive is to the joint that it turns: its inertia and friction by its ratio, seen from the joint."""

import math
from dataclasses import dataclass

from hil.common.errors import AssemblyError
from sim.assembly.chain import Chain
from sim.assembly.component_schema import Joint, Linear
from sim.assembly.manipulator import armature_of


@dataclass(frozen=True)
class JointSide:
    """A drive's figures on the joint's side: of a rigid gear.

    Attributes:
        ratio: motor's turns by the joint's way [1, rad/m]; 1 where no drive is named.
        rotor_inertia: on the motor's side [kg m2]; where no drive is named the armature [kg m2, kg].
        armature: on the joint's side [kg m2, kg].
        damping: viscous [N m s/rad, N s/m].
        friction: Coulomb [N m, N].
    """

    ratio: float
    rotor_inertia: float
    armature: float
    damping: float
    friction: float


def joint_side(chain: Chain, joint: Joint) -> JointSide:
    """Return the drive's figures on the joint's side.

    Raises:
        AssemblyError: what a joint names as motor or gear is none, or a linear drive has no pitch.
    """
    armature = armature_of(chain, joint)
    if joint.motor is None or joint.gear is None:
        return JointSide(1.0, joint.armature, armature, 0.0, 0.0)
    motor, gear = chain.database[joint.motor].motor, chain.database[joint.gear].gear
    if motor is None or gear is None:
        raise AssemblyError(f"{joint.motor!r} must be a motor, and {joint.gear!r} a gear")
    way = 1.0  # the gear's turns by the joint's way
    if isinstance(joint, Linear) and joint.pitch is not None:
        way = 2.0 * math.pi / joint.pitch
    ratio = gear.ratio * way
    return JointSide(
        ratio,
        motor.rotor_inertia + gear.inertia,
        armature,
        motor.viscous * ratio**2 + gear.viscous * way**2,
        motor.coulomb * ratio + gear.coulomb * way,
    )
