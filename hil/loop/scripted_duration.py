"""How long a run lasts if nobody says it: until the effect of its last push was seen."""

from hil.configuration import Configuration

DEFAULT = 60.0  # [s] where nobody pushes
AFTER_LAST = 3.0  # [s] to see the last push's effect


def scripted_duration(configuration: Configuration) -> float:
    """Return how long the configured pushes take [s], with some seconds to see the last one's effect."""
    random = configuration.operator.random
    ends = [push.time + push.duration for push in configuration.operator.push]
    if random is not None and random.count:
        ends.append(random.first + random.count * (random.gap + random.gap_spread))
    return max(ends) + AFTER_LAST if ends else DEFAULT
