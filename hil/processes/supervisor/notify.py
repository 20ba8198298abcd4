"""Telling systemd how the service is (`Type=notify` with a watchdog)."""

import os
import socket
import time

from hil.loop.judging.liveness import Liveness
from hil.processes.supervisor.watchdog import Watchdog

STATUS_NS = 1_000_000_000  # between two lines for `systemctl status`


def notify(text: str) -> bool:
    """Send a line such as `READY=1` or `WATCHDOG=1`; without systemd nothing happens.

    Returns False, without waiting, when systemd does not take it at the moment.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return True
    if address.startswith("@"):
        address = "\0" + address[1:]  # an abstract socket
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        try:
            channel.sendto(text.encode(), address)
        except OSError:
            return False  # its reader has gone or is busy: no reason to stop an arm
    return True


class Service:
    """What systemd hears of a run: the watchdog's feed and the line of `systemctl status`."""

    def __init__(self) -> None:
        self._watchdog = Watchdog()
        self._said, self._said_ns = "", 0
        self._owed: list[str] = []  # what must not be lost, oldest first

    def ready(self) -> None:
        """Everything is there, or a reload is done."""
        self._owed.append("READY=1")

    def reloading(self) -> None:
        """A reload begins; `ready` ends it."""
        self._owed.append(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def turn(self, now_ns: int, seen: Liveness, status: str) -> None:
        """Feed the watchdog if commands go out, and say how the run is."""
        while self._owed and notify(self._owed[0]):
            self._owed.pop(0)
        if self._watchdog.due(now_ns, seen):
            notify("WATCHDOG=1")
        if status != self._said and now_ns - self._said_ns >= STATUS_NS:
            self._said, self._said_ns = status, now_ns
            notify(f"STATUS={status}")
