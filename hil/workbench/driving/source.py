"""What a source of commands is: it wants a motion of the tip, as a twist or as a pose. One of the two.

All are in base axes: a twist is the velocity of the tip's origin [m/s] and the angular velocity [rad/s].
`t` is simulated time since the session listens to it [s], from zero on, never a clock's. A source is asked
once a command, in order: for the twist of the step that begins, for the pose at its end.
"""

from typing import Protocol, runtime_checkable

from hil.common.arrays import Array


@runtime_checkable
class TwistSource(Protocol):
    """A hand that pushes: velocity, and rest when it lets go."""

    def twist(self, t: float) -> Array:
        """Return the twist that is wanted now, shape (6,).

        Raises:
            SourceLost: the source has gone.
        """


@runtime_checkable
class PoseSource(Protocol):
    """A path: where the tip shall be."""

    def pose(self, t: float) -> Array:
        """Return the pose `T_base_tip` that is wanted at a time, shape (4, 4).

        Raises:
            SourceLost: the source has gone.
        """


@runtime_checkable
class FeelingSource(Protocol):
    """A source that is told what the tip feels."""

    def feel(self, wrench_tip_in_base: Array) -> None:
        """Take what the environment exerts on the tip [N, N m], shape (6,)."""


Source = TwistSource | PoseSource
