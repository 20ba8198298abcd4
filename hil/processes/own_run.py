"""A live run of our own, below this process: started apart from any other, asked how it is, and ended."""

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from socket import SOCK_DGRAM
from types import TracebackType

from hil.common.errors import LinkError
from hil.common.free_port import free_port
from hil.configuration import Configuration, load_configuration
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.supervisor.display import REFUSED

START_PATIENCE_S = 900.0  # a first start compiles
END_PATIENCE_S = 10.0
AGAIN_PATIENCE_S = 5.0
POLL_S = 0.1


def private_settings(folder: Path) -> list[str]:
    """Return what sets a run of an emulated robot apart: sockets and marks in `folder`, a free port.

    It floats by itself.
    """
    return [
        f"run.runtime_directory = {json.dumps(str(folder / 'bus'))}",
        f"run.state_directory = {json.dumps(str(folder / 'state'))}",
        "run.float_at_start = true",
        f"fri.port = {free_port(SOCK_DGRAM)}",
    ]


class OwnRun:
    """A `zerog run` below this process; a context manager that always ends it.

    A real robot keeps its own sockets and port, and is floated by an operator.

    Attributes:
        configuration: as the run has it.
        directory: its run-time directory.
        bus: to listen on.
    """

    def __init__(
        self, path: Path, settings: Sequence[str], what_for: str, arguments: Sequence[str] = ()
    ) -> None:
        """Prepare a run.

        Args:
            path: its configuration.
            settings: lines KEY=VALUE that stand in for the file's.
            what_for: whose run it is, for errors.
            arguments: further ones of `zerog run`.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="zerog-")
        folder = Path(self._folder.name)
        self._settings = list(settings)
        if load_configuration(path, self._settings).robot.kind == "emulated":
            self._settings += private_settings(folder)
        self._path, self._what_for, self._arguments = path, what_for, arguments
        self._log = folder / "log"
        self.configuration: Configuration = load_configuration(path, self._settings)
        self.directory = runtime_directory(self.configuration.run.runtime_directory)
        self.bus = Bus(self.directory)
        self._run: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "OwnRun":
        # who ends us must not leave an arm behind that floats
        self._handler = signal.signal(signal.SIGTERM, _leave)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bus.close()
        self.end()
        signal.signal(signal.SIGTERM, self._handler)
        self._folder.cleanup()

    def settle(self, settings: Sequence[str]) -> None:
        """Take further settings before the run begins: what is known of it only now."""
        self._settings += settings
        self.configuration = load_configuration(self._path, self._settings)

    def start(self, waiting: Callable[[str], None]) -> None:
        """Start the run and return when the object floats.

        Args:
            waiting: told what is being waited for.

        Raises:
            LinkError: the run ended, or did not come so far, or may not float where the arm stands.
        """
        self.begin()
        self.wait_floating(waiting)

    def begin(self) -> None:
        """Start the run."""
        words = [f"--set={text}" for text in self._settings]
        with self._log.open("wb") as log:
            self._run = subprocess.Popen(
                [sys.executable, "-m", "hil", "run", str(self._path), *words, *self._arguments],
                stdout=log,
                stderr=log,
            )

    def wait_floating(self, waiting: Callable[[str], None]) -> None:
        """Return when the object floats; for `waiting` and errors see `start`."""
        deadline = time.monotonic() + START_PATIENCE_S
        while "-> FLOATING" not in self.log:
            self.check()
            if REFUSED in self.log:
                raise LinkError(f"{self._what_for}: the object may not float:\n{self.log}")
            if time.monotonic() > deadline:
                raise LinkError(
                    f"{self._what_for}: the loop did not float within {START_PATIENCE_S:.0f} s:\n{self.log}"
                )
            lines = self.log.splitlines()
            waiting(lines[-1].strip(" …") if lines else "starting")
            time.sleep(POLL_S)

    @property
    def status(self) -> int | None:
        """The exit status; None while the run goes on."""
        return None if self._run is None else self._run.poll()

    def check(self) -> None:
        """See that the run is still there.

        Raises:
            LinkError: it has ended; its last words are told.
        """
        if self.status is not None:
            raise LinkError(f"{self._what_for}: the loop ended with status {self.status}:\n{self.log}")

    def float_again(self) -> None:
        """Reset the machine and float, as an operator would after a fault; refusals change nothing."""
        deadline = time.monotonic() + AGAIN_PATIENCE_S
        state = ""
        while state != State.FLOATING and time.monotonic() < deadline:
            state = self.bus.status()["state"]
            verb = {State.FAULT: "reset", State.STOPPED: "reset", State.READY: "float"}.get(State(state))
            if verb is not None:
                self.bus.ask(Request(time.monotonic_ns(), verb, "{}"))
            time.sleep(POLL_S)

    @property
    def log(self) -> str:
        """What the run has printed."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def interrupt(self) -> None:
        """Tell the run to come to its end in order."""
        if self._run is not None and self._run.poll() is None:
            self._run.send_signal(signal.SIGINT)

    def end(self) -> None:
        """Let the run come to its end in order, or end it."""
        if self._run is None or self._run.poll() is not None:
            return
        self.interrupt()
        try:
            self._run.wait(END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._run.kill()
            self._run.wait()


def _leave(number: int, _: object) -> None:
    """Leave all contexts, as an interrupt does."""
    sys.exit(128 + number)
