"""The parts beyond one line at a port that stands, as `bench.contact_beyond` measures them on the core."""

from collections.abc import Iterator

from bench.acceptance.row import Part, Trial
from bench.contact_beyond import BEYOND
from bench.contact_trials import Rig


def beyond_parts(seeds: int) -> Iterator[Part]:
    """Free and drifting ports in six dimensions, latches, hybrid, twist locks, memory, resonance."""
    for numbers in BEYOND:
        yield Part(numbers, Trial(beyond, (numbers, seeds)))


def beyond(numbers: tuple[str, ...], seeds: int) -> list[tuple[str, str, float, float | None]]:
    """Return the rows of the part with these numbers."""
    return [(n, figure, float(value), most) for n, figure, value, most in BEYOND[numbers](Rig(), seeds)]
