"""How far an experiment has come, told while it runs."""

from collections.abc import Callable, Iterator

from hil.common.arrays import Array

Told = Callable[[float], None]  # is called with the share that is done, 0 to 1
ROWS = 50  # from one telling to the next


def unheard(share: float) -> None:
    """Tell nobody."""


def counted(depth: Array, told: Told) -> Iterator[float]:
    """Yield depths one by one and tell now and then how many are done."""
    for k, at in enumerate(depth):
        if k % ROWS == 0:
            told(k / len(depth))
        yield at
