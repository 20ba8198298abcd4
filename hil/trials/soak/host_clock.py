"""The host's clock over the emulation's time in a soak: it steps, drifts, and runs on without a packet."""

EPOCH_NS = 1_000_000_000
LARGEST_STEP = 0.05  # [s] by which arrivals may seem to step
MOST_DRIFT = 1e-3  # two clocks 500 ppm apart, one of them slewed by another 500
LONGEST_PAUSE = 0.5  # [s] of the controller


class HostClock:
    """Host time as a function of the emulation's."""

    def __init__(self) -> None:
        """Begin a second after the host's zero."""
        self._shift_ns = 0

    def ns(self, t: float) -> int:
        """Return the host's time at the emulation's time `t` [s]."""
        return EPOCH_NS + round(t * 1e9) + self._shift_ns

    def step(self, size: float) -> None:
        """Step back or forth; `size` in [0, 1]."""
        self._shift_ns += round((2.0 * size - 1.0) * LARGEST_STEP * 1e9)

    def drift(self, size: float, passed: float) -> None:
        """Run slower or faster than the controller for `passed` [s]; `size` in [0, 1]."""
        self._shift_ns += round((2.0 * size - 1.0) * MOST_DRIFT * passed * 1e9)

    def pass_by(self, passed: float) -> None:
        """Run on by `passed` [s] while the controller's clock stands still."""
        self._shift_ns += round(passed * 1e9)
