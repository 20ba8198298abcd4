"""The driver's share of a grasp: what it believes, when it says that all must be held."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hil.common.poses import pose_moved
from hil.configuration import load_configuration
from hil.loop.grasp.baseline import Baseline
from hil.loop.grasp.states import GraspState
from hil.loop.partner.watch import GraspWatch
from hil.messaging.codec import over_the_wire
from hil.messaging.grasp_messages import PartnerWords

C = load_configuration(Path(__file__).parents[4] / "configs" / "two_arms.toml")
STEP_NS = 2_000_000
REAL = C.robot.model_copy(update={"kind": "fri"})
OBJECT = np.eye(4)
FAR, NEAR = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.26])


class Felt(SimpleNamespace):
    """A grasp's force as the driver has it."""

    def __init__(self) -> None:
        baseline = Baseline(0.002)
        for _ in range(500):
            baseline.take(np.zeros(6))
        baseline.freeze()
        super().__init__(
            state=GraspState.FREE, full=True, supervised=False, pose=OBJECT, beyond=np.zeros(6), samples=0,
            baseline=baseline, pace=1.0,
        )  # fmt: skip


class Bench:
    """A watch, the force that it reads, and a clock."""

    def __init__(self) -> None:
        self.force = Felt()
        self.watch = GraspWatch(C, self.force)
        self.n = 1

    def turn(self, place=FAR, floats=True, **said):
        """One cycle; without a `place` the partner says nothing."""
        self.n += 1
        t_ns = self.n * STEP_NS
        self.force.samples += 1
        if place is not None:
            told = {
                "p_world_tip": place, "quat_world_tip": np.array([0.0, 0.0, 1.0, 0.0]), "q": np.zeros(7),
                "opening": 0.03, "pads": np.zeros(2), "closed": False, "phase": "approach", "trouble": "",
            } | said  # fmt: skip
            self.watch.hear(PartnerWords(t_ns, **told), t_ns)
        return self.watch.step(t_ns, t_ns, 0.01, floats)


def test_a_partner_that_is_silent_near_the_bar_holds_all():
    """Not far from it: there nobody needs one."""
    bench = Bench()
    bench.turn()
    assert all(bench.turn(None) == "" for _ in range(100))
    bench.turn(NEAR)
    assert bench.watch.supervision.state is GraspState.NEAR
    said = [bench.turn(None) for _ in range(60)]
    assert said[48] == ""
    assert "the partner has been silent for" in said[-1]


@pytest.mark.parametrize(
    "nonsense",
    [
        {"opening": np.nan},
        {"pads": np.array([np.inf, 0.0])},
        {"quat_world_tip": np.zeros(4)},
        {"q": np.full(7, np.nan)},
        {"p_world_tip": np.full(3, np.nan)},
    ],
)
def test_words_that_are_no_numbers_are_silence(nonsense):
    """They say nothing, and near the bar that holds all."""
    bench = Bench()
    bench.turn(NEAR)
    said = [bench.turn(NEAR, **nonsense) for _ in range(60)]
    assert "the partner has been silent for" in said[-1]
    assert np.isfinite(bench.watch.words.opening)


def test_old_words_say_nothing_of_a_grasp():
    """Pads that pressed with nothing when they were last heard of: that ends no touch, however long ago."""
    bench = Bench()
    for _ in range(3):
        bench.turn(NEAR, pads=np.array([25.0, 25.0]), closed=False)
    assert bench.watch.supervision.state is GraspState.TOUCH
    bench.turn(NEAR)
    for _ in range(300):
        bench.turn(None)
    assert bench.watch.supervision.state is GraspState.TOUCH


def test_its_trouble_holds_all_near_the_bar():
    """In its own words; far from it the object floats on."""
    bench = Bench()
    assert bench.turn(FAR, trouble="it was told to end") == ""
    bench.turn(NEAR)
    assert bench.turn(NEAR, trouble="it was told to end") == "the partner: it was told to end"


def test_what_opened_the_gripper_is_forgotten_when_it_floats_anew():
    """Too much force: as long as it floats, and while it is held; not after another order to float."""
    bench = Bench()
    bench.turn(NEAR)
    bench.force.beyond = np.array([41.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    bench.turn(NEAR)
    assert "N m in the grasp, 40 N" in bench.turn(NEAR)
    report = over_the_wire(bench.watch.report())
    assert (report.open, report.held) == (True, True)
    bench.force.beyond = np.zeros(6)
    for _ in range(300):  # nothing presses any more
        assert bench.turn(NEAR, floats=False)
    assert bench.turn(NEAR) == ""
    assert not bench.watch.report().open


def test_the_report_says_how_the_mock_up_moves():
    """Its twist by the last samples, its gap, whether it floats."""
    bench = Bench()
    twist = np.array([0.01, -0.02, 0.0, 0.0, 0.0, 0.1])
    for n in range(30):
        bench.force.pose = pose_moved(OBJECT, n * 0.002 * twist[:3], n * 0.002 * twist[3:])
        bench.turn(floats=False)
    report = bench.watch.report()
    assert report.twist_world_object == pytest.approx(twist, abs=1e-9)
    assert report.t_ns == bench.n * STEP_NS
    assert (report.floating, report.held) == (False, True)


def test_who_holds_on_before_anything_floats_is_told():
    """Near the bar, closed or pressing; silence changes nothing of it, an open gripper does."""
    bench = Bench()
    bench.turn(NEAR, floats=False)
    assert bench.force.gripped == ""
    bench.turn(NEAR, floats=False, pads=np.array([0.0, 7.0]))
    assert "press with 7 N, its gripper is open" in bench.force.gripped
    bench.turn(NEAR, floats=False, closed=True)
    assert "its gripper is closed" in bench.force.gripped
    for _ in range(200):
        bench.turn(None, floats=False)
    assert bench.force.gripped
    bench.turn(FAR, floats=False, closed=True)
    assert bench.force.gripped == ""


def test_beside_a_real_arm_nobody_knows_whether_it_is_held(monkeypatch):
    """Until somebody says where the second arm is; an emulated one begins with an open gripper."""
    assert getattr(Bench().force, "gripped", "") == ""
    monkeypatch.setitem(Bench.__init__.__globals__, "C", C.model_copy(update={"robot": REAL}))
    bench = Bench()
    bench.turn(None, floats=False)
    assert "nobody says where the second arm is" in bench.force.gripped
    bench.turn(FAR, floats=False)
    assert bench.force.gripped == ""
