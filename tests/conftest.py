"""Shared by all tests: where the project lies, and the shipped configurations."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.configuration import Configuration, load_configuration
from tests import compiled_once, plain_words
from tests.order import ALONE, turn

ROOT = Path(__file__).resolve().parents[1]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no other files for those that run alone: it takes as long as many of their tests."""
    if config.getoption("markexpr") != "alone" or not collection_path.match("test_*.py"):
        return None
    return True if not collection_path.relative_to(ROOT).as_posix().startswith(ALONE) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that have the machine for themselves, and put those first that take longest."""
    paths = {item: item.path.relative_to(ROOT).as_posix() for item in items}
    for item, path in paths.items():
        if path.startswith(ALONE):
            item.add_marker("alone")
    items.sort(key=lambda item: turn(paths[item]))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A part of the tests may have nothing in it that runs alone, or nothing that does not.

    When what failed is run once more there is something, or the run before has died.
    """
    part = session.config.getoption("markexpr") and not session.config.getoption("lf")
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and part:
        session.exitstatus = pytest.ExitCode.OK


plain_words.watch()
compiled_once.begin()


@pytest.fixture(autouse=True)
def said_plainly() -> Iterator[None]:
    """Nothing that a test lets the program say carries traces of the program."""
    plain_words.found.clear()
    yield
    assert not plain_words.found


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def cube() -> Configuration:
    """The default configuration."""
    return load_configuration(ROOT / "configs" / "cube.toml")


@pytest.fixture(scope="session")
def real_arm() -> Configuration:
    """The configuration of a real arm."""
    return load_configuration(ROOT / "configs" / "lwr_fri.toml")
