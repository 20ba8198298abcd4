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


def test_many_clicks_are_undone_and_redone(page: Page) -> None:
    """All of them to the empty arm, each step the arm of its click; and forth again to what was there."""
    seen, full = [names(page)], names(page)
    while not page.is_disabled("#undo"):
        before = page.get_attribute("#undo", "title")
        page.click("#undo")
        until(page, "(was) => document.getElementById('undo').title !== was", before)
        seen.append(names(page))
    assert seen[-1] == [] and set(map(len, seen)) == set(range(len(full) + 1))
    assert all(state == full[: len(state)] for state in seen), "each is a beginning of the whole"
    for state in reversed(seen[:-1]):
        before = page.get_attribute("#redo", "title")
        page.click("#redo")
        until(page, "(was) => document.getElementById('redo').title !== was", before)
        assert names(page) == state
    assert page.is_disabled("#redo")


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


def test_a_file_that_others_have_changed_is_asked_for(page: Page, folder: Path) -> None:
    """Saving opens the dialog with the reason, and does it when asked again."""
    file = folder / "mine.toml"
    by_hand = file.read_text(encoding="utf-8") + "# by hand\n"
    file.write_text(by_hand, encoding="utf-8")
    page.keyboard.press("Control+s")
    page.wait_for_selector("#dialog .bad:has-text('has been changed since')")
    assert file.read_text(encoding="utf-8") == by_hand
    shot(page, "changed_by_hand")
    page.click("#dialog button:has-text('Save')")
    until(page, "!document.getElementById('dialog').open")
    assert "by hand" not in file.read_text(encoding="utf-8")


def test_a_wrong_name_is_told_at_its_place(page: Page) -> None:
    """In words, the field marked, the old name there again; the next right deed takes the words away."""
    page.fill("#name", "My Arm")
    page.press("#name", "Enter")
    until(page, "document.getElementById('naming').classList.contains('refused')")
    assert "must be small letters" in page.inner_text("#toast") and page.input_value("#name") == "mine"
    page.click("#undo")
    page.click("#redo")
    until(page, "document.getElementById('toast').textContent === ''")


# of each format, a file that must be in the archive
MODELS = {
    "urdf": "mine.urdf", "mjcf": "mine.xml", "modelica": "mine.mo", "ik": "mine.ik.toml", "gltf": "mine.glb",
    "x3d": "mine.x3d", "fmu": "mine.fmu", "standalone": "mine_simulator/README.md",
}  # fmt: skip


def test_all_models_come_by_one_click(page: Page, tmp_path: Path) -> None:
    """An archive with the arm's file and a model of every format that there is, none of them empty."""
    page.click("#export")
    usual = page.eval_on_selector_all("#dialog input:checked", "(all) => all.map((one) => one.value)")
    assert set(usual) == set(MODELS) - {"standalone"}
    page.check("#dialog input[value=standalone]")
    shot(page, "export")
    with page.expect_download(timeout=5 * SLOW_MS) as caught:
        page.click("#dialog button:has-text('Export')")
    archive = tmp_path / "mine.zip"
    caught.value.save_as(archive)
    with zipfile.ZipFile(archive) as pack:
        assert pack.testzip() is None
        sizes = {entry.filename: entry.file_size for entry in pack.infolist()}
    assert all(sizes[f"mine/{file}"] > 500 for file in ("mine.toml", *MODELS.values())), sizes
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


def test_curves_of_many_variables_and_their_values_under_the_pointer(page: Page) -> None:
    """One chart a unit; pointed at, all charts tell the values of that moment; *None* leaves no curve."""
    chosen = ["joint_1.position_rad", "joint_2.position_rad", "command.z_m", "power_w"]
    page.click("#variables button:has-text('None')")
    until(page, "document.querySelectorAll('#plots figure').length === 0")
    for name in chosen:
        page.check(f"#variables [data-name='{name}'] input")
    until(page, "document.querySelectorAll('#plots figure').length === 3")
    labels = page.eval_on_selector_all("#plots canvas", "(all) => all.map((one) => one.ariaLabel).join()")
    assert all(name in labels for name in chosen)
    page.keyboard.down("KeyE")  # z rises, then rests: then and now are told apart
    height = value(page, "command.z_m")
    until(page, f"({VALUE})('command.z_m') > {height + 0.03}")
    page.keyboard.up("KeyE")
    until(page, f"({VALUE})('command.speed_m_s') === 0")
    told = "Number(document.querySelector('figure[data-unit=m] output').textContent)"
    until(page, f"Math.abs({told} - ({VALUE})('command.z_m')) < 1e-3")
    newest = page.evaluate(told)
    # at the left edge of another chart lies the oldest moment of all
    page.hover("figure[data-unit=rad] canvas", position={"x": 54, "y": 40})
    until(page, f"{told} < {newest - 0.02}")
    shot(page, "plotted")
    page.hover("#pace")
    until(page, f"Math.abs({told} - {newest}) < 1e-3")


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


