"""The workbench in a real browser: one server and one page for all tests, in their order, as a user goes.

Nothing is judged by the clock: a slow machine draws late, but the same. Screenshots are left in `out/`.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from bench.chromium import MISSING, PATIENCE_S, PROGRAM, browser, until
from bench.workbench_run import LWR4, PARTS, USABLE, WorkbenchRun, add_part, assemble_lwr4
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import load_database

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

ROOT = Path(__file__).parents[3]
ARTEFACTS = ROOT / "out" / "workbench"
SLOW_MS = 1e3 * PATIENCE_S
COMPILING_S = 600.0  # for the kernels of a first simulation, on a busy machine
# how many pixels of a canvas differ from what is behind them
MARKED = "(spot) => document.querySelector(spot).classList.contains('refused')"
DRAWN = """(id) => {
  const canvas = document.querySelector(id), copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const pen = copy.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const pixels = pen.getImageData(0, 0, copy.width, copy.height).data;
  let count = 0;
  for (let k = 3; k < pixels.length; k += 4) count += pixels[k] > 250;
  return count;
}"""
VALUE = "(name) => Number(document.querySelector(`#variables [data-name='${name}'] output`).textContent)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workbench")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[list[WorkbenchRun]]:
    """The server that runs now, in a list: a test kills it and puts another one there."""
    runs = [WorkbenchRun(folder)]
    try:
        yield runs
    finally:
        runs[0].close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(server: list[WorkbenchRun], chromium: Browser) -> Page:
    """The page; what goes wrong within it is kept in `page.faults`."""
    opened = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
    opened.set_default_timeout(SLOW_MS)
    opened.faults = []  # type: ignore[attr-defined]
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))  # type: ignore[attr-defined]
    opened.goto(server[0].address)
    until(opened, USABLE)
    return opened


def shot(page: Page, name: str) -> None:
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")


def names(page: Page) -> list[str]:
    return list(page.eval_on_selector_all("#chain button", "(all) => all.map((one) => one.textContent)"))


def figure(page: Page, name: str) -> str:
    return page.inner_text(f"[data-figure={name}] dd")


def drawn(page: Page, selector: str) -> int:
    return int(page.evaluate(DRAWN, selector))


def test_the_page_is_there_and_says_how_to_begin(page: Page) -> None:
    """Bases fit, all else says why not; the address keeps no token; pictures are drawn; nothing fails."""
    assert "token" not in page.url and "base" in page.inner_text("#hint")
    fitting = page.eval_on_selector_all(
        "article.fits .choose", "(all) => all.map((one) => one.dataset.component)"
    )
    assert fitting and all(
        name.startswith(("base", "robot-r3", "puma")) or "base" in name for name in fitting
    )
    assert "is no base" in page.inner_text("article:has([data-component=joint-roll-l]) .why")
    until(page, "document.querySelector('[data-component=base-l] canvas').dataset.painted === 'yes'")
    assert drawn(page, "[data-component=base-l] canvas") > 1000
    shot(page, "empty")
    assert page.faults == []  # type: ignore[attr-defined]


def test_the_arm_is_assembled_by_clicks(page: Page) -> None:
    """The light-weight arm, part by part: drawn, with its joints, mass, reach and payload."""
    assemble_lwr4(page)
    assert figure(page, "joints") == "7"
    shipped = load_assembly(ROOT / "configs" / "assemblies" / "lwr4.toml", load_database())
    mass = sum(body.mass for part in shipped for body in part.component.bodies)
    assert float(figure(page, "mass_kg")) == pytest.approx(mass, rel=0.01)
    until(page, "document.getElementById('judged').textContent === ''", patience_s=COMPILING_S)
    assert 0.7 < float(figure(page, "reach_m")) < 1.1 and float(figure(page, "payload_kg")) > 1.0
    until(page, "Number(document.getElementById('stage').dataset.drawn) > 10")
    assert drawn(page, "#stage") > 5000
    assert page.locator("#joints .joint").count() == 7
    shot(page, "assembled")


def test_a_slider_bends_the_arm(page: Page) -> None:
    """The tip goes where the joint leads it, and the joint has something to hold then."""
    before = page.inner_text("#tip")
    page.eval_on_selector("#joint-1", "(s) => { s.value = 90; s.dispatchEvent(new Event('input')); }")
    until(page, f"document.getElementById('tip').textContent !== {before!r}")
    until(
        page,
        "document.querySelector('#margins .share:nth-child(2) output').textContent.match(/^[1-9]/) !== null",
    )
    shot(page, "bent")
    page.click("#zero")


def test_what_does_not_fit_is_told_where_it_was_clicked(page: Page) -> None:
    """The sentence names both sides, the card is marked, and the arm is what it was."""
    before = names(page)
    page.click("[data-component=link-straight-l]", force=True)
    page.wait_for_selector("#toast.wrong")
    assert "do not fit" in page.inner_text("#toast") and "link-straight-l" in page.inner_text("#toast")
    until(page, MARKED, "article:has([data-component=link-straight-l])")
    page.click("#chain button:nth-child(1)")
    page.click("#part button:has-text('Remove'):not(:has-text('rest'))")
    until(page, "document.querySelector('[data-spot=\"part 1\"]').classList.contains('refused')")
    assert "is no base" in page.inner_text("#toast") and names(page) == before
    page.click("#part button[title^=close]")


def test_undo_and_redo_by_buttons_and_keys(page: Page) -> None:
    """Back and forth, the buttons say over what."""
    full = names(page)
    page.click("#undo")
    until(page, f"{PARTS} === {len(full) - 1}")
    assert "wrist-lwr4" in str(page.get_attribute("#redo", "title"))
    page.click("#stage", position={"x": 5, "y": 200})
    page.keyboard.press("Control+z")
    until(page, f"{PARTS} === {len(full) - 2}")
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Control+y")
    until(page, f"{PARTS} === {len(full)}")
    assert names(page) == full and page.is_disabled("#redo")


def test_a_part_is_put_between_and_found_by_the_keyboard(page: Page) -> None:
    """Insert before a part: only what fits both sides; search, arrow, Enter join it; undo takes it away."""
    page.click("#chain button:nth-child(7)")
    page.click("#part button:has-text('Insert before')")
    until(
        page,
        "document.querySelector('article:has([data-component=link-straight-m])').classList.contains('fits')",
    )
    assert "size" in page.inner_text("article:has([data-component=link-straight-l]) .why")
    page.keyboard.type("straight-m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, f"{PARTS} === {len(LWR4) + 1}")
    assert names(page)[6] == "link-straight-m"
    page.click("#undo")
    until(page, f"{PARTS} === {len(LWR4)}")
    page.fill("#search", "")


def test_it_is_saved_as_a_small_file(page: Page, folder: Path) -> None:
    """The file is the shipped arm's, part by part."""
    page.fill("#name", "mine")
    page.press("#name", "Enter")
    until(page, "document.title.startsWith('mine')")
    page.keyboard.press("Control+s")
    page.click("#dialog button:has-text('Save')")
    until(page, "document.getElementById('kept').textContent.includes('mine.toml, saved')")
    mine = load_assembly(folder / "mine.toml", load_database())
    shipped = load_assembly(ROOT / "configs" / "assemblies" / "lwr4.toml", load_database())
    assert [(p.component.name, p.turn) for p in mine] == [(p.component.name, p.turn) for p in shipped]
    assert (folder / "mine.toml").stat().st_size < 2000


