"""A push by dragging on the mock-up in the picture, in a browser: what is asked of the daemon, and when.

The oracle is the camera as the renderer has it: its own matrices, by which numpy projects points.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page
from scipy.spatial.transform import Rotation

from bench.chromium import MISSING, PROGRAM, until
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.judging.state_machine import Machine, State
from hil.processes.supervisor.asked import MAX_PUSH_N, push_from
from tests.hil.dashboard.lone_page import LonePage

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

ARTEFACTS = Path(__file__).parents[3] / "out" / "dashboard"
N_PER_PX = 0.5
CAMERA = """() => {
  const { camera, canvas, nodePoseData } = drawing.contentWindow.__viserMutable;
  const frame = drawing.getBoundingClientRect(), box = canvas.getBoundingClientRect();
  camera.updateMatrixWorld();
  return { projection: camera.projectionMatrix.elements, view: camera.matrixWorldInverse.elements,
    root: nodePoseData[""].wxyz, at: [frame.left + box.left, frame.top + box.top],
    size: [box.width, box.height] };
}"""


@dataclass
class Camera:
    """The renderer's camera: points of the run's world [m] onto pixels of the page."""

    matrix: Array  # (4, 4)
    at: Array
    size: Array

    def __call__(self, point: Array) -> Array:
        x, y, _, w = self.matrix @ np.append(point, 1.0)
        return self.at + 0.5 * self.size * (1.0 + np.array([x / w, -y / w]))


def camera_of(page: Page) -> Camera:
    told = page.evaluate(CAMERA)
    projection, view = (np.array(told[name]).reshape(4, 4).T for name in ("projection", "view"))
    root = np.eye(4)
    root[:3, :3] = Rotation.from_quat(told["root"], scalar_first=True).as_matrix()
    return Camera(projection @ view @ root, np.array(told["at"]), np.array(told["size"]))


@pytest.fixture
def page(page: Page, lone: LonePage) -> Page:
    """Floating, the mock-up turned so that no axis is the picture's; nothing asked yet."""
    turn = Rotation.from_euler("xyz", [10.0, -25.0, 15.0], degrees=True)
    lone.at(np.array([0.78, 0.02, 0.2]), turn.as_quat(scalar_first=True))
    put(page, lone, Machine(State.FLOATING))
    lone.answer = {"accepted": True, "text": "pushed"}
    page.evaluate("say('', false)")
    lone.asked.clear()
    return page


def put(page: Page, lone: LonePage, machine: Machine) -> None:
    """Let the page know a state and where the object is."""
    lone.machine = machine
    seen = "([state, p]) => newest.state === state && newest.object.p.every((x, k) => x === p[k])"
    until(page, seen, [machine.state.value, lone.p.tolist()])


def face_point(lone: LonePage, cube: Configuration) -> tuple[Array, Array]:
    """A point off the middle of the face towards the eye: object axes, and world [m]."""
    R = Rotation.from_quat(lone.quat, scalar_first=True)
    towards = R.inv().apply([0.0, -1.0, 0.3])  # about where the eye is from the object
    k = int(np.argmax(np.abs(towards)))
    point = np.full(3, 0.2) * 0.5 * cube.mockup.edge
    point[k] = np.sign(towards[k]) * 0.5 * cube.mockup.edge
    return point, lone.p + R.apply(point)


def drag(page: Page, begin: Array, end: Array) -> None:
    page.mouse.move(*begin.tolist())
    page.mouse.down()
    page.mouse.move(*(0.5 * (begin + end)).tolist())
    page.mouse.move(*end.tolist())


@pytest.mark.parametrize("way", [(90.0, 0.0), (0.0, -60.0), (-50.0, 45.0)])
def test_a_drag_is_the_push_that_its_arrow_shows(
    page: Page, lone: LonePage, cube: Configuration, way: tuple[float, float]
) -> None:
    """Where it is grabbed, on the mock-up; along the drag in the picture's plane; half a newton a pixel."""
    at, world = face_point(lone, cube)
    camera = camera_of(page)
    begin = camera(world)
    drag(page, begin, begin + way)
    newtons = N_PER_PX * float(np.hypot(*way))
    assert page.is_visible("#tugged") and page.locator("#tug path").is_visible()
    assert page.inner_text("#tugged") == f"{newtons:.0f} N for 100 ms"
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / "dragging.png")
    assert lone.asked == [], "nothing is pushed before it is let go"
    page.mouse.up()
    ((verb, told),) = lone.asked_of(page, 1)
    assert verb == "push" and told["duration_ms"] == 100
    assert told["at_mm"] == pytest.approx((1e3 * at).tolist(), abs=1.0)
    force = np.array(told["force_n"])
    assert np.linalg.norm(force) == pytest.approx(newtons, rel=0.02)
    moved = camera(world + 1e-4 * force / np.linalg.norm(force)) - begin
    np.testing.assert_allclose(moved / np.linalg.norm(moved), np.array(way) / np.hypot(*way), atol=0.02)
    depth = camera.matrix[3, :3]  # w is the depth before the eye: the force changes none
    assert abs(depth @ force) <= 1e-6 * np.linalg.norm(depth) * np.linalg.norm(force)
    push_from(json.dumps(told), 0)
    assert not page.is_visible("#tugged") and not page.locator("#tug path").is_visible()
    until(page, "find('answer').textContent === 'pushed'")


