"""Listens to what a live loop tells of itself."""

from hil.analysis.latency.recording import LatencyRecording
from hil.configuration import Configuration
from hil.messaging.bus import Bus, Subscriber
from hil.messaging.codec import Kind, Message
from hil.messaging.messages import CycleBlock, Mode, PlannerTimes, SimState, SimTimes, SliceTimes, TruthBlock
from hil.messaging.topics import TOPICS

LISTENED: dict[str, type[Message]] = {
    "cycles": CycleBlock,
    "slice_times": SliceTimes,
    "times_sim": SimTimes,
    "times_planner": PlannerTimes,
    "truth": TruthBlock,
    "sim_state": SimState,
    "mode": Mode,
}


class Listener:
    """Gathers all messages of the measuring topics from `begin` on.

    Attributes:
        pushes: how many have ended: true ones where the emulation tells, else detected ones.
        mode: the daemon's newest order.
    """

    def __init__(self, bus: Bus) -> None:
        """Connect; call `poll` often enough that the queues stay short."""
        self._readers: dict[str, Subscriber[Message]] = {
            topic: bus.subscriber(topic, kind) for topic, kind in LISTENED.items()
        }
        self._heard: dict[str, list[Message]] = {}
        self._lost_before: dict[str, int] = {}
        self._detected: set[int] = set()
        self._pushing = False
        self.pushes = 0
        self.mode: Mode | None = None
        self.begin()

    def begin(self) -> None:
        """Forget what came so far."""
        for reader in self._readers.values():
            reader.drain()
        self._heard = {topic: [] for topic in self._readers}
        self._lost_before = {topic: reader.lost for topic, reader in self._readers.items()}

    def poll(self) -> None:
        """Take what has come."""
        for topic, reader in self._readers.items():
            fresh = reader.drain()
            self._heard[topic] += fresh
            for msg in fresh:
                self._note(msg)

    def _note(self, msg: Message) -> None:
        if isinstance(msg, Mode):
            self.mode = msg
        elif isinstance(msg, TruthBlock):
            for pushing in (msg.wrench_world != 0.0).any(axis=1).tolist():
                self.pushes += self._pushing and not pushing
                self._pushing = pushing
        elif isinstance(msg, SliceTimes) and not self._heard["truth"]:
            self._detected |= set(msg.slices[:, 0].tolist())
            self.pushes = len(self._detected)

    def of(self, topic: str, kind: type[Kind]) -> list[Kind]:
        """Return the messages heard on a topic, oldest first."""
        return [msg for msg in self._heard[topic] if isinstance(msg, kind)]

    def recording(self, configuration: Configuration, remote_uncertainty: float = 0.0) -> LatencyRecording:
        """Return what was heard, without head and bare loop.

        `remote_uncertainty` is that of the clock of simulation and planner [s], 0 on one machine.
        """
        return LatencyRecording.from_messages(
            configuration,
            self.of("cycles", CycleBlock),
            self.of("slice_times", SliceTimes),
            self.of("times_sim", SimTimes),
            self.of("times_planner", PlannerTimes),
            self.of("truth", TruthBlock) if configuration.robot.kind == "emulated" else None,
            self.of("sim_state", SimState),
            remote_uncertainty=remote_uncertainty,
            lost={
                topic: reader.lost - self._lost_before[topic]
                for topic, reader in self._readers.items()
                if TOPICS[topic].queued
            },
        )
