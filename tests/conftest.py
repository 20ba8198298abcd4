"""Shared by all tests: where the project lies, and the shipped configurations."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.configuration import Configuration, load_configuration
from tests import compiled_once, plain_words

ROOT = Path(__file__).resolve().parents[1]

# Live loops, browsers and whatever judges times run alone, one after the other; all else runs side by side.
ALONE = (
    *(
        "tests/hil/processes/",
        "tests/hil/dashboard/",
        "tests/hil/workbench/test_workbench_browser",
        "tests/hil/messaging/test_bus",
        "tests/hil/trials/soak/",
    ),
    *("tests/hil/recording/test_recording_live.py", "tests/hil/recording/test_replay.py"),
    *("tests/hil/messaging/test_sockets.py", "tests/hil/trials/experiment/test_c"),
    *("tests/hil/trials/experiment/test_live.py", "tests/hil/wrench/test_check_wrench_live.py"),
    *(
        "tests/test_first_hour.py",
        "tests/hil/commands/test_doctor.py",
        "tests/sim/contact/test_manifold_speed.py",
    ),
    *(
        "tests/drivers/emulation/test_emulator_process.py",
        "tests/drivers/emulation/test_patient_process.py",
    ),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that have the machine for themselves."""
    for item in items:
        if str(item.path.relative_to(ROOT)).startswith(ALONE):
            item.add_marker("alone")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A part of the tests may have nothing in it that runs alone, or nothing that does not."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.getoption("markexpr"):
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
