"""Sessions of shipped arms; the database is read once."""

import pytest

from hil.workbench.driving.mission import load_mission, session_of
from sim.assembly.database import load_database
from tests.documents import ROOT


@pytest.fixture(scope="session")
def database():
    """The shipped components."""
    return load_database()


@pytest.fixture(scope="session")
def mission(database):
    """Returns the mission, or the arm, in a shipped file."""
    return lambda name: load_mission(ROOT / "configs" / name, database)


@pytest.fixture
def lwr(mission):
    """A light-weight arm that is driven, at rest."""
    return session_of(mission("assemblies/lwr4.toml"))
