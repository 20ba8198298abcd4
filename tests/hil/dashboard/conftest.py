"""What tests in a browser share: the browser, and the page without a run. Imported where it is asked for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from hil.configuration import Configuration

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.hil.dashboard.lone_page import LonePage


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """One browser for all tests of a file."""
    from bench.chromium import browser

    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def lone(cube: Configuration) -> Iterator["LonePage"]:
    """The dashboard without a run."""
    from tests.hil.dashboard.lone_page import LonePage

    made = LonePage(cube)
    yield made
    made.close()


@pytest.fixture(scope="module")
def page(lone: "LonePage", chromium: "Browser") -> Iterator["Page"]:
    """Its page, with everything drawn; no script of it may fail whatever the tests of a file do to it."""
    from bench.chromium import open_dashboard

    faults: list[str] = []
    opened = chromium.new_page(viewport={"width": 1400, "height": 900})
    opened.on("pageerror", lambda error: faults.append(str(error)))
    open_dashboard(opened, lone.address)
    yield opened
    assert faults == []
