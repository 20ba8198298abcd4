"""A recording's replay from file to verdicts: core after core in one process, or each in its own."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from typing import Any

from hil.common.errors import RecordingError, ZeroGError
from hil.common.parent_death import end_with_parent
from hil.configuration import Configuration
from hil.configuration.loading import stamp_of
from hil.messaging.codec import decode, encode
from hil.recording.head import configuration_of
from hil.recording.replaying.comparison import Verdict
from hil.recording.replaying.driver_stage import DRIVER_CHANNELS, driven
from hil.recording.replaying.emulator_stage import EMULATOR_CHANNELS, emulated
from hil.recording.replaying.source import Source
from hil.recording.replaying.stages import (
    PLANNER_CHANNELS,
    SIM_CHANNELS,
    Feed,
    PlanFeed,
    planned,
    simulated,
)
from hil.recording.replaying.supervisor_stage import SUPERVISOR_CHANNELS, judged

CHANNELS = {
    "simulation": SIM_CHANNELS,
    "planner": PLANNER_CHANNELS,
    "driver": DRIVER_CHANNELS,
    "supervisor": SUPERVISOR_CHANNELS,
    "emulator": EMULATOR_CHANNELS,
}
CORES = tuple(CHANNELS)
ROOM = 64  # messages between two processes
LOOK_S = 0.2
TOLD = 500  # turns between two reports of progress
Progress = Callable[[str, int], None]  # core, turns that were run again


def in_one_process(path: Path, progress: Progress) -> list[Verdict]:
    """Run all cores again, each asking the one before for what it needs.

    Raises:
        RecordingError: the recording cannot be read, or lacks the cores' inputs.
    """
    source = Source(path, {name for names in CHANNELS.values() for name in names})
    c = _replayable(path, source)
    verdicts = [Verdict(name) for name in CORES]
    sim, planner, driver, supervisor, emulator = verdicts
    predictions = Feed(simulated(source, c, sim))
    plans = PlanFeed(planned(source, c, planner, predictions))
    for _ in driven(source, c, driver, plans):
        progress(driver.core, driver.turns)
    for _ in judged(source, c, supervisor):
        progress(supervisor.core, supervisor.turns)
    for _ in emulated(path, source, c, emulator):
        progress(emulator.core, emulator.turns)
    return verdicts


def side_by_side(path: Path, progress: Progress) -> list[Verdict]:
    """Run each core in a process of its own; what one makes goes on to the next.

    Raises:
        ZeroGError: one of them failed, with its reason.
    """
    context = multiprocessing.get_context("spawn")
    between: list[Queue[Any]] = [context.Queue(ROOM), context.Queue(ROOM)]
    said: Queue[Any] = context.Queue()
    ends = [(None, between[0]), (between[0], between[1]), (between[1], None), (None, None), (None, None)]
    workers = [
        context.Process(target=_work, args=(name, path, *pair, said, os.getpid()), daemon=True)
        for name, pair in zip(CORES, ends, strict=True)
    ]
    for worker in workers:
        worker.start()
    try:
        found = _listen(said, workers, progress)
    finally:
        for worker in workers:
            worker.terminate()
    return [found[name] for name in CORES]


def _listen(said: "Queue[Any]", workers: list[Any], progress: Progress) -> dict[str, Verdict]:
    found: dict[str, Verdict] = {}
    while len(found) < len(workers):
        try:
            name, news = said.get(timeout=LOOK_S)
        except Empty:
            dead = [w.exitcode for w in workers if w.exitcode not in (None, 0)]
            if dead:
                raise ZeroGError(f"replay: one of its processes ended with status {dead[0]}") from None
            continue
        if isinstance(news, Verdict):
            found[name] = news
        elif isinstance(news, str):
            raise ZeroGError(news)
        else:
            progress(name, news)
    return found


def _work(name: str, path: Path, inbox: Any, outbox: Any, said: Any, parent: int) -> None:
    """Be one core's process."""
    end_with_parent(parent)
    try:
        source, verdict = Source(path, CHANNELS[name]), Verdict(name)
        c = _replayable(path, source)
        told = 0
        for item in _stage(name, path, source, c, verdict, _received(inbox)):
            if outbox is not None:
                outbox.put(encode(item))
            if verdict.turns - told >= TOLD:
                told = verdict.turns
                said.put((name, told))
        if outbox is not None:
            outbox.put(None)
        said.put((name, verdict))
    except ZeroGError as error:
        said.put((name, str(error)))


def _replayable(path: Path, source: Source) -> Configuration:
    """Return the configuration of a recording that can be replayed."""
    if source.summary.head.get("site"):
        raise RecordingError(
            f"{path} was recorded on one of two hosts: inputs of the cores on the other one bear instants "
            "of another clock, so they cannot be replayed"
        )
    if not source.summary.counts["/driver_inputs"]:
        raise RecordingError(
            f"{path} has no inputs of the cores: it was recorded where only others run, or broken off at once"
        )
    c = configuration_of(path, source.summary)
    if source.summary.head.get("files", stamp_of(c)) != stamp_of(c):
        raise RecordingError(
            f"{path} was recorded with other files than there are now: {c.robot.model}, its components, or a "
            "scene has changed; put back what the run had"
        )
    return c


def _stage(
    name: str, path: Path, source: Source, c: Configuration, verdict: Verdict, made: Iterator[Any]
) -> Iterator[Any]:
    if name == "simulation":
        return simulated(source, c, verdict)
    if name == "planner":
        return planned(source, c, verdict, Feed(made))
    if name == "driver":
        return driven(source, c, verdict, PlanFeed(made))
    if name == "supervisor":
        return judged(source, c, verdict)
    return emulated(path, source, c, verdict)


def _received(inbox: Any) -> Iterator[Any]:
    while (data := inbox.get()) is not None:
        yield decode(data)[0]
