"""What the daemon hears, when it is held up between one reader and the next."""

from collections.abc import Callable

from hil.common.run_clock import RunClock
from hil.loop.judging.liveness import SILENT_NS, Liveness
from hil.messaging.messages import Heartbeat
from hil.messaging.topics import heartbeat_topic
from hil.processes.supervisor.hearing import Hearing
from tests.hil.robot_states import standing


class Reader:
    """A topic's reader that takes its time."""

    def __init__(self, messages: list[object], drained: Callable[[], None]) -> None:
        self._messages, self._drained = messages, drained

    def drain(self) -> list[object]:
        """Return what is there, then be held up."""
        taken, self._messages[:] = list(self._messages), []
        self._drained()
        return taken


class Frozen(RunClock):
    """A clock and a bus; time passes while the driver's heartbeats are taken."""

    def __init__(self) -> None:
        self.t_ns, self.freeze_ns = 5, 0
        self.queues: dict[str, list[object]] = {}
        self.now_ns = lambda: self.t_ns

    def subscriber(self, topic: str, _: type) -> Reader:
        """Return the reader of a topic."""
        return Reader(self.queues.setdefault(topic, []), self.passes if topic.endswith("driver") else int)

    def passes(self) -> None:
        """The daemon is held up."""
        self.t_ns += self.freeze_ns

    def all_speak(self) -> None:
        """A heartbeat and a state are on their way."""
        for name in ("driver", "sim"):
            self.queues[heartbeat_topic(name)].append(Heartbeat(self.t_ns, name, "ready", "", 1, ""))
        self.queues["robot_state"].append(standing(t_ns=self.t_ns))


def test_who_is_held_up_while_it_listens_takes_nobody_for_silent_or_for_a_liar() -> None:
    """What it drained before it was frozen is old by then; what it drains after is of that time."""
    bus = Frozen()
    seen = Liveness(["driver", "sim"])
    hearing = Hearing(bus, seen, bus)  # type: ignore[arg-type]
    bus.all_speak()
    assert seen.missing(hearing.states()) == ""
    bus.freeze_ns = 2 * SILENT_NS
    now_ns = hearing.states()
    assert seen.missing(now_ns, forgiving=True) == "", "nothing new had come"
    assert seen.missing(now_ns) != "", "and no motion begins on it"
    bus.freeze_ns = 0
    for _ in range(10):
        bus.t_ns += SILENT_NS // 5
        now_ns = hearing.states()
    assert "silent for 2.0 s" in seen.missing(now_ns, forgiving=True)
