"""Driven arms in virtual time: tracking, reach, rest, parameters, contact, momenta."""

import re

import numpy as np
import pytest

from hil.common.errors import DrivingError, SourceLost, ZeroGError
from hil.workbench.driving.inputs import frame_of, source_of
from hil.workbench.driving.mission import session_of
from hil.workbench.driving.rigid import halves, way
from hil.workbench.driving.session import LEASH, DriveSession
from hil.workbench.driving.sources.spacemouse import SpaceMouse, replayed
from hil.workbench.driving.tables.library import TABLES, table_of
from sim.chain.kinematics import tip_pose
from tests.documents import ROOT


class Steady:
    """A hand that pushes the same way for a while, then lets go, or is gone."""

    def __init__(self, twist, until, gone=False):
        self._twist, self._until, self._gone = np.array(twist, float), until, gone

    def twist(self, t):
        if t < self._until:
            return self._twist
        if self._gone:
            raise SourceLost("the hand has gone")
        return np.zeros(6)


def drive(session, seconds, look=lambda: None):
    """Go on for so long; return what was told and what was seen."""
    told, seen = [], []
    for _ in range(round(seconds / session.period)):
        told += session.step()
        seen.append(look())
    return told, seen


def behind(session):
    return halves(way(session.arm.T_base_tip, session.follower.T))


def test_a_table_is_followed(lwr, mission):
    """Half a circle: the tip within a millimetre of its command, that on the circle, no limit binds."""
    table = source_of("circle", mission("assemblies/lwr4.toml"), lwr)
    lwr.take(table)
    told, seen = drive(lwr, 2.5, lambda: (*behind(lwr), way(lwr.follower.T, table.pose(lwr.t))))
    assert not told and lwr.slowed == 0 and lwr.t == pytest.approx(2.5)
    assert max(row[0] for row in seen) < 1e-3 and max(row[1] for row in seen) < 2e-3
    assert max(np.abs(row[2]).max() for row in seen) < 1e-9
    assert lwr.arm.t == pytest.approx(lwr.t)


def test_a_path_begins_when_it_is_taken(lwr, mission):
    """Long after the session's beginning as well: from where the tip is, along the whole of it."""
    drive(lwr, 1.0)
    table = source_of("circle", mission("assemblies/lwr4.toml"), lwr)
    lwr.take(table)
    assert lwr.t == pytest.approx(1.0) and lwr.source_t == 0.0
    begun = lwr.follower.T.copy()
    drive(lwr, 2.0)
    assert max(halves(way(lwr.follower.T, table.pose(2.0)))) < 1e-6
    assert halves(way(begun, lwr.follower.T))[0] > 0.01


def test_both_inverse_kinematics_drive(mission):
    """The Lagrange optimisation begins where the arm stands, without a jump in its null space."""
    plain = mission("assemblies/lwr4.toml")
    file = plain.file.model_copy(update={"inverse": "lagrange"})
    session = session_of(type(plain)(file, plain.chain))
    start = session.arm.q
    drive(session, 0.1)
    np.testing.assert_allclose(session.joints.q, start, atol=1e-9)
    session.take(source_of("figure_eight", plain, session))
    told, seen = drive(session, 1.5, lambda: behind(session)[0])
    assert not told and session.slowed == 0 and max(seen) < 1e-3


def test_out_of_reach_is_told_and_the_closest_pose_taken(lwr):
    """A stretch beyond the reach: told once, and when it is over; nothing infinite, no joint too fast."""
    frame = frame_of(lwr)
    lwr.take(table_of("singular_stretch", frame))
    limit = lwr.arm.manipulator.speeds

    def look():
        return np.abs(lwr.joints.dq / limit).max(), lwr.solved.reachable, lwr.arm.T_base_tip[:3, 3].copy()

    told, seen = drive(lwr, lwr.source.duration + 1.0, look)
    reach = [text for text in told if "reach" in text]
    assert "out of reach" in reach[0] and "mm and" in reach[0] and "within reach again" in reach[-1]
    assert not all(row[1] for row in seen)
    assert max(row[0] for row in seen) <= 1.0 + 1e-9
    farthest = max(np.linalg.norm(row[2] - frame.shoulder) for row in seen)
    assert 0.8 * frame.reach < farthest < 1.001 * frame.reach
    assert behind(lwr)[0] < 1e-3, "it came back"


