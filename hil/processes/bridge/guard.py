"""Who may connect to a bridge: the other site's key and nobody else.

The doorkeeper answers ZeroMQ's authentication requests (ZAP), and counts through the socket's monitor every
connection that did not get through, with a wrong key or with none at all.
"""

import logging
from collections.abc import Sequence

import zmq
from zmq.utils import z85
from zmq.utils.monitor import recv_monitor_message

ZAP_ENDPOINT = "inproc://zeromq.zap.01"
ZAP_DOMAIN = b"zerog"
REFUSALS = (
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)
MOST_EVENTS = 100  # looked at in one turn, so that a flood of connections holds up nothing
QUIET_NS = 10_000_000_000  # between lines in the log
log = logging.getLogger("zerog.bridge")


class Doorkeeper:
    """Lets one public key (Z85) in through the sockets of a context, and counts whom it turned away."""

    def __init__(self, context: "zmq.Context[zmq.Socket[bytes]]", allowed: bytes) -> None:
        self._allowed = z85.decode(allowed)
        self._requests = context.socket(zmq.REP)
        self._requests.linger = 0
        self._requests.bind(ZAP_ENDPOINT)
        self._events: zmq.Socket[bytes] | None = None
        self._watched: zmq.Socket[bytes] | None = None
        self._logged_ns = -QUIET_NS
        self.refused = 0

    def watch(self, socket: "zmq.Socket[bytes]") -> None:
        """Count the connections that this socket refuses; to be called before it is bound."""
        self._watched, self._events = socket, socket.get_monitor_socket(REFUSALS)

    @property
    def sockets(self) -> list["zmq.Socket[bytes]"]:
        """The sockets to poll on."""
        return [self._requests] if self._events is None else [self._requests, self._events]

    def serve(self, ready: set[object], now_ns: int) -> None:
        """Answer requests and count refusals that have come; `ready` are the sockets that have something."""
        for _ in range(MOST_EVENTS if self._requests in ready else 0):
            if not self._requests.poll(0):
                break
            self._requests.send_multipart(zap_reply(self._requests.recv_multipart(), self._allowed))
        before = self.refused
        for _ in range(MOST_EVENTS if self._events in ready else 0):
            if self._events is None or not self._events.poll(0):
                break
            recv_monitor_message(self._events)
            self.refused += 1
        if self.refused > before and now_ns - self._logged_ns >= QUIET_NS:
            self._logged_ns = now_ns
            log.warning("bridge: connections without the right key were refused, %d so far", self.refused)

    def close(self) -> None:
        """Close the sockets."""
        if self._watched is not None:
            self._watched.disable_monitor()
        self._requests.close(0)


def zap_reply(request: Sequence[bytes], allowed: bytes) -> list[bytes]:
    """Return the answer to an authentication request: 200 for the allowed key (32 bytes), else 400."""
    if len(request) == 7 and request[5] == b"CURVE" and request[6] == allowed:
        return [request[0], request[1], b"200", b"OK", b"bridge", b""]
    identity = request[1] if len(request) > 1 else b""
    return [b"1.0", identity, b"400", b"this key is not known here", b"", b""]
