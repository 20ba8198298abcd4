"""The dashboard in a real browser, before a real run: one of each for all tests, in their order.

Nothing is judged by the clock: a slow machine draws late, but the same. Screenshots are left in `out/`.
"""

import http.server
import math
import os
import re
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_STREAM
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from bench.chromium import MISSING, PATIENCE_S, PROGRAM, launched, open_dashboard, until
from bench.live_run import PATIENCE_S as START_PATIENCE_S
from bench.live_run import LiveRun
from hil.common.free_port import free_port

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

ARTEFACTS = Path(__file__).parents[3] / "out" / "dashboard"
SLOW_MS = 1e3 * PATIENCE_S
STILL, MOST_LOOKS = 10, 300  # looks at one place, 0.1 s apart: it stands; when to give up
TRIES = 5
NODE = """(name) => {
  const pose = document.getElementById("drawing").contentWindow.__viserMutable.nodePoseData[name];
  return pose === undefined ? null : pose.position;
}"""
# the largest value of every curve of the chart with this title
LARGEST = """(title) => {
  const inner = document.getElementById("drawing").contentWindow;
  for (const { chart } of Object.values(inner.__viserTestpoints.uplots))
    if (chart.root.querySelector(".u-title").textContent === title)
      return chart.data.slice(1).map((values) => Math.max(...values));
  return null;
}"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveRun]:
    """A floating run with a dashboard that nobody pushes but the tests."""
    port = free_port(SOCK_STREAM)
    folder = tmp_path_factory.mktemp("dashboard") / "r"
    made = LiveRun(folder, "--dashboard", "--port", str(port), **{r"count = \d+": "count = 0"})
    try:
        made.wait_floating()
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def page(run: LiveRun, chromium: Browser) -> Page:
    """The page, with everything drawn; what goes wrong within it is kept in `page.faults`."""
    opened = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
    opened.faults = []  # type: ignore[attr-defined]
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))  # type: ignore[attr-defined]
    open_dashboard(opened, address_of(run))
    return opened


def address_of(run: LiveRun) -> str:
    """What the run tells its operator to open."""
    found = re.search(r"dashboard: (http://\S+)", run.text)
    assert found, run.text
    return found[1]


def wait_for(page: Page, state: str) -> None:
    until(page, f"document.body.dataset.state === {state!r}")


def shot(page: Page, name: str) -> None:
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png")


# the times written at the axis of every chart in sight
TIMES = """() => Object.values(document.getElementById("drawing").contentWindow.__viserTestpoints.uplots)
  .map(({ chart }) => (chart.axes[0]._values || []).join(" "))"""


def place(page: Page, name: str) -> Any:
    return page.evaluate(NODE, name)


def place_at_rest(page: Page, name: str) -> Any:
    """Where it stands, once the page has caught up: drawn at one place for a while."""
    seen = [place(page, name)]
    for _ in range(MOST_LOOKS):
        page.wait_for_timeout(100)
        seen.append(place(page, name))
        if len(seen) >= STILL and np.ptp(seen[-STILL:], axis=0).max() < 1e-4:
            return seen[-1]
    pytest.fail(f"{name} does not come to rest: {seen[-STILL:]}")


def float_at_rest(page: Page, run: LiveRun) -> None:
    """Float with no motion; where the stop before left it in a spring of the stops, from farther inside."""
    for _ in range(TRIES):
        stand_ready(page)
        for name in ("vx", "vy", "vz", "wx", "wy", "wz"):
            page.fill(f"#motion input[name={name}]", "0")
        press(page, "motion")
        wait_for(page, "FLOATING")
        run.wait(lambda: run.status()["rate"] == 1.0)
        page.wait_for_timeout(500)
        if run.status()["speed_mm_s"] < 0.1:
            return
    pytest.fail("the stops give back a motion wherever it stands")


def press(page: Page, control: str) -> None:
    page.click(f"button[data-control={control}]:enabled", timeout=SLOW_MS)


def stand_ready(page: Page) -> None:
    """Stop by the page and make ready again."""
    page.click("#stop")
    wait_for(page, "STOPPED")
    press(page, "reset")
    wait_for(page, "READY")


def test_the_page_shows_the_run(page: Page) -> None:
    """State, stop and its warning are in sight without scrolling, at both sizes; no script has failed."""
    wait_for(page, "FLOATING")
    until(page, f"({TIMES})().every((times) => times === '-10 -8 -6 -4 -2 0')")
    for width, height in ((1600, 1000), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        for element in (
            "#state",
            "#words",
            "#stop",
            "#stopping small",
            "#counters",
            "button[data-control=float]",
        ):
            box = page.locator(element).bounding_box()
            assert box and box["x"] >= 0 and box["y"] >= 0
            assert box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
        shot(page, f"floating-{width}")
    assert "emergency stop" in page.inner_text("#stopping")
    assert "token" not in page.url
    assert page.faults == []  # type: ignore[attr-defined]


def test_buttons_change_the_state(page: Page, run: LiveRun) -> None:
    """Hold and Float in the page are the daemon's HOLDING and FLOATING; what is forbidden is disabled."""
    press(page, "hold")
    wait_for(page, "HOLDING")
    assert run.status()["state"] == "HOLDING"
    shot(page, "holding")
    press(page, "float")
    wait_for(page, "FLOATING")
    assert run.status()["state"] == "FLOATING"
    assert page.is_disabled("button[data-control=float]") and page.is_enabled("button[data-control=push]")


