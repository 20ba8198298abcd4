"""Gears and torque sensors: ratio, springs, damping, backlash, losses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Gear:
    """A gear whose spring has three lines, as the makers of harmonic drives give it; on the joint's side.

    Equation: twist `d = motor angle / ratio - joint angle`, less half the backlash on either side; torque on
    the joint by the line `K1` up to the torque T1, `K2` up to T2, `K3` above, plus `damping * dd/dt` where
    the flanks touch, which never pull. The load's friction, on the motor's shaft, is
    `(1/eta - 1) |torque/ratio|` where the motor drives and `(1 - eta) |torque/ratio|` where the load drives.

    Attributes:
        ratio: motor turns a turn of the joint; a negative one turns backwards; of a linear joint [rad/m].
        stiffness: K1, K2, K3 [N m/rad, N/m]; None: rigid, without a sensor the rotor moves with the joint.
        torque_limits: T1, T2 [N m, N].
        damping: [N m s/rad, N s/m].
        backlash: whole, on the joint's side [rad, m].
        efficiency: eta, 0 to 1.
    """

    ratio: float
    stiffness: tuple[float, float, float] | None = None
    torque_limits: tuple[float, float] = (1e9, 2e9)
    damping: float = 0.0
    backlash: float = 0.0
    efficiency: float = 1.0

    @classmethod
    def on_the_motor(cls, ratio: float, stiffness: float, damping: float) -> "Gear":
        """Return a gear of one line whose spring is given on the motor's side [N m/rad, N m s/rad]."""
        whole = stiffness * ratio**2
        return cls(ratio, (whole, whole, whole), damping=damping * ratio**2)


@dataclass(frozen=True)
class TorqueSensor:
    """A torque sensor: a second spring behind the gear, whose twist is what it measures.

    Equation: `torque = stiffness * twist`. Nothing weighs between gear and link, so the two springs are one
    of three lines with `1/K = 1/K_gear + 1/K_sensor` each, and the twist is shared out by the torque.

    Attributes:
        stiffness: [N m/rad, N/m].
    """

    stiffness: float
