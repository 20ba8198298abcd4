"""A lock-step recording as a closed loop: the whole run again from its configuration, message by message."""

from collections.abc import Callable
from pathlib import Path

from hil.common.errors import RecordingError
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.recording.head import configuration_of
from hil.recording.protobuf import coder_of
from hil.recording.recorder import OWN, ROWS, classes
from hil.recording.replaying.comparison import Verdict, changes
from hil.recording.replaying.source import Source


def closed_loop(path: Path, progress: Callable[[float], None]) -> Verdict:
    """Run the loop again and compare everything that it says with the recording, in order.

    Args:
        path: of a recording by `zerog simulate`.
        progress: is told the virtual time that was floated [s].

    Raises:
        RecordingError: it is no such recording, or a recorded wrench acted in it.
    """
    kinds = classes()
    source = Source(path, {name for name in kinds if name not in OWN})
    head = source.summary.head
    if "duration_s" not in head:
        raise RecordingError(f"{path} was recorded live: only a lock-step recording is a closed loop")
    if head.get("operated"):
        raise RecordingError(
            f"{path}: an operator acted in it: its cores can be replayed, the closed loop cannot"
        )
    if head.get("wrench"):
        raise RecordingError(
            f"{path}: the recorded wrench {head['wrench']} acted in it, which it does not contain: "
            "its cores can be replayed, the closed loop cannot"
        )
    if source.summary.damage:
        raise RecordingError(
            f"{path}: {source.summary.damage}: its cores can be replayed, the closed loop cannot"
        )
    verdict = Verdict("closed loop")
    check = _InOrder(source, verdict)
    LockStep(configuration_of(path, source.summary), None, check.hear).run(
        float(head["duration_s"]), progress
    )
    check.end(source.summary.whole)
    return verdict


class _InOrder:
    def __init__(self, source: Source, verdict: Verdict) -> None:
        self._verdict = verdict
        self._waiting = {name: iter(source.raw(name)) for name in source.channels}

    def hear(self, topic: str, msg: Message) -> None:
        """Compare a message with the next one of its channel."""
        channel, _, rows = ROWS.get(topic, (f"/{topic}", None, lambda one: iter([one])))
        self._verdict.turns += topic == "driver_inputs"
        for row in rows(msg):
            then = next(self._waiting[channel], None)
            if then is None:
                self._verdict.note(f"{channel}: the recording ends before the run does")
                continue
            coder = coder_of(type(row))
            same = coder.encode(row) == then[1]
            self._verdict.count(topic, row.t_ns, "" if same else changes(coder.decode(then[1]), row))

    def end(self, whole: bool) -> None:
        """Count what was said then and is not said now."""
        for channel, waiting in self._waiting.items():
            for t_ns, _ in waiting if whole else ():
                self._verdict.count(channel[1:], t_ns, "is not said now")
