"""Lines on their way out: never waited for, counted when lost, with levels for the journal."""

import errno
import logging
import os
import threading
import time
from collections.abc import Callable

from hil.processes.supervisor.events import EventHandler, writes_to_journal
from hil.processes.supervisor.output import CAPACITY, Output


def happens(condition: Callable[[], bool]) -> bool:
    """Whether a condition holds within a few seconds."""
    deadline = time.monotonic() + 5.0
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    return condition()


class Disk:
    """Takes what is written, or refuses it."""

    def __init__(self) -> None:
        self.full = False
        self.text = ""

    def write(self, _: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.text += data[:5].decode()  # in pieces, as a pipe may
        return min(5, len(data))


def test_lost_lines_are_counted_and_told_once() -> None:
    """A full disk loses lines; the first that can be written again says how many, and then no more."""
    disk = Disk()
    output = Output(1, disk.write)
    output.put("first\n")
    assert happens(lambda: disk.text == "first\n")
    disk.full = True
    output.put("second\n")
    output.put("third\n")
    assert happens(lambda: output.lost == 2)
    disk.full = False
    output.put("fourth\n")
    output.put("fifth\n")
    output.close()
    assert disk.text == "first\n(2 lines were lost: No space left on device)\nfourth\nfifth\n"


def test_a_reader_that_does_not_read_blocks_nobody() -> None:
    """Writing hangs for ever: putting lines does not, and all beyond the queue's length are counted."""
    stuck = threading.Event()

    def write(_: int, data: bytes) -> int:
        stuck.wait(20.0)
        return len(data)

    output = Output(1, write)
    for _ in range(CAPACITY + 100):
        output.put("line\n")
    assert 98 <= output.lost <= 100  # one or two may have left the queue
    stuck.set()
    output.close()


def test_a_closed_pipe_is_no_error() -> None:
    """The reader has gone: lines are lost, nothing is raised."""
    reading, writing = os.pipe()
    os.close(reading)
    output = Output(writing)
    output.put("line\n")
    assert happens(lambda: output.lost == 1)
    output.close()
    os.close(writing)


def test_records_get_the_journals_levels() -> None:
    """Each line of a record carries the level's number of syslog; without a journal none does."""
    for journal, expected in ((True, "<3>one\n<3>two\n<4>three\n"), (False, "one\ntwo\nthree\n")):
        disk = Disk()
        output = Output(1, disk.write)
        handler = EventHandler(output, journal)
        for level, text in ((logging.ERROR, "one\ntwo"), (logging.WARNING, "three")):
            handler.emit(logging.LogRecord("zerog", level, "", 0, text, None, None))
        output.close()
        assert disk.text == expected


def test_only_systemds_own_stream_is_a_journal() -> None:
    """Variables that a terminal has inherited from its own service do not count."""
    reading, writing = os.pipe()
    status = os.fstat(writing)
    stream = f"{status.st_dev}:{status.st_ino}"
    assert writes_to_journal({"JOURNAL_STREAM": stream}, writing)
    assert not writes_to_journal({"JOURNAL_STREAM": "1:2", "INVOCATION_ID": "x"}, writing)
    assert writes_to_journal({"INVOCATION_ID": "x", "SYSTEMD_EXEC_PID": str(os.getpid())}, writing)
    assert not writes_to_journal({}, writing)
    os.close(reading)
    os.close(writing)
