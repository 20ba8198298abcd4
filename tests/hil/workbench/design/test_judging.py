"""A candidate's verdict and figures against closed forms: arms of one and two hinges in a plane."""

import math
from typing import Any

import numpy as np
import pytest

from hil.workbench.design.judgement import Judgement
from hil.workbench.design.judging import Job, Judge, judge_all, loss_of
from hil.workbench.design.study import Study
from sim.assembly.chain import Chain
from sim.assembly.database import Database, load_database
from tests.hil.workbench.design.planar_arms import HINGE_KG, KG_M, LENGTHS, planar_study

G = 9.81
TARGET = np.array([0.5, 0.0, 0.31])  # [m] in the task's frame


def judged(study: Study) -> list[Judgement]:
    """All candidates of a study, in order."""
    return judge_all(Job(study.task, study.components, tuple(study.candidates)))


def lengths_of(judgement: Judgement) -> list[float]:
    """Links before the first hinge, behind it, behind the second [m]; 0 where there is none."""
    found = [0.0]
    for name, _ in judgement.arm[1:]:
        if name == "hinge":
            found.append(0.0)
        else:
            found[-1] += LENGTHS[name] / 1e3
    return found


def test_two_hinges_reach_what_triangles_allow() -> None:
    """64 arms: who reaches the point, the mass, the manipulability at it and the best, all by hand."""
    pose = {"position_mm": (1e3 * TARGET).tolist(), "free": "all"}
    table = {
        "poses": [pose],
        "limits": {"joints_min": 2, "joints_max": 2},
        "gravity": [0.0, 0.0, 0.0],
        "length_mm": 500.0,
        "space": {"turns_deg": [0.0]},
    }
    study = planar_study(table, "base", "hinge", *LENGTHS)
    found = judged(study)
    assert len(found) == study.total == 4**3
    masses = {}
    for j in found:
        base, upper, fore = lengths_of(j)
        assert j.figures["mass_kg"] == pytest.approx(4.0 + 2 * HINGE_KG + KG_M * (base + upper + fore))
        away = float(np.linalg.norm(TARGET - [base, 0.0, 0.0]))
        cosine = (away**2 - upper**2 - fore**2) / (2.0 * upper * fore) if upper * fore else math.inf
        can = abs(cosine) <= 1.0 and math.degrees(math.acos(cosine)) <= 170.0
        assert j.good == can, j
        if can:
            masses[j.number] = j.figures["mass_kg"]
            wide = upper * fore * math.sqrt(1.0 - cosine**2) / 0.5**2
            assert j.figures["manipulability"] == pytest.approx(wide, rel=1e-4), j
        elif upper + fore < away or abs(upper - fore) > away:
            assert j.verdict == "pose 1 out of reach"  # the cheap bound is exact for two hinges
    assert 10 < len(masses) < 40


def one_hinge(**more: Any) -> Study:
    """Base, hinge, 420 mm; the tip is to be 420 mm in front, and where more poses are given there."""
    table = {
        "poses": [{"position_mm": [420.0, 0.0, 0.0]}],
        "payload": {"mass_kg": 3.0, "centre_mm": [0.0, 0.0, 80.0]},
        "limits": {"joints_max": 1},
        "space": {"turns_deg": [0.0], "components": ["*"]},
        **more,
    }
    table["poses"] = [{"rotvec_deg": [0.0, 90.0, 0.0], **pose} for pose in table["poses"]]
    return planar_study(table, "base", "hinge", "link-c")


def the_one(study: Study) -> Judgement:
    """The arm whose link is behind the hinge."""
    (found,) = [j for j in judged(study) if [p.component for p in j.arm] == ["base", "hinge", "link-c"]]
    return found


MOMENT = G * (KG_M * 0.42 * 0.21 + 3.0 * 0.5)  # [N m] of link and payload about the hinge


