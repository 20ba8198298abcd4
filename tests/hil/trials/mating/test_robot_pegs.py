"""Pegs and the combined assembly in a robot's hand: the paper's phases, figures, symmetries, refusals."""

import functools
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError, ExperimentError, InsertionError
from hil.trials.mating.combined import combined_run
from hil.trials.mating.loading import load_mating
from hil.trials.mating.machine import snap_run
from hil.trials.mating.means import mean_of
from hil.trials.mating.pegs import UPWARDS, peg_run
from hil.trials.mating.result import MatingResult
from hil.trials.mating.robot_schema import CombinedExperiment, RectangularPegExperiment, RoundPegExperiment
from hil.trials.mating.schema import SnapExperiment
from hil.trials.mating.setting import setting
from sim.insertion.closed_loops import ClosedLoops
from sim.insertion.held_parts import APART, HeldSnap
from sim.insertion.insertion import HeldPart, InsertionRun, simulate
from sim.insertion.pegs import pair_of
from sim.insertion.plane import in_plane
from sim.mating.snap import SnapFastener
from sim.mating.wrench import Derivative, Wrench

ASIDE = ("offset_z_mm=0", "offset_y_mm=4")


@functools.cache
def run(name: str, *settings: str) -> MatingResult:
    experiment = load_mating(name, settings)
    assert isinstance(experiment, RoundPegExperiment | RectangularPegExperiment)
    return peg_run(experiment)


def combined(*settings: str) -> MatingResult:
    experiment = load_mating("combined", settings)
    assert isinstance(experiment, CombinedExperiment)
    return combined_run(experiment)


def rectangular(*settings: str) -> RectangularPegExperiment:
    experiment = load_mating("rectangular-peg", settings)
    assert isinstance(experiment, RectangularPegExperiment)
    return experiment


def holds(result: MatingResult) -> bool:
    return all(statement.holds for statement in result.statements)


def test_round_peg_as_published() -> None:
    """First contact 2.52 mm above the hole, three phases in order, both points in the arm's plane."""
    found = run("round-peg")
    f = found.features
    e = math.hypot(2.1, 1.3)
    assert f["first_contact_mm"] == pytest.approx(math.sqrt(100.0 - (10.05 - e) ** 2) - 4.0, abs=0.05)
    assert f["first_contact_depth_mm"] < 0.0
    assert f["phases"] == ["torus1-torus2", "cylinder1-torus2", "torus1-cylinder2"]
    assert all(abs((a + 90.0) % 180.0 - 90.0) < 15.0 for a in f["azimuth_deg"])
    assert f["penetration_um"] < 5.0 and f["contact_residual"] < 1e-9 and f["inserted"]
    assert 16.0 < f["phase_begins_mm"]["torus1-cylinder2"] < 30.0
    assert holds(found) and any("not as published" in warning for warning in found.warnings)
    assert found.jamming is not None and len(found.jamming.loads) > 10 and len(found.frames) >= 3


def test_at_rest_the_springs_carry_the_contacts() -> None:
    """Contact's wrench through the Jacobian is what stiffness times deviation gives, forces and moments."""
    experiment = rectangular(*ASIDE, "planes=all", "distance_mm=40", "path.rest_ms=1500.0", "mu=0.0")
    place = setting(experiment.robot, experiment.path, experiment.simulation.step)
    hole = place.hole(experiment.offset_y, experiment.offset_z)
    pair = pair_of(experiment.pegs.numbers(-1), place.peg(), hole, (0.0, 0.0, 1e-3))
    made = simulate(place.robot, place.nominal, place.way, experiment.simulation.step, pair)
    wrench, R = made.rows.wrenches[-1], hole[:3, :3]
    load = np.concatenate([R @ wrench[:3], R @ wrench[3:]])  # the peg's origin is the tip
    assert np.abs(wrench[:3]).max() > 20.0
    held = place.nominal.Q[40] @ made.rows.deviations[-1]
    assert place.nominal.J[40].T @ load == pytest.approx(held, abs=2e-3 * np.abs(load).max())


