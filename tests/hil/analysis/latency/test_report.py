"""The report: its keys, its goals, what it says of what could not be measured, its texts and its picture."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from hil.analysis.latency.analysis import analysed
from hil.analysis.latency.plot import draw_latency
from hil.analysis.latency.report import goals, report, write_report
from hil.analysis.latency.report_text import all_histograms, report_tables
from hil.configuration import load_configuration
from hil.configuration.schema import Override
from tests.hil.analysis.latency.recordings import closed_form_robot, with_delay
from tests.hil.analysis.pushed_recording import PushedArm

DISTRIBUTION = {"min", "p50", "p90", "p99", "p999", "max", "n"}
DELAY = 0.011  # [s] of the closed-form arm behind the ideal body


def recorded(cube, truth=True):
    """Three pushes in closed form, and the robot's own part, as one recording."""
    arm = PushedArm(cube, [1.0, 3.0, 5.0], [0.03, 0.2, 0.1], [0.02, -0.025, 0.01], DELAY)
    made = arm.recording(bare_ns=np.full(1000, 250_000), bare_sent=1010, machine="a machine")
    robot = closed_form_robot(cube, 8.0, 1)
    joints = {name: getattr(robot.cycles, name) for name in ("q_command", "q_measured")}
    made = replace(made, cycles=replace(made.cycles, **joints))
    return made if truth else replace(made, truth=None)


@pytest.fixture(scope="module")
def analysis(cube):
    return analysed(recorded(cube))


def printed(found):
    """What the terminal would show."""
    console = Console(width=110, record=True, file=None, quiet=False, force_terminal=False)
    with console.capture() as capture:
        console.print(report_tables(found))
    return capture.get()


def test_the_report_has_the_promised_keys(analysis, tmp_path):
    """Every distribution is {min, p50, p90, p99, p999, max, n}, and the file is JSON without NaN."""
    values = report(analysis)
    for key in ("behind_ideal_10", "behind_ideal_50", "time_shift"):
        assert set(values["push_to_motion_ms"][key]) == DISTRIBUTION
    for key in ("velocity_overshoot", "own_share_ms", "ring_ms", "bare_loop_ms"):
        assert set(values[key]) >= DISTRIBUTION
    assert all(set(spread) == DISTRIBUTION for spread in values["stages"].values())
    for key in ("wake_up_us", "compute_us", "slack_us"):
        assert set(values["cycle"][key]) == DISTRIBUTION
    assert values["cycle"]["missed"] == 0
    assert {"configured", "identified"} <= set(values["interface_delay_ms"])
    assert set(values["paper"].values()) == {300.0, 250.0, 15.0}
    write_report(tmp_path / "latency.json", values)
    assert json.loads((tmp_path / "latency.json").read_text()) == values


def test_the_figures_are_those_of_the_recording(analysis):
    """11 ms behind, no delay beyond the plant's, 0.5 ms own share, 0.25 ms the bare loop's."""
    values = report(analysis)
    assert values["push_to_motion_ms"]["behind_ideal_50"]["p50"] == pytest.approx(1e3 * DELAY, abs=0.15)
    assert values["interface_delay_ms"]["configured"] == 0.0
    assert values["interface_delay_ms"]["identified"] == pytest.approx(0.0, abs=0.5)
    assert values["own_share_ms"]["p50"] == pytest.approx(0.5, abs=1e-6)
    assert values["bare_loop_ms"]["p99"] == pytest.approx(0.25)
    assert values["pushes"] == {"used": 3, "left_out": {}, "onset": "true force"}


def test_goals_are_judged_by_the_cycle_time_and_the_bare_loop(analysis):
    """18 ms at 2 ms FRI; an own share of 0.5 ms is just twice the bare loop's; a slower one is not."""
    judged = {goal.name: goal for goal in goals(analysis)}
    assert judged["behind the ideal body at 50 % velocity, p50"].bound == 18.0
    assert judged["own share, p99 (bound: twice the bare loop's)"].bound == pytest.approx(0.5)
    stages = replace(analysis.stages, own_share=analysis.stages.own_share + 0.6)
    slow = {goal.name: goal.met for goal in goals(replace(analysis, stages=stages))}
    assert slow["own share, p50"] is False and slow["velocity overshoot, p95"] is True


