"""Telling systemd how the service is (`Type=notify` with a watchdog)."""

import os
import socket


def notify(text: str) -> None:
    """Send a line such as `READY=1` or `WATCHDOG=1`; without systemd nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]  # an abstract socket
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.sendto(text.encode(), address)
