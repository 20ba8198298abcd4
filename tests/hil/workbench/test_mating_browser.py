"""The page's view of mating in a real browser: choose, run, scrub, wrong values, files, small screens.

One server and one page for all tests, in their order. Screenshots are left in `out/`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from bench.chromium import MISSING, PATIENCE_S, PROGRAM, browser, until
from bench.workbench_run import USABLE, WorkbenchRun
from hil.trials.mating.loading import SHIPPED

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

ARTEFACTS = Path(__file__).parents[3] / "out" / "workbench"
COMPILING_S = 600.0
SHOWN = "Number(document.getElementById('mating').dataset.shown)"
ROW = "Number(document.getElementById('mating-at').value)"
FORCES = "[...document.querySelectorAll('#mating-cut text')].map((one) => one.textContent)"
CUT_ROW = "Number(document.getElementById('mating').dataset.cut)"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page in its smallest window; what goes wrong within it is kept in `page.faults`."""
    folder = tmp_path_factory.mktemp("mating")
    text = (SHIPPED / "o_ring.toml").read_text(encoding="utf-8")
    (folder / "my_ring.toml").write_text(text.replace("mu = 0.3", "mu = 0.4"), encoding="utf-8")
    run = WorkbenchRun(folder)
    try:
        with browser() as chromium:
            context = chromium.new_context(viewport={"width": 1280, "height": 800})
            opened = context.new_page()
            opened.set_default_timeout(1e3 * PATIENCE_S)
            opened.faults = []  # type: ignore[attr-defined]
            opened.on("pageerror", lambda error: opened.faults.append(str(error)))  # type: ignore[attr-defined]
            opened.goto(run.address)
            until(opened, USABLE)
            yield opened
    finally:
        run.close()


def shot(page: Page, name: str) -> None:
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"mating-{name}.png")


def choose(page: Page, name: str) -> None:
    page.select_option("#mating-which", name)
    until(page, "(name) => document.getElementById('mating').dataset.form === name", name)


def run(page: Page) -> None:
    before = page.evaluate(f"{SHOWN} || 0")
    page.click("#mating-run")
    until(page, f"{SHOWN} > {before}", patience_s=COMPILING_S)
    until(page, "document.querySelectorAll('#mating-cut polygon').length > 2")


def go(page: Page, row: int) -> None:
    page.eval_on_selector(
        "#mating-at", "(s, row) => { s.value = row; s.dispatchEvent(new Event('input')); }", row
    )
    until(page, f"{CUT_ROW} === {row}")


def where(page: Page) -> str:
    return page.inner_text("#mating-where")


def statements(page: Page, kind: str) -> Any:
    return page.locator(f"#mating-verdict li.{kind}").count()


def test_an_experiment_is_chosen_and_run(page: Page) -> None:
    """Force, phases, features, the paper's statements ticked; the look begins at the greatest force."""
    page.click("#view-mating")
    until(page, "document.getElementById('mating').dataset.form === 'o-ring'")
    assert page.input_value("[data-key='o_ring.mu']") == "0.3" and "O-ring" in page.inner_text(
        "#mating-words"
    )
    assert page.inner_text("label:has([data-key='o_ring.c1_n_per_mm2']) i") == "N/mm²"
    run(page)
    assert "110.3 N" in where(page) and "entrance" in where(page)
    assert statements(page, "calm") == 2 and statements(page, "grave") == 0
    assert "90.7" in page.inner_text("#mating-features")
    until(page, f"{FORCES}.length === 2")
    shot(page, "o-ring")


def test_it_is_gone_through_by_slider_keys_and_curve(page: Page) -> None:
    """Values, phase and cut are those of the row; apart nothing pushes; a click on the curve leads there."""
    go(page, 0)
    assert where(page).startswith("-3.00 mm") and "apart" in where(page)
    assert page.evaluate(FORCES) == []
    page.focus("#mating-at")
    page.keyboard.press("ArrowRight")
    until(page, f"{ROW} === 1")
    box = page.locator("#mating-curve").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 60)
    until(page, "document.getElementById('mating-where').textContent.includes('hole')")
    until(page, f"{FORCES}.length === 2")
    before = page.evaluate(ROW)
    page.focus("#mating-curve")
    page.keyboard.press("ArrowLeft")
    until(page, f"{ROW} === {before - 1}")
    page.keyboard.press("End")
    until(page, "document.getElementById('mating-where').textContent.includes('18.00 mm')")


