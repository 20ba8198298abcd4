"""`zerog run --foxglove`: the option, and what is looked at before anything starts."""

import argparse

from hil.commands.grammar import tcp_port
from hil.common.errors import ConfigurationError
from hil.messaging.page_access import FOXGLOVE_OPTION, HOST, may_listen

PORT = 8765  # Foxglove's own


def add_foxglove(sub: argparse.ArgumentParser) -> None:
    """Let a command show its run to Foxglove."""
    sub.add_argument(
        "--foxglove", action="store_true", help="show the run to Foxglove on this machine, read-only"
    )
    sub.add_argument(FOXGLOVE_OPTION, type=tcp_port, metavar="N", help=f"of its WebSocket (default {PORT})")


def foxglove_port(options: argparse.Namespace) -> int | None:
    """Return the port that is asked for, or None.

    Raises:
        ConfigurationError: a port is given, and nothing that it belongs to.
    """
    port: int | None = options.foxglove_port
    if port is not None and not options.foxglove:
        raise ConfigurationError(f"{FOXGLOVE_OPTION} {port} is Foxglove's: add --foxglove")
    return (port or PORT) if options.foxglove else None


def foxglove_hint(port: int) -> str:
    """Return what is to be opened, after a look whether it can be served.

    Raises:
        LinkError: the package is not installed, or the port is taken.
    """
    from hil.recording.live_view import foxglove_sdk

    foxglove_sdk()
    may_listen(port, "foxglove", FOXGLOVE_OPTION)
    return f"foxglove: open a connection to ws://{HOST}:{port}"