def test_it_is_never_more_than_a_push_may_be(page: Page, lone: LonePage, cube: Configuration) -> None:
    """The bound of pushes holds, is said, and the daemon takes it; the duration is the form's."""
    page.eval_on_selector("#push input[name=duration]", "(s) => { s.value = 250; s.oninput(); }")
    begin = camera_of(page)(face_point(lone, cube)[1])
    drag(page, begin, begin + np.array([-600.0, 300.0]))  # beyond the picture's edge
    assert page.inner_text("#tugged") == f"{MAX_PUSH_N:.0f} N (the most) for 250 ms"
    page.mouse.up()
    ((_, told),) = lone.asked_of(page, 1)
    assert np.linalg.norm(told["force_n"]) == pytest.approx(MAX_PUSH_N) and told["duration_ms"] == 250
    page.eval_on_selector("#push input[name=duration]", "(s) => { s.value = 100; s.oninput(); }")


def test_the_arrow_stays_where_it_was_grabbed(page: Page, lone: LonePage, cube: Configuration) -> None:
    """The object drifts and turns meanwhile: the lever is the grabbed point's, the arrow goes along."""
    at, world = face_point(lone, cube)
    begin = camera_of(page)(world)
    drag(page, begin, begin + np.array([60.0, -30.0]))
    turn = Rotation.from_euler("z", 20.0, degrees=True) * Rotation.from_quat(lone.quat, scalar_first=True)
    lone.at(lone.p + np.array([0.05, 0.0, 0.05]), turn.as_quat(scalar_first=True))
    put(page, lone, Machine(State.FLOATING))
    now = camera_of(page)(lone.p + turn.apply(at))
    main = page.locator("main").bounding_box()
    assert main
    page.wait_for_timeout(200)
    tail = [float(page.get_attribute("#tug line", name) or "nan") for name in ("x1", "y1")]
    assert np.array(tail) + np.array([main["x"], main["y"]]) == pytest.approx(now.tolist(), abs=2.0)
    page.mouse.up()
    ((_, told),) = lone.asked_of(page, 1)
    assert told["at_mm"] == pytest.approx((1e3 * at).tolist(), abs=1.0)
    length = np.linalg.norm(begin + np.array([60.0, -30.0]) - now)
    assert np.linalg.norm(told["force_n"]) == pytest.approx(N_PER_PX * length, rel=0.05)


def test_a_touch_of_the_mock_up_is_no_push(page: Page, lone: LonePage, cube: Configuration) -> None:
    """A click has no direction: it is said how to push."""
    begin = camera_of(page)(face_point(lone, cube)[1])
    drag(page, begin, begin + np.array([3.0, 2.0]))
    page.mouse.up()
    assert lone.asked_of(page, 0) == [] and "drag farther" in page.inner_text("#answer")


@pytest.mark.parametrize("state", [State.READY, State.STOPPED, State.FAULT])
def test_where_nothing_floats_it_is_refused_in_words(
    page: Page, lone: LonePage, cube: Configuration, state: State
) -> None:
    """And turns the picture as a drag anywhere else."""
    put(page, lone, Machine(state))
    before = camera_of(page)
    begin = before(face_point(lone, cube)[1])
    drag(page, begin, begin + np.array([80.0, 0.0]))
    assert not page.is_visible("#tugged")
    page.mouse.up()
    assert lone.asked_of(page, 0) == []
    assert page.inner_text("#answer") == f"push: nothing floats in {state}"
    page.wait_for_timeout(500)
    after = camera_of(page)
    assert not np.allclose(after.matrix, before.matrix, atol=1e-3)
    page.evaluate("drawing.contentWindow.__viserMutable.resetCameraPose(false)")


