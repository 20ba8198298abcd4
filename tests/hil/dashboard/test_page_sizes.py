"""The page at three sizes in a browser, whatever it is told: what an operator must see is in sight."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from bench.chromium import MISSING, PROGRAM, until
from hil.dashboard.state_words import NO_CONNECTION
from hil.loop.judging.state_machine import Machine, State
from tests.hil.dashboard.lone_page import STATUS, LonePage

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

ARTEFACTS = Path(__file__).parents[3] / "out" / "dashboard"
SIZES = {"desk": (1400, 900), "tablet": (800, 1000), "phone": (390, 844)}
LONG = (
    "again energy that no push gave: the object has 1234.5 mJ, start and pushes explain 345.6 mJ at most: "
    "check fri.wrench_sign, fri.wrench_frame and fri.torque_sign with `zerog check-wrench`, and the world's "
    "scene and stops"
)
DOCKING = {"docking": "under way", "fastened": "2 of 4 seals, 1 of 2 latches", "waited_s": 12.3}
CONTACT = {
    "force_acts": "hybrid (phase-lead)",
    "touch": "123 over: e 0.87, 1234.5 mJ before, 1234.5 mJ after",
    "drives": "arm 12.3 +- 0.5 ms later than their model: run `zerog calibrate timing`",
}
TOLD: dict[str, tuple[Machine, dict[str, Any]]] = {
    "floating": (Machine(State.FLOATING, 1, ""), {}),
    "a long fault in a docking": (Machine(State.FAULT, 1, LONG), DOCKING),
    "approaching": (Machine(State.APPROACHING, 1, "A6 is 12.3 deg from its start"), CONTACT),
    "lost": (Machine(State.FLOATING), {}),
    "ready for an approach": (Machine(State.READY), {"float_refused": LONG, "motion_refused": LONG}),
}
# which of these is not whole in sight: outside the window, scrolled away, or under something else
HIDDEN = """(ids) => ids.filter((id) => {
  const place = document.getElementById(id), range = document.createRange();
  range.selectNodeContents(place);
  return [...range.getClientRects()].some((box) => {
    const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !inside || !place.contains(top) && !top?.contains(place);
  });
})"""
CLIPPED = """() => [...document.querySelectorAll("#why, #then, #state, #stopping")]
  .filter((e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1).map((e) => e.id)"""
OVERFLOW = """() => [
  document.scrollingElement.scrollWidth - innerWidth, document.scrollingElement.scrollHeight - innerHeight,
  ...[...document.querySelectorAll("header *, #below, #below *")]
    .map((e) => e.getBoundingClientRect().right - innerWidth),
].every((over) => over <= 0.5)"""
# the part of the picture that is in sight, and where in it the mock-up's middle is, from 0 to 1
PICTURE = """() => {
  const main = drawing.parentElement.getBoundingClientRect(), frame = drawing.getBoundingClientRect();
  const canvas = drawing.contentWindow.__viserMutable.canvas.getBoundingClientRect();
  const left = Math.max(main.left, frame.left + canvas.left);
  const top = Math.max(main.top, frame.top + canvas.top);
  const width = Math.min(main.right, frame.left + canvas.right) - left;
  const height = Math.min(main.bottom, frame.top + canvas.bottom) - top;
  const [x, y] = pixelOf(eyeOf(drawing.contentWindow), newest.object.p);
  const place = [(x + frame.left - left) / width, (y + frame.top - top) / height];
  const panel = drawing.contentDocument.querySelector("[data-dock-leaf]").getBoundingClientRect();
  return { width, height, place, over: left + width - (frame.left + panel.left) };
}"""


def told(page: Page, lone: LonePage, case: str) -> None:
    machine, status = TOLD[case]
    lone.machine, lone.status, lone.lost = machine, STATUS | status, case == "lost"
    until(page, f"document.body.dataset.state === {(NO_CONNECTION if lone.lost else machine.state.value)!r}")
    reason = f"{machine.reason}." if machine.reason and not lone.lost else ""
    waited = bool(status.get("waited_s"))
    until(page, "([text, waited]) => find('reason').textContent === text && find('busy').hidden !== waited",
          [reason, waited])  # fmt: skip


@pytest.mark.parametrize("size", list(SIZES))
@pytest.mark.parametrize("case", list(TOLD))
def test_what_must_be_seen_is_in_sight(page: Page, lone: LonePage, size: str, case: str) -> None:
    """State, reason, next step and Stop whole and uncovered; nothing beyond the window; half is picture."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    told(page, lone, case)
    until(page, f"() => ({PICTURE})().over <= 1")
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{size}-{case.replace(' ', '-')}.png")
    assert page.evaluate(HIDDEN, ["word", "reason", "next", "stop"]) == []
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(OVERFLOW)
    picture = page.evaluate(PICTURE)
    assert picture["height"] >= 0.5 * height and picture["width"] >= 0.5 * width
    assert all(0.1 < part < 0.9 for part in picture["place"]), "the mock-up is within it"


def test_what_not_every_run_has_is_shown_of_those_that_have_it(page: Page, lone: LonePage) -> None:
    """Neither docking, seals, a busy machine nor contacts take any place where there is nothing to say."""
    for case, shown in (("floating", 0), ("a long fault in a docking", 3), ("approaching", 2)):
        told(page, lone, case)
        boxes = "['dock', 'fasten', 'busy', 'acts', 'touching'].map((id) => find(id).getClientRects().length)"
        assert sum(page.evaluate(boxes)) == shown


@pytest.mark.parametrize("size", ["tablet", "phone"])
def test_curves_come_when_they_are_asked_for(page: Page, lone: LonePage, size: str) -> None:
    """Over the picture, which is left alone again afterwards; on a desk both have room, without a button."""
    told(page, lone, "floating")
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    shown = """() => {
      const panel = drawing.contentDocument.querySelector("[data-dock-leaf]").getBoundingClientRect();
      return panel.right + drawing.getBoundingClientRect().left <= innerWidth + 1;
    }"""
    until(page, f"!({shown})()")
    page.click("#curves")
    until(page, shown)
    assert page.get_attribute("#curves", "aria-pressed") == "true"
    page.screenshot(path=ARTEFACTS / f"{size}-curves.png")
    page.click("#curves")
    until(page, f"!({shown})()")
    page.set_viewport_size({"width": 1400, "height": 900})
    until(page, shown)
    assert not page.is_visible("#curves")


def test_visers_own_settings_are_out_of_sight(page: Page) -> None:
    """Its panel, its commands: nobody needs them to look."""
    inner = page.frame_locator("#drawing")
    assert inner.locator("[data-floating-window]").count() == 1, "else there is nothing to hide"
    assert not inner.locator("[data-floating-window]").is_visible()
    box = page.locator("#drawing").bounding_box()
    assert box
    page.mouse.click(box["x"] + 60.0, box["y"] + 60.0)
    page.keyboard.press("Control+k")
    page.wait_for_timeout(300)
    assert inner.locator("input:visible").count() == 0
