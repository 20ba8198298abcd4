"""What the daemon hears from the processes of its run."""

from hil.loop.judging.liveness import Liveness
from hil.messaging.bus import Bus
from hil.messaging.codec import Message
from hil.messaging.messages import ImpulseSlice, Witness


class Hearing:
    """Takes what has come since the last look."""

    def __init__(self, bus: Bus, seen: Liveness) -> None:
        """Listen on a run's bus; heartbeats and states go to `seen`."""
        self._seen = seen
        self._readers = [bus.subscriber(topic, Message) for topic in seen.topics()]
        self._impulses = bus.subscriber("impulse", ImpulseSlice)
        self._witnesses = bus.subscriber("witness", Witness)

    def states(self, now_ns: int) -> None:
        """Take heartbeats and states, which came by `now_ns` or are still coming."""
        for reader in self._readers:
            for msg in reader.drain():
                self._seen.hear(now_ns, msg)

    def pushes(self) -> tuple[list[ImpulseSlice], list[Witness]]:
        """Return the slices of pushes, and what the joint torques say of them."""
        return self._impulses.drain(), self._witnesses.drain()
