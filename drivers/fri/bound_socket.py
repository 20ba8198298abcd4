"""A bound, non-blocking UDP socket, or an error that says what to do."""

import errno
import socket

from hil.common.errors import LinkError

BUFFER_BYTES = 262_144  # holds about half a second of datagrams while the reader is held up


def bound_socket(
    address: str, port: int, address_key: str = "fri.bind_address", port_key: str = "fri.port"
) -> socket.socket:
    """Return a non-blocking UDP socket bound to `address` and `port`, which those keys say.

    Raises:
        LinkError: the port is busy, or the address is not one of this machine.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        made.bind((address, port))
    except OSError as error:
        made.close()
        raise LinkError(_sentence(address, port, error, address_key, port_key)) from error
    made.setblocking(False)
    return made


def look_for_way(made: socket.socket, peer: tuple[str, int]) -> None:
    """See that datagrams of a bound socket have a way to a peer's address and port; none is sent.

    Raises:
        LinkError: there is no way.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((made.getsockname()[0], 0))
            probe.connect(peer)
        except OSError as error:
            made.close()
            raise LinkError(no_way(peer, error)) from error


def no_way(peer: tuple[str, int], error: OSError) -> str:
    """Return why nothing can be sent to a peer, and what to look at, in words."""
    loopback = peer[0].startswith("127.")
    remedy = "`ip link set lo up`" if loopback else "look at cable, card and route (`ip addr`, `ip route`)"
    return f"nothing can be sent to UDP {peer[0]} port {peer[1]}: {error.strerror or error}; {remedy}"


def _sentence(address: str, port: int, error: OSError, address_key: str, port_key: str) -> str:
    place = f"UDP {address} port {port}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"{place} is busy: another program is bound to it (`ss -lunp 'sport = :{port}'` names it); "
            f"stop that one or choose another {port_key}"
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{place}: this machine has no such address; set {address_key} to one that `ip addr` lists"
    return f"{place} cannot be bound: {error.strerror or error}"
