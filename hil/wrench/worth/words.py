"""What a push is worth in a noise, in words."""

from hil.wrench.worth.bound import Swing, impulse_deviation
from hil.wrench.worth.noise_model import NoiseModel

DURATIONS = (0.05, 0.1, 0.2)  # [s] of pushes for which it is told
MILLI = 1e3


def worth_in_words(force: NoiseModel, step: float, swing: Swing) -> str:
    """Return how well the best estimate knows the impulse of a short, a usual and a long push.

    Args:
        force: noise of one axis of force.
        step: from sample to sample [s].
        swing: behind a push.
    """
    known = [MILLI * impulse_deviation(force, duration, step, swing) for duration in DURATIONS]
    lengths = ", ".join(f"{MILLI * duration:.0f}" for duration in DURATIONS)
    return (
        f"a push of {lengths} ms is known to {', '.join(f'{value:.2g}' for value in known)} mN s at best "
        "(standard deviation of each axis of force)"
    )