def test_offsets_aside_mirror_each_other() -> None:
    """dy = +-4 in one plane: the same forces to 1e-6; the level follows from the stiffness."""
    plus, minus = run("rectangular-peg", *ASIDE), run("rectangular-peg", "offset_z_mm=0", "offset_y_mm=-4")
    size = plus.series["force_n"].max()
    assert np.abs(plus.series["force_n"] - minus.series["force_n"]).max() < 1e-6 * size
    assert np.abs(plus.series["side_y_n"] + minus.series["side_y_n"]).max() < 1e-6 * size
    assert plus.features["phases"] == ["4-b'", "5-b'"] and minus.features["phases"] == ["2-a'", "1-a'"]
    assert plus.features["first_contact_mm"] == pytest.approx(0.4, abs=0.05)
    assert plus.features["plateau_n"] / plus.features["side_plateau_n"] == pytest.approx(0.1, rel=0.15)
    assert 80.0 < plus.features["side_plateau_n"] < 95.0 and 95.0 < plus.features["max_n"] < 115.0
    assert holds(plus) and holds(minus)


def test_offsets_along_the_arm_differ() -> None:
    """dz = +4 is easy, -4 jams at a second contact inside, whose depth does not follow from the step."""
    easy, hard = run("rectangular-peg", "offset_z_mm=4"), run("rectangular-peg")
    assert hard.features["phases"] == ["2-a'", "1-a'", "d-4'"] and "d-4'" not in easy.features["phases"]
    assert hard.features["late_max_n"] > 3.0 * easy.features["late_max_n"]
    assert hard.features["first_contact_mm"] == pytest.approx(0.2, abs=0.05)
    assert holds(easy) and holds(hard)
    deep = hard.features["phase_begins_mm"]["d-4'"]
    for step in ("2", "0.5"):
        other = run("rectangular-peg", f"step_ms={step}")
        assert other.features["phase_begins_mm"]["d-4'"] == pytest.approx(deep, abs=0.1)
        assert other.features["late_max_n"] == pytest.approx(hard.features["late_max_n"], rel=0.05)
    assert hard.features["torque_share"] > 1.0 and any("greatest torque" in w for w in hard.warnings)


def test_motors_give_no_more_than_they_can() -> None:
    """In the jam those of axes 1, 2 and 5 are at the published torques, and the peg is left farther out."""
    free, found = run("rectangular-peg"), run("rectangular-peg", "torque_limits=true")
    assert free.features["torque_share"] > 1.5 and found.features["torque_share"] == pytest.approx(1.0)
    assert list(found.features["torque_limit"]) == ["motor_1", "motor_2", "motor_5"]
    assert found.series["motor_2_n_m"].min() >= -186.4 - 1e-9
    assert found.series["motor_2_n_m"].max() <= 186.4 + 1e-9
    assert any("motor 2 of puma560 was at its greatest torque of 186.4 N m for" in w for w in found.warnings)
    assert found.features["lag_mm"] > free.features["lag_mm"] + 1.0


def test_nonlinear_robot_beside_the_linear_one() -> None:
    """Until the second contact they agree; then a jam makes much of little."""
    line, whole = run("rectangular-peg"), run("rectangular-peg", "model=nonlinear")
    assert whole.features["phases"] == line.features["phases"]
    assert whole.features["plateau_n"] == pytest.approx(line.features["plateau_n"], rel=5e-3)
    deep = [one.features["phase_begins_mm"]["d-4'"] for one in (line, whole)]
    assert deep[0] == pytest.approx(deep[1], abs=0.1)


def test_contacts_that_give_way() -> None:
    """Stiff springs come near to rigid contacts; the peg lies in by force over stiffness."""
    rigid, soft = run("rectangular-peg", *ASIDE), run("rectangular-peg", *ASIDE, "contact=compliant")
    assert soft.features["side_plateau_n"] == pytest.approx(rigid.features["side_plateau_n"], rel=0.02)
    assert soft.features["plateau_n"] == pytest.approx(rigid.features["plateau_n"], rel=0.05)
    assert 10.0 < soft.features["penetration_um"] < 50.0


