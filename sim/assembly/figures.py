"""What an assembly can do: mass, reach, payload, and what each joint has left at rest.

source: Krenn et al., section on data import (alpha-numerical information about what is assembled).
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from sim.assembly.chain import Chain
from sim.assembly.component_schema import Gear, Joint, Motor, Revolute
from sim.assembly.extremes import greatest_static, reach_from_axis, static_effort, within_turns
from sim.assembly.manipulator import Manipulator, manipulator_of

SHORT_TIME = 3.0  # times a motor's continuous torque, where its catalogue names no greatest one
SHORT_LEVER = 0.1  # m s-2 times m; a mass that a joint surely does not hold begins the search
REPEATS = 30  # of the search for the payload, at most
SETTLED = 1e-9  # of the payload, in a repeat


@dataclass(frozen=True)
class Margin:
    """What a joint must hold at rest in its worst pose, and what it holds for ever.

    Attributes:
        joint: its name.
        static: greatest torque or force that gravity asks of it, without payload [N m, N].
        continuous: what its drive gives for ever [N m, N].
        margin: the part of it that is left, without payload.
    """

    joint: str
    static: float
    continuous: float
    margin: float


def figures(chain: Chain) -> dict[str, Any]:
    """Return what an assembly can do, for machines.

    Returns:
        joints: their number. mass_kg: of all bodies. reach_m: how far the tip gets from the axis of the
        first joint that turns. payload_kg: the largest mass at the tip that all joints hold at rest in the
        worst pose within their continuous torque; none without gravity. margins: see `Margin`, one a joint.

    Raises:
        AssemblyError: it has no parts, or a drive's part is missing.
    """
    manipulator = manipulator_of(chain)
    lower, upper = _limits(manipulator)
    return {
        "joints": len(manipulator.axes),
        "mass_kg": manipulator.mass,
        "reach_m": reach_from_axis(manipulator.chain, lower, upper),
        "payload_kg": payload(chain, manipulator),
        "margins": [asdict(margin) for margin in margins(chain, manipulator)],
    }


def margins(chain: Chain, manipulator: Manipulator) -> list[Margin]:
    """Return each joint's margin at rest, without payload."""
    lower, upper = _limits(manipulator)
    found = []
    for i, axis in enumerate(manipulator.axes):
        static, _ = greatest_static(manipulator.chain, lower, upper, i, manipulator.gravity, np.zeros(6))
        continuous = continuous_effort(chain, axis.joint)
        found.append(Margin(axis.name, max(static, 0.0), continuous, 1.0 - max(static, 0.0) / continuous))
    return found


def payload(chain: Chain, manipulator: Manipulator) -> float | None:
    """Return the largest mass at the tip that all joints hold at rest within continuous torque [kg].

    The torque of a joint grows with the mass as a line in each pose. From the pose that is worst at one
    mass follows a smaller mass, until the worst pose stays (Newton's method on a convex function).
    """
    gravity = manipulator.gravity
    if not gravity.any():
        return None
    lower, upper = _limits(manipulator)
    weight = np.concatenate([gravity, np.zeros(3)])  # of a mass of 1 kg at the tip
    least = math.inf
    for i, axis in enumerate(manipulator.axes):
        limit = continuous_effort(chain, axis.joint)
        mass = min(least, limit / SHORT_LEVER)
        for _ in range(REPEATS):
            loaded, q = greatest_static(manipulator.chain, lower, upper, i, gravity, mass * weight)
            if loaded <= limit * (1.0 + SETTLED):
                break
            bare = static_effort(manipulator.chain, q, i, gravity, np.zeros(6))
            by_mass = static_effort(manipulator.chain, q, i, gravity, weight) - bare
            sign = math.copysign(1.0, bare + mass * by_mass)
            mass = (limit - sign * bare) / (sign * by_mass) if sign * by_mass > 0.0 else 0.0
            if mass <= 0.0:
                return 0.0
        least = min(least, mass)
    return least


def continuous_effort(chain: Chain, joint: Joint) -> float:
    """Return what a joint gives for ever [N m, N].

    That is what its file says; else what its motor gives at its continuous current through its gear, at most
    the gear's average torque; and never above its greatest torque.
    """
    greatest = joint.torque if isinstance(joint, Revolute) else joint.force
    if joint.continuous is not None:
        return min(joint.continuous, greatest)
    motor, gear = motor_and_gear(chain, joint)
    if motor is None or gear is None:
        return greatest
    torque = motor.torque_constant * motor.current * gear.ratio * gear.efficiency
    return min(of_output(joint, min(torque, gear.torque_average or gear.torque_peak)), greatest)


def greatest_by_motor(joint: Joint, motor: Motor, gear: Gear) -> float:
    """Return the greatest torque or force that a motor gives through a gear [N m, N]."""
    torque = motor.torque_max or SHORT_TIME * motor.torque_constant * motor.current
    return of_output(joint, torque * gear.ratio * gear.efficiency)


def of_output(joint: Joint, torque: float) -> float:
    """Return a joint's force of a torque at its gear's output, or the torque itself."""
    if isinstance(joint, Revolute) or joint.pitch is None:
        return torque
    return torque * 2.0 * math.pi / joint.pitch


def motor_and_gear(chain: Chain, joint: Joint) -> tuple[Motor | None, Gear | None]:
    """Return a joint's motor and gear; None where it names none."""
    motor = None if joint.motor is None else chain.database[joint.motor].motor
    gear = None if joint.gear is None else chain.database[joint.gear].gear
    return motor, gear


def _limits(manipulator: Manipulator) -> tuple[Array, Array]:
    return within_turns(manipulator.lower, manipulator.upper, manipulator.chain.linear)
