"""The page with a second arm: drawn where its client says, and told in words."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from bench.chromium import MISSING, PROGRAM, open_dashboard
from hil.common.poses import quat_of
from hil.configuration import load_configuration
from hil.loop.grasp.plan_check import checked_plan
from hil.messaging.grasp_messages import PartnerWords
from planner.kinematics.arm_model import load_arm_model
from tests.hil.dashboard.lone_page import LonePage

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)

CONFIGS, OUT = Path(__file__).parents[3] / "configs", Path(__file__).parents[3] / "out" / "dashboard"
NODE = """(name) => {
  const pose = document.getElementById("drawing").contentWindow.__viserMutable.nodePoseData[name];
  return pose === undefined ? null : pose.position;
}"""
C = load_configuration(CONFIGS / "two_arms.toml")
TOLD = "GRASPED, law full, 12.3 N felt, 21.4 N at most, 7.0 mJ created; pad -1 mm from the bar"


@pytest.fixture
def two() -> Iterator[LonePage]:
    """The page of a run with two arms, without the run."""
    made = LonePage(C)
    yield made
    made.close()


def test_the_second_arm_is_drawn_and_told(two: LonePage, chromium: Browser) -> None:
    """Its hand where its words have the tip, the grasp's words in their row."""
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    checked, T = checked_plan(C, load_arm_model(C.robot.model)), np.eye(4)
    T[:3, :3] = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    T[:3, 3] = place = np.array([1.06, 0.02, 0.15])
    q = checked.arm.joints(T, checked.posture)
    two.partner = PartnerWords(0, place, quat_of(T), q, 0.01, np.array([25.0, 25.0]), True, "drag", "")
    two.status |= {"grasp": "GRASPED", "grasp_told": TOLD, "grasp_why": ""}
    open_dashboard(page, two.address)
    page.wait_for_function(f"(({NODE})('/second_hand') || [0])[0] > 1")
    assert page.evaluate(NODE, "/second_hand") == pytest.approx(place.tolist(), abs=1e-6)
    row = page.locator("#grasps")
    assert row.is_visible()
    assert page.locator("#grasp").inner_text() == TOLD
    OUT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=OUT / "two_arms.png")
    page.close()


def test_without_a_second_arm_there_is_no_row(lone: LonePage, chromium: Browser) -> None:
    """Nor a frame of one."""
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    open_dashboard(page, lone.address)
    assert page.locator("#grasps").is_hidden()
    assert page.evaluate(NODE, "/second_hand") is None
    page.close()
