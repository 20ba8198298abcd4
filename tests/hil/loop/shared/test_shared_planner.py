"""The planners of two arms, each on its own, before one observer; without processes."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.common.time_map import object_time_at
from hil.configuration import Configuration, load_configuration
from hil.configuration.shared_pair import load_pair
from hil.configuration.stops_axis import nominal_pose
from hil.loop.shared.shared_planner import SharedPlanner, object_times_apart
from hil.messaging.codec import over_the_wire
from hil.messaging.messages import Plan, Prediction
from planner.base.moving_observer import rotation_of
from planner.branches.policy import HOLD, RUN
from planner.kinematics.arm_model import load_arm_model

ROOT = Path(__file__).parents[4]
TOUCH = ROOT / "configs/shared/touch.toml"
PAIR = load_pair(TOUCH)
MS, STEP, NODES = 1_000_000, 0.02, 101
T_0 = 5_000 * MS  # when the first body's object time begins


def arm_of(index: int) -> Configuration:
    """The configuration of an arm as its run has it."""
    arm = (PAIR.shared.first, PAIR.shared.second)[index]
    shared = [
        f"shared.pair={json.dumps(str(TOUCH))}", f"shared.arm={('first', 'second')[index]}",
        "shared.other=/nowhere", "shared.other_port=3000",
    ]  # fmt: skip
    return load_configuration(TOUCH.parent / arm.configuration, [*arm.settings, *shared])


class Body:
    """A free body that spins about its own centre, as its simulation predicts it.

    Attributes:
        begin_ns: when its object time begins; it is at full pace at once.
        stands: the object time at which it stands; infinity: it goes on.
    """

    def __init__(self, index: int, late_ns: int = 0, epoch: int = 1) -> None:
        c = PAIR.arms[index]
        self.T = nominal_pose(c.stops)
        self.twist = np.array([*c.object.initial_velocity, *c.object.initial_spin])
        self.begin_ns, self.epoch, self.stands, self._number = T_0 + late_ns, epoch, np.inf, 0

    def time(self, t_ns: int) -> float:
        """Object time [s]."""
        return min(max(1e-9 * (t_ns - self.begin_ns), 0.0), self.stands)

    def at(self, s: Array) -> tuple[Array, Rotation]:
        """Places (n, 3) and attitudes at object times."""
        turned = Rotation.from_rotvec(s[:, None] * self.twist[3:])
        return self.T[:3, 3] + s[:, None] * self.twist[:3], turned * Rotation.from_matrix(self.T[:3, :3])

    def predicted(self, t_ns: int) -> Prediction:
        """What the simulation predicts, as it comes off the wire."""
        s = self.time(t_ns)
        first = STEP * np.floor(s / STEP + 1e-9)
        p, R = self.at(first + STEP * np.arange(NODES))
        ahead = max(1e-9 * (self.begin_ns - t_ns), 0.0)
        time_map = [ahead, s, 0.0 if s >= self.stands else 1.0, 0.0 if s >= self.stands else 1.0]
        if ahead:
            time_map = [ahead, 0.0, 0.0, 1.0]
        self._number += 1
        return over_the_wire(
            Prediction(
                t_ns, self.epoch, self._number, first, STEP, np.array(time_map), p,
                R.as_quat(scalar_first=True), np.tile(self.twist, (NODES, 1)), np.empty(0),
                np.zeros((0, 3), np.int64),
            )
        )  # fmt: skip


class Shown:
    """Stands for the planner proper: keeps what an arm is to show."""

    def __init__(self) -> None:
        self.newest: Prediction | None = None

    def step(self, shown: Prediction, q_command: Array) -> Plan:
        self.newest = shown
        nodes = len(shown.p_world_object)
        flat = np.zeros((nodes, 7))
        return Plan(
            shown.t_ns, shown.epoch, shown.number, shown.object_time_0, shown.step, shown.time_map, flat,
            flat, flat, np.zeros(nodes), 0, shown.slices, RUN, "", 1.0, 2.0,
        )  # fmt: skip

    def pose_at(self, body: Body, t_ns: int) -> tuple[Array, Rotation]:
        """What is shown at an instant by the newest, between two nodes."""
        assert self.newest is not None
        x = (body.time(t_ns) - self.newest.object_time_0) / STEP
        k = int(x)
        p, quat = self.newest.p_world_object, rotation_of(self.newest.quat_world_object)
        part = quat[k].inv() * quat[k + 1]
        turned = quat[k] * Rotation.from_rotvec((x - k) * part.as_rotvec())
        return (1.0 - (x - k)) * p[k] + (x - k) * p[k + 1], turned


class Two:
    """Both planners, and both bodies."""

    def __init__(self, late_ns: int = 0) -> None:
        self.first, self.second = (
            SharedPlanner(load_arm_model(c.robot.model), c) for c in map(arm_of, (0, 1))
        )
        self.bodies = Body(0), Body(1, late_ns)
        self.shown = Shown(), Shown()
        self.first._planner, self.second._planner = self.shown

    def predict(self, index: int, t_ns: int, deaf: bool = False) -> Plan:
        """Let a simulation predict: who leads hears it, then its own planner; `deaf`: nobody else does."""
        prediction, planner = self.bodies[index].predicted(t_ns), (self.first, self.second)[index]
        path = None if deaf else self.first.hear(index, prediction)
        plan, _ = planner.step(prediction, np.zeros(7))
        if path is not None:  # the other one has it when it is asked the next time
            self.second.take(over_the_wire(path))
        return plan

    def begin(self) -> None:
        """Both have predicted before object time begins, and each has heard of the other."""
        for t_ns in (T_0 - 300 * MS, T_0 - 200 * MS, T_0 - 100 * MS):
            for index in (0, 1):
                assert self.predict(index, t_ns + 7 * index * MS).policy == RUN

    def fly(self, until_s: float) -> int:
        """Let both predict every 0.1 s, the second 30 ms behind the first; return the last instant."""
        for k in range(round(until_s / 0.1)):
            for index in (0, 1):
                t_ns = T_0 + 100 * k * MS + 30 * index * MS
                assert self.predict(index, t_ns).policy == RUN
        return t_ns

    def off(self, t_ns: int) -> tuple[float, float]:
        """By what the shown relative pose is off that of the bodies [m], [rad]."""
        (p_a, R_a), (p_b, R_b) = (
            s.pose_at(body, t_ns) for s, body in zip(self.shown, self.bodies, strict=True)
        )
        true = [body.at(np.array([body.time(t_ns)])) for body in self.bodies]
        (q_a, S_a), (q_b, S_b) = ((p[0], R[0]) for p, R in true)
        apart = R_a.inv().apply(p_b - p_a) - S_a.inv().apply(q_b - q_a)
        return float(np.linalg.norm(apart)), float(((R_a.inv() * R_b).inv() * (S_a.inv() * S_b)).magnitude())


@pytest.mark.parametrize("late_ms", [0, 2, 30])
def test_both_arms_see_one_observer_at_one_moment(late_ms: int) -> None:
    """The relative pose that is shown is the bodies', at each instant until the next plans, though one
    planner never hears of the newest path, and though one body's object time began later."""
    two = Two(late_ms * MS)
    two.begin()
    t_ns = two.fly(2.0)
    moved = [s.pose_at(body, t_ns)[0] - body.T[:3, 3] for s, body in zip(two.shown, two.bodies, strict=True)]
    assert abs(moved[0][0] - moved[1][0]) > 0.03, "what they do against each other is shown"
    assert max(abs(m[1]) for m in moved) < 0.005, "and nothing of the 60 mm along y"
    for later_ns in range(0, 130 * MS, 10 * MS):
        off, turned = two.off(t_ns + later_ns)
        assert off < 2e-5 and turned < 1e-5
    assert object_times_apart(
        two.bodies[0].predicted(t_ns), t_ns + 5 * MS, two.bodies[1].predicted(t_ns - 3 * MS)
    ) == pytest.approx(1e-3 * late_ms, abs=1e-9)


