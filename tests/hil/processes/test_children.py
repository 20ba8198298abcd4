"""How often a process may end before it is given up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.configuration import Configuration
from hil.configuration.loading import Accepted
from hil.processes.supervisor.children import FORGIVEN_S, Children
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
