"""A live loop of its own for measuring: started in a private folder, pushed, and ended."""

import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from hil.bus import Bus
from hil.configuration import Configuration, load_configuration
from hil.errors import LinkError
from hil.messages import Request
from hil.state_machine import State

START_PATIENCE_S = 900.0  # a first start compiles
END_PATIENCE_S = 10.0
AGAIN_PATIENCE_S = 5.0
POLL_S = 0.1
SPARE = 5  # pushes beyond those asked for, so that the trial does not run dry
GAP_S, SPREAD_S, FIRST_S = 2.2, 0.4, 1.5  # between pushes, at random beyond, and before the first


def trial_settings(pushes: int, folder: Path) -> list[str]:
    """Return what a trial of pushes changes in a configuration of an emulated robot.

    Single pushes of 30 to 200 ms in any direction, each from a slow motion in the middle of the stops, as
    in `configs/pushes.toml`. Sockets and marks lie in `folder`, and the port is a free one: a running
    daemon is not disturbed.
    """
    random = (
        f"{{count = {pushes + SPARE}, first_s = {FIRST_S}, gap_s = {GAP_S}, gap_spread_s = {SPREAD_S}, "
        "impulse_min_n_s = 0.3, impulse_max_n_s = 5.0, duration_min_ms = 30.0, duration_max_ms = 200.0, "
        "peak_n = 60.0, lever_mm = 100.0, steer = false}"
    )
    return [
        f"run.runtime_directory = {json.dumps(str(folder / 'bus'))}",
        f"run.state_directory = {json.dumps(str(folder / 'state'))}",
        "run.float_at_start = true",
        f"fri.port = {_free_port()}",
        f"operator.random = {random}",
        "experiments = {after_s = 0.9, max_speed_mm_s = 40.0, max_spin_deg_s = 5.7}",
    ]


class LiveTrial:
    """A `zerog run` below this process; a context manager that always ends it.

    Attributes:
        configuration: as the run has it.
        bus: to listen on.
    """

    def __init__(self, path: Path, settings: list[str], pushes: int) -> None:
        """Prepare a run of the file at `path` with `settings` instead of its values."""
        self._folder = tempfile.TemporaryDirectory(prefix="zerog-latency-")
        folder = Path(self._folder.name)
        self._settings = [*settings, *trial_settings(pushes, folder)]
        self._path = path
        self._log = folder / "log"
        self.configuration: Configuration = load_configuration(path, self._settings)
        self.bus = Bus(folder / "bus")
        self._run: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "LiveTrial":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bus.close()
        self._end()
        self._folder.cleanup()

    def start(self, waiting: Callable[[str], None]) -> None:
        """Start the run and return when the object floats.

        Args:
            waiting: told what is being waited for.

        Raises:
            LinkError: the run ended, or did not come so far.
        """
        words = [f"--set={text}" for text in self._settings]
        with self._log.open("wb") as log:
            self._run = subprocess.Popen(
                [sys.executable, "-m", "hil", "run", str(self._path), *words], stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_PATIENCE_S
        while "-> FLOATING" not in self.log:
            self.check()
            if time.monotonic() > deadline:
                raise LinkError(
                    f"latency: the loop did not float within {START_PATIENCE_S:.0f} s:\n{self.log}"
                )
            lines = self.log.splitlines()
            waiting(lines[-1].strip(" …") if lines else "starting")
            time.sleep(POLL_S)

    def check(self) -> None:
        """See that the run is still there.

        Raises:
            LinkError: it has ended; its last words are told.
        """
        if self._run is not None and self._run.poll() is not None:
            raise LinkError(f"latency: the loop ended with status {self._run.returncode}:\n{self.log}")

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

    def _end(self) -> None:
        if self._run is None or self._run.poll() is not None:
            return
        self._run.send_signal(signal.SIGINT)
        try:
            self._run.wait(END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._run.kill()
            self._run.wait()


def _free_port() -> int:
    """Return a UDP port that nobody uses at the moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
