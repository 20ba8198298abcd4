"""A brake that holds without power."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Brake:
    """Dry friction on the motor's shaft, while closed.

    Equation: `torque` more of Coulomb friction, sliding and standing. It bites `closing_time` after it is
    told to close, and lets go at once. A closed drive has no current.

    Attributes:
        torque: [N m], on the motor's shaft.
        closing_time: [s].
    """

    torque: float
    closing_time: float = 0.03
