"""Shared by all tests: where the project lies, and the shipped configurations."""

from pathlib import Path

import pytest

from hil.configuration import Configuration, load_configuration

ROOT = Path(__file__).resolve().parents[1]


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
