"""A contact that was cut off while it lasted, by a fault, a stop or a hold: what the mock-up is pressed with.

What presses then is no bias of the wrench. Taken for one it would seem to pull as soon as the arm gives way,
so the bias of before the touch is kept until the mock-up has been let go.
"""

import math

from hil.common.arrays import Array


class CutContact:
    """Knows whether the mock-up has been let go since.

    Attributes:
        bias: of the wrench before the touch, world axes [N, N m], (6,); None: nothing was cut off, or it has
            been let go.
        pressed: force beyond that bias [N]; 0: none above the gate.
    """

    def __init__(self, gate: float) -> None:
        """Count a force above `gate` [N] as one that presses."""
        self._gate = gate
        self.bias: Array | None = None
        self.pressed = 0.0

    def cut(self, bias: Array) -> None:
        """Keep the bias of a contact that is cut off now, world axes [N, N m], (6,)."""
        self.bias = bias.copy()

    def over(self) -> None:
        """A contact has been opened anew by this bias, which it keeps itself."""
        self.bias, self.pressed = None, 0.0

    def feel(self, wrench: Array, standing: bool) -> None:
        """Take a wrench.

        Args:
            wrench: about the object's centre of mass, world axes [N, N m], (6,).
            standing: the arm stands with object time: the bias stays known whatever presses meanwhile.
        """
        if self.bias is None:
            return
        force = math.hypot(*(wrench[:3] - self.bias[:3]).tolist())
        self.pressed = 0.0 if force <= self._gate else force  # no number presses
        if not (self.pressed or standing):
            self.bias = None

    def still_leaves(self, wrench: Array, v: Array) -> bool:
        """Return whether what presses still would only drive a body that leaves it, or stands.

        The contact that was cut off has given its momentum already; what comes towards it feels it anew.

        Args:
            wrench: world axes [N, N m], (6,).
            v: the body's velocity, world [m/s], (3,).
        """
        return self.bias is not None and self.pressed > 0.0 and float((wrench - self.bias)[:3] @ v) >= 0.0
