"""The cores at both ends of the vehicle's link: the stand-in, pairs of plans, and an arm that rides."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drivers.base.emulated_base import EmulatedBase
from hil.configuration import load_configuration
from hil.loop.carried.plan_pair import PlanPair
from hil.loop.carried.riding import FARTHEST_S, Riding
from hil.loop.carried.stand_in import COMMAND_TIMEOUT_NS, StandIn
from hil.messaging.base_messages import BaseCommand, BasePlan, BaseState, BaseTruth
from hil.messaging.messages import Plan

CONFIG = Path(__file__).parents[4] / "configs" / "platform.toml"
EXACT = ["base.emulated={slip=0.0,noise_mm_s=0.0,pose_noise_mm=0.0,heading_noise_deg=0.0}"]
MS = 1_000_000


def plans_of(number: int, epoch: int = 1) -> tuple[Plan, BasePlan]:
    """Plans of arm and base for a prediction."""
    four, path = np.zeros(4), np.zeros((2, 7))
    arm = Plan(
        0, epoch, number, 0.0, 0.1, four, path, path, path, np.zeros(2), 0, np.zeros((0, 3), np.int64),
        "RUN", "", 1.0, 2.0,
    )  # fmt: skip
    return arm, BasePlan(0, epoch, number, 0.0, 0.1, four, np.zeros((2, 9)))


def test_it_obeys_as_the_vehicle_does_and_brakes_when_nothing_comes() -> None:
    """Fresh commands move it like the vehicle alone, to the bit; 100 ms after the last one it brakes."""
    c = load_configuration(CONFIG)
    stand_in, alone = StandIn(c, 0), EmulatedBase(c, c.run.seed)
    velocity = np.array([0.2, 0.1, 0.1])
    for t_ns in range(0, 2000 * MS, 4 * MS):
        stand_in.obey(BaseCommand(t_ns, velocity))
        stand_in.advance(t_ns + 4 * MS)
    for _ in range(2000):
        alone.step(velocity)
    np.testing.assert_array_equal(stand_in.vehicle.motion, alone.motion)
    stand_in.advance(4000 * MS)
    for n in range(2000):
        alone.step(velocity if 4 + n <= COMMAND_TIMEOUT_NS // MS else np.zeros(3))
    np.testing.assert_array_equal(stand_in.vehicle.motion, alone.motion)
    assert np.abs(stand_in.vehicle.motion[1]).max() < 0.02


def test_a_vehicle_that_was_held_up_brakes_for_no_command() -> None:
    """It wakes 30 ms late to a command of now: meanwhile the one before held, and it drives on as it did."""
    c = load_configuration(CONFIG, EXACT)
    stand_in, velocity = StandIn(c, 0), np.array([0.2, 0.1, 0.1])
    for t_ns in range(0, 2000 * MS, 4 * MS):
        stand_in.obey(BaseCommand(t_ns, velocity))
        stand_in.advance(t_ns + 4 * MS)
    stand_in.obey(BaseCommand(2028 * MS, velocity))
    for t_ns in range(2030 * MS, 2128 * MS, 2 * MS):  # what was obeyed shows a dead time later
        stand_in.advance(t_ns)
        np.testing.assert_allclose(stand_in.vehicle.motion[1], velocity, rtol=1e-9)
    stand_in.advance(2260 * MS)
    assert stand_in.vehicle.motion[1, 0] < 0.199  # that command has ended


def test_commands_from_the_past_the_future_or_without_numbers_move_nothing() -> None:
    """Each of them is none."""
    c = load_configuration(CONFIG, EXACT)
    for t_ns, velocity in ((-101 * MS, 0.3), (10_000 * MS, 0.3), (0, np.nan), (0, np.inf)):
        stand_in = StandIn(c, 0)
        stand_in.obey(BaseCommand(t_ns, np.full(3, velocity)))
        for then_ns in (250 * MS, 10_250 * MS):  # what was obeyed shows a dead time later
            stand_in.advance(then_ns)
            assert not stand_in.vehicle.motion.any()


def test_it_begins_where_it_is_told_and_says_when_it_measured() -> None:
    """At another place, by its odometry too, with a stamp as old as the measurement is."""
    for source in ("external", "odometry"):
        c = load_configuration(CONFIG, [*EXACT, f'base.pose_source="{source}"'])
        pose = np.array([0.5, -0.4, 3.0])
        stand_in = StandIn(c, 1000 * MS, pose)
        np.testing.assert_array_equal(stand_in.state().pose, pose)
        stand_in.advance(1100 * MS)
        state = stand_in.state()
        np.testing.assert_allclose(state.pose, pose, atol=1e-12)
        assert state.t_ns == 1080 * MS and state.valid
        np.testing.assert_allclose(stand_in.truth().motion[0], pose, atol=1e-12)


def test_only_plans_of_one_prediction_are_followed_together() -> None:
    """In whatever order they come, each pair once; what was overtaken is left out."""
    pair = PlanPair()
    arm, base = plans_of(1)
    assert pair.take(arm, None) is None
    assert pair.take(None, base) == (arm, base)
    assert pair.take(None, None) is None
    arm, base = plans_of(2)
    assert pair.take(None, base) is None
    assert pair.take(None, None) is None
    assert pair.take(arm, None) == (arm, base)
    late = plans_of(3)[0]
    assert pair.take(late, plans_of(4)[1]) is None
    assert pair.take(plans_of(4)[0], None) is not None
    assert pair.take(plans_of(5)[0], plans_of(5, epoch=2)[1]) is None


def test_an_arm_rides_on_what_truly_moves() -> None:
    """Between two truths by the law of constant acceleration; when nothing more comes it stands."""
    riding = Riding(load_configuration(CONFIG).base)
    assert not riding.at(123 * MS).any()
    motion = np.array([[1.0, 2.0, 0.1], [0.3, -0.2, 0.2], [0.5, 0.4, -0.3]])
    riding.hear_truth(BaseTruth(1000 * MS, motion))
    h = 0.006
    moved = riding.at(1006 * MS)
    np.testing.assert_allclose(moved[0], motion[0] + h * motion[1] + 0.5 * h * h * motion[2], atol=1e-12)
    np.testing.assert_allclose(moved[1], motion[1] + h * motion[2], atol=1e-12)
    np.testing.assert_allclose(moved[2], motion[2])
    stands = riding.at(5000 * MS)
    assert not stands[1:].any()
    np.testing.assert_allclose(stands, riding.at(9000 * MS))
    assert np.abs(stands[0] - motion[0]).max() < 0.5 * FARTHEST_S
    riding.hear(BaseState(5000 * MS, np.full(3, 9.0), np.zeros(3), True))
    np.testing.assert_allclose(riding.at(5000 * MS), stands)


def test_an_arm_rides_on_measured_poses_where_nothing_truer_is_told() -> None:
    """Of a vehicle at constant speed, told late: where it is now, at its speed, without acceleration."""
    riding, v = Riding(load_configuration(CONFIG).base), np.array([0.2, -0.1, 0.1])
    for n in range(500):
        measured_ns = n * 4 * MS
        riding.hear(BaseState(measured_ns, v * 1e-9 * measured_ns, v, True))
    now_ns = measured_ns + 20 * MS
    ridden = riding.at(now_ns)
    np.testing.assert_allclose(ridden[0], v * 1e-9 * now_ns, atol=1e-4)
    np.testing.assert_allclose(ridden[1], v, atol=2e-3)
    # of a filter of rate w that is told every h: w (w h)^2 v / 6
    np.testing.assert_allclose(ridden[2], 0.0, atol=30.0 * (30.0 * 0.004) ** 2 * 0.2 / 6.0 * 1.05)
    for broken in (np.full(3, np.nan), np.full(3, 1e3)):
        riding.hear(BaseState(now_ns, broken, v, not np.isfinite(broken).any()))
        assert np.isfinite(riding.at(now_ns)).all()


@pytest.mark.parametrize("name", ["number", "epoch"])
def test_a_pair_differs_by_each_of_its_names(name: str) -> None:
    """Number and epoch both count."""
    arm, base = plans_of(3)
    assert PlanPair().take(arm, replace(base, **{name: 7})) is None


@pytest.mark.parametrize("what", ["motion", "time_map", "step", "object_time_0", "nothing"])
def test_a_plan_of_the_base_that_is_no_number_is_not_followed(what: str) -> None:
    """Nor is the arm's beside it; the next pair is."""
    arm, base = plans_of(3)
    bad = {
        "motion": replace(base, motion=np.full((2, 9), np.nan)),
        "time_map": replace(base, time_map=np.array([0.0, np.inf, 0.0, 0.0])),
        "step": replace(base, step=0.0),
        "object_time_0": replace(base, object_time_0=float("nan")),
        "nothing": replace(base, motion=np.zeros((0, 9))),
    }[what]
    pair = PlanPair()
    assert pair.take(arm, bad) is None and pair.take(None, None) is None
    assert pair.take(*plans_of(4)) is not None