def test_all_models_come_by_one_click(page: Page, tmp_path: Path) -> None:
    """An archive with the arm's file and a model of each format that is ticked."""
    page.click("#export")
    wanted = page.eval_on_selector_all("#dialog input:checked", "(all) => all.map((one) => one.value)")
    assert {"urdf", "mjcf", "modelica", "ik"} <= set(wanted) and "standalone" not in wanted
    with page.expect_download(timeout=5 * SLOW_MS) as caught:
        page.click("#dialog button:has-text('Export')")
    archive = tmp_path / "mine.zip"
    caught.value.save_as(archive)
    with zipfile.ZipFile(archive) as pack:
        assert pack.testzip() is None
        inside = set(pack.namelist())
    assert {"mine/mine.toml", "mine/mine.urdf", "mine/mine.xml", "mine/mine.mo"} <= inside
    until(page, "!document.getElementById('dialog').open")


def wait_for_run(page: Page) -> None:
    until(page, "document.body.dataset.run === 'running'", patience_s=COMPILING_S)


def value(page: Page, name: str) -> Any:
    return page.evaluate(VALUE, name)


def test_it_is_simulated_by_the_pages_jog(page: Page) -> None:
    """Held, a button moves the tip along its axis; let go, the tip rests. So does a key."""
    page.click("#simulate")
    wait_for_run(page)
    page.evaluate("document.querySelectorAll('#variables details').forEach((d) => { d.open = true; })")
    until(page, f"({VALUE})('command.z_m') !== 0")
    for press, release in (
        (lambda: (page.hover("[data-axis='2-']"), page.mouse.down()), page.mouse.up),
        (lambda: page.keyboard.down("KeyQ"), lambda: page.keyboard.up("KeyQ")),
    ):
        before = value(page, "command.z_m")
        press()
        until(page, f"({VALUE})('command.z_m') < {before - 0.03}")
        release()
        until(page, f"({VALUE})('command.speed_m_s') === 0")
        assert value(page, "tip.error_m") < 0.02
    shot(page, "simulated")


