"""`zerog show` in a real browser: slider, jumps, keys, nothing that acts; screenshots are left in `out/`."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_STREAM
from typing import Any

import pytest
from playwright.sync_api import Page

from bench.chromium import MISSING, PATIENCE_S, PROGRAM, browser, open_dashboard, until
from hil.common.free_port import free_port
from tests.hil.dashboard.showing.recorded import FAULT_S, HOLD_S, PUSH_S

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
ROOT = Path(__file__).resolve().parents[4]
ARTEFACTS = ROOT / "out" / "dashboard"
PLACE = """() => {
  const pose = document.getElementById("drawing").contentWindow.__viserMutable.nodePoseData["/object"];
  return pose === undefined ? null : pose.position;
}"""
SHOWN = "player.told && Math.abs(player.told.t_s - {t}) < {near}"
ACTING = "#verbs, #approach, #stop, form"


@pytest.fixture(scope="module")
def address(recording: Path) -> Iterator[str]:
    """Where a recording is shown."""
    port = free_port(SOCK_STREAM)
    command = [sys.executable, "-m", "hil", "show", str(recording), "--port", str(port)]
    popen = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert popen.stdout is not None
        yield popen.stdout.readline().split()[-1]
        popen.send_signal(signal.SIGINT)
        assert popen.wait(PATIENCE_S) == 0, "Ctrl-C is its orderly end"
    finally:
        popen.kill()
        popen.wait()


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """The page, drawn; it plays from the beginning since it was opened."""
    with browser() as chromium:
        opened = chromium.new_context(viewport={"width": 1400, "height": 900}).new_page()
        opened.faults = []  # type: ignore[attr-defined]
        opened.on("pageerror", lambda error: opened.faults.append(str(error)))  # type: ignore[attr-defined]
        open_dashboard(opened, address)
        until(opened, "player.told && player.told.looked === 1")
        yield opened


def shot(page: Page, name: str) -> None:
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")


def shown(page: Page, t: float, near: float = 0.05) -> None:
    """Wait until an instant is shown."""
    until(page, SHOWN.format(t=t, near=near))


def state(page: Page) -> Any:
    return page.evaluate("document.body.dataset.state")


def slide(page: Page, t: float) -> None:
    """Move the slider as a hand does."""
    script = """(t) => { const time = document.getElementById("time"); time.value = t;
      time.dispatchEvent(new Event("input", { bubbles: true })); }"""
    page.evaluate(script, t)


def test_it_plays_and_the_keys_are_the_players(page: Page) -> None:
    """Space pauses and plays, arrows step a second, Escape stops nothing."""
    page.evaluate("send({ verb: 'pause' })")
    until(page, "!player.told.playing")
    slide(page, 1.0)
    shown(page, 1.0)
    page.keyboard.press(" ")
    until(page, "player.told.playing || player.told.t_s === player.told.length_s")
    if page.evaluate("player.told.playing"):
        page.keyboard.press(" ")
    until(page, "!player.told.playing")
    slide(page, 2.0)
    shown(page, 2.0)
    page.keyboard.press("ArrowRight")
    shown(page, 3.0)
    page.keyboard.press("ArrowLeft")
    shown(page, 2.0)
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    assert state(page) == "FLOATING" and "refused" not in page.inner_text("#answer")


def test_the_slider_leads_to_the_moment(page: Page) -> None:
    """State, counts and picture follow the slider, forwards and backwards."""
    told = []
    for t, wanted in (
        (0.2, "STOPPED"),
        (FAULT_S + 0.5, "FAULT"),
        (HOLD_S + 0.2, "HOLDING"),
        (1.0, "FLOATING"),
    ):
        slide(page, t)
        shown(page, t)
        until(page, f"document.body.dataset.state === {wanted!r}")
        page.wait_for_timeout(500)
        told.append((page.inner_text("#pushes"), page.inner_text("#faults"), page.evaluate(PLACE)))
    assert [row[:2] for row in told] == [("0", "0"), ("1", "1"), ("1", "0"), ("0", "0")]
    assert told[1][2] != told[3][2], "the mock-up stands elsewhere"
    slide(page, HOLD_S - 0.2)
    shown(page, HOLD_S - 0.2)
    page.wait_for_timeout(800)
    shot(page, "show")


def test_jumps_lead_to_what_happened(page: Page) -> None:
    """Half a second before the next push, hold and fault; what there is none of is said."""
    slide(page, 0.0)
    shown(page, 0.0)
    for kind, t in (("push", PUSH_S), ("hold", HOLD_S), ("fault", FAULT_S)):
        page.click(f"#{kind}-on")
        shown(page, t - 0.5, 0.1)
    page.click("#push-on")
    until(page, "find('answer').textContent === 'there is no later push'")
    page.click("#push-back")
    shown(page, PUSH_S - 0.5, 0.1)


def test_speed_is_the_players(page: Page) -> None:
    """The chosen speed is taken, and played by."""
    page.select_option("#speedup", "0.1")
    until(page, "player.told.speed === 0.1")
    page.select_option("#speedup", "10")
    slide(page, 0.0)
    shown(page, 0.0)
    page.click("#play")
    until(page, "player.told.t_s === player.told.length_s && !player.told.playing")
    page.select_option("#speedup", "1")


def test_nothing_acts(page: Page) -> None:
    """No control of an arm is in sight, and what a page asks for by itself is refused."""
    for element in page.query_selector_all(ACTING):
        assert not element.is_visible()
    assert page.inner_text("#inert") == "RECORDING"
    page.evaluate("send({ verb: 'stop' })")
    until(page, "find('answer').textContent.includes('this is a recording')")


def test_at_three_sizes(page: Page) -> None:
    """State, slider and handles are in sight and overlap nothing; the page itself never scrolls sideways."""
    slide(page, PUSH_S + 0.3)
    for width, height in ((1400, 900), (800, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        for element in ("#state", "#inert", "#play", "#time", "#clock", "#fault-on"):
            box = page.locator(element).bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width, (element, width)
            assert box["y"] >= 0 and box["y"] + box["height"] <= height, (element, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        shot(page, f"show-{width}")
    page.set_viewport_size({"width": 1400, "height": 900})


def test_no_script_has_failed(page: Page) -> None:
    """Of all that was done before."""
    assert page.faults == []  # type: ignore[attr-defined]