def test_stop_by_the_keyboard_and_a_forbidden_command_is_refused(page: Page, run: LiveRun) -> None:
    """Escape stops; Float is disabled then, and refused by the daemon if the page sends it all the same."""
    page.keyboard.press("Escape")
    wait_for(page, "STOPPED")
    run.wait(run.stands)
    assert page.is_disabled("button[data-control=float]") and page.is_disabled("button[data-control=push]")
    page.evaluate("send({ verb: 'float' })")
    page.wait_for_selector("#answer.refused", timeout=SLOW_MS)
    assert "reset first" in page.inner_text("#answer")
    assert run.status()["state"] == "STOPPED"
    shot(page, "stopped")


def test_a_push_moves_the_ghost_and_shows_in_the_chart(page: Page, run: LiveRun) -> None:
    """From rest: a half-sine of 30 N over 100 ms gives 2 F T / pi along y, and the object drifts there."""
    float_at_rest(page, run)
    before = place_at_rest(page, "/object")
    for name, value in (("x", "0"), ("y", "1"), ("z", "0")):
        page.fill(f"#push input[name={name}]", value)
    page.fill("#push input[name=force]", "30")
    page.fill("#push input[name=duration]", "100")
    pushes = run.status()["pushes"]
    press(page, "push")
    until(page, f"({LARGEST})('impulses of pushes [N s]')[0] > 1")
    until(page, f"({NODE})('/object')[1] > {before[1]} + 0.02")
    run.wait(lambda: run.status()["pushes"] == pushes + 1)
    detected, true, deviation = page.evaluate(LARGEST, "impulses of pushes [N s]")
    expected = 2.0 * 30.0 * 0.1 / math.pi
    assert true == pytest.approx(expected, rel=0.01)
    assert detected == pytest.approx(expected, rel=0.1)
    assert 0.0 < deviation < 0.1
    after = place(page, "/object")
    assert abs(after[0] - before[0]) < 0.01 and abs(after[2] - before[2]) < 0.01
    raw, filtered = page.evaluate(LARGEST, "wrench [N], norm, the last 10 s")
    assert filtered <= raw and raw == pytest.approx(30.0, rel=0.15)
    rate, threshold = page.evaluate(LARGEST, "its derivative [N/s], norm")
    assert rate > threshold == run.status()["derivative_threshold_n_per_s"]
    shot(page, "pushed")


