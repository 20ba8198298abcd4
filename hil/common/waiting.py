"""Waiting for a datagram: asleep, or asleep and then spinning for the last bit.

A sleeping process is woken by the kernel, some ten microseconds late. One that spins is not, but it uses
up a core while it does: with fewer cores than spinning processes they would only keep each other waiting.
"""

import select
import socket
import time


class Waiter:
    """Waits until a socket can be read."""

    def __init__(self, channel: socket.socket, spin: float) -> None:
        """Wait on `channel`; within `spin` [s] of the instant that something is due look without sleep."""
        self._channels = [channel]
        self._spin = spin

    def wait(self, until: float, due: float) -> bool:
        """Return whether something can be read; False from `until` on.

        Args:
            until: when to give up [monotonic s].
            due: when the datagram, or `until` itself, is expected [monotonic s].
        """
        if self._spin > 0.0:
            if self._asleep(min(until, due - self._spin)):
                return True
            while time.monotonic() < min(until, due + self._spin):
                if self._readable(0.0):
                    return True
        return self._asleep(until)

    def _asleep(self, until: float) -> bool:
        rest = until - time.monotonic()
        return rest > 0.0 and self._readable(rest)

    def _readable(self, timeout: float) -> bool:
        return bool(select.select(self._channels, (), (), timeout)[0])
