"""Joint commands within the joints' own limits: what the inverse kinematics wants, exactly while it may be.

Where it would be too fast, or jumps (another branch, a limit met), each joint follows with limited speed and
acceleration and without passing by, as `Follower` does it for the tip.
"""

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.braking import stopping_speed

RAMP_S = 0.15  # in which a joint comes to its full speed
SAME = 1e-9  # [rad, m]


class JointFollower:
    """The joints' commands.

    Attributes:
        q: commanded positions [rad, m], shape (n,).
        dq: with which they move [rad/s, m/s], shape (n,).
        ramp: time from rest to full speed [s].
        late: they are not where they are wanted.
    """

    def __init__(self, q: Array, speeds: Array, ramp: float = RAMP_S) -> None:
        """Begin at rest at positions [rad, m], shape (n,), with greatest speeds [rad/s, m/s], shape (n,)."""
        self.q, self.dq, self.ramp, self.late = q.copy(), np.zeros_like(q), ramp, False
        self._speeds, self._asked = speeds, q.copy()

    def step(self, wanted: Array, dt: float) -> Array:
        """Move on by a command towards what is wanted, shape (n,), and return the positions."""
        rates = self._speeds / self.ramp
        left = self._asked - self.q
        back = np.sign(left) * np.minimum(self._speeds, stopping_speed(np.abs(left), rates, dt))
        wish = np.clip((wanted - self._asked) / dt + back, -self._speeds, self._speeds)
        self.dq = self.dq + np.clip(wish - self.dq, -rates * dt, rates * dt)
        self.q = self.q + dt * self.dq
        self._asked = wanted.copy()
        self.late = bool(np.abs(self.q - wanted).max() > SAME)
        return self.q
