"""A process of its own for what takes memory or time: the page's server stays small, and waits for nothing.

A question is a name and its arguments; an answer is whether it could be done, and what came of it; before it
there may be some that say None and how far it is. A worker
ends when the other end of its line does, however that ends.
"""

import importlib
import multiprocessing
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from hil.common.errors import WorkbenchError


class Worker:
    """The line to a worker; all of it may block, and is for threads."""

    def __init__(self, what: str, module: str, function: str, *arguments: Any) -> None:
        """Start a worker.

        Args:
            what: it does, in words.
            module: where its function is; only the worker imports it.
            function: is called with its end of the line and the arguments.
            arguments: what it is to know.
        """
        context = multiprocessing.get_context("spawn")
        self._what = what
        self._line, theirs = context.Pipe()
        self._process = context.Process(
            target=_begin, args=(theirs, module, function, arguments), daemon=True
        )
        self._process.start()
        theirs.close()
        self._lock = threading.Lock()

    def ask(
        self,
        name: str,
        *arguments: Any,
        patience_s: float | None = None,
        heard: Callable[[Any], None] | None = None,
    ) -> Any:
        """Return the answer to a question; for patience and `heard` see `hear`.

        Raises:
            WorkbenchError: it cannot be done, or the worker has ended.
        """
        with self._lock:
            try:
                self._line.send((name, arguments))
            except OSError as error:
                raise WorkbenchError(f"{self._what} has ended") from error
            return self.hear(patience_s, heard)

    def hear(self, patience_s: float | None = None, heard: Callable[[Any], None] | None = None) -> Any:
        """Return the next answer.

        Args:
            patience_s: for so long it is waited for; None: for ever.
            heard: is called with what is said before the answer, of how far it is.

        Raises:
            WorkbenchError: it is that something cannot be done, the worker has ended, or says nothing.
        """
        try:
            done = None
            while done is None:
                if not self._line.poll(patience_s):
                    raise WorkbenchError(f"{self._what} has said nothing for {patience_s:g} s")
                done, answer = self._line.recv()
                if done is None and heard is not None:
                    heard(answer)
        except (EOFError, OSError) as error:
            raise WorkbenchError(f"{self._what} has ended") from error
        if not done:
            raise WorkbenchError(str(answer))
        return answer

    def end(self) -> None:
        """End it; whoever waits for an answer hears of it."""
        self._process.terminate()
        self._process.join()
        with self._lock:
            self._line.close()


def _begin(line: Connection, module: str, function: str, arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    try:
        getattr(importlib.import_module(module), function)(line, *arguments)
    except (EOFError, OSError):
        return  # nobody is at the other end any more
