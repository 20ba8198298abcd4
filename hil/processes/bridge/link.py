"""One host's end of the link: a socket on which it publishes, one that reads what the other publishes.

TCP with CURVE: both ends prove their key, everything is encrypted. A frame is one part: header, topic,
message. The header names the sending bridge's session and counts its frames, so that a hole is seen.
"""

import os
import socket
import struct
import time
from dataclasses import dataclass

import zmq

from hil.common.errors import LinkError
from hil.configuration.endpoints import host_and_port
from hil.processes.bridge.guard import ZAP_DOMAIN, Doorkeeper
from hil.processes.bridge.keys import Keys

HEADER = struct.Struct("<8sQB")  # session, number, length of the topic
MOST_FRAMES = 1000  # taken in one turn
LARGEST_MESSAGE = 4 << 20  # [bytes]; a stranger cannot make us reserve more
HEARTBEAT_MS = 300
SILENCE_MS = 1500  # then the connection is given up, with what waits in it, and made again
HANDSHAKE_MS = 3000


@dataclass(frozen=True)
class Frame:
    """What came from the other bridge, and when (our clock)."""

    topic: str
    session: bytes
    number: int
    data: bytes
    came_ns: int


class Link:
    """The two network sockets of a bridge.

    Args:
        own: key of our endpoint in the configuration, and the endpoint.
        other: the same of the other site.
        keys: our pair and the other's public key.

    Raises:
        LinkError: an endpoint does not resolve, or ours cannot be bound.
    """

    def __init__(self, own: tuple[str, str], other: tuple[str, str], keys: Keys) -> None:
        for name, endpoint in (own, other):
            _resolve(name, endpoint)
        self._session, self._number = os.urandom(8), 0
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.door = Doorkeeper(self._context, keys.other_public)
        self._out = self._socket(zmq.PUB, own[1], keys)
        self._out.curve_server = True
        self._out.zap_domain = ZAP_DOMAIN
        self.door.watch(self._out)
        self._in = self._socket(zmq.SUB, other[1], keys)
        self._in.curve_serverkey = keys.other_public
        self._in.subscribe(b"")
        try:
            self._out.bind(own[1])
        except zmq.ZMQError as error:
            self.close()
            raise LinkError(
                f"{own[0]} = {own[1]!r} cannot be bound: {os.strerror(error.errno or 0)}: it must be an "
                "address of this host (`ip addr` lists them) with a free port"
            ) from error
        self._in.connect(other[1])

    @property
    def inbox(self) -> "zmq.Socket[bytes]":
        """The socket on which the other bridge is heard."""
        return self._in

    @property
    def sockets(self) -> list["zmq.Socket[bytes]"]:
        """The sockets to poll on."""
        return [self._in, *self.door.sockets]

    def send(self, topic: str, data: bytes) -> None:
        """Send a message to the other bridge if it is there; never blocks."""
        name = topic.encode()
        header = HEADER.pack(self._session, self._number, len(name))
        self._number += 1
        self._out.send(header + name + data, zmq.NOBLOCK)

    def receive(self) -> list[Frame]:
        """Return what has come, oldest first, without waiting."""
        found = []
        for _ in range(MOST_FRAMES):
            try:
                data = self._in.recv(zmq.NOBLOCK)
            except zmq.Again:
                break
            if len(data) >= HEADER.size:
                session, number, length = HEADER.unpack_from(data)
                begin = HEADER.size + length
                topic = data[HEADER.size : begin].decode("ascii", "replace")
                found.append(Frame(topic, session, number, data[begin:], time.monotonic_ns()))
        return found

    def close(self) -> None:
        """Close the sockets; what is unsent is dropped."""
        self.door.close()
        self._context.destroy(0)

    def _socket(self, kind: int, endpoint: str, keys: Keys) -> "zmq.Socket[bytes]":
        made = self._context.socket(kind)
        made.linger = 0
        made.sndhwm = made.rcvhwm = 0
        made.maxmsgsize = LARGEST_MESSAGE
        made.ipv6 = "[" in endpoint
        made.handshake_ivl = HANDSHAKE_MS
        made.heartbeat_ivl, made.heartbeat_timeout, made.heartbeat_ttl = HEARTBEAT_MS, SILENCE_MS, SILENCE_MS
        made.connect_timeout = SILENCE_MS
        made.reconnect_ivl, made.reconnect_ivl_max = 50, 500
        made.curve_publickey, made.curve_secretkey = keys.public, keys.secret
        return made


def _resolve(name: str, endpoint: str) -> None:
    host, port = host_and_port(endpoint)
    try:
        socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise LinkError(
            f"{name} = {endpoint!r} does not resolve: {error.strerror}: write a number, or add the name to "
            "/etc/hosts"
        ) from error