def test_a_hand_that_pushes_beyond_the_reach_is_answered_at_once(lwr):
    """However long it has pushed, the command is no farther than the leash from what can be reached."""
    up = np.array([0.25, 0, 0, 0, 0, 0])
    lwr.take(Steady(up, 1e9))
    drive(lwr, 6.0)
    assert not lwr.solved.reachable
    left = halves(way(tip_pose(lwr.arm.manipulator.chain, lwr.joints.q), lwr.follower.T))
    assert left[0] <= LEASH[0] + 0.25 * lwr.period and left[1] <= LEASH[1] + 1e-6
    place = lwr.arm.T_base_tip[0, 3]
    lwr.take(Steady(-up, 1e9))
    drive(lwr, 0.8)
    assert lwr.arm.T_base_tip[0, 3] < place - 0.02


def test_a_pulled_out_mouse_brings_the_arm_to_rest(lwr, tmp_path):
    """Its file ends at full deflection: told, the command stops within its limits, the arm stands."""
    path = tmp_path / "mouse.csv"
    path.write_text("t_s,x,y,z,roll,pitch,yaw\n0,0,0,0,0,0,0\n0.1,0,1,0.5,0,0,1\n0.6,0,1,0.5,0,0,1\n")
    lwr.take(SpaceMouse(replayed(path), *lwr.limits.speeds))
    told, twists = drive(lwr, 2.5, lambda: lwr.follower.twist)
    assert [text for text in told if "pulled out" in text] == told and len(told) == 1
    assert "comes to rest" in told[0] and "pulled out" in lwr.lost and lwr.source is None
    twists = np.array(twists)
    changes = np.linalg.norm(np.diff(twists[:, :3], axis=0), axis=1)
    assert changes.max() <= lwr.limits.linear_rate * lwr.period * (1 + 1e-9)
    assert np.abs(twists[140]).max() > 0.1
    assert not twists[-1].any() and not lwr.joints.dq.any()
    assert np.abs(lwr.arm.dq).max() < 1e-3
    lwr.take(Steady([0, -0.1, 0, 0, 0, 0], 1e9))
    assert lwr.lost == ""
    drive(lwr, 0.3)
    assert lwr.follower.twist[1] < -0.05, "plugged in again"


def test_limits_are_those_of_the_mission(mission):
    """In SI, each where it belongs; a bare arm has the usual ones."""
    plain = mission("assemblies/lwr4.toml")
    said = {
        "speed_mm_s": 120.0,
        "turn_deg_s": 30.0,
        "acceleration_mm_s2": 700.0,
        "turn_acceleration_rad_s2": 2.5,
    }
    file = plain.file.model_copy(update={"limits": type(plain.file.limits).model_validate(said)})
    limits = session_of(type(plain)(file, plain.chain)).limits
    assert limits.speeds == pytest.approx((0.12, np.pi / 6)) and limits.rates == pytest.approx((0.7, 2.5))
    assert session_of(plain).limits.speeds == (0.25, 1.0)