def test_a_horizontal_arm_holds_its_weight_and_payload() -> None:
    """Lever by lever: the torque's margin, force and moment on the base; without motion no power."""
    f = the_one(one_hinge()).figures
    assert f["torque_margin"] == pytest.approx(1.0 - MOMENT / 100.0, abs=1e-9)
    assert f["base_moment_n_m"] == pytest.approx(MOMENT, abs=1e-6)
    assert f["base_force_n"] == pytest.approx(G * (4.0 + HINGE_KG + KG_M * 0.42 + 3.0))
    assert f["power_w"] == 0.0 and f["stretched_m"] == pytest.approx(0.42)


def test_too_little_torque_is_said() -> None:
    """The limit lies between what is left and a bit more."""
    left = 1.0 - MOMENT / 100.0
    for asked, verdict in ((left - 1e-3, "good"), (left + 1e-3, "pose 1 not held")):
        assert the_one(one_hinge(limits={"joints_max": 1, "torque_margin": asked})).verdict == verdict


def test_the_worst_joint_tells_the_margin() -> None:
    """Nearly stretched: the first hinge holds all, the second the outer link alone."""
    table = {
        "poses": [{"position_mm": [618.0, 0.0, 0.0], "free": "all"}],
        "payload": {"mass_kg": 3.0, "centre_mm": [0.0, 0.0, 80.0]},
        "limits": {"joints_min": 2, "joints_max": 2},
        "space": {"turns_deg": [0.0], "components": ["*"]},
    }
    those = judged(planar_study(table, "base", "hinge", "link-a", "link-c"))
    (found,) = [
        j for j in those
        if [p.component for p in j.arm] == ["base", "hinge", "link-a", "hinge", "link-c"]
    ]  # fmt: skip
    first = G * (KG_M * 0.2 * 0.1 + HINGE_KG * 0.2 + KG_M * 0.42 * 0.41 + 3.0 * 0.7)
    assert found.verdict == "good"
    assert found.figures["torque_margin"] == pytest.approx(1.0 - first / 100.0, abs=0.01)


def test_an_arm_too_weak_for_the_motion_is_left() -> None:
    """Without gravity: 10/sqrt(3) I a/T^2, T by the hinge's speed, is more than 100 N m from 103 kg on."""
    a, T = math.radians(60.0), 1.875 * math.radians(60.0) / math.radians(90.0)
    turned = {"position_mm": [420 * math.cos(a), 0.0, -420 * math.sin(a)], "rotvec_deg": [0.0, 150.0, 0.0]}
    poses = [{"position_mm": [420.0, 0.0, 0.0]}, turned]
    most = (100.0 / (10.0 / math.sqrt(3.0) * a / T**2) - KG_M * 0.42 * 0.21**2) / 0.5**2
    for mass, verdict in ((0.98 * most, "good"), (1.02 * most, "torque of the motion")):
        payload = {"mass_kg": mass, "centre_mm": [0.0, 0.0, 80.0]}
        told = the_one(
            one_hinge(gravity=[0.0, 0.0, 0.0], poses=poses, motion={"leg_s": 0.1}, payload=payload)
        )
        assert told.verdict == verdict and (told.figures["motion_margin"] < 0.0) == (verdict != "good")


def test_gravity_is_turned_with_the_base() -> None:
    """On a base that is turned by 90 degrees about y, the same arm hangs down: the poses turn with it."""
    base = {"position_mm": [100.0, 0.0, 900.0], "rotvec_deg": [0.0, 90.0, 0.0]}
    hung = one_hinge(base=base, poses=[{"position_mm": [100.0, 0.0, 480.0], "rotvec_deg": [0.0, 180.0, 0.0]}])
    assert the_one(hung).figures["torque_margin"] == pytest.approx(1.0, abs=1e-9)
    assert Judge(hung.task, Database(hung.components)).gravity == pytest.approx([9.81, 0.0, 0.0])


