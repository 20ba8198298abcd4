"""The processes of the ring as the daemon sees them: started, watched, started again, ended."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hil.configuration.loading import Accepted
from hil.processes.context import EXIT_USER_ERROR, error_file
from hil.processes.supervisor.printed import Printed
from hil.processes.table import Process

log = logging.getLogger("zerog.children")
ACCEPTED = "accepted.toml"  # the configuration that the run goes by, in the run-time directory
END_TIMEOUT_S = 1.0  # a process that has not ended on SIGTERM by then is killed, but not before
END_ROOM_S = 0.3  # [s] are over since the last one should have left: driver and robot come to rest first
FORGIVEN_S = 10.0  # [s] of life for which one restart no longer counts
MAX_RESTARTS = 3  # of one process that still count; then it is given up
CLOSING_S = 2.0  # one that looks on may take so much longer: a recording gets its index


@dataclass
class Child:
    """One running process; `pidfd` becomes readable the moment it ends."""

    process: Process
    popen: "subprocess.Popen[bytes]"
    pidfd: int
    printed: Printed  # what it prints
    restarts: int = 0
    strikes: int = 0  # of the restarts those that counted when it was started
    started_s: float = field(default_factory=time.monotonic)

    @property
    def age_s(self) -> float:
        """For how long it has lived so far [s]."""
        return time.monotonic() - self.started_s

    @property
    def counted(self) -> int:
        """How many of its restarts still count: one less for each time that it has lived long enough."""
        return max(0, self.strikes - int(self.age_s / FORGIVEN_S))


class Children:
    """All processes of a run."""

    def __init__(
        self,
        table: Iterable[Process],
        path: Path,
        accepted: Accepted,
        directory: Path,
        extra: list[str],
        leave_s: float = 0.0,
    ) -> None:
        """Start them.

        Args:
            table: which.
            path: of the configuration's file, which names it and what it names; it is not read again.
            accepted: what the run goes by: a file edited meanwhile must reach no process.
            directory: the run-time directory.
            extra: further arguments of all processes.
            leave_s: for how long driver and emulated robot may take to come to rest when told to end [s].
        """
        self._text, self._content = accepted.text, directory / ACCEPTED
        ours = [f"--content={self._content}", f"--stamp={accepted.stamp}", f"--parent={os.getpid()}"]
        self._arguments = [str(path), str(directory), *ours, *extra]
        self._directory = directory
        self._patience_s = max(END_TIMEOUT_S, leave_s + END_ROOM_S)
        self.children: dict[str, Child] = {}
        self._put_content()
        self.start(table)

    def start(self, table: Iterable[Process]) -> None:
        """Start processes beside those that run."""
        self.children |= {process.name: self._start(process) for process in table}

    def ended(self) -> list[Child]:
        """Return the children that have ended since they were started."""
        return [child for child in self.children.values() if child.popen.poll() is not None]

    def relay(self) -> None:
        """Let what the children have printed go the way of the daemon's own lines."""
        for child in self.children.values():
            _relay(child)

    def restart(self, child: Child) -> None:
        """Start an ended child again."""
        _close(child)
        fresh = self._start(child.process)
        fresh.restarts, fresh.strikes = child.restarts + 1, child.counted + 1
        self.children[child.process.name] = fresh

    def forget(self, child: Child) -> None:
        """Do without a child that has ended."""
        _close(child)
        del self.children[child.process.name]

    def looker_ended(self, child: Child, reason: str, tell: Callable[[str, int], None]) -> None:
        """Do without one that looks on, or start it again unless it keeps ending at once.

        Args:
            child: that has ended.
            reason: why.
            tell: told it in words, with a level of `logging`.
        """
        again = child.process.revived and child.popen.returncode != EXIT_USER_ERROR
        again = again and child.counted < MAX_RESTARTS
        event = f"the {child.process.name} has ended: {reason}"
        tell(f"{event}; it is started again" if again else event, logging.WARNING)
        if again:
            self.restart(child)
        else:
            self.forget(child)

    def reason(self, child: Child) -> str:
        """Return in words why a child ended: what it said of that itself, else its last line."""
        _relay(child, ended=True)
        file = error_file(self._directory, child.process.name)
        if file.is_file():
            return file.read_text(encoding="utf-8")
        status = child.popen.returncode
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        last = f": {child.printed.last}" if child.printed.last else ""
        return f"the {child.process.name} process {how}{last}"

    def proportional_memory(self) -> int:
        """Return the proportional set size of all children and this process [bytes]."""
        pids = [os.getpid(), *(child.popen.pid for child in self.children.values())]
        return sum(_proportional_set_size(pid) for pid in pids)

    def end(self) -> None:
        """End all children: asked first, killed if they do not; those that look on may take longer.

        Those that look on are asked last: what the others have left to tell when they end is still written.
        """
        for apart in (False, True):
            self._end([child for child in self.children.values() if child.process.apart is apart])

    def _end(self, children: Sequence[Child]) -> None:
        for child in children:
            child.popen.terminate()
        deadline = time.monotonic() + self._patience_s
        for child in children:
            try:
                patience_s = deadline - time.monotonic() + CLOSING_S * child.process.apart
                child.popen.wait(max(0.0, patience_s))
            except subprocess.TimeoutExpired:
                child.popen.kill()
                child.popen.wait()
            _close(child)

    def _put_content(self) -> None:
        """Write what the processes are to read."""
        beside = self._content.with_suffix(".new")  # one that was started before may just read it
        beside.write_text(self._text, encoding="utf-8")
        os.replace(beside, self._content)

    def _start(self, process: Process) -> Child:
        error_file(self._directory, process.name).unlink(missing_ok=True)
        self._put_content()
        # one thread for linear algebra: more would only fight the loop for the cores
        environment = os.environ | {
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "NUMBA_NUM_THREADS": "1",
            "PYTHONUNBUFFERED": "1",
        }
        printed = Printed()  # no process of the ring ever waits for a reader of what it prints
        popen = subprocess.Popen(
            [sys.executable, "-m", process.module, *self._arguments],
            stdin=subprocess.DEVNULL,
            stdout=printed.descriptor,
            stderr=printed.descriptor,
            start_new_session=True,
            env=environment,
        )
        return Child(process, popen, os.pidfd_open(popen.pid), printed)


def _relay(child: Child, ended: bool = False) -> None:
    for line in child.printed.lines(ended):
        log.warning("%s: %s", child.process.name, line)


def _close(child: Child) -> None:
    """Hear a child's last words and forget it."""
    _relay(child, ended=True)
    child.printed.close()
    os.close(child.pidfd)


def _proportional_set_size(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0  # just ended
    for line in text.splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
