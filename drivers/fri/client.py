"""The client's UDP socket: the newest datagram is answered to its sender, none is waited for for ever.

Datagrams that a newer one has overtaken get no answer: it would come too late to count, and a second
set-point within a cycle, or an old one after a newer, is a jump in velocity to the controller.

Whatever the network does (a cable pulled, a route lost) is counted and told, and nothing more: the next
datagram is answered like any other.
"""

from types import TracebackType

from drivers.fri.bound_socket import bound_socket
from drivers.fri.session import FriSample, FriSession, joined
from hil.common.arrays import Array
from hil.common.errors import LinkError
from hil.common.run_clock import RunClock
from hil.common.waiting import Waiter
from hil.configuration.schema import Fri

DRAIN_LIMIT = 64  # datagrams taken at one go: a flood cannot keep the loop from its work
DISCARD_LIMIT = 10_000  # datagrams; no buffer holds more
BUFFER_SIZE = 2048
SENDER_SILENCE_NS = 500_000_000  # a second sender is not listened to before the first was silent for so long


class FriClient:
    """A bound socket around a `FriSession`.

    Attributes:
        session: the protocol's state and its counters.
        other_senders: datagrams of the controller's address, but from another port than the one heard.
        unsent: answers that the system did not take.
        unsent_reason: why, as long as the last answer was one of them; else empty.
        failure: set when a controller that has been heard sends with another sample time. Such datagrams are
            dropped; whoever answers should bring the arm to rest by those that still come, and end.
    """

    def __init__(
        self,
        fri: Fri,
        spin: float = 0.0,
        clock: RunClock | None = None,
        session: FriSession | None = None,
        port_key: str = "fri.port",
    ) -> None:
        """Bind the configured address and port; spin for so long before a packet is due [s].

        `clock` stamps what arrives; None: the monotonic one. `session` stands in for one that commands
        joints, `port_key` says the port.

        Raises:
            LinkError: the port is busy or the address is not this machine's.
        """
        self.session = FriSession(fri) if session is None else session
        self._socket = bound_socket(fri.bind_address, fri.port, port_key=port_key)
        self._clock = clock or RunClock()
        self._waiter = Waiter(self._socket, spin, self._now)
        self._period, self._place = fri.sample_time, f"UDP {fri.bind_address} port {fri.port}"
        self._silent_ns = round(1e9 * fri.timeout) + SENDER_SILENCE_NS
        self._sender: tuple[str, int] | None = None
        self._heard_ns = 0
        self.other_senders = self.unsent = 0
        self.unsent_reason = ""
        self.failure: LinkError | None = None

    def receive(self, timeout: float) -> list[FriSample]:
        """Return the samples that have come in order, oldest first; the last one waits for `reply`.

        The others have been overtaken and get no answer. `new_session` of any of them shows in the last.
        Empty after `timeout` [s], or earlier if the clock has stood meanwhile.

        Raises:
            LinkError: the sample time of the first controller that is heard is not the configured one.
        """
        samples: list[FriSample] = []
        deadline = self._now() + timeout
        due = self._heard_ns * 1e-9 + self._period
        while not samples and self._waiter.wait(deadline, due):
            samples = self._drained()
        # if we stood still until the deadline, packets may wait: then it is not the robot that is silent
        return samples or self._drained()

    @property
    def trouble(self) -> str:
        """Why the robot cannot be heard as configured, in words; empty if nothing speaks against it."""
        if self._sender is None or self._clock.now_ns() - self._heard_ns > self._silent_ns:
            return self.session.unheard or f"nothing comes to {self._place}"
        return self.session.cadence.trouble

    def discard(self) -> None:
        """Forget what has come while nobody answered: a full buffer holds the oldest packets."""
        for _ in range(DISCARD_LIMIT):
            try:
                self._socket.recv(BUFFER_SIZE)
            except BlockingIOError:
                return
            except OSError:  # of something that was sent before
                continue

    def reply(self, sample: FriSample, q_command: Array | None) -> None:
        """Answer a sample with joint positions [rad], shape (7,), or with the mirror."""
        self.send(self.session.answer(sample, q_command))

    def send(self, data: bytes) -> None:
        """Send an answer to whoever was heard.

        Raises:
            LinkError: nobody was.
        """
        if self._sender is None:
            raise LinkError("FRI: no controller has sent anything yet")
        try:
            self._socket.sendto(data, self._sender)
            self.unsent_reason = ""
        except OSError as error:  # the controller has gone, or the network: the next timeout says so
            self.unsent += 1
            self.unsent_reason = f"FRI: an answer could not be sent: {error.strerror or error}"

    def close(self) -> None:
        """Release the port."""
        self._socket.close()

    def __enter__(self) -> "FriClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _now(self) -> float:
        return self._clock.now_ns() * 1e-9

    def _drained(self) -> list[FriSample]:
        samples: list[FriSample] = []
        for _ in range(DRAIN_LIMIT):
            try:
                data, sender = self._socket.recvfrom(BUFFER_SIZE)
            except BlockingIOError:
                break
            except OSError:  # of something that was sent before, or the network: datagrams may lie behind it
                continue
            now_ns = self._clock.now_ns()
            if self._sender not in (None, sender) and now_ns - self._heard_ns < SENDER_SILENCE_NS:
                self.other_senders += 1
                continue
            sample = self._decoded(data, sender[0], now_ns)
            if sample is None:
                continue
            self._sender, self._heard_ns = sender, now_ns
            samples.append(sample)
        return joined(samples)

    def _decoded(self, data: bytes, address: str, now_ns: int) -> FriSample | None:
        try:
            return self.session.receive(data, address, now_ns)
        except LinkError as error:
            if self._sender is None:
                raise  # nothing has been answered yet, so nothing moves
            self.failure = self.failure or error
            return None