def test_it_is_played_and_paused(page: Page) -> None:
    """The row runs, the cut follows; Space holds it; from the end it begins anew."""
    page.click("#mating-play")
    until(page, f"{ROW} > 20 && {ROW} < 1400")
    seen = page.evaluate(CUT_ROW)
    until(page, f"{CUT_ROW} > {seen}")
    page.focus("#mating-curve")
    page.keyboard.press("Space")
    until(page, "document.getElementById('mating-play').textContent === 'Play'")
    held = page.evaluate(ROW)
    page.wait_for_timeout(300)
    assert page.evaluate(ROW) == held


def test_other_values_make_another_run(page: Page) -> None:
    """What is changed is marked and named; two halves have a force each; back to the file by one click."""
    choose(page, "snap-beam")
    page.fill("[data-key='snap.halves']", "2")
    page.fill("[data-key='snap.mu']", "0.3")
    assert page.locator("#mating-fields .changed").count() == 2
    run(page)
    verdict = page.inner_text("#mating-verdict")
    assert "snap.mu = 0.3" in verdict and "with both halves the side force disappears" in verdict
    until(page, f"{FORCES}.length === 2")
    assert len(set(page.evaluate(FORCES))) == 1, "they mirror each other"
    shot(page, "two-halves")
    page.click("#mating-reset")
    assert page.input_value("[data-key='snap.halves']") == "1"
    assert page.locator("#mating-fields .changed").count() == 0


def test_a_statement_that_does_not_hold_is_crossed(page: Page) -> None:
    """Without a ramp to leave by that pulls: friction is too much for it."""
    page.fill("[data-key='snap.hook.exit_deg']", "8")
    run(page)
    assert statements(page, "grave") >= 1
    page.click("#mating-reset")


def test_any_course_over_time(page: Page) -> None:
    """The other courses are drawn too, over time as well."""
    page.select_option("#mating-course", "bent_z_mm")
    page.select_option("#mating-across", "t_s")
    assert "bent z mm, over time" in str(page.get_attribute("#mating-curve", "aria-label"))
    page.select_option("#mating-course", "force_n")
    page.select_option("#mating-across", "depth_mm")


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("snap.mu", "slippery", "snap.mu = 'slippery' must be a number"),
        ("snap.mu", "-1", "snap.mu = -1 must be at least 0"),
        ("motion.end_mm", "-5", "end_mm = -5 must be above begin_mm = -0.5"),
    ],
)
def test_a_wrong_value_is_told_at_its_field(page: Page, key: str, value: str, text: str) -> None:
    """In one line, the field or its group marked; what was shown stays; mended, it runs."""
    shown = page.evaluate(SHOWN)
    page.fill(f"[data-key='{key}']", value)
    page.click("#mating-run")
    page.wait_for_selector("#mating-wrong:visible")
    assert text in page.inner_text("#mating-wrong") and page.evaluate(SHOWN) == shown
    assert (
        page.locator(f"#mating-fields .wrong:is([data-key='{key}'], :has([data-key='{key}']))").count() == 1
    )
    assert page.evaluate(CUT_OFF) == []
    shot(page, f"wrong-{key}")
    page.click("#mating-reset")
    assert not page.is_visible("#mating-wrong") and page.locator("#mating-fields .wrong").count() == 0


def test_a_long_run_is_stopped(page: Page) -> None:
    """It tells how far it is; stopped, it says so, and the next one runs."""
    page.fill("[data-key='motion.sample_mm']", "0.0001")
    page.click("#mating-run")
    until(page, "document.getElementById('mating-progress').value > 0")
    assert page.evaluate(CUT_OFF) == []
    shot(page, "running")
    page.click("#mating-stop")
    page.wait_for_selector("#mating-wrong:has-text('the run was stopped')")
    page.click("#mating-reset")
    run(page)


