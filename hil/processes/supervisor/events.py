"""The daemon's events as log records: plain lines on a terminal, with levels for systemd's journal."""

import logging
import os
from collections.abc import Mapping

from hil.processes.supervisor.output import Output

# of syslog, which the journal takes from a line's beginning
LEVELS = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
log = logging.getLogger("zerog")


class EventHandler(logging.Handler):
    """Hands records to the output, a line each, with the journal's level if it goes there."""

    def __init__(self, output: Output, journal: bool) -> None:
        super().__init__()
        self._output, self._journal = output, journal
        self.before = ""  # written before the next line: ends a status line that stands open

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, each of its lines with its level."""
        prefix = f"<{LEVELS.get(record.levelno, 6)}>" if self._journal else ""
        lines = self.format(record).splitlines() or [""]
        before, self.before = self.before, ""
        self._output.put(before + "".join(f"{prefix}{line}\n" for line in lines))


def attach(output: Output, journal: bool) -> EventHandler:
    """Let all of the program's log records go to the output and return their handler."""
    handler = EventHandler(output, journal)
    for old in list(log.handlers):
        log.removeHandler(old)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    return handler


def writes_to_journal(environment: Mapping[str, str], descriptor: int) -> bool:
    """Return whether systemd started this very process, and so reads what it prints.

    A terminal inherits the variables from its own service: they count only if they mean this process
    (`SYSTEMD_EXEC_PID`) or this stream (`JOURNAL_STREAM`, device and inode).
    """
    try:
        status = os.fstat(descriptor)
    except OSError:
        return False
    if environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}":
        return True
    mine = environment.get("SYSTEMD_EXEC_PID") == str(os.getpid())
    return mine and "INVOCATION_ID" in environment
