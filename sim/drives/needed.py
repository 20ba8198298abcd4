"""What a motion asks of the motors: bodies, rotors, friction."""

import numpy as np

from hil.common.arrays import Array
from sim.chain.dynamics import inverse_dynamics
from sim.chain.serial_chain import SerialChain
from sim.drives.drive import Drives


def needed_torques(
    arm: SerialChain, drives: Drives, q: Array, dq: Array, ddq: Array, gravity: Array
) -> Array:
    """Return the torques on the joints' side that a motion asks for [N m, N], shape (n,).

    A rotor moves with its joint here, be its gear elastic or not.
    """
    ratio = drives["ratio"]
    rotors = drives["rotor_inertia"] * ratio**2 - arm.armatures  # those that turn by themselves
    bodies = inverse_dynamics(arm, q, dq, ddq, gravity, np.zeros(6))[0] + rotors * ddq
    viscous = drives["joint_viscous"] + ratio**2 * drives["motor_viscous"]
    with_motor = np.where(ratio > 0.0, drives["motor_coulomb"], drives["motor_coulomb_back"])
    against = np.where(ratio > 0.0, drives["motor_coulomb_back"], drives["motor_coulomb"])
    forwards = drives["joint_coulomb"] + np.abs(ratio) * with_motor
    backwards = drives["joint_coulomb_back"] + np.abs(ratio) * against
    dry = np.where(dq > 0.0, forwards, np.where(dq < 0.0, -backwards, 0.0))
    return np.asarray(bodies + viscous * dq + dry)
