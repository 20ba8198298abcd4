"""How the driver leaves: the arm comes to rest first. Pure: it is told the time and says when to go.

Whatever ends the process (a signal, its supervisor's death, a failure in its own turn, a robot that is
not the configured one) takes its order away, no more: packets are answered as before, and without an
order the cycle brakes within limits. It is over when the arm has stood for some answers, or after the
longest brake that the limits allow: then nobody takes the commands.
"""

from hil.configuration.schema import Limits

REST_ANSWERS = 5  # that command standing before the process leaves: the last may be lost on the way
ROOM = 0.15  # [s] beside the longest brake: packets that are late or lost, answers at rest
FALL_BACK_ROOM = 0.2  # [s]; the emulated controller notices that nobody answers, and brakes


def longest_brake(limits: Limits) -> float:
    """Return how long full braking takes at most, from any state within the limits [s].

    theory: bringing the acceleration to zero takes A / J at most and leaves a velocity of V at most, whose
    stop takes V / A + A / J, or 2 sqrt(V / J), which is less, where A is not reached.
    """
    return float((limits.velocity / limits.acceleration + 2.0 * limits.acceleration / limits.jerk).max())


def leaves_within(limits: Limits) -> float:
    """Return after how long the driver has left, whether the arm stands or not [s]."""
    return longest_brake(limits) + ROOM


def outlives_by(limits: Limits) -> float:
    """Return for how long the emulated robot goes on for a driver that leaves, at most [s]."""
    return leaves_within(limits) + FALL_BACK_ROOM


class Leaving:
    """When the driver's process may go.

    Attributes:
        began: whether it is to go; from then on no order holds.
        failure: the first failure that made it go, for who started it.
    """

    def __init__(self, limits: Limits) -> None:
        self._within_ns = round(1e9 * leaves_within(limits))
        self._end_ns = 0
        self._rested = 0
        self.began = False
        self.failure: Exception | None = None

    def begin(self, now_ns: int, failure: Exception | None = None) -> None:
        """Go, at the next rest; the first call counts, and the first failure."""
        self.failure = self.failure or failure
        if not self.began:
            self.began, self._end_ns = True, now_ns + self._within_ns

    def turned(self, moving: bool, answered: bool) -> None:
        """Take note of a turn: whether its command moves the arm, and whether a packet was answered.

        A robot that sends nothing while its last command was to stand is not waited for.
        """
        if not self.began or moving:
            self._rested = 0
        else:
            self._rested += 1 if answered else REST_ANSWERS

    def over(self, now_ns: int) -> bool:
        """Return whether to go now."""
        return self.began and (self._rested >= REST_ANSWERS or now_ns >= self._end_ns)
