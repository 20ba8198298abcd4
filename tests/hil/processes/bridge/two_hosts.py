"""Two hosts for a live test: network namespaces with a cable between, and two monotonic clocks.

Where namespaces are not allowed both hosts share loopback, and a cut is the other bridge standing still;
where there are no time namespaces they share the clock.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from socket import SOCK_DGRAM, SOCK_STREAM
from typing import Any

from hil.common.free_port import free_port
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.processes.bridge.keys import make_keys

ROOT = Path(__file__).resolve().parents[4]
AHEAD_S = 1000  # of the compute host's clock
SETTLE_S = 20.0
PATIENCE_S = 240.0  # a first start compiles


def succeeds(*command: str) -> bool:
    """Whether a command is there and ends well."""
    return (
        shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0
    )


class Cable:
    """Two network namespaces with a cable between them, or nothing but loopback."""

    def __init__(self) -> None:
        self.names = {site: f"zg{site[0]}{os.getpid()}" for site in ("robot", "compute")}
        self.spaces = all(succeeds("ip", "netns", "add", name) for name in self.names.values())
        self.addresses = {"robot": "127.0.0.1", "compute": "127.0.0.1"}
        if self.spaces:
            first, second = self.names.values()
            self._ip("link", "add", "cable", "netns", first, "type", "veth", "peer", "cable", "netns", second)
            for number, (site, name) in enumerate(self.names.items(), 1):
                self.addresses[site] = f"10.47.0.{number}"
                self._ip("-n", name, "addr", "add", f"10.47.0.{number}/24", "dev", "cable")
                for link in ("lo", "cable"):
                    self._ip("-n", name, "link", "set", link, "up")

    def within(self, site: str) -> list[str]:
        """The words before a command that is to run on a host."""
        return ["ip", "netns", "exec", self.names[site]] if self.spaces else []

    def plug(self, state: str) -> None:
        """Pull the cable (`down`) or plug it in (`up`)."""
        self._ip("-n", self.names["compute"], "link", "set", "cable", state)

    def close(self) -> None:
        """Remove the namespaces, and the cable with them, as far as they were made."""
        for name in self.names.values():
            succeeds("ip", "netns", "del", name)

    def _ip(self, *words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)


class Host:
    """One host's `zerog run --only ...`."""

    def __init__(self, folder: Path, only: str, before: list[str], network: str) -> None:
        self.directory, self.log, self._bus = folder / "bus", folder / "log", None
        folder.mkdir()
        text = (ROOT / "configs/cube.toml").read_text(encoding="utf-8")
        text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
        run = f'[run]\nruntime_directory = "{self.directory}"\nstate_directory = "{folder}/state"'
        port = free_port(SOCK_DGRAM)
        self.configuration = folder / "run.toml"
        text = text.replace("[run]", run, 1).replace("count = 200", "count = 0") + network
        self.configuration.write_text(f"{text}\n[fri]\nport = {port}\n", encoding="utf-8")
        command = [sys.executable, "-m", "hil", "run", str(self.configuration), "--only", only]
        with self.log.open("wb") as log:
            self.popen = subprocess.Popen([*before, *command], stdout=log, stderr=subprocess.STDOUT, cwd=ROOT)

    @property
    def text(self) -> str:
        """What the run has printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def ask(self, verb: str, **arguments: Any) -> Any:
        """Send an operator's request and return the reply."""
        self._bus = self._bus or Bus(self.directory)
        return self._bus.ask(Request(time.monotonic_ns(), verb, json.dumps(arguments)), timeout_s=SETTLE_S)

    def status(self) -> dict[str, Any]:
        """The status of this host."""
        return dict(json.loads(self.ask("status").status))

    def wait(self, condition, patience_s: float = SETTLE_S) -> None:
        """Wait until a condition holds."""
        deadline = time.monotonic() + patience_s
        while not condition():
            assert self.popen.poll() is None, f"ended with {self.popen.returncode}:\n{self.text}"
            assert time.monotonic() < deadline, f"did not happen in {patience_s} s:\n{self.text}"
            time.sleep(0.05)

    def pid(self, module: str) -> int:
        """The process id of a process of this host."""
        found = subprocess.run(
            ["pgrep", "-f", f"^{sys.executable} -m {module} (run )?{self.configuration}"],
            capture_output=True,
            text=True,
        )
        return int(found.stdout.split()[0])

    def end(self) -> int:
        """Ask the run to end, as Ctrl-C does, and return its status."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None
        if self.popen.poll() is None:
            os.kill(self.pid("hil"), signal.SIGINT)
        try:
            return self.popen.wait(SETTLE_S)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
            raise


class TwoHosts:
    """The robot's host and the compute host, both running."""

    def __init__(self, folder: Path) -> None:
        self.cable = Cable()
        clocks = ["unshare", "--time", "--monotonic", str(AHEAD_S), "--fork", "--kill-child"]
        self.ahead_s = AHEAD_S if succeeds(*clocks, "true") else 0
        make_keys(folder / "keys")
        ports = {site: free_port(SOCK_STREAM) for site in ("robot", "compute")}
        network = f'\n[network]\nkey_folder = "{folder}/keys"\n' + "".join(
            f'{site} = "tcp://{self.cable.addresses[site]}:{port}"\n' for site, port in ports.items()
        )
        before = self.cable.within("compute") + (clocks if self.ahead_s else [])
        self.robot = Host(folder / "robot", "driver", self.cable.within("robot"), network)
        self.compute = Host(folder / "compute", "sim,planner", before, network)

    def cut(self) -> None:
        """Break the link."""
        if self.cable.spaces:
            self.cable.plug("down")
        else:
            os.kill(self.compute.pid("hil.processes.bridge.main"), signal.SIGSTOP)

    def mend(self) -> None:
        """Bring the link back."""
        if self.cable.spaces:
            self.cable.plug("up")
        else:
            os.kill(self.compute.pid("hil.processes.bridge.main"), signal.SIGCONT)

    def close(self) -> None:
        """End everything whatever its state."""
        for host in (self.compute, self.robot):
            try:
                host.end()
            except (IndexError, OSError, subprocess.TimeoutExpired):
                host.popen.kill()
        self.cable.close()