def test_closed_loops_as_the_paper_has_them() -> None:
    """Equations 57 to 64, with none of time stepping's ideas: the same contacts, times and forces."""
    experiment = rectangular("begin_mm=-1.0", "distance_mm=9.0")
    place, step = setting(experiment.robot, experiment.path, 1e-3), 1e-3
    nominal = in_plane(place.nominal, place.axes, 1)
    pair = pair_of(experiment.pegs.numbers(1), place.peg(), place.hole(0.0, -0.004), (0.0, 0.0, 1e-3), 1)
    stepped = simulate(place.robot, nominal, place.way, step, pair)
    looped = ClosedLoops(nominal, place.way, step, pair).run()
    for row in (25, 24):  # 2-a', 1-a'
        ours, theirs = mean_of(stepped.rows.normals[:, row], step), mean_of(looped.normals[:, row], step)
        assert ours.max() > 30.0 and theirs.max() == pytest.approx(ours.max(), rel=0.08)
        first = [int(np.flatnonzero(force > 0.05 * force.max())[0]) for force in (ours, theirs)]
        assert abs(first[0] - first[1]) <= 5
    assert looped.normals[-1, 24] == pytest.approx(stepped.rows.normals[-1, 24], rel=0.02)
    assert looped.events[0][1] == "closed" and looped.events[0][2] == 25


def test_combined_assembly_as_published() -> None:
    """Speed falls where the ring's force is greatest and overshoots, twice as much at the softer place."""
    found = combined()
    f: Any = found.features
    assert f["overshoot_far_mm_s"] > 2.0 * f["overshoot_near_mm_s"] > 0.0
    assert max(abs(f["dip_after_force_max_far_ms"]), abs(f["dip_after_force_max_near_ms"])) <= 30.0
    assert f["force_max_far_n"] == pytest.approx(f["force_max_near_n"], rel=0.02)
    assert max(f["impact_far_ms"], f["impact_near_ms"]) < 40.0 and f["phases"][-2:] == ["hole", "exit"]
    assert holds(found) and found.series["ring_n"].shape == found.series["t_s"].shape
    # what is drawn at a row: the ring's halves carry its load there, and its cut is where the ring is
    assert found.drawn is not None
    top = int(found.series["ring_n"].argmax())
    frame = found.drawn(top)
    (bolt, _, ring, _), (points, forces) = frame.moving, frame.forces
    held = points[:, 1] < 0.0
    assert -forces[held, 0].sum() == pytest.approx(found.series["ring_n"][top], rel=0.02)
    assert bolt[:, 0].max() == pytest.approx(found.series["depth_mm"][top], abs=0.05)
    assert bolt[:, 0].max() - ring[:, 0].mean() == pytest.approx(20.0, abs=0.1)


def test_a_snap_fastener_in_a_robots_hand() -> None:
    """Slowly and with both halves, whose side forces cancel, it takes what it takes on a stiff machine."""
    snap = load_mating("snap-beam", ("halves=2", "mu=0.2"))
    assert isinstance(snap, SnapExperiment)
    machine = snap_run(snap).features
    experiment = rectangular("begin_mm=0.0", "distance_mm=17.0", "speed_mm_s=40.0")
    place, part = setting(experiment.robot, experiment.path, 1e-3), SnapFastener(snap.snap)
    held = HeldPart(HeldSnap(part), place.peg(part.front + 5e-4), place.hole(0.0, 0.0))
    pair = pair_of(None, np.eye(4), np.eye(4), (0.0, 0.0, 1e-3))
    made = simulate(place.robot, place.nominal, place.way, 1e-3, pair, [held])
    order = list(dict.fromkeys(names[0] for names in made.phases if names[0]))
    assert order == machine["phases"][:-1] and not made.stopped
    assert -made.loads[:, 0, 0].min() == pytest.approx(machine["max_n"], rel=0.03)
    assert made.loads[-1, 0] == pytest.approx(np.zeros(6)) and made.phases[-1] == [""]


