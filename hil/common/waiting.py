"""Waiting for a datagram: asleep, or asleep and then spinning for the last bit.

A sleeping process is woken by the kernel, some ten microseconds late. One that spins is not, but it uses
up a core while it does: with fewer cores than spinning processes they would only keep each other waiting.
"""

import select
import socket
import time
from collections.abc import Callable, Sequence


class Waiter:
    """Waits until a socket, or one of several, can be read."""

    def __init__(
        self,
        channel: socket.socket,
        spin: float,
        now: Callable[[], float] = time.monotonic,
        beside: Sequence[socket.socket] = (),
    ) -> None:
        """Wait on `channel`; within `spin` [s] of the instant that something is due look without sleep.

        `now` reads the clock by which instants are given [s]; it may stand for a while. `beside` are further
        sockets.
        """
        self._channels = [channel, *beside]
        self._spin, self._now = spin, now

    def wait(self, until: float, due: float) -> bool:
        """Return whether something can be read; False from `until` on, or earlier if the clock has stood.

        Args:
            until: when to give up [s].
            due: when the datagram, or `until` itself, is expected [s].
        """
        if self._spin > 0.0:
            if self._asleep(min(until, due - self._spin)):
                return True
            while self._now() < min(until, due + self._spin):
                if self.look(0.0):
                    return True
        return self._asleep(until)

    def _asleep(self, until: float) -> bool:
        rest = until - self._now()
        return rest > 0.0 and self.look(rest)

    def look(self, timeout: float) -> bool:
        """Return whether something can be read within so long, whatever the clock says [s]."""
        return bool(select.select(self._channels, (), (), timeout)[0])