def test_a_chosen_variable_is_plotted_live(page: Page) -> None:
    """Ticked in the browser of variables it has a curve that grows, with its unit."""
    page.fill("#variables input[type=search]", "power")
    page.check("#variables [data-name='joint_2.power_w'] input")
    page.wait_for_selector("figure[data-unit=W] canvas[aria-label*='joint_2.power_w']")
    until(page, "document.querySelector('figure[data-unit=W] output').textContent !== ''")
    until(page, f"({DRAWN})('figure[data-unit=W] canvas') > 100")
    page.fill("#variables input[type=search]", "")
    page.uncheck("#variables [data-name='joint_2.power_w'] input")
    until(page, "document.querySelector('figure[data-unit=W]') === null")


def test_parameters_change_in_the_running_model(page: Page) -> None:
    """A value acts; a wrong one is refused in one line and the old one stands there again."""
    page.click("#tab-parameters")
    field = "[data-parameter='tip_limits.speed_m_s']"
    page.fill(field, "0.1")
    page.press(field, "Tab")
    until(page, f"document.querySelector(\"{field}\").value === '0.1'")
    page.fill(field, "-1")
    page.press(field, "Tab")
    page.wait_for_selector("#toast.wrong")
    assert "tip_limits.speed_m_s = -1 must be above 0" in page.inner_text("#toast")
    until(page, f"document.querySelector(\"{field}\").value === '0.1'")
    page.click("#tab-variables")


def test_a_path_and_hardware_that_is_not_there(page: Page) -> None:
    """A table of the library moves the tip; without a space mouse one line says so and the input stays."""
    page.select_option("select[aria-label='who moves the tip']", "circle")
    until(page, f"({VALUE})('command.speed_m_s') > 0.005")
    page.select_option("select[aria-label='who moves the tip']", "spacemouse")
    page.wait_for_selector("#toast.wrong:has-text('space mouse')")
    until(page, "document.querySelector(\"select[aria-label='who moves the tip']\").value !== 'spacemouse'")


def test_a_changed_arm_ends_its_simulation(page: Page) -> None:
    """And says so; the end is told, nothing hangs."""
    page.click("#undo")
    until(page, "document.body.dataset.run === 'none'")
    assert "simulate it anew" in page.inner_text("#toast")
    page.click("#redo")
    until(page, "document.getElementById('redo').disabled")


def test_a_killed_workbench_loses_nothing(page: Page, server: list[WorkbenchRun], folder: Path) -> None:
    """The page says that nobody answers; the next workbench offers the draft, and goes on with it."""
    add_part(
        page, "tool-flange" if page.locator("[data-component=tool-flange]").count() else first_tool(page)
    )
    full = names(page)
    server[0].kill()
    until(page, "document.body.dataset.link === 'lost'")
    assert page.is_visible("#lost")
    shot(page, "lost")
    server[0] = WorkbenchRun(folder, port=server[0].port)
    until(page, "document.body.dataset.link === 'open'")
    until(page, "!document.getElementById('offer').hidden")
    assert f"{len(full)} parts" in page.inner_text("#offered")
    page.click("#resume")
    until(page, f"{PARTS} === {len(full)}")
    assert names(page) == full and not page.is_visible("#offer")
    shot(page, "offered")


def first_tool(page: Page) -> str:
    return str(page.get_attribute("section[data-kind=tool] article.fits .choose", "data-component"))


def test_no_script_has_failed(page: Page) -> None:
    """In all of the above."""
    assert page.faults == []  # type: ignore[attr-defined]