def test_what_a_gripper_does_not_reach_is_none() -> None:
    """No ring, no bolt: figures that are none and statements that do not hold, in plain JSON."""
    found = combined("path.distance_mm=1.0", "rest_ms=0")
    f: Any = found.features
    assert f["force_max_far_n"] is f["impact_at_near_s"] is f["overshoot_far_over_near"] is None
    assert not any(statement.holds for statement in found.statements)
    assert any("speed_mm_s = 60 is not reached, 9.9" in warning for warning in found.warnings)
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_ring_that_is_squeezed_flat_stops_its_run() -> None:
    """Bolts on the hole's face, and a robot that pushes on: no meganewtons, but the last good state."""
    found = combined("offset_z_mm=2.5")
    f: Any = found.features
    assert "at position 1: the O-ring is squeezed flat, by its whole section_mm = 3.15" in found.stopped
    assert f["last_state"]["t_s"] == found.series["t_s"][-1] and f["force_max_far_n"] < 1e5
    assert any("go 87.7 mm into one another" in warning for warning in found.warnings)


@pytest.mark.parametrize("name", ["round-peg", "rectangular-peg"])
def test_a_peg_that_ends_before_its_hole_is_not_inserted(name: str) -> None:
    """Nine tenths of its path are not enough."""
    found = run(name, "begin_mm=-200.0")
    assert not found.features["inserted"] and found.features["first_contact_mm"] is None
    assert any("before its hole and touches nothing" in warning for warning in found.warnings)
    assert not any("jammed" in warning for warning in found.warnings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("offset_y_mm=1.0",), "offset_y_mm = 1 has no effect, for planes = 'one' looks at the plane of the"),
        (("planes=y",), "offset_z_mm = -4 has no effect, for planes = 'y' looks at that plane alone"),
        (("offset_y_mm=1.0", "planes=all"), ""),
        ((), ""),
    ],
)
def test_an_offset_that_is_not_looked_at_is_told(settings: tuple[str, ...], words: str) -> None:
    """In a plane by itself the other offset means nothing."""
    told = [warning for warning in run("rectangular-peg", *settings).warnings if "no effect" in warning]
    assert bool(told) == bool(words) and all(words in warning for warning in told)


def test_forces_that_swing_are_told() -> None:
    """With too long a step two opposite points take turns; half of it, and a quarter, tell the same force."""
    long, half, quarter = (run("round-peg", f"step_ms={h}") for h in (1.0, 0.5, 0.25))
    assert any("swing from step to step in 22 %" in warning for warning in long.warnings)
    assert not any("swing" in warning for warning in (*half.warnings, *quarter.warnings))
    most = [found.features["late_max_n"] for found in (long, half, quarter)]
    assert most[1] == pytest.approx(most[2], rel=1e-3) and most[0] > 1.05 * most[2]