def test_a_drag_on_the_mock_up_pushes_it(page: Page, run: LiveRun) -> None:
    """Upwards by 80 pixels are 40 N for the form's 100 ms: the true push is the half-sine's, and it rises."""
    float_at_rest(page, run)
    before, pushes = place_at_rest(page, "/object"), run.status()["pushes"]
    x, y = page.evaluate("""() => {
      const frame = drawing.getBoundingClientRect();
      const [x, y] = pixelOf(eyeOf(drawing.contentWindow), newest.object.p);
      return [x + frame.left, y + frame.top];
    }""")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40.0)
    page.mouse.move(x, y - 80.0)
    assert page.inner_text("#tugged") == "40 N for 100 ms"
    shot(page, "dragged")
    page.mouse.up()
    until(page, "find('answer').textContent.startsWith('pushed: 40 N for 100 ms at ')")
    run.wait(lambda: run.status()["pushes"] == pushes + 1)
    expected = 2.0 * 40.0 * 0.1 / math.pi
    until(
        page, f"({LARGEST})('impulses of pushes [N s]')[1] > {0.99 * expected}"
    )  # its samples come one by one
    true = page.evaluate(LARGEST, "impulses of pushes [N s]")[1]
    assert true == pytest.approx(expected, rel=0.01)
    until(page, f"({NODE})('/object')[2] > {before[2]} + 0.01")


def test_thresholds_follow_their_sliders(page: Page, run: LiveRun) -> None:
    """The value that the page shows is the one in force, and the chart's line goes with it."""
    slider = "#thresholds input[name=floor_n_per_s]"
    page.eval_on_selector(slider, "(s) => { s.value = 500; s.dispatchEvent(new Event('change')); }")
    run.wait(lambda: run.status()["thresholds"]["floor_n_per_s"] == 500.0)
    until(page, f"({LARGEST})('its derivative [N/s], norm')[1] === 500")
    assert page.locator("#thresholds").inner_text().count("N/s") >= 2


def test_frames_are_shown_on_demand(page: Page, run: LiveRun) -> None:
    """Axes appear with the box ticked, and go without."""
    shown = """(on) => {
      const tree = document.getElementById("drawing").contentWindow.__viserSceneTree.getState();
      return tree["/link_3"].message.props.show_axes === on;
    }"""
    page.check("#axes")
    until(page, shown, True)
    second = page.context.new_page()
    open_dashboard(second, address_of(run))
    until(second, "document.getElementById('axes').checked")  # for all pages
    second.close()
    page.uncheck("#axes")
    until(page, shown, False)


def test_two_pages_at_once(page: Page, run: LiveRun, chromium: Browser) -> None:
    """A button on one shows on both, and both draw the object at the same place."""
    second = chromium.new_page(viewport={"width": 800, "height": 600})
    open_dashboard(second, address_of(run))
    wait_for(second, "FLOATING")
    press(second, "hold")
    for either in (page, second):
        wait_for(either, "HOLDING")
    run.wait(lambda: run.status()["rate"] == 0.0)
    page.wait_for_timeout(500)
    assert place(page, "/object") == pytest.approx(place(second, "/object"), abs=1e-4)
    shot(second, "small")
    press(page, "float")
    for either in (page, second):
        wait_for(either, "FLOATING")
    second.close()


