"""A port of this machine for a run of its own: beside others none may be fixed."""

import socket


def free_port(kind: socket.SocketKind) -> int:
    """Return a port of loopback for datagrams or streams that nobody uses for these at the moment."""
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
