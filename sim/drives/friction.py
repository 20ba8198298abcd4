"""Dry friction that truly sticks, and viscous friction."""

import math
from dataclasses import dataclass

from hil.common.errors import DriveError


@dataclass(frozen=True)
class Friction:
    """Friction of a shaft or a joint.

    Equation: sliding, `f = sign(w) c + b w` against the motion, with c of the direction; standing, any f up
    to `stick` that keeps w = 0 (set-valued, no smoothing). A shaft comes to stand when its speed reaches zero
    and no more than `stick` is needed to keep it; then it leaves only when more is needed.

    Attributes:
        coulomb: dry friction, turning forwards [N m, N].
        viscous: b [N m s/rad, N s/m].
        stick: largest friction while standing [N m, N]; 0: as much as sliding.
        backwards: dry friction, turning backwards [N m, N]; negative: as forwards.
    """

    coulomb: float = 0.0
    viscous: float = 0.0
    stick: float = 0.0
    backwards: float = -1.0

    def __post_init__(self) -> None:
        """Refuse what is no friction."""
        for name in ("coulomb", "viscous", "stick"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0.0):
                raise DriveError(f"friction: {name} = {value} must be finite and at least 0")
        if 0.0 < self.stick < max(self.coulomb, self.back):
            raise DriveError(
                f"friction: stick = {self.stick} must be 0 (as much as sliding) or at least the sliding "
                f"friction {max(self.coulomb, self.back)}"
            )

    @property
    def back(self) -> float:
        """Dry friction turning backwards."""
        return self.coulomb if self.backwards < 0.0 else self.backwards
