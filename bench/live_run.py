"""The real programs, started in a folder of their own: for hazard tests and for benchmarks."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from socket import SOCK_DGRAM
from typing import Any

from hil.common.free_port import free_port
from hil.messaging.bus import Bus, Subscriber
from hil.messaging.messages import Reply, Request, TruthBlock
from hil.processes.table import PROCESSES

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 240.0  # a first start compiles
SETTLE_S = 20.0  # for anything that happens within a second on a quiet machine
SET_OFF_S = 0.4  # [s] at full pace until an arm that sets off is felt no more, and a push is one


class LiveRun:
    """A live `zerog run` of the default configuration, strict unless it is asked to be patient."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        program: str = "hil",
        patient: bool = False,
        configuration: Path | None = None,
        **changes: str,
    ) -> None:
        """Start it.

        Args:
            folder: for configuration, sockets and log.
            arguments: of `zerog run`, behind the configuration.
            program: module that is run.
            patient: emulated time waits for a busy machine, as it does by default; what freezes processes to
                see what the loop does needs a robot that does not wait.
            configuration: another one than the default, as it is.
            changes: patterns in the configuration's text and what takes their place.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.configuration = configuration or self._written(folder, patient, changes)
        self.directory = folder / "bus"
        self.log = folder / "log"
        self._arguments, self._program = arguments, program
        self.modules = {name: process.module for name, process in PROCESSES.items()}
        self._violations = 0
        self._bus: Bus | None = None
        self._truth: Subscriber[TruthBlock] | None = None
        self.popen = self._started()

    def _written(self, folder: Path, patient: bool, changes: dict[str, str]) -> Path:
        """Write the default configuration, apart from any other run and changed, and return its path."""
        self.port = free_port(SOCK_DGRAM)
        text = (ROOT / "configs" / "cube.toml").read_text(encoding="utf-8")
        text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
        text = text.replace(
            "[run]", f'[run]\nruntime_directory = "{folder}/bus"\nstate_directory = "{folder}/state"', 1
        )
        for old, new in changes.items():
            text = re.sub(old, new, text)
        text += f"\n[fri]\nport = {self.port}\n\n[emulator]\npatient = {str(patient).lower()}\n"
        file = folder / "run.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def start_again(self) -> None:
        """Start the daemon anew in the same folder."""
        self._violations = 0
        self.popen = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", self._program, "run", str(self.configuration), *self._arguments]
        with self.log.open("wb") as log:
            return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT)

    @property
    def text(self) -> str:
        """What the run has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def bus(self) -> Bus:
        """The run's bus, to listen on."""
        self._bus = self._bus or Bus(self.directory)
        return self._bus

    def ask(self, verb: str, **arguments: Any) -> Reply:
        """Send an operator's request and return the reply."""
        return self.bus.ask(Request(time.monotonic_ns(), verb, json.dumps(arguments)), timeout_s=SETTLE_S)

    def status(self) -> dict[str, Any]:
        """Return the daemon's status."""
        return dict(json.loads(self.ask("status").status))

    def wait(self, condition: Callable[[], object], patience_s: float = SETTLE_S) -> None:
        """Wait until a condition of the run holds."""
        deadline = time.monotonic() + patience_s
        while not condition():
            assert self.popen.poll() is None, f"the run ended with {self.popen.returncode}:\n{self.text}"
            assert time.monotonic() < deadline, f"did not happen in {patience_s} s:\n{self.text}"
            time.sleep(0.02)

    def wait_state(self, state: str, patience_s: float = SETTLE_S) -> dict[str, Any]:
        """Wait until the machine is in a state and return the status."""
        self.wait(lambda: self.status()["state"] == state, patience_s)
        return self.status()

    def wait_floating(self) -> None:
        """Wait until the object floats and the arm follows."""
        self.wait(lambda: "FLOATING" in self.text, PATIENCE_S)
        self.float_again()  # should a machine without a breath to spare have faulted meanwhile

    def float_again(self) -> None:
        """Let the object float, whatever state the machine is in and wherever the arm stands."""
        self.ask("disturb", clear=True)
        deadline = time.monotonic() + PATIENCE_S
        while (state := self._floated()) != "FLOATING":
            assert time.monotonic() < deadline, f"does not float:\n{self.text}"
            if state in ("FAULT", "STOPPED", "READY"):  # what was disturbed may not be over yet
                time.sleep(0.1)
                continue
            # out of reach, or out of the stops: an emulated robot that is new stands at the start
            os.kill(self.pid("emulator"), signal.SIGKILL)
            self.wait(lambda: "ended by signal" in self.status()["reason"])

    def _floated(self) -> str:
        """Ask for floating from a fault or stop, and return the state in which the machine settles."""
        if self.status()["state"] in ("FAULT", "STOPPED"):
            self.ask("reset")
            self.wait_state("READY", PATIENCE_S)
        if self.status()["state"] == "READY":
            reply = self.ask("float")
            if "outside the stops" in reply.text:
                return "outside"
        self.wait(lambda: self.status()["following"] or self.status()["state"] != "FLOATING")
        return str(self.status()["state"])

    def stands(self) -> bool:
        """Return whether the arm is no longer commanded to move."""
        status = self.status()
        return not status["following"] and status["commanded_speed"] == 0.0

    def take_violations(self) -> tuple[int, str]:
        """Return how many commands the controller's own monitor faulted since last asked, and the first.

        A controller that is started anew counts anew.
        """
        self._truth = self._truth or self.bus.subscriber("truth", TruthBlock)
        found, first = 0, ""
        for block in self._truth.drain():
            found += max(0, block.violations - self._violations)
            first = first or (block.violation if found else "")
            self._violations = block.violations
        return found, first

    def memory_kib(self) -> float:
        """Return what the daemon and its processes have written and share with nobody [KiB].

        (What is shared counts by halves and thirds, and so changes with other programs.)
        """
        pids = [self.pid(name) for name in ("daemon", "emulator", "driver", "sim", "planner")]
        texts = [Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii") for pid in pids]
        return float(sum(int(re.search(r"^Private_Dirty:\s+(\d+)", text, re.MULTILINE)[1]) for text in texts))

    def pid(self, name: str) -> int:
        """Return the process id of one process of the ring, or of the daemon."""
        if name == "daemon":
            return self.popen.pid
        found = subprocess.run(
            ["pgrep", "-f", f"{self.modules[name]} {self.configuration}"], capture_output=True, text=True
        )
        return int(found.stdout.split()[0])

    def close(self) -> None:
        """End the run whatever its state."""
        if self._bus is not None:
            self._bus.close()
        if self.popen.poll() is None:
            os.kill(self.popen.pid, signal.SIGCONT)
            self.popen.send_signal(signal.SIGINT)
            try:
                self.popen.wait(SETTLE_S)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()
