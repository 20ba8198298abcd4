"""The page's button that must be held, in a browser before a real run: whatever lets go stops the arm."""

import re
from collections.abc import Iterator
from socket import SOCK_STREAM

import pytest
from playwright.sync_api import Browser, Page

from bench.chromium import MISSING, PROGRAM, until
from bench.live_run import PATIENCE_S, SETTLE_S, LiveRun
from hil.common.free_port import free_port

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

START = "emulator.start_deg=[50.0, -62.0, 0.0, 84.574, 0.0, 58.885, 0.0]"
HELD = "document.getElementById('approach').classList.contains('held')"
TRIES = 20  # a machine that is shared may take a hand for gone


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    port = free_port(SOCK_STREAM)
    words = ("--dashboard", "--port", str(port), "--set", START)
    made = LiveRun(tmp_path_factory.mktemp("hold") / "r", *words, **{r"count = \d+": "count = 0"})
    try:
        made.wait(lambda: "nothing floats by itself" in made.text, PATIENCE_S)
        yield made
    finally:
        made.close()


@pytest.fixture
def page(run: LiveRun, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    found = re.search(r"dashboard: (http://\S+)", run.text)
    assert found, run.text
    opened.goto(found[1])
    until(opened, "document.body.dataset.state === 'READY'")
    until(opened, "!document.getElementById('approach').disabled")
    yield opened
    context.close()


def hold(page: Page, run: LiveRun) -> None:
    """Press the button until the arm moves."""
    for _ in range(TRIES):
        page.mouse.move(1.0, 1.0)
        page.hover("#approach")
        page.mouse.down()
        for _ in range(60):
            if run.status()["state"] == "APPROACHING" and run.status()["commanded_speed"] > 0.0:
                return
            page.wait_for_timeout(50)
        page.mouse.up()
    pytest.fail(f"the arm does not move: {page.inner_text('#answer')}\n{run.text}")


def rests(run: LiveRun) -> None:
    run.wait(lambda: run.status()["state"] == "READY" and run.stands(), SETTLE_S)


HOLDS = f"""document.body.dataset.state === 'APPROACHING' && {HELD}
    && !document.getElementById('approach').disabled
    && document.getElementById('next').innerText.includes('Hold on')
    && document.getElementById('answer').innerText.includes('deg/s')"""


def test_it_goes_on_as_long_as_it_is_held(page: Page, run: LiveRun) -> None:
    """The page shows the state, what it means and the way, all at once."""
    for _ in range(TRIES):
        hold(page, run)
        if shown(page, HOLDS):
            break
        page.mouse.up()
        rests(run)
    else:
        pytest.fail(f"{page.inner_text('#next')} | {page.inner_text('#answer')}")
    page.mouse.up()
    rests(run)
    assert not page.evaluate(HELD)


def shown(page: Page, condition: str) -> bool:
    """Whether the page comes to show something while the hand counts; a busy machine may take it for gone."""
    for _ in range(40):
        if page.evaluate(condition):
            return True
        page.wait_for_timeout(25)
    return False


LOST = {
    "a finger that lifts": lambda page: page.mouse.up(),
    "a pointer that leaves the button": lambda page: page.mouse.move(700.0, 400.0),
    "a window that loses the focus": lambda page: page.evaluate("window.dispatchEvent(new Event('blur'))"),
    "a page that is hidden": lambda page: page.evaluate(
        """() => { Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange")); }"""
    ),
    "a pointer that is cancelled": lambda page: page.evaluate(
        "document.getElementById('approach').dispatchEvent(new PointerEvent('pointercancel'))"
    ),
    "a menu": lambda page: page.evaluate(
        "document.getElementById('approach').dispatchEvent(new Event('contextmenu'))"
    ),
    "a connection that is lost": lambda page: page.evaluate("socket.close()"),
    "a page that is left": lambda page: page.goto("about:blank"),
    "a page that hangs": lambda page: page.evaluate(
        "() => { const end = performance.now() + 1500; while (performance.now() < end); }"
    ),
}


@pytest.mark.parametrize("way", list(LOST))
def test_whatever_lets_go_stops_the_arm(page: Page, run: LiveRun, way: str) -> None:
    """The button still down in most: the arm comes to rest, READY, and does not go on by itself."""
    hold(page, run)
    LOST[way](page)
    rests(run)
    page.wait_for_timeout(400)
    assert run.stands() and run.status()["state"] == "READY"
    assert run.take_violations() == (0, "")


def test_no_script_and_no_key_holds_the_button(page: Page, run: LiveRun) -> None:
    """An event that a script made up, a click, the space bar on the button, and the other mouse button."""
    page.evaluate(
        """() => document.getElementById("approach").dispatchEvent(
        new PointerEvent("pointerdown", { button: 0, bubbles: true }))"""
    )
    page.focus("#approach")
    page.keyboard.down("Space")
    page.wait_for_timeout(400)
    page.keyboard.up("Space")
    page.evaluate("document.getElementById('approach').click()")
    page.hover("#approach")
    page.mouse.down(button="right")
    page.wait_for_timeout(400)
    page.mouse.up(button="right")
    assert not page.evaluate(HELD) and run.stands() and run.status()["state"] == "READY"