def test_a_path_that_is_older_than_what_is_committed_holds() -> None:
    """The first arm's planner has fallen silent: the second one never waits, and says why it holds."""
    two = Two()
    two.begin()
    t_ns = two.fly(1.0)
    committed = PAIR.shared.observer.committed
    t_ns += round(1e9 * committed) - 40 * MS
    assert two.predict(1, t_ns, deaf=True).policy == RUN
    plan = two.predict(1, t_ns + 60 * MS, deaf=True)
    assert (plan.policy, plan.time_rate) == (HOLD, 0.0)
    assert "250 ms of it are committed (observer.committed_ms)" in plan.reason
    assert two.predict(1, t_ns + 61 * MS).policy == HOLD, "it goes on in another floating only"


def test_before_an_observer_has_set_off_nothing_moves_and_later_all_is_held() -> None:
    """Who has not heard of the other body shows its own where it stands; once time passes it holds."""
    for index in (0, 1):
        two = Two()
        plan = two.predict(index, T_0 - 100 * MS, deaf=index == 1)
        shown = two.shown[index].newest
        assert plan.policy == RUN and shown is not None
        assert np.array_equal(shown.p_world_object[0], two.bodies[index].T[:3, 3])
        plan = two.predict(index, T_0 + 100 * MS, deaf=index == 1)
        assert plan.policy == HOLD and "nothing is known of the observer" in plan.reason


