"""What every process of the ring has in common: arguments, bus, heartbeat, warming, orderly end."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hil.common.errors import ConfigurationError, ZeroGError
from hil.common.parent_death import end_with_parent
from hil.configuration import Configuration
from hil.configuration.loading import accept
from hil.messaging.bus import Bus
from hil.messaging.messages import Heartbeat
from hil.messaging.topics import heartbeat_topic
from hil.processes.real_time.set_up import enter_real_time
from hil.processes.shared_clock import clock_of

HEARTBEAT_NS = 100_000_000
EXIT_USER_ERROR = 2
LAST_WORDS_MS = 50  # at most, for what was said last to leave
Made = TypeVar("Made")


class ProcessContext:
    """The surroundings of one process of the ring."""

    def __init__(self, name: str, arguments: list[str]) -> None:
        options = _parser(name).parse_args(arguments)
        self.name = name
        self.directory: Path = options.directory
        self.replay: Path | None = options.replay
        self.record: Path | None = options.record
        self.port: int | None = options.port
        self.foxglove_port: int | None = options.foxglove_port
        self.settings: list[str] = options.set
        accepted = accept(options.configuration, options.set, options.content)
        if options.stamp not in ("", accepted.stamp):
            raise ConfigurationError(
                f"{options.configuration}: a file that it names has changed since the run accepted it "
                "(model of the arm, scene or interfaces): `zerog reload`, or start the run anew"
            )
        self.text: str = accepted.text
        self.site: str = options.site
        self.path: Path = options.configuration
        self.configuration: Configuration = accepted.configuration
        self.bus = Bus(self.directory)
        self.clock = clock_of(accepted.configuration, self.directory, options.site)
        self.stopping = False
        self._heartbeat = self.bus.publisher(heartbeat_topic(name))
        self._last_beat_ns = 0
        self._phase, self._detail, self._real_time = "warming", "starting", ""
        self.tells: Callable[[], str] = str  # what is to be known beside, once ready; nothing by itself
        for number in (signal.SIGTERM, signal.SIGABRT):  # the second from a service's watchdog, to all of it
            signal.signal(number, self._stop)
        # Ctrl-C is the supervisor's business; its death is ours
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._parent: int = options.parent or os.getppid()
        end_with_parent(self._parent)

    def _stop(self, *_: object) -> None:
        self.stopping = True

    def warmed(self, text: str, make: Callable[[], Made]) -> Made:
        """Return what `make` makes, telling the supervisor before that it may take long."""
        self._detail = text
        self.beat(force=True)
        return make()

    def ready(self) -> None:
        """Become as punctual as the configuration says, and report readiness."""
        report = enter_real_time(self.name, self.configuration)
        self._phase, self._detail, self._real_time = "ready", "", report.to_json()
        self.beat(force=True)

    def beat(self, force: bool = False) -> None:
        """Say that this process is alive; call it from the loop itself, so that it tells the truth."""
        now = self.clock.now_ns()
        if force or now - self._last_beat_ns >= HEARTBEAT_NS:
            self._last_beat_ns = now
            # a supervisor that died before its death could be signalled to us
            self.stopping |= os.getppid() != self._parent
            detail = self._detail or self.tells()
            self._heartbeat.send(Heartbeat(now, self.name, self._phase, detail, os.getpid(), self._real_time))

    def wall_offset_ns(self) -> int:
        """Return wall time less the run's, for log times: what the run calls time is monotonic."""
        return time.time_ns() - self.clock.now_ns()

    def close(self) -> None:
        """Close the sockets, when the last words have left."""
        self.bus.close(LAST_WORDS_MS)


def run_process(name: str, body: Callable[[ProcessContext], None]) -> int:
    """Run a process's body; a user's mistake becomes one line for the supervisor and status 2."""
    directory: Path = _parser(name).parse_args(sys.argv[1:]).directory
    try:
        context = ProcessContext(name, sys.argv[1:])
        try:
            body(context)
        finally:
            context.close()
    except ZeroGError as error:
        error_file(directory, name).write_text(str(error), encoding="utf-8")
        return EXIT_USER_ERROR
    return 0


def error_file(directory: Path, name: str) -> Path:
    """Return where a process leaves the reason for its end."""
    return directory / f"{name}.error"


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"zerog-{name}")
    parser.add_argument("configuration", type=Path)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--parent", type=int)  # the process whose death ends this one
    parser.add_argument("--content", type=Path)  # stands in for what the configuration's file says now
    parser.add_argument("--stamp", default="")  # of the files that it names, when they were accepted
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--replay", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--port", type=int)
    parser.add_argument("--foxglove-port", type=int)
    parser.add_argument("--site", default="")  # of a split run: robot or compute
    return parser
