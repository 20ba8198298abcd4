"""Joint commands within the joints' own limits: what the inverse kinematics wants, exactly while it may be.

Where it would be too fast, or jumps (another branch, a limit met), each joint follows with limited speed and
acceleration and without passing by, as `Follower` does it for the tip.
"""

import math

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
        self._speeds, self._asked = speeds.tolist(), q.tolist()

    def step(self, wanted: Array, dt: float) -> Array:
        """Move on by a command towards what is wanted, shape (n,), and return the positions."""
        most, now = (
            [],
            zip(wanted.tolist(), self._asked, self.q.tolist(), self.dq.tolist(), self._speeds, strict=True),
        )
        for aim, asked, q, dq, speed in now:
            rate, left = speed / self.ramp, asked - q
            back = math.copysign(min(speed, stopping_speed(abs(left), rate, dt)), left)
            wish = min(max((aim - asked) / dt + back, -speed), speed)
            most.append(dq + min(max(wish - dq, -rate * dt), rate * dt))
        self.dq = np.array(most)
        self.q = self.q + dt * self.dq
        self._asked = wanted.tolist()
        self.late = bool(np.abs(self.q - wanted).max() > SAME)
        return self.q
