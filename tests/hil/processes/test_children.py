"""How often a process may end before it is given up, and the order in which all are ended."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.configuration import Configuration
from hil.configuration.loading import Accepted
from hil.processes.supervisor.children import FORGIVEN_S, Child, Children
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
        ours, theirs = socket.socketpair()
        theirs.close()
        process = Process(name, "this", 0, apart=apart)
        gone = os.open(os.devnull, os.O_RDONLY)
        children.children[name] = Child(process, Told(name, log), gone, ours)
    brief = children.children.pop("brief")
    children.end()
    children.children.clear()
    children.children["brief"] = brief
    last_of_ring = max(log.index("driver has ended"), log.index("robot has ended"))
    assert log.index("recorder is asked") > last_of_ring
    assert log.index("robot is asked") < log.index("driver has ended"), "the ring ends together"
