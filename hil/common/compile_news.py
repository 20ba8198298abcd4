"""Who waits is told which kernels are being compiled: a first run with new sources takes minutes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event

from hil.common.kernel_cache import PACKAGES


class _Teller(event.Listener):
    """Tells the name of each kernel that begins to be compiled."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def on_start(self, event: event.Event) -> None:
        """Take note that a function begins to be compiled; those of numba itself are not told."""
        function = event.data["dispatcher"].py_func
        if function.__module__.split(".", 1)[0] in PACKAGES:
            self._tell(f"{function.__module__}.{function.__qualname__}")

    def on_end(self, event: event.Event) -> None:
        """Nothing is told of the end."""


@contextmanager
def compiling_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Call `tell` with the full name of each kernel that is compiled meanwhile, none that is loaded."""
    teller = _Teller(tell)
    event.register("numba:compile", teller)
    try:
        yield
    finally:
        event.unregister("numba:compile", teller)
