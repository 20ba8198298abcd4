"""What the tip meets: something that pushes back, and may move itself. In world axes."""

from typing import Protocol

from hil.common.arrays import Array


class Surroundings(Protocol):
    """The world around the tip, advanced with the arm in the same steps."""

    def wrench(self, T_world_tip: Array, twist_tip: Array, mobility: Array, dt: float) -> Array:
        """Return what it exerts on the tip during a step, about it, in world axes [N, N m], shape (6,).

        Args:
            T_world_tip: pose of the tip, shape (4, 4).
            twist_tip: velocity of the tip's origin and angular velocity in world axes, shape (6,).
            mobility: acceleration of the tip by a wrench on it, world axes, shape (6, 6): by it dampers and
                friction are taken implicitly, so that they never push back.
            dt: of the step [s].
        """

    def advance(self, dt: float, impulse: Array) -> None:
        """Move on by a step.

        Args:
            dt: of the step [s].
            impulse: that the arm gave to it, about the world's origin, world axes [N s, N m s], shape (6,).
        """

    def variables(self) -> dict[str, float]:
        """Return what there is to see, by dotted names with their units."""

    def parameters(self) -> dict[str, float]:
        """Return what may be changed while it runs, by dotted names with their units."""

    def set_parameter(self, name: str, value: float) -> None:
        """Change one of them; the name is known, the value finite."""