class ForeignPage(http.server.BaseHTTPRequestHandler):
    """A page of another origin on the same machine, so that a browser sends our cookie along."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>foreign</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_foreign_page_in_the_same_browser_moves_nothing(page: Page, run: LiveRun) -> None:
    """With the cookie of the operator's browser: no socket, no answer that it could read; the run goes on."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ForeignPage)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    own = address_of(run).split("/?")[0]
    foreign = page.context.new_page()
    foreign.goto(f"http://127.0.0.1:{server.server_port}/")
    tried = """(address) => new Promise((done) => {
      const socket = new WebSocket(address);
      socket.onopen = () => { socket.send('{"verb": "stop"}'); done("open"); };
      socket.onerror = () => done("refused");
    })"""
    for path in ("/news", "/drawing"):
        assert foreign.evaluate(tried, own.replace("http", "ws") + path) == "refused"
        assert page.evaluate(tried, own.replace("http", "ws") + path) == "open" or path == "/drawing"
    wait_for(page, "STOPPED")  # so the same words from our own page are obeyed
    read = "(url) => fetch(url, { credentials: 'include' }).then((a) => a.text(), () => 'unread')"
    assert foreign.evaluate(read, own + "/page.js") == "unread"
    foreign.close()
    server.shutdown()


def test_the_browser_dies_and_the_arm_goes_on(page: Page, run: LiveRun, chromium: Browser) -> None:
    """All processes of another browser that shows the run are killed: it floats on, without a fault."""
    another = launched(chromium.browser_type)
    open_dashboard(another.new_page(), address_of(run))
    processes = another.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    run.float_again()  # two browsers can be too much for a machine: from here on they are less
    faults = run.status()["faults"]
    for process in processes:
        os.kill(process["id"], signal.SIGKILL)
    cycles = run.status()["cycles"]
    run.wait(lambda: run.status()["cycles"] > cycles + 500)
    assert run.status()["state"] == "FLOATING" and run.status()["faults"] == faults


def test_a_dashboard_that_is_killed_comes_back_without_a_reload(page: Page, run: LiveRun) -> None:
    """The page says that it is blind, then sees again by itself; the arm has gone on all the while."""
    page.evaluate("window.mark = 'the same page'")
    run.float_again()
    wait_for(page, "FLOATING")
    before = run.pid("dashboard")
    cycles, faults = (run.status()[name] for name in ("cycles", "faults"))
    os.kill(before, signal.SIGKILL)
    wait_for(page, "NO CONNECTION")
    assert page.is_disabled("button[data-control=hold]") and page.is_enabled("#stop")
    assert page.is_visible("#old")
    shot(page, "no-connection")
    wait_for(page, "FLOATING")
    moves_again(page)
    assert page.evaluate("window.mark") == "the same page"
    assert run.pid("dashboard") != before
    assert run.status()["cycles"] > cycles and run.status()["faults"] == faults


def moves_again(page: Page) -> None:
    """The drawing is alive: the object's place changes."""
    inner = "document.getElementById('drawing').contentWindow"
    page.evaluate(f"{inner}.before = JSON.stringify(({NODE})('/object'))")
    until(page, f"JSON.stringify(({NODE})('/object')) !== {inner}.before")


def test_a_frozen_daemon_is_no_green_state(page: Page, run: LiveRun) -> None:
    """What is old is shown as old; awake again, the daemon says FAULT and the page what to do."""
    run.float_again()
    wait_for(page, "FLOATING")
    os.kill(run.popen.pid, signal.SIGSTOP)
    try:
        wait_for(page, "NO CONNECTION")
    finally:
        os.kill(run.popen.pid, signal.SIGCONT)
    wait_for(page, "FAULT")
    assert "stalled" in page.inner_text("#reason") and "Reset" in page.inner_text("#next")
    shot(page, "fault")


def test_the_page_finds_the_next_run_without_a_reload(page: Page, run: LiveRun) -> None:
    """`zerog run` ended and started again on the same port: the page goes on, with controls."""
    assert page.evaluate("window.mark") == "the same page"
    run.popen.send_signal(signal.SIGINT)
    run.popen.wait(30.0)
    wait_for(page, "NO CONNECTION")
    run.start_again()
    run.wait(lambda: "FLOATING" in run.text, START_PATIENCE_S)
    wait_for(page, "FLOATING")
    assert page.evaluate("window.mark") == "the same page"
    press(page, "hold")
    wait_for(page, "HOLDING")
    assert page.faults == []  # type: ignore[attr-defined]
