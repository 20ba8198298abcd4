"""Who waits is told which kernels are being compiled: a first run with new sources takes minutes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event

from hil.common.kernel_cache import PACKAGES


class _Teller(event.Listener):
    """Tells the name of each kernel that begins to be compiled, and of each that is done."""

    def __init__(self, tell: Callable[[str], None], done: Callable[[str], None]) -> None:
        self._tell, self._done = tell, done

    def on_start(self, event: event.Event) -> None:
        """Take note that a function begins to be compiled; those of numba itself are not told."""
        if name := _ours(event):
            self._tell(name)

    def on_end(self, event: event.Event) -> None:
        """Take note that it is done, or was given up."""
        if name := _ours(event):
            self._done(name)


def _ours(event: event.Event) -> str:
    """Return the full name of one of our kernels, nothing for those of others."""
    function = event.data["dispatcher"].py_func
    ours = function.__module__.split(".", 1)[0] in PACKAGES
    return f"{function.__module__}.{function.__qualname__}" if ours else ""


@contextmanager
def compiling_told(
    tell: Callable[[str], None], done: Callable[[str], None] = lambda _: None
) -> Iterator[None]:
    """Call `tell` with the full name of each kernel that is compiled meanwhile, none that is loaded.

    When it is compiled, `done` is called with it.
    """
    teller = _Teller(tell, done)
    event.register("numba:compile", teller)
    try:
        yield
    finally:
        event.unregister("numba:compile", teller)