def restarted(page: Page) -> None:
    """Wait until the simulation that was asked for by other terms runs: it begins at a time of 0."""
    until(page, "document.body.dataset.run === 'preparing'")
    wait_for_run(page)
    until(page, f"({VALUE})('command.z_m') !== 0")


TORQUE = f"({VALUE})('joint_2.torque_n_m')"


def test_weightless_and_floating(page: Page) -> None:
    """Without weight nothing is held; on a free base the tip's motion moves it; the curves stay chosen."""
    page.select_option("select[aria-label='who moves the tip']", "page")
    page.click("#variables button:has-text('None')")
    page.check("#variables [data-name='joint_3.torque_n_m'] input")
    until(page, f"Math.abs({TORQUE}) > 1")
    weightless, floats = (
        ".terms label:has-text('weightless') input",
        ".terms label:has-text('base floats') input",
    )
    page.check(weightless)
    restarted(page)
    page.evaluate("document.querySelectorAll('#variables details').forEach((d) => { d.open = true; })")
    until(page, f"Math.abs({TORQUE}) < 0.01")
    assert page.is_checked("#variables [data-name='joint_3.torque_n_m'] input")
    until(page, "document.querySelector('figure canvas').ariaLabel === 'curves of joint_3.torque_n_m'")
    page.check(floats)
    restarted(page)
    page.evaluate("document.querySelectorAll('#variables details').forEach((d) => { d.open = true; })")
    assert page.is_checked(weightless) and page.is_disabled(weightless)
    page.keyboard.down("KeyE")
    until(page, f"({VALUE})('base.z_m') < -1e-4")  # pushed down by an arm that rises
    page.keyboard.up("KeyE")
    shot(page, "floating")
    page.uncheck(floats)
    restarted(page)


@pytest.mark.parametrize("inverse", ["lagrange", "passive-chain"])
def test_the_inverse_kinematics_is_chosen(page: Page, inverse: str) -> None:
    """Either carries the tip where the jog wants it, and back to rest."""
    page.select_option("select[aria-label='inverse kinematics']", inverse)
    restarted(page)
    page.evaluate("document.querySelectorAll('#variables details').forEach((d) => { d.open = true; })")
    before = value(page, "tip.z_m")
    page.keyboard.down("KeyE")
    until(page, f"({VALUE})('tip.z_m') > {before + 0.02}")
    page.keyboard.up("KeyE")
    until(page, f"({VALUE})('command.speed_m_s') === 0")
    assert value(page, "tip.error_m") < 0.02
    assert page.input_value("select[aria-label='inverse kinematics']") == inverse


PAD = """(axes) => {
  const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
  window.pad = axes && { id: "a pad of the tests", connected: true, axes, buttons };
  Object.defineProperty(navigator, "getGamepads", { configurable: true, value: () => [null, window.pad] });
}"""


def test_the_browsers_gamepad_moves_the_tip(page: Page) -> None:
    """A stick moves beyond its dead zone, back is back; a trigger lifts; with a shoulder button it turns."""
    page.evaluate(PAD, [0.05, -0.05, 0, 0])
    until(page, "document.getElementById('gamepad').textContent.includes('a pad of the tests')")
    assert value(page, "command.speed_m_s") == 0
    x, y, z = (value(page, f"command.{axis}_m") for axis in "xyz")
    page.evaluate("window.pad.buttons[7].value = 0.6")
    until(page, f"({VALUE})('command.z_m') > {z + 0.02}")
    page.evaluate("window.pad.buttons[7].value = 0")
    page.evaluate("window.pad.axes = [0, 0.6, 0, 0]")
    until(page, f"({VALUE})('command.x_m') < {x - 0.02}")
    assert value(page, "command.y_m") == pytest.approx(y, abs=5e-3)
    page.evaluate("window.pad.axes = [0, 0, 0, 0]")
    until(page, f"({VALUE})('command.speed_m_s') === 0")
    page.evaluate("window.pad.buttons[4].pressed = true; window.pad.axes = [0, 0, -0.6, 0];")
    until(page, f"({VALUE})('command.turn_rad_s') > 0.1")
    page.evaluate("window.pad.buttons[4].pressed = false; window.pad.axes = [0, 0.6, 0, 0];")
    until(page, f"({VALUE})('command.speed_m_s') > 0.03")


