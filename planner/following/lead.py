"""The look-ahead, brought to a new value so slowly that the arm hardly notices."""

LEAD_RATE = 0.02  # [s/s] at most: a look-ahead that grows so makes the arm 2 % faster meanwhile
LEAD_ACCELERATION = 0.04  # [1/s] at most
LEAD_PULL = 2.0  # [1/s]; double pole of the approach


class Lead:
    """The lead now, its rate and the rate's slew, moved by a critically damped, bounded second order."""

    def __init__(self, value: float) -> None:
        """Begin at `value` [s], at rest."""
        self.value = value
        self.rate = 0.0
        self.slew = 0.0

    def set(self, value: float) -> None:
        """Take `value` [s] at once: only while nothing moves by it."""
        self.value, self.rate, self.slew = value, 0.0, 0.0

    def step(self, target: float, h: float) -> None:
        """Move for `h` seconds towards `target` [s]."""
        pull = LEAD_PULL * LEAD_PULL * (target - self.value) - 2.0 * LEAD_PULL * self.rate
        wanted = min(max(pull, -LEAD_ACCELERATION), LEAD_ACCELERATION)
        rate = min(max(self.rate + wanted * h, -LEAD_RATE), LEAD_RATE)
        self.slew = (rate - self.rate) / h
        self.value += 0.5 * (self.rate + rate) * h
        self.rate = rate