def test_a_file_of_the_folder_and_its_downloads(page: Page, tmp_path: Path) -> None:
    """It is in the list with its own value; courses and report come as files."""
    choose(page, "my_ring.toml")
    assert page.input_value("[data-key='o_ring.mu']") == "0.4"
    run(page)
    for text, ending, beginning in (("CSV", ".csv", b"t_s,depth_mm,force_n"), ("Report", ".zip", b"PK")):
        with page.expect_download() as caught:
            page.click(f"#mating-verdict a:has-text('{text}')")
        caught.value.save_as(tmp_path / text)
        assert caught.value.suggested_filename.endswith(ending)
        assert (tmp_path / text).read_bytes().startswith(beginning)


NEWS = """() => { const seen = { told: [], far: [] };
  const news = document.getElementById('mating-news'), bar = document.getElementById('mating-progress');
  const look = () => {
    if (news.textContent) seen.told.push(news.textContent);
    if (bar.hasAttribute('value')) seen.far.push(bar.value);
  };
  const all = { attributes: true, childList: true };
  for (const one of [news, bar]) new MutationObserver(look).observe(one, all);
  window.seen = seen; }"""
SHORT = {
    "round-peg": {"path.distance_mm": "20"},
    "rectangular-peg": {"path.distance_mm": "20", "path.speed_mm_s": "40"},
    "combined": {"path.speed_mm_s": "150"},
}


@pytest.mark.parametrize("name", SHORT)
def test_parts_in_a_robots_hand(page: Page, name: str) -> None:
    """A shorter way: it tells how far it is, and of compiling if it must; played, scrubbed, forces drawn."""
    choose(page, name)
    for key, value in SHORT[name].items():
        page.fill(f"[data-key='{key}']", value)
    page.evaluate(NEWS)
    run(page)
    seen = page.evaluate("window.seen")
    assert max(seen["far"]) > 0.3 and seen["far"] == sorted(seen["far"])
    assert all("kernel" in line for line in seen["told"]) and not page.is_visible("#mating-news")
    assert "no cut" not in page.inner_text("#mating-legend")
    shot(page, name)
    page.eval_on_selector("#mating-at", "(s) => { s.value = 0; s.dispatchEvent(new Event('input')); }")
    until(page, "document.getElementById('mating-where').textContent.endsWith('apart')")
    page.click("#mating-play")
    until(page, f"{ROW} > 20")
    until(page, f"{FORCES}.length >= 1")
    page.click("#mating-play")
    assert page.evaluate(CUT_OFF) == []


CUT_OFF = """() => [...document.querySelectorAll(
  "header :is(button, input), #mating :is(button, select, canvas, svg, progress, .bar, output, p, a)")]
  .filter((one) => one.getBoundingClientRect().width && !one.closest("[hidden], #mating-fields, table"))
  .filter((one) => getComputedStyle(one).visibility !== "hidden")
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const cut = one.matches("button, output") && one.scrollWidth > one.clientWidth + 1;
    const column = one.closest("#mating-form, #mating-middle, #mating-verdict")?.getBoundingClientRect();
    const spills = column && (box.right > column.right + 1 || box.left < column.left - 1);
    const below = !one.closest("#mating-verdict") && box.bottom > innerHeight + 1;  // that one scrolls
    return cut || spills || box.left < -1 || box.right > innerWidth + 1 || below;
  }).map((one) => `${one.tagName} ${one.id} ${one.textContent.slice(0, 30)}`)"""
NARROW = """() => [...document.querySelectorAll("#mating-fields :is(.value span, .value input)")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent || one.value)"""


def test_nothing_is_cut_off(page: Page) -> None:
    """At 1280 x 800 and on larger windows, no control beyond its column, no text cut."""
    for width, height in ((1280, 800), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for name in ("o-ring", "snap-beam", "snap-plate"):
            choose(page, name)
            assert page.evaluate(CUT_OFF) == [] and page.evaluate(NARROW) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    run(page)
    shot(page, "plate")
    assert page.evaluate(CUT_OFF) == []


def test_assembling_is_as_it_was(page: Page) -> None:
    """Its keys do nothing while mating is shown; back, the arm is assembled as ever."""
    page.focus("#mating-curve")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "mating-curve"
    page.click("#view-assemble")
    assert not page.is_visible("#mating")
    page.click("[data-component='base-l'][aria-disabled=false]")
    until(page, "document.querySelectorAll('#chain button').length === 1")
    page.click("#view-mating")
    assert page.is_visible("#mating-cut polygon >> nth=0"), "the run is still there"
    assert page.faults == []  # type: ignore[attr-defined]
