"""How often a process may end before it is given up, and the order in which all are ended."""

import mmap
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.configuration import Configuration
from hil.configuration.loading import Accepted
from hil.processes.supervisor.children import FORGIVEN_S, Child, Children
from hil.processes.supervisor.printed import AT_ONCE, LONGEST, Printed
from hil.processes.table import Process


@pytest.fixture
def children(tmp_path: Path, cube: Configuration) -> Iterator[Children]:
    """One process that ends at once."""
    made = Children(
        [Process("brief", "this", 0)], tmp_path / "run.toml", Accepted(cube, "", ""), tmp_path, []
    )
    yield made
    made.end()


def test_restarts_count_less_with_time(children: Children) -> None:
    """One less for each `FORGIVEN_S` of life; who keeps dying at once is counted as often as started."""
    for count in range(4):
        child = children.children["brief"]
        assert (child.counted, child.restarts) == (count, count)
        child.popen.wait()
        children.restart(child)
    child = children.children["brief"]
    child.started_s -= 2.5 * FORGIVEN_S
    assert child.counted == 2
    children.restart(child)
    child = children.children["brief"]
    assert (child.counted, child.restarts) == (3, 5), "what was forgiven stays so"
    child.started_s -= 100.0 * FORGIVEN_S
    assert child.counted == 0


class Told:
    """A process that writes down what becomes of it."""

    def __init__(self, name: str, log: list[str]) -> None:
        self._name, self._log = name, log

    def terminate(self) -> None:
        self._log.append(f"{self._name} is asked")

    def wait(self, patience_s: float) -> None:
        self._log.append(f"{self._name} has ended")


def test_who_looks_on_ends_after_those_that_it_looks_at(children: Children) -> None:
    """A recorder hears what driver and robot tell when they end, though it was started first."""
    log: list[str] = []
    for name, apart in (("recorder", True), ("driver", False), ("robot", False)):
        process = Process(name, "this", 0, apart=apart)
        gone = os.open(os.devnull, os.O_RDONLY)
        children.children[name] = Child(process, Told(name, log), gone, Printed())
    brief = children.children.pop("brief")
    children.end()
    children.children.clear()
    children.children["brief"] = brief
    last_of_ring = max(log.index("driver has ended"), log.index("robot has ended"))
    assert log.index("recorder is asked") > last_of_ring
    assert log.index("robot is asked") < log.index("driver has ended"), "the ring ends together"


LAST = "OSError: Error opening file: no/such/shape.stl"
DEATHS = {  # what it does before it dies
    "a line without its end": f"sys.stderr.write({LAST!r})",
    "a megabyte before": f"for _ in range(10000): print('x' * 104)\nprint({LAST!r})",
    "a megabyte in one line": f"print('x' * (1 << 20) + {LAST!r}, end='')",
    "no text": rf"sys.stdout.buffer.write(b'\xff\xfe\x1b[2J \xc3' + {LAST!r}.encode())",
    "blank lines behind": f"print({LAST!r}); print(); print('   ')",
}
ENDS = {
    "ended with status 3": "sys.exit(3)",
    "ended with status 1": f"raise {LAST.split(':')[0]}({LAST.split(': ', 1)[1]!r})",
    "was ended by signal 9": "os.kill(os.getpid(), 9)",
    "was ended by signal 6": "os.abort()",
}


@pytest.mark.parametrize("death", list(DEATHS))
@pytest.mark.parametrize("end", list(ENDS))
def test_a_process_that_dies_tells_its_last_line(
    tmp_path: Path, cube: Configuration, monkeypatch: pytest.MonkeyPatch, death: str, end: str
) -> None:
    """Whatever it printed while nobody read, and however it ended: in one line that can be shown."""
    code = f"import os, sys\n{DEATHS[death]}\nsys.stdout.flush()\n{ENDS[end]}\n"
    (tmp_path / "dying.py").write_text(code, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    accepted = Accepted(cube, "", "")
    made = Children([Process("dying", "dying", 0)], tmp_path / "run.toml", accepted, tmp_path, [])
    child = made.children["dying"]
    child.popen.wait()
    reason = made.reason(child)
    made.end()
    assert reason.startswith(f"the dying process {end}: ") and reason.endswith(LAST)
    assert reason.isprintable() and len(reason) < 400


def test_what_is_printed_is_heard_once_in_order_and_takes_no_memory_for_ever() -> None:
    """Lines in pieces become whole ones; of a flood the newest; what has been read is given back."""
    printed = Printed()
    os.write(printed.descriptor, b"one\ntw")
    assert printed.lines() == ["one"] and printed.last == "one"
    os.write(printed.descriptor, b"o\n")
    assert printed.lines() == ["two"] and printed.lines() == []
    for k in range(50_000):
        os.write(printed.descriptor, b"%09d\n" % k)
    heard = printed.lines()
    assert heard[-1] == "000049999" and len(heard) == pytest.approx(AT_ONCE / 10, abs=2)
    assert [int(line) for line in heard[1:]] == list(range(50_001 - len(heard), 50_000))
    assert 512 * os.fstat(printed.descriptor).st_blocks <= mmap.PAGESIZE
    os.write(printed.descriptor, b"y" * (2 * LONGEST))
    assert printed.lines() == [] and printed.lines(ended=True) == ["y" * LONGEST]
    printed.close()