def test_no_observer_sets_off_with_bodies_under_way() -> None:
    """A planner that leads and was started again hears both where they are: too late to begin."""
    two = Two()
    for index in (0, 1):
        assert two.first.hear(index, two.bodies[index].predicted(T_0 + 500 * MS)) is None
    assert two.predict(0, T_0 + 600 * MS).policy == HOLD


def test_a_held_observer_goes_nowhere_whatever_became_of_the_first_arms_run() -> None:
    """Held in both runs, and the first one's simulation dead: its time map would run on for ever."""
    two = Two()
    two.begin()
    t_ns = two.fly(1.0)
    two.bodies[1].stands = two.bodies[1].time(t_ns)
    two.predict(1, t_ns + 100 * MS)
    shown = two.shown[1]
    assert shown.newest is not None
    first = shown.newest.p_world_object[0].copy()
    for k in range(2, 40):
        two.predict(1, t_ns + 100 * k * MS)
        assert np.array_equal(shown.newest.p_world_object[0], first)
    assert two.first.hear(1, two.bodies[1].predicted(t_ns + 5_000 * MS)) is None


def test_a_body_that_leaves_its_set_holds_both() -> None:
    """The second one, by the first one's planner, which tells it; in another floating all is forgotten."""
    two = Two()
    two.bodies[1].twist[2] = 0.15
    two.begin()
    for k in range(20):
        plans = [two.predict(index, T_0 + 100 * k * MS) for index in (0, 1)]
    assert [plan.policy for plan in plans] == [HOLD, HOLD]
    assert all("the second arm's body leaves its set" in plan.reason for plan in plans)
    again = Two()
    for body, fresh in zip(two.bodies, again.bodies, strict=True):
        body.twist, body.epoch, body.begin_ns = fresh.twist, 2, T_0 + 10_000 * MS
    for t_ns in (T_0 + 9_700 * MS, T_0 + 9_800 * MS, T_0 + 10_100 * MS):
        plans = [two.predict(index, t_ns) for index in (0, 1)]
    assert [plan.policy for plan in plans] == [RUN, RUN]


def test_one_that_begins_off_its_middle_holds_both() -> None:
    """The observer would hurry; told with the arm's file and what it is off by."""
    two = Two()
    two.bodies[1].T[1, 3] += 0.03
    two.predict(0, T_0 - 300 * MS)
    two.predict(1, T_0 - 300 * MS)
    for index in (0, 1):
        plan = two.predict(index, T_0 - 200 * MS)
        assert plan.policy == HOLD
        assert "second.configuration: robot.start_deg holds the object 30 mm" in plan.reason


def test_no_observer_sets_off_with_a_body_of_an_earlier_floating() -> None:
    """One has begun anew, the other not yet: nothing is laid until both have."""
    two = Two()
    two.begin()
    two.fly(0.5)
    two.bodies[0].epoch, two.bodies[0].begin_ns = 2, T_0 + 3_000 * MS
    assert two.first.hear(0, two.bodies[0].predicted(T_0 + 2_800 * MS)) is None
    assert two.first.hear(1, two.bodies[1].predicted(T_0 + 2_810 * MS)) is None
    two.bodies[1].epoch, two.bodies[1].begin_ns = 2, T_0 + 3_000 * MS
    path = two.first.hear(1, two.bodies[1].predicted(T_0 + 2_820 * MS))
    assert path is not None and path.epochs.tolist() == [2, 2] and path.object_time == 0.0


def test_time_maps_that_run_agree_with_themselves() -> None:
    """A map told 20 ms earlier says the same of now."""
    body = Body(0)
    early, late = body.predicted(T_0 + 500 * MS), body.predicted(T_0 + 520 * MS)
    assert object_times_apart(early, T_0 + 600 * MS, late) == pytest.approx(0.0, abs=1e-12)
    assert object_time_at(np.array(replace(early).time_map), 0.1)[0] == pytest.approx(0.6)