def test_elsewhere_a_drag_turns_the_picture_and_on_the_mock_up_it_does_not(
    page: Page, lone: LonePage, cube: Configuration
) -> None:
    """Beside the mock-up, and on it with another button, the camera goes along and nothing is asked."""
    camera = camera_of(page)
    on = camera(face_point(lone, cube)[1])
    drag(page, on, on + np.array([40.0, 40.0]))
    page.mouse.up()
    assert len(lone.asked_of(page, 1)) == 1
    page.wait_for_timeout(300)
    np.testing.assert_allclose(camera_of(page).matrix, camera.matrix, atol=1e-6)
    beside = camera.at + np.array([60.0, 60.0])
    drag(page, beside, beside + np.array([90.0, 10.0]))
    page.mouse.up()
    page.wait_for_timeout(500)
    assert len(lone.asked) == 1
    assert not np.allclose(camera_of(page).matrix, camera.matrix, atol=1e-3)
    page.evaluate("drawing.contentWindow.__viserMutable.resetCameraPose(false)")
    page.wait_for_timeout(300)
    on = camera_of(page)(face_point(lone, cube)[1])
    page.mouse.move(*on.tolist())
    page.mouse.down(button="right")
    page.mouse.move(on[0] + 60.0, on[1])
    page.mouse.up(button="right")
    assert len(lone.asked_of(page, 1)) == 1
    page.evaluate("drawing.contentWindow.__viserMutable.resetCameraPose(false)")
    page.wait_for_timeout(300)


def test_what_happens_meanwhile_takes_the_push_away(page: Page, lone: LonePage, cube: Configuration) -> None:
    """Escape stops and pushes nothing; a state in which nothing floats drops the arrow, with the reason."""
    begin = camera_of(page)(face_point(lone, cube)[1])
    drag(page, begin, begin + np.array([80.0, 0.0]))
    page.keyboard.press("Escape")
    page.mouse.up()
    assert lone.asked_of(page, 1) == [("stop", {})] and not page.is_visible("#tugged")
    lone.asked.clear()
    drag(page, begin, begin + np.array([80.0, 0.0]))
    put(page, lone, Machine(State.FAULT, 1, "why"))
    until(page, "find('answer').textContent === 'push: nothing floats in FAULT'")
    page.mouse.up()
    assert lone.asked_of(page, 0) == [] and not page.is_visible("#tugged")


def test_what_the_daemon_refuses_is_said(page: Page, lone: LonePage, cube: Configuration) -> None:
    """It judges every push, however it was asked for."""
    lone.answer = {"accepted": False, "text": "push is refused in FAULT: the object does not float"}
    begin = camera_of(page)(face_point(lone, cube)[1])
    drag(page, begin, begin + np.array([80.0, 0.0]))
    page.mouse.up()
    until(page, "find('answer').textContent.startsWith('push is refused in FAULT')")
    assert page.evaluate("find('answer').classList.contains('refused')")


SHAPES = {
    "box": lambda p: np.max(np.abs(p), axis=1),
    "cylinder": lambda p: np.maximum(np.hypot(p[:, 0], p[:, 1]), np.abs(p[:, 2])),
    "sphere": lambda p: np.linalg.norm(p, axis=1),
}


@pytest.mark.parametrize("shape", list(SHAPES))
def test_rays_meet_shapes_where_marching_meets_them(page: Page, shape: str) -> None:
    """The nearest point of a turned, stretched solid along random rays, against small steps along them."""
    rng = np.random.default_rng(7)
    turn = Rotation.random(random_state=3)
    size, p = np.array([0.3, 0.2, 0.5]), np.array([0.1, -0.2, 0.05])
    if shape == "cylinder":
        size[1] = size[0]
    solid = {"shape": shape, "size": size.tolist(), "p": p.tolist(),
             "quat": turn.as_quat(scalar_first=True).tolist()}  # fmt: skip
    steps = np.linspace(0.0, 3.0, 30_001)
    met = 0
    for _ in range(60):
        start = rng.normal(size=3)
        start *= 1.2 / np.linalg.norm(start)
        way = p + 0.25 * rng.normal(size=3) - start
        way /= np.linalg.norm(way)
        points = turn.inv().apply(start + steps[:, None] * way - p) / (0.5 * size)
        inside = np.flatnonzero(SHAPES[shape](points) <= 1.0)
        found = page.evaluate("([s, a, d]) => reach(s, a, d)", [solid, start.tolist(), way.tolist()])
        if len(inside) == 0:
            assert found is None or SHAPES[shape](points).min() < 1.001, "it is missed, but for a graze"
            continue
        met += 1
        assert found == pytest.approx(steps[inside[0]], abs=2e-4)
        assert (
            page.evaluate("([s, a, d]) => reach(s, a, d)", [solid, start.tolist(), (-way).tolist()]) is None
        )
    assert 12 <= met < 60