def test_a_gamepad_that_is_pulled_out_lets_go(page: Page) -> None:
    """Deflected as it was: the motion comes to rest all the same, and the page says that there is none."""
    assert value(page, "command.speed_m_s") > 0.03
    page.evaluate(PAD, None)
    until(page, f"({VALUE})('command.speed_m_s') === 0 && ({VALUE})('command.turn_rad_s') === 0")
    until(page, "!document.getElementById('gamepad').textContent.includes('a pad of the tests')")
    there = value(page, "command.x_m")
    page.wait_for_timeout(500)
    assert value(page, "command.x_m") == there


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


def test_a_draft_is_offered_after_a_reload_until_it_is_answered(
    page: Page, server: list[WorkbenchRun], folder: Path
) -> None:
    """While the workbench runs a reload loses nothing; after its end the draft is offered until answered."""
    full = names(page)
    page.reload()
    until(page, f"{USABLE} && {PARTS} === {len(full)}")
    assert names(page) == full and not page.is_visible("#offer") and page.is_enabled("#undo")
    server[0].kill()
    server[0] = WorkbenchRun(folder, port=server[0].port)
    for _ in range(2):
        page.reload()
        until(page, f"{USABLE} && !document.getElementById('offer').hidden")
        assert names(page) == [] and f"{len(full)} parts" in page.inner_text("#offered")
    page.click("#resume")
    until(page, f"{PARTS} === {len(full)}")
    assert names(page) == full
    page.reload()
    until(page, f"{USABLE} && {PARTS} === {len(full)}")
    assert not page.is_visible("#offer")


ARMS = sorted((ROOT / "configs" / "assemblies").glob("*.toml"))


@pytest.mark.parametrize("arm", ARMS, ids=lambda path: path.stem)
def test_every_shipped_arm_is_opened_by_clicks(page: Page, arm: Path) -> None:
    """With its parts and joints, drawn, judged, without a grave finding; undo brings back what was there."""
    before = names(page)
    chain = load_assembly(arm, load_database())
    with page.expect_file_chooser() as chooser:
        page.click("#open")
    chooser.value.set_files(arm)
    until(page, f"document.title.startsWith('{chain.name} ')")
    assert names(page) == [part.name for part in chain]
    joints = sum(len(part.component.joints) for part in chain)
    assert page.locator("#joints .joint").count() == joints and figure(page, "joints") == str(joints)
    until(page, "document.getElementById('judged').textContent === ''", patience_s=COMPILING_S)
    assert page.locator("#findings .grave").count() == 0 and float(figure(page, "reach_m")) > 0.3
    bodies = sum(1 for part in chain for body in part.component.bodies if body.shapes)
    until(page, f"Number(document.getElementById('stage').dataset.drawn) === {bodies}")
    assert f"{arm.name}, changed" in page.inner_text("#kept"), "our folder has no such file"
    shot(page, arm.stem)
    page.click("#undo")
    until(page, f"{PARTS} === {len(before)}")
    assert names(page) == before


def test_nothing_is_cut_off_on_a_small_screen(page: Page) -> None:
    """At 1280 x 800 no control and no chart lies beyond the window, and no text of a button is cut."""
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(CUT) == []
    page.click("#simulate")
    wait_for_run(page)
    until(page, "document.querySelectorAll('#plots figure').length === 2")
    for tab in ("parameters", "variables"):
        page.click(f"#tab-{tab}")
        assert page.evaluate(CUT) == []
    shot(page, "small")
    page.click("#simulate")
    until(page, "document.body.dataset.run === 'none'")
    page.set_viewport_size({"width": 1440, "height": 900})


# controls and charts that lie beyond the window, or whose text is longer than they are
CUT = """() => [...document.querySelectorAll(
  "header button, header input, #seek *, .bar *, .terms *, #jog *, #plots figure, #tools *, #tabs button")]
  .filter((one) => !one.closest("[hidden], details:not([open])") && !one.classList.contains("unseen"))
  .filter((one) => {
    const box = one.getBoundingClientRect(), clip = one.closest("#plots");
    if (!box.width) return false;
    const right = clip ? clip.getBoundingClientRect().right : innerWidth;
    const cut = one.matches("button") && one.scrollWidth > one.clientWidth;
    return cut || box.left < -1 || box.right > right + 1 || box.bottom > innerHeight + 1;
  }).map((one) => `${one.tagName} ${one.id} ${one.textContent.slice(0, 30)}`)"""


def first_tool(page: Page) -> str:
    return str(page.get_attribute("section[data-kind=tool] article.fits .choose", "data-component"))


def test_no_script_has_failed(page: Page) -> None:
    """In all of the above."""
    assert page.faults == []  # type: ignore[attr-defined]
