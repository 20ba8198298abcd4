"""Kernels are compiled once, however many processes of tests ask for them at the same time.

Two that lack a kernel would both compile it, and all that it calls. So each kernel has a lock beside the
cache: who comes second waits, and then finds it there. Calls have no circles, so neither has the waiting.
"""

import fcntl
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher

from hil.common.kernel_cache import PACKAGES, cache_folder
from hil.processes.first_start.part import SELDOM

_held: set[str] = set()  # by this process: a kernel may be compiled for other types within itself


def begin() -> None:
    """Compile the project's kernels in one process at a time, and as sparingly as a first start does."""
    gc.set_threshold(*SELDOM)
    CPUContext.create_cfunc_wrapper = lambda *_, **__: None
    compiled = Dispatcher.compile

    def once(self: Any, sig: Any) -> Any:
        function = self.py_func
        if function.__module__.split(".", 1)[0] not in PACKAGES:
            return compiled(self, sig)
        # numba's own lock first, or threads of one process would wait for one another's files
        with global_compiler_lock, locked(f"{function.__module__}.{function.__qualname__}"):
            return compiled(self, sig)

    Dispatcher.compile = once


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the lock of a name, against other processes."""
    if name in _held:
        yield
        return
    cache = cache_folder()
    folder = cache.with_name(f"locks-{cache.name}")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(folder / name, os.O_CREAT | os.O_RDWR, 0o600)
    _held.add(name)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        _held.discard(name)
        os.close(descriptor)