def test_variables_have_units_and_parameters_act(lwr):
    """Names end in units; a limit and a drive's value change what happens; what is unknown is refused."""
    names = set(lwr.variables())
    units = r"_(s|m|rad|m_s|rad_s|rad_s2|n|n_m|a|v|w|k|j)$"
    plain = {"inverse.iterations", "inverse.reachable", "inverse.slowed"}
    assert {name for name in names if not re.search(units, name)} - plain == {
        f"joint_{i}.braked" for i in range(1, 8)
    }
    assert all(np.isfinite(value) for value in lwr.variables().values())
    lwr.set_parameter("tip_limits.speed_m_s", 0.05)
    lwr.take(Steady([9.0, 0, 0, 0, 0, 0], 1e9))
    drive(lwr, 0.4)
    assert np.linalg.norm(lwr.follower.twist[:3]) == pytest.approx(0.05)
    assert lwr.variables()["command.speed_m_s"] == pytest.approx(0.05)
    for name in ("joint_2.joint_viscous_n_m_s_per_rad", "joint_limits.ramp_s"):
        lwr.set_parameter(name, 0.7)
        assert lwr.parameters()[name] == 0.7
    for name, value, match in (
        ("tip_limits.sped_m_s", 1.0, "near: tip_limits.speed_m_s"),
        ("tip_limits.speed_m_s", 0.0, "must be above 0"),
        ("tip_limits.speed_m_s", float("nan"), "finite"),
        ("joint_1.k1_n_m_per_rad", -1.0, "above 0"),
    ):
        with pytest.raises(ZeroGError, match=match):
            lwr.set_parameter(name, value)
    with pytest.raises(DrivingError, match="no multiple"):
        DriveSession(lwr.arm, lwr.inverse, period=0.0025)


def test_a_hand_feels_the_surface(mission):
    """By the emulated haptic hand: at rest k (meant - handle) balances the scaled force on the tip."""
    said = mission("missions/contact.toml")
    session = session_of(said)
    session.take(source_of("haptic", said, session))
    drive(session, 3.8)
    hand = session.source._device
    force = session.variables()["surface.force_n"]
    assert force > 5.0 and session.wrench[2] == pytest.approx(force)
    meant = said.file.hand.way[1]
    balance = said.file.hand.stiffness * (meant - hand.p)[2] + said.file.hand.force * force
    assert balance == pytest.approx(0.0, abs=0.02 * said.file.hand.force * force)
    assert hand.p[2] > meant[2] + 0.01, "it was held back"
    depth = session.variables()["surface.depth_m"]
    assert force == pytest.approx(said.file.surface.stiffness * depth, rel=0.02)


def test_a_capture_keeps_the_momenta(mission):
    """Approach, latch, coming to rest: momenta of all three within 1e-9, and they are exchanged."""
    said = mission("missions/capture.toml")
    session = session_of(said)
    session.set_parameter("tip_limits.speed_m_s", 0.3)
    session.take(source_of("capture", said, session))
    before, satellite = session.momentum(), session.surroundings.momentum.copy()
    base = session.arm.T_world_base
    _, seen = drive(session, 9.0, lambda: np.abs(session.momentum() - before).max())
    assert session.surroundings.latch.closed
    assert max(seen) < 1e-9
    assert np.abs(session.surroundings.momentum - satellite).max() > 0.05, "the satellite gave some away"
    assert np.abs(session.arm.T_world_base - base).max() > 1e-4, "the bus took it"
    grapple = np.linalg.inv(session.arm.T_world_base) @ session.surroundings.T_world_grapple
    assert halves(way(session.arm.T_base_tip, grapple))[0] < 5e-3


class Pushing:
    """Surroundings that push the tip the same way and write down what they are given."""

    def __init__(self, wrench):
        self.push, self.given = np.array(wrench), []

    def wrench(self, T_world_tip, twist_tip, mobility, dt):
        lever = np.cross(T_world_tip[:3, 3], self.push[:3])
        self.given.append([-dt * np.concatenate([self.push[:3], self.push[3:] + lever])])
        return self.push

    def advance(self, dt, impulse):
        self.given[-1].append(impulse)

    def variables(self):
        return {}


