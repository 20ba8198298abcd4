"""What the daemon hears from the processes of its run."""

from hil.common.run_clock import RunClock
from hil.loop.judging.liveness import Liveness
from hil.messaging.bus import Bus
from hil.messaging.codec import Message
from hil.messaging.messages import ImpulseSlice, Witness


class Hearing:
    """Takes what has come since the last look."""

    def __init__(self, bus: Bus, seen: Liveness, clock: RunClock) -> None:
        """Listen on a run's bus; heartbeats and states go to `seen`, by the run's clock."""
        self._seen, self._now_ns = seen, clock.now_ns
        self._readers = [bus.subscriber(topic, Message) for topic in seen.topics()]
        self._impulses = bus.subscriber("impulse", ImpulseSlice)
        self._witnesses = bus.subscriber("witness", Witness)

    def states(self) -> int:
        """Take heartbeats and states; return the instant at which they were there, which is read last.

        However long this is held up: nothing that is then judged lies ahead of it, and what came meanwhile
        counts as heard by then.
        """
        heard = [msg for reader in self._readers for msg in reader.drain()]
        now_ns = self._now_ns()
        self._seen.listens(now_ns)
        for msg in heard:
            self._seen.hear(now_ns, msg)
        return now_ns

    def pushes(self) -> tuple[list[ImpulseSlice], list[Witness]]:
        """Return the slices of pushes, and what the joint torques say of them."""
        return self._impulses.drain(), self._witnesses.drain()
