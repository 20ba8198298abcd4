"""What live tests share: a run that floats, used by all tests of a file, each of which may disturb it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.live_run import LiveRun


@pytest.fixture(scope="module")
def shared_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    """A run that has floated; started once a file, for a start takes long."""
    folder: Path = tmp_path_factory.mktemp("live")
    made = LiveRun(folder / "r")
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


@pytest.fixture
def run(shared_run: LiveRun) -> Iterator[LiveRun]:
    """The shared run, floating; whatever a test does to it, no command may break a limit.

    The emulated controller's own monitor judges every command, whatever the driver thinks of it.
    """
    shared_run.float_again()
    shared_run.take_violations()
    yield shared_run
    count, first = shared_run.take_violations()
    assert count == 0, f"{count} commands broke a limit: {first}"