def test_with_an_added_delay_only_what_does_not_depend_on_it_is_a_goal(cube):
    """The goals of push to motion hold for the plain plant; the identified delay is judged always."""
    made = replace(recorded(cube), configuration=with_delay(cube, 0.12))
    found = analysed(made)
    names = {goal.name: goal.met for goal in goals(found)}
    assert not any(name.startswith("behind") for name in names)
    assert names["identified interface delay, off the configured one"] is False  # there is none in it


def test_what_could_not_be_measured_is_said(cube):
    """A real arm: no true force, another clock, no bare loop; the ring without impulses. All in words."""
    found = analysed(replace(recorded(cube, truth=False), bare_ns=np.empty(0, np.int64), doubts=("a doubt",)))
    values = report(found)
    text = " ".join(values["not_measured"])
    for words in ("a doubt", "its clock is not ours", "true force", "bare answering loop", "no impulse"):
        assert words in text, words
    assert values["interface_delay_ms"]["configured"] is None
    assert values["push_to_motion_ms"]["behind_ideal_50"] == dict.fromkeys(DISTRIBUTION - {"n"}) | {"n": 0}
    shown = printed(found)
    assert "Not measured" in shown and "a doubt" in shown


def test_the_uncertainty_of_another_clock_stands_beside_the_stages_that_carry_it(cube):
    """0.1 ms between the hosts: told for the ways between them, and for nothing else."""
    values = report(analysed(replace(recorded(cube), remote_uncertainty=1e-4)))
    assert values["stages_uncertainty_ms"] == pytest.approx({"impulse_to_sim": 0.1, "plan_in_effect": 0.1})


def test_the_terminal_shows_ours_beside_the_papers(analysis):
    """The paper's 300, 250 and 15 ms stand there, and the goals' verdicts."""
    shown = printed(analysis)
    for words in ("300 ms", "250 ms", "15 ms", "p99.9", "met", "3 used", "a machine"):
        assert words in shown, words
    assert "missed" not in shown.split("goals")[1]
    assert len(all_histograms(analysis)) == 17


def test_a_picture_is_drawn_whatever_was_measured(analysis, cube, tmp_path):
    """With everything, and with nothing at all."""
    draw_latency(tmp_path / "full.png", analysis)
    nothing = analysed(replace(PushedArm(cube, [], [], []).recording(), truth=None))
    draw_latency(tmp_path / "nothing.png", nothing)
    for name in ("full.png", "nothing.png"):
        assert (tmp_path / name).read_bytes()[:4] == b"\x89PNG"


def test_what_a_real_arm_was_let_do_unchecked_is_told(cube):
    """Among the doubts, with its reason; an emulated arm's key says nothing."""
    aside = Override(certificate="measured by hand, all of it")
    fri = cube.fri.model_copy(update={"override": aside})
    real = cube.robot.model_copy(update={"kind": "fri"})
    made = recorded(cube)
    for robot, told in ((real, True), (cube.robot, False)):
        c = cube.model_copy(update={"fri": fri, "robot": robot})
        values = report(analysed(replace(made, configuration=c)))
        assert ("fri.override.certificate: measured by hand, all of it" in values["not_measured"]) is told


def test_bodies_inside_are_beside_no_rigid_body(cube):
    """What the ideal rigid body would do is told of no push then, and why."""
    made = recorded(cube)
    found = analysed(replace(made, configuration=load_configuration(Path("configs/panels.toml"))))
    assert not len(found.pushes.to_50) and any("no rigid body" in reason for reason in found.not_measured)
    assert len(analysed(made).pushes.to_50)
