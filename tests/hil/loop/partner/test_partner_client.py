"""The partner alone: when it begins, stands, opens its gripper and gives up."""

from pathlib import Path

import numpy as np
import pytest

from drivers.fri.session import FriSample
from drivers.fri.tip_session import Tip
from hil.common.poses import pose_moved, quat_of
from hil.configuration import load_configuration
from hil.configuration.grasp_plan import load_plan
from hil.loop.partner.client import LOST, SILENT, PartnerCore
from hil.messaging.grasp_messages import GraspReport

ROOT = Path(__file__).parents[4]
C = load_configuration(ROOT / "configs" / "two_arms.toml")
PLAN = load_plan(ROOT / "configs" / "grasps" / "drag.toml")
BASE = np.diag([-1.0, -1.0, 1.0, 1.0])
BASE[0, 3] = 1.74
OBJECT = np.eye(4)
OBJECT[:3, :3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
OBJECT[:3, 3] = 0.79, 0.0, 0.15
STEP_NS = 2_000_000


class Bench:
    """A partner with a tip that follows it at once, and a run that says what it is told to."""

    def __init__(self) -> None:
        self.core = PartnerCore(C, PLAN)
        start = OBJECT @ C.grasp.T_object_tool
        start[:3, 3] += start[:3, :3] @ PLAN.start
        self.T = np.linalg.inv(BASE) @ start
        self.n, self.object, self.twist = 0, OBJECT, np.zeros(6)
        self.follows, self.closed = True, False

    def turn(self, floating=True, why="", opens=False, says=True, commanding=True, pads=0.0):
        """One packet; return where it sends the tip in world, or None."""
        t_ns, self.n = 1_000_000_000 + self.n * STEP_NS, self.n + 1
        if says:
            T = self.object
            report = GraspReport(
                t_ns,
                T[:3, 3],
                quat_of(T),
                self.twist,
                floating,
                opens,
                "FREE",
                "",
                why,
                0.1,
                0.0,
                0.0,
                0.0,
                0.0,
            )
            self.core.hear(report, t_ns)
        tip = Tip(self.T, self.T, np.zeros(7), 0.03, np.full(2, pads))
        nothing = np.zeros(6)
        sample = FriSample(
            t_ns,
            t_ns,
            self.n,
            nothing,
            nothing,
            nothing,
            nothing,
            2,
            3,
            True,
            commanding,
            False,
            False,
            0,
            0,
            self.n,
        )
        led = self.core.turn(tip, sample, t_ns)
        self.closed = led.closed
        if led.T_base_tip is None:
            return None
        if self.follows:
            self.T = led.T_base_tip
        return BASE @ led.T_base_tip


def test_it_waits_until_the_object_floats():
    """Before that, and while it is held, the controller's own place."""
    bench = Bench()
    assert all(bench.turn(floating=False) is None for _ in range(100))
    assert bench.turn(why="too near") is None
    assert bench.turn() is not None
    assert bench.core.begun


def test_from_elsewhere_it_goes_to_where_its_plan_begins():
    """Without a jump, within the plan's speed, and it arrives."""
    bench = Bench()
    bench.T = pose_moved(bench.T, np.array([0.05, 0.03, 0.0]), np.array([0.0, 0.0, 0.2]))
    begun = BASE @ bench.T
    places = np.array([bench.turn()[:3, 3] for _ in range(2500)])
    assert places[0] == pytest.approx(begun[:3, 3], abs=1e-4)
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 1.001 * PLAN.speed * 0.002
    start = OBJECT @ C.grasp.T_object_tool
    start = start[:3, 3] + start[:3, :3] @ PLAN.start
    assert np.linalg.norm(places - start, axis=1).min() < 1e-5


def test_it_goes_with_the_object_between_reports():
    """An object at 10 mm/s that is told of every 20 ms: the tip keeps its pace, to a micrometre."""
    bench, places = Bench(), []
    bench.twist = np.array([0.0, 0.01, 0.0, 0.0, 0.0, 0.0])
    for n in range(200):
        bench.object = pose_moved(OBJECT, n * 0.002 * bench.twist[:3], np.zeros(3))
        places.append(bench.turn(says=n % 10 == 0)[1, 3])
    assert np.diff(places) == pytest.approx(0.01 * 0.002, abs=1e-6)


def test_a_hold_stands_the_plan():
    """Object time held: its own time stands within a fifth of a second."""
    bench = Bench()
    for _ in range(800):
        bench.turn()
    for _ in range(110):
        bench.turn(floating=False)
    assert bench.core.pace == 0.0
    still = bench.turn(floating=False)
    assert bench.turn(floating=False) == pytest.approx(still, abs=1e-12)


def test_a_silent_run_stands_it_and_then_opens_the_gripper():
    """0.1 s, and 1 s: it says why."""
    bench = Bench()
    while not bench.closed:
        bench.turn()
    for _ in range(round(0.95 * LOST / 0.002)):
        bench.turn(says=False)
    assert bench.core.pace == 0.0
    assert SILENT < LOST
    assert bench.closed
    for _ in range(60):
        bench.turn(says=False)
    assert not bench.closed
    assert "the run has been silent" in bench.core.failed


def test_a_run_that_opens_the_gripper_ends_the_plan():
    """With the reason, and the tip stays."""
    bench = Bench()
    while not bench.closed:
        bench.turn()
    before = bench.turn()
    after = bench.turn(why="too much force", opens=True)
    assert not bench.closed
    assert bench.core.failed == "too much force"
    assert after == pytest.approx(before, abs=1e-6)


def test_it_never_pulls_with_more_than_its_limits():
    """A tip that is stuck: the target stays within force over stiffness of it."""
    bench = Bench()
    stuck = BASE @ bench.T
    bench.follows, far = False, []
    for _ in range(2500):
        T = bench.turn()
        far.append(np.linalg.norm(T[:3, 3] - stuck[:3, 3]))
    assert max(far) == pytest.approx(C.partner.force_limit / C.partner.stiffness, rel=1e-6)


def test_a_controller_that_leaves_command_state_ends_it():
    """What it then sends is the controller's own place, and its words say why."""
    bench = Bench()
    bench.turn()
    assert bench.turn(commanding=False) is None
    assert "has left command state" in bench.core.failed
    words = bench.core.words(Tip(bench.T, bench.T, np.zeros(7), 0.03, np.zeros(2)), 0)
    assert "has left command state" in words.trouble


def test_closed_is_told_only_when_the_fingers_are():
    """Told to close and standing open is not closed."""
    bench = Bench()
    while not bench.closed:
        bench.turn()
    assert not bench.core.words(Tip(bench.T, bench.T, np.zeros(7), 0.03, np.zeros(2)), 0).closed
    assert bench.core.words(Tip(bench.T, bench.T, np.zeros(7), 0.01, np.zeros(2)), 0).closed