def test_a_swing_without_gravity_costs_its_kinetic_energy_twice() -> None:
    """Peak torque 10/sqrt(3) I a/T^2, power 2 E/T with E = I (15/8 a/T)^2 / 2; the base feels the same."""
    a, T = math.radians(60.0), 3.0
    turned = {"position_mm": [420 * math.cos(a), 0.0, -420 * math.sin(a)], "rotvec_deg": [0.0, 150.0, 0.0]}
    poses = [{"position_mm": [420.0, 0.0, 0.0]}, turned]
    swing = the_one(one_hinge(gravity=[0.0, 0.0, 0.0], poses=poses, motion={"leg_s": T})).figures
    inertia = KG_M * 0.42 * 0.21**2 + 3.0 * 0.5**2
    peak = 10.0 / math.sqrt(3.0) * inertia * a / T**2
    assert 1.0 - swing["motion_margin"] == pytest.approx(peak / 100.0, rel=3e-3)  # twenty samples a leg
    assert swing["power_w"] == pytest.approx(inertia * (1.875 * a / T) ** 2 / T, rel=1e-2)
    assert swing["base_moment_n_m"] == pytest.approx(peak, rel=3e-3)
    assert swing["torque_margin"] == pytest.approx(1.0)
    hasty = the_one(one_hinge(gravity=[0.0, 0.0, 0.0], poses=poses, motion={"leg_s": 0.1})).figures
    needed = 1.875 * a / math.radians(90.0)  # the hinge's 90 degrees a second
    assert hasty["power_w"] == pytest.approx(inertia * (1.875 * a / needed) ** 2 / needed, rel=1e-2)


def test_windings_heat_by_the_square_of_the_torque() -> None:
    """R (1 / (k_t N eta))^2 of a shipped joint's motor and gear, from their files."""
    database = load_database()
    joint = database["joint-pitch-m"].joints[0]
    motor, gear = database["allied-mf0076020"].motor, database["hd-20-160"].gear
    assert (
        motor is not None
        and gear is not None
        and (joint.motor, joint.gear)
        == (
            "allied-mf0076020",
            "hd-20-160",
        )
    )
    current = 50.0 / (motor.torque_constant * gear.ratio * gear.efficiency)
    heat = motor.resistance * current**2
    assert loss_of(Chain("arm", database), joint) * 50.0**2 == pytest.approx(heat)


@pytest.mark.parametrize(
    ("limits", "verdict"),
    [({"mass_kg": 8.0}, "too heavy"), ({"reach_mm": 400.0}, "too long"), ({"mass_kg": 8.2}, "good")],
)
def test_limits_come_first(limits: dict[str, float], verdict: str) -> None:
    """8.1 kg, 420 mm."""
    assert the_one(one_hinge(limits={"joints_max": 1, **limits})).verdict == verdict


def test_free_turns_let_an_arm_reach() -> None:
    """A tip turned about its axis: missed where the whole orientation counts, reached where it may turn."""
    turned = {"position_mm": [420.0, 0.0, 0.0], "rotvec_deg": [90.0, 0.0, 0.0]}
    about_y = {"rotvec_deg": [0.0, 90.0, 0.0]}
    quarter = {
        "rotvec_deg": [69.282032, 69.282032, 69.282032]
    }  # that of about_y, then 90 degrees about its z
    for free, rotation, reached in (
        ("none", about_y, True),
        ("none", quarter, False),
        ("turn", quarter, True),
        ("turn", turned, False),
        ("all", turned, True),
    ):
        verdict = the_one(one_hinge(poses=[{**turned, **rotation, "free": free}])).verdict
        assert (verdict == "good") == reached, (free, rotation, verdict)


def test_a_coarse_tolerance_lets_a_short_arm_do() -> None:
    """The tip is 5 mm too near: reached within 6 mm, not within 4."""
    for tolerance, verdict in ((6.0, "good"), (4.0, "pose 1 out of reach")):
        pose = {"position_mm": [425.0, 0.0, 0.0], "position_tolerance_mm": tolerance,
                "orientation_tolerance_deg": 1.0}  # fmt: skip
        assert the_one(one_hinge(poses=[pose])).verdict == verdict
