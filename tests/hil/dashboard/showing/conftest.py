"""The recording that all tests of showing look at."""

from pathlib import Path

import pytest

from tests.hil.dashboard.showing.recorded import record


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A push, a hold, a fault and a new start within 6.5 s of virtual time."""
    path = tmp_path_factory.mktemp("showing") / "story.mcap"
    record(path)
    return path