@pytest.mark.parametrize("kind", ["fixed", "free"])
def test_what_pushes_the_tip_is_pushed_back(mission, kind):
    """The impulse is against it, with its moment about the world's origin; the push is told in base axes."""
    plain = mission("missions/capture.toml")
    base = plain.file.base.model_copy(update={"kind": kind, "position": np.array([0.4, -0.2, 0.3])})
    session = session_of(
        type(plain)(plain.file.model_copy(update={"base": base, "satellite": None}), plain.chain)
    )
    session.surroundings = Pushing([2.0, -3.0, 4.0, 0.1, 0.2, -0.3])
    drive(session, 0.1)
    expected, given = np.array(session.surroundings.given).swapaxes(0, 1)
    assert len(given) == 100
    # a floating arm's momentum changes by what it was given: but for the step's own motion the same
    np.testing.assert_allclose(given, expected, atol=1e-12 if kind == "fixed" else 1e-6)
    R = session.arm.T_world_base[:3, :3]
    np.testing.assert_allclose(R @ session.wrench[:3], [2.0, -3.0, 4.0], atol=1e-4)
    np.testing.assert_allclose(R @ session.wrench[3:], [0.1, 0.2, -0.3], atol=1e-4)


def test_a_base_that_turns_carries_the_tip(mission):
    """The tip's twist in the world is the difference of its poses; the base has a good share in it."""
    plain = mission("missions/capture.toml")
    base = plain.file.base.model_copy(update={"mass": 30.0, "inertia": np.array([3.0, 3.0, 3.0, 0, 0, 0])})
    session = session_of(
        type(plain)(plain.file.model_copy(update={"base": base, "satellite": None}), plain.chain)
    )
    session.take(Steady([0.0, 0.1, 0.05, 0.0, 0.2, 0.0], 9.0))
    drive(session, 0.5)
    tips, twists = [], []
    for _ in range(3):
        tips.append(session.arm.T_world_base @ session.arm.T_base_tip)
        twists.append(session.twist_world_tip)
        session.step()
    np.testing.assert_allclose(way(tips[0], tips[2]) / (2 * session.period), twists[1], atol=2e-4)
    lever = session.arm.T_world_base[:3, :3] @ session.arm.T_base_tip[:3, 3]
    assert np.linalg.norm(np.cross(session.twist_world_base[3:], lever)) > 0.01


def test_the_tour_comes_back(mission):
    """Every stop of the inspection is within the arm's reach, and it ends where it began."""
    said = mission("missions/inspection.toml")
    session = session_of(said)
    tour = source_of("tour", said, session)
    start = tour.pose(0.0)
    np.testing.assert_allclose(tour.pose(tour.duration), start, atol=1e-9)
    for t in np.linspace(0.0, tour.duration, 60):
        assert session.inverse.step(tour.pose(t), 0.1).reachable


@pytest.mark.parametrize("arm", sorted(path.stem for path in (ROOT / "configs/assemblies").glob("*.toml")))
def test_tables_fit_every_arm(mission, arm):
    """From where each shipped arm begins, all tables but the stretch stay within its reach and limits."""
    session = session_of(mission(f"assemblies/{arm}.toml"))
    manipulator = session.arm.manipulator
    q = session.arm.q
    assert (q >= manipulator.lower).all() and (q <= manipulator.upper).all()
    frame = frame_of(session)
    for name in sorted(set(TABLES) - {"singular_stretch"}):
        table = table_of(name, frame)
        session.inverse.reset(q)
        far = [session.inverse.step(table.pose(t), 0.1).position_error
               for t in np.linspace(0.0, min(table.duration, 30.0), 40)]  # fmt: skip
        assert max(far) < 1e-6, name


def test_the_free_base_is_moved_by_the_arm_alone(mission):
    """Without a satellite: from rest the momenta stay nothing, and the bus turns against the arm."""
    plain = mission("missions/capture.toml")
    said = type(plain)(plain.file.model_copy(update={"satellite": None}), plain.chain)
    session = session_of(said)
    session.take(Steady([0, 0.1, 0, 0, 0, 0], 1.0))
    _, seen = drive(session, 1.5, lambda: np.abs(session.momentum()).max())
    assert max(seen) < 1e-9
    centre = session.arm.T_world_base[:3, 3]
    assert 1e-5 < np.linalg.norm(centre) < 0.05
    assert np.abs(way(np.eye(4), session.arm.T_world_base)[3:]).max() > 1e-4
