"""A run with `robot.kind = "fri"` and the emulated controller that it commands, each started by itself."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from socket import SOCK_DGRAM
from typing import Any

from bench.live_run import ROOT, SETTLE_S, LiveRun
from hil.common.free_port import free_port
from hil.messaging.bus import Bus
from hil.messaging.messages import Reply, Request

CLIENT, CONTROLLER = "127.0.0.1", "127.0.0.2"  # so that both can have the port


class Controller:
    """A `zerog emulate`."""

    def __init__(self, configuration: Path, folder: Path, *arguments: str) -> None:
        """Start it.

        Args:
            configuration: of the run that commands it.
            folder: for socket and log.
            arguments: further ones of the command.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.directory, self._log = folder / "controller", folder / "controller.log"
        where = ["--runtime-directory", str(self.directory)]
        command = [sys.executable, "-m", "hil", "emulate", str(configuration), *where, *arguments]
        with self._log.open("wb") as log:
            self.popen = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT)

    @property
    def text(self) -> str:
        """What it has printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def ask(self, verb: str, **arguments: Any) -> Reply:
        """Send a request to its desk and return the reply."""
        bus = Bus(self.directory)
        try:
            return bus.ask(Request(time.monotonic_ns(), verb, json.dumps(arguments)), timeout_s=SETTLE_S)
        finally:
            bus.close()

    def state(self) -> dict[str, Any]:
        """Return how it is."""
        return dict(json.loads(self.ask("state").status))

    def close(self, number: int = signal.SIGINT) -> None:
        """End it."""
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGCONT)
            self.popen.send_signal(number)
            self.popen.wait(SETTLE_S)


class FriRun(LiveRun):
    """A live `zerog run` of the real arm's configuration, on this machine."""

    def __init__(self, folder: Path, **changes: str) -> None:
        """Start it.

        Args:
            folder: for configuration, sockets, records and log.
            changes: patterns in the configuration's text and what takes their place.
        """
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "run.toml"
        file.write_text(on_this_machine(folder, **changes), encoding="utf-8")
        super().__init__(folder, configuration=file)


def on_this_machine(folder: Path, **changes: str) -> str:
    """Return the real arm's configuration for both ends on this machine, all else as it is."""
    text = (ROOT / "configs" / "lwr_fri.toml").read_text(encoding="utf-8")
    text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
    text = text.replace(
        "[run]", f'[run]\nruntime_directory = "{folder}/bus"\nstate_directory = "{folder}/state"', 1
    )
    text = text.replace('"192.168.0.100"', f'"{CLIENT}"').replace('"192.168.0.20"', f'"{CONTROLLER}"')
    text = re.sub(r"port = \d+", f"port = {free_port(SOCK_DGRAM)}", text)
    for old, new in changes.items():
        assert re.search(old, text), old
        text = re.sub(old, new, text)
    return text
