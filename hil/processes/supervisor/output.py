"""The daemon's lines on their way out: never waited for, whatever becomes of terminal, pipe or disk.

The loop puts a line into a queue; a thread of its own writes it. A full disk, a closed pipe or a reader
that has stopped reading costs lines, which are counted and told as soon as writing works again.
"""

import os
import queue
import threading
from collections.abc import Callable

CAPACITY = 1000  # lines that may wait
END_TIMEOUT_S = 1.0  # for what waits at the end

Write = Callable[[bytes], int]


class Output:
    """Writes to a file descriptor from a thread of its own."""

    def __init__(
        self, descriptor: int, write: Callable[[int, bytes], int] = os.write, encoding: str = "utf-8"
    ) -> None:
        self._descriptor, self._write, self._encoding = descriptor, write, encoding
        self._queue: queue.Queue[str | None] = queue.Queue(CAPACITY)
        self._dropped = 0  # not even queued; counted by the loop
        self._failed = 0  # not written; counted by the thread
        self._told = 0
        self._why = ""
        self._thread = threading.Thread(target=self._run, name="output", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        """How many pieces of text have not reached their reader."""
        return self._dropped + self._failed

    @property
    def why(self) -> str:
        """Why writing failed last; empty while it never did."""
        return self._why

    def put(self, text: str) -> None:
        """Let text be written; never blocks and never fails."""
        try:
            self._queue.put_nowait(text)
        except queue.Full:
            self._dropped += 1
            self._why = "its reader does not read"

    def close(self) -> None:
        """Wait a moment for what is still to be written."""
        try:
            self._queue.put(None, timeout=END_TIMEOUT_S)
        except queue.Full:
            return
        self._thread.join(END_TIMEOUT_S)

    def _run(self) -> None:
        while (text := self._queue.get()) is not None:
            if self.lost > self._told:
                text = f"({self.lost - self._told} lines were lost: {self._why})\n{text}"
            lost = self.lost
            try:
                self._write_all(text.encode(self._encoding, "replace"))
                self._told = lost
            except OSError as error:
                self._failed += 1
                self._why = error.strerror or str(error)

    def _write_all(self, data: bytes) -> None:
        while data:
            data = data[self._write(self._descriptor, data) :]