class Bursting:
    """A part that bursts when it is 5 mm deep."""

    def load(self, T: Array, twist: Array) -> tuple[Wrench, Derivative]:
        """Return nothing, or too much."""
        burst = np.array([-1e12 if T[0, 3] > 0.005 else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        return Wrench(burst, ""), APART


def test_a_diverging_run_ends_with_its_last_good_state() -> None:
    """It stops where the part bursts, says so, and all that it kept is finite."""
    experiment = rectangular("begin_mm=0.0", "distance_mm=20.0")
    place = setting(experiment.robot, experiment.path, 1e-3)
    pair = pair_of(None, np.eye(4), np.eye(4), (0.0, 0.0, 1e-3))
    held = HeldPart(Bursting(), place.peg(), place.hole(0.0, 0.0))
    made = simulate(place.robot, place.nominal, place.way, 1e-3, pair, [held])
    assert "diverged" in made.stopped and 0.004 < made.way[-1] < 0.006
    kept = (made.rows.deviations, made.rows.velocities, made.rows.tips, made.loads)
    assert all(np.isfinite(part).all() and len(part) == len(made.t) for part in kept)


@pytest.mark.parametrize(
    ("name", "setting_", "words"),
    [
        ("round-peg", "peg_mm=41.0", "peg_mm = 41 is no smaller than hole_mm = 40"),
        ("round-peg", "offset_y_mm=10.1", "the chamfers catch it below 10.05 mm"),
        ("round-peg", "peg_chamfer_mm=19.96", "peg_chamfer_mm = 19.96 is larger than the part"),
        ("rectangular-peg", "chamfer_mm=30.0", "chamfer_mm = 30 is larger than the part"),
        ("rectangular-peg", "hole_z_mm=45.4", "the clearance is 0 mm and must be above 0"),
        ("rectangular-peg", "robot.stiffness_n_m_per_rad=[6e4, 0.0, 2e4]", "stiffness_n_m_per_rad"),
        ("combined", "position=3", "position"),
    ],
)
def test_files_that_are_refused(name: str, setting_: str, words: str) -> None:
    """One line with value, bound and remedy."""
    with pytest.raises(ConfigurationError, match=words):
        load_mating(name, (setting_,))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("step_ms=20",), "step_ms = 20 is too long for the stiffness of the robot: at most"),
        (("contact=compliant", "simulation.stiffness_n_per_mm=1e7"), "or make the contacts softer"),
        (
            ("robot.assembly='configs/assemblies/ur10e.toml'", "robot.at_mm=[2000.0, 0.0, 0.0]"),
            "cannot reach",
        ),
    ],
)
def test_runs_that_are_refused(settings: tuple[str, ...], words: str) -> None:
    """A step too long, contacts too stiff for it, a place that the arm does not reach."""
    with pytest.raises(InsertionError, match=words):
        run("rectangular-peg", *settings)


@pytest.mark.parametrize(
    ("name", "setting_", "words"),
    [
        ("round-peg", "begin_mm=10", "begins with the parts 2.42 mm inside one another: begin farther out"),
        ("rectangular-peg", "begin_mm=10", "the parts 3.8 mm inside one another"),
        (
            "rectangular-peg",
            "step_ms=0.0001",
            "steps of a motion of 3.74 s, 10 to 200000 are taken: between 0.0187 and 374",
        ),
    ],
)
def test_runs_that_mean_nothing_or_never_end_are_refused(name: str, setting_: str, words: str) -> None:
    """With the value, and what to do."""
    with pytest.raises(ExperimentError, match=words):
        run(name, setting_)


def test_an_assembled_arm_instead_of_the_puma() -> None:
    """Seven elastic axes, its own reach; where the peg first touches is the peg's matter, not the arm's."""
    found = run("round-peg", "robot.assembly='configs/assemblies/lwr4.toml'")
    assert found.features["phases"][:2] == ["torus1-torus2", "cylinder1-torus2"]
    assert found.features["first_contact_mm"] == pytest.approx(2.52, abs=0.05)


def test_axes_of_the_round_hole() -> None:
    """Its z looks out of it; a proper rotation that is its own inverse."""
    assert np.linalg.det(UPWARDS) == pytest.approx(1.0) and UPWARDS @ UPWARDS == pytest.approx(np.eye(4))


def test_a_run_without_a_course_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in its first step it has no figures: which keys help is said, and no figure."""

    def cut(*arguments: Any) -> InsertionRun:
        made = simulate(*arguments)
        return replace(made, t=made.t[:1], stopped="the motion has diverged")

    monkeypatch.setattr("hil.trials.mating.pegs.simulate", cut)
    experiment = rectangular("step_ms=2.0")
    with pytest.raises(ExperimentError, match=r"^the run stops in its first steps: the motion .* step_ms"):
        peg_run(experiment)
