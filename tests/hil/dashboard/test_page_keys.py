"""The page's keys in a browser: space holds, Escape stops, wherever the focus is."""

import time

import pytest
from playwright.sync_api import Browser, Page, Route

from bench.chromium import MISSING, PROGRAM, open_dashboard, until
from hil.loop.judging.state_machine import Machine, State
from tests.hil.dashboard.lone_page import LonePage

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

HOLD, STOP, FLOAT = ("hold", {}), ("stop", {}), ("float", {})


@pytest.fixture
def page(page: Page, lone: LonePage) -> Page:
    """Holding, so that Float and Hold are allowed; nothing asked yet and nothing with the focus."""
    lone.machine, lone.answer = Machine(State.HOLDING), {"accepted": True, "text": "it is done"}
    until(page, "document.body.dataset.state === 'HOLDING'")
    page.evaluate("document.activeElement.blur()")
    lone.asked.clear()
    return page


def test_space_holds_and_escape_stops(page: Page, lone: LonePage) -> None:
    """Once for each press, however long it lasts."""
    page.keyboard.down("Space")
    page.keyboard.down("Space")  # repeats by itself
    page.keyboard.up("Space")
    page.keyboard.press("Escape")
    assert lone.asked_of(page, 2) == [HOLD, STOP]


@pytest.mark.parametrize("control", ["#verbs [data-control=float]", "#curves", "#stop", "#axes"])
def test_space_never_presses_what_was_clicked_before(page: Page, lone: LonePage, control: str) -> None:
    """After a click on Float the bar is still Hold; the box of the frames keeps its tick."""
    page.evaluate("(which) => document.querySelector(which).focus()", control)
    ticked = page.is_checked("#axes")
    page.keyboard.press("Space")
    assert lone.asked_of(page, 1) == [HOLD] and page.is_checked("#axes") is ticked
    assert page.get_attribute("#curves", "aria-pressed") == "false"


def test_enter_presses_what_has_the_focus(page: Page, lone: LonePage) -> None:
    """A button, and the box of the frames: nothing needs a mouse."""
    page.focus("#verbs [data-control=float]")
    page.keyboard.press("Enter")
    assert lone.asked_of(page, 1) == [FLOAT]
    page.focus("#axes")
    page.keyboard.press("Enter")
    assert page.is_checked("#axes")
    page.keyboard.press("Enter")
    assert not page.is_checked("#axes")


def test_typing_holds_nothing_but_escape_stops(page: Page, lone: LonePage) -> None:
    """In a field a space is a space."""
    page.focus("#push input[name=x]")
    page.keyboard.type("1 2")
    assert lone.asked_of(page, 0) == []
    page.keyboard.press("Escape")
    assert lone.asked_of(page, 1) == [STOP]
    page.focus("#push input[name=force]")  # a slider: nobody types there
    page.keyboard.press("Space")
    assert lone.asked_of(page, 2) == [STOP, HOLD]


def test_keys_count_in_the_picture_too(page: Page, lone: LonePage) -> None:
    """Whoever has just turned it; with a modifier a key is not ours."""
    box = page.locator("#drawing").bounding_box()
    assert box
    page.mouse.click(box["x"] + 60.0, box["y"] + 200.0)
    assert page.evaluate("document.activeElement.id") == "drawing"
    page.keyboard.press("Control+Space")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    assert lone.asked_of(page, 2) == [HOLD, STOP]


def test_keys_count_in_a_picture_that_is_sooner_than_they(chromium: Browser, lone: LonePage) -> None:
    """On a busy machine the picture may be loaded before the file of the keys."""
    opened = chromium.new_page(viewport={"width": 1400, "height": 900})
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))

    def later(route: Route) -> None:
        time.sleep(2.0)  # long enough for the picture
        route.continue_()

    opened.route("**/keys.js", later)
    open_dashboard(opened, lone.address)
    until(opened, "find('drawing').contentWindow.isTidy === true")
    lone.asked.clear()
    box = opened.locator("#drawing").bounding_box()
    assert box
    opened.mouse.click(box["x"] + 60.0, box["y"] + 200.0)
    opened.keyboard.press("Escape")
    assert lone.asked_of(opened, 1) == [STOP] and faults == []
    opened.close()


def test_keys_are_announced_and_answers_too(page: Page, lone: LonePage) -> None:
    """To eyes and to screen readers; what has the focus shows it, and Stop comes first."""
    assert page.is_visible("#keys") and page.inner_text("#keys") == "Space holds, Esc stops."
    assert page.get_attribute("#stop", "aria-keyshortcuts") == "Escape"
    assert page.get_attribute("#verbs [data-control=hold]", "aria-keyshortcuts") == "Space"
    lone.answer = {"accepted": False, "text": "hold is refused in READY: nothing floats"}
    page.keyboard.press("Space")
    until(page, "find('answer').textContent.startsWith('hold is refused')")
    for place in ("#state", "#why", "#answer"):
        assert page.get_attribute(place, "role") == "status"
    assert page.evaluate("document.querySelector('button, input').id") == "stop"
    page.focus("#stop")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.id") == "stop"
    assert page.evaluate("getComputedStyle(find('stop')).outlineStyle") == "solid"
