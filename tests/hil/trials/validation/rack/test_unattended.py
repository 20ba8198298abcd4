"""Unattended campaigns: each thing that goes wrong has its state, line and end; cut off, they go on."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.arrays import Array
from hil.common.errors import ExperimentError, SimulationError
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.rack.cell import Cell
from hil.trials.validation.rack.files import TRIALS, write_campaign
from hil.trials.validation.rack.journal import FILE, Journal
from hil.trials.validation.rack.loading import RackPlan, load_rack
from hil.trials.validation.rack.state import Outcome, State
from hil.trials.validation.rack.unattended import Unattended
from hil.trials.validation.setup import Setup
from tests.hil.trials.validation.rack.test_weighing import RACK

NAMES = ["34.9", "34.0", "30.0 long"]
WEIGH = "changer.weigh_time_s=0.1"
COARSE = (  # whose commands are quickly made; no arm is simulated with them
    'settings=["sensor.kind=emulated", "campaign.reach_mm=[8, 0, 0]", "campaign.points=[3, 1, 1]", '
    '"sequence.wait_s=0.2", "simulation.step_ms=5"]'
)
QUICK = (WEIGH, COARSE)
T = np.linspace(0.0, 1.0, 21)


def with_fault(tmp_path: Path, fault: str, peg: int = 1, *settings: str) -> RackPlan:
    """The shipped rack, something wrong with one of its pegs."""
    text = RACK.read_text().split("[[peg]]")
    text[peg + 1] += f'fault = "{fault}"\n'
    file = tmp_path / "rack.toml"
    file.write_text("[[peg]]".join(text))
    return load_rack(file, [*QUICK, *settings])


def quick(setup: Setup, commands: Array, shift: Array) -> ArmRun:
    """No arm, but what a trial looks at: a push as strong as the peg is wide."""
    nothing, force = np.zeros((21, 7)), np.zeros((21, 3))
    force[10:15, 2] = 1e3 * setup.experiment.peg.radius
    tip = np.tile([0.0, 0.0, 0.01], (21, 1))
    return ArmRun(T, nothing, nothing, nothing, nothing, force, tip, np.hstack((force, np.zeros((21, 3)))))


def done(plan: RackPlan, journal: Journal | None = None, run: Any = quick) -> tuple[Unattended, list[str]]:
    """A campaign at its end, and all that was told."""
    journal = journal or Journal(None, plan.stamp, False)
    at = {peg.name: peg for peg in plan.rack.peg}.get(journal.flange or "")
    told: list[str] = []
    cell = Cell(plan, at)
    campaign = Unattended(plan, cell, run, journal, lambda state, line: told.append(f"{state}: {line}"))
    state = campaign.go()
    assert state is campaign.state
    left = journal.flange
    assert (cell.flange is None) or left == cell.flange.name  # the journal knows what hangs there
    return campaign, told


def outcomes(campaign: Unattended) -> list[Outcome | None]:
    return [result.outcome for result in campaign.results]


def test_a_rack_goes_through() -> None:
    """Peg by peg: empty flange, pick, weigh, three trials, place; each is as heavy as declared."""
    plan = load_rack(RACK, QUICK)
    campaign, told = done(plan)
    assert campaign.state is State.DONE and outcomes(campaign) == [Outcome.DONE] * 3
    states = [line.split(":")[0] for line in told]
    one = ["weighing the empty flange", "picking", "weighing", "weighing", *["running"] * 3, "placing"]
    assert states == [*one * 3, "done"]
    for result in campaign.results:
        assert result.load is not None and result.load.mass == pytest.approx(result.peg.mass, abs=2e-3)
        assert [t.trial.x_mm for t in result.trials] == [-8.0, 0.0, 8.0]
        assert all(t.trial.max_force_n == pytest.approx(1e3 * result.peg.radius) for t in result.trials)


GOES_ON = [
    ("pick", Outcome.PICK_FAILED, "the changer does not lock, 2 tries"),
    ("missing", Outcome.TOOL_MISSING, "nothing hangs at the flange (0.000 kg, declared 1.14 kg)"),
    ("other", Outcome.LOAD_WRONG, "weighs 1.48"),
]


@pytest.mark.parametrize(("fault", "outcome", "words"), GOES_ON, ids=[case[0] for case in GOES_ON])
def test_a_peg_that_is_refused_is_passed_over(
    tmp_path: Path, fault: str, outcome: Outcome, words: str
) -> None:
    """It has no trial, its line says why, the flange is empty, and the next peg is taken."""
    campaign, told = done(with_fault(tmp_path, fault))
    assert outcomes(campaign) == [Outcome.DONE, outcome, Outcome.DONE]
    assert campaign.state is State.DONE
    assert words in campaign.results[1].line and campaign.results[1].trials == []
    assert any(words in line for line in told)


@pytest.mark.parametrize(("fault", "outcome", "words"), GOES_ON, ids=[case[0] for case in GOES_ON])
def test_if_wanted_it_stops_there(tmp_path: Path, fault: str, outcome: Outcome, words: str) -> None:
    """The same line, an empty flange, and no peg behind it is touched."""
    campaign, told = done(with_fault(tmp_path, fault, 1, 'changer.on_failure="stop"'))
    assert outcomes(campaign) == [Outcome.DONE, outcome, None] and campaign.state is State.STOPPED
    assert words in told[-1] and "nothing is picked any more" in told[-1]
    assert not any("30.0 long" in line for line in told)


STOPS = [
    ("lost", Outcome.TOOL_LOST, "s into trial 1: the tool lies in the cell"),
    ("lost unseen", Outcome.TOOL_LOST, "nothing hangs at the flange"),
    ("place", Outcome.PLACE_FAILED, "it hangs at the flange"),
    ("sensor", Outcome.SENSOR_LOST, "nothing can be weighed"),
]


@pytest.mark.parametrize(("fault", "outcome", "words"), STOPS, ids=[case[0] for case in STOPS])
def test_what_is_dangerous_stops_all(tmp_path: Path, fault: str, outcome: Outcome, words: str) -> None:
    """A tool that lies or hangs somewhere, or nobody to weigh it: nothing is picked or placed any more."""
    campaign, told = done(with_fault(tmp_path, fault))
    assert outcomes(campaign) == [Outcome.DONE, outcome, None] and campaign.state is State.STOPPED
    assert words in told[-1] and "the arm rests" in told[-1]
    assert not any("30.0 long" in line for line in told)
    assert len(campaign.results[1].trials) == (3 if fault == "place" else 0)  # a lost tool's trial is none
    with_tool = [k for k, line in enumerate(told) if "placing: peg '34.0'" in line]
    assert bool(with_tool) is (fault == "place")


def test_a_simulation_that_diverges_costs_its_peg(tmp_path: Path) -> None:
    """It is put back, its trials so far are kept, and the next one is taken."""

    def wild(setup: Setup, commands: Array, shift: Array) -> ArmRun:
        if setup.experiment.peg.mass == 1.14 and shift[0] == 0.0:
            raise SimulationError("too fast")
        return quick(setup, commands, shift)

    campaign, _ = done(load_rack(RACK, QUICK), run=wild)
    assert outcomes(campaign) == [Outcome.DONE, Outcome.DIVERGED, Outcome.DONE]
    assert (
        campaign.results[1].line == "peg '34.0', trial 2: too fast" and len(campaign.results[1].trials) == 1
    )


class CutOff(BaseException):
    """As a power cut: nothing below it is asked."""


def cut(plan: RackPlan, folder: Path, after: int) -> None:
    """A campaign in a folder that is cut off in the trial number `after`."""
    count = iter(range(1000))

    def run(setup: Setup, commands: Array, shift: Array) -> ArmRun:
        if next(count) == after:
            raise CutOff
        return quick(setup, commands, shift)

    with pytest.raises(CutOff):
        done(plan, Journal(folder, plan.stamp, False), run)


@pytest.mark.parametrize("after", [0, 2, 3, 4, 8])
def test_cut_off_it_goes_on(tmp_path: Path, after: int) -> None:
    """Wherever it was cut off: the tool goes back first, no trial is done twice, the table is the same."""
    plan = load_rack(RACK, QUICK)
    whole, _ = done(plan)
    cut(plan, tmp_path, after)
    again = 0

    def counted(setup: Setup, commands: Array, shift: Array) -> ArmRun:
        nonlocal again
        again += 1
        return quick(setup, commands, shift)

    campaign, told = done(plan, Journal(tmp_path, plan.stamp, True), counted)
    name, slot = NAMES[after // 3], after // 3 + 1
    assert told[0] == f"recovering: peg {name!r} hangs at the flange: back into slot {slot}"
    assert again == 9 - after and outcomes(campaign) == [Outcome.DONE] * 3
    tables = []
    for name, one in (("whole", whole), ("again", campaign)):
        (tmp_path / name).mkdir()
        write_campaign(tmp_path / name, one, "three pegs")
        tables.append((tmp_path / name / TRIALS).read_text())
    assert tables[0] == tables[1]
    assert done(plan, Journal(tmp_path, plan.stamp, True))[1] == ["done: all 3 pegs of the rack are through"]


def test_a_stop_is_gone_on_with_when_it_is_mended(tmp_path: Path) -> None:
    """What stopped all is tried again, what was refused is not."""
    folder = tmp_path / "out"
    folder.mkdir()
    plan = with_fault(tmp_path, "place")
    done(plan, Journal(folder, plan.stamp, False))
    mended = load_rack(RACK, QUICK)
    campaign, told = done(mended, Journal(folder, mended.stamp, True))
    assert "recovering: peg '34.0' hangs at the flange" in told[0]
    assert outcomes(campaign) == [Outcome.DONE] * 3
    assert not any("34.9" in line for line in told)


def test_a_tool_that_does_not_come_off_stops_the_recovery(tmp_path: Path) -> None:
    """Nothing is picked while another hangs there."""
    folder = tmp_path / "out"
    folder.mkdir()
    cut(load_rack(RACK, QUICK), folder, 4)
    stuck = with_fault(tmp_path, "place")
    campaign, told = done(stuck, Journal(folder, stuck.stamp, True))
    assert campaign.state is State.STOPPED and "does not let it go into slot 2" in told[-1]
    assert not any(line.startswith("picking") for line in told)


def test_a_journal_is_what_it_says(tmp_path: Path) -> None:
    """A last line cut off counts as not written; damage before it, or another campaign, is refused."""
    plan = load_rack(RACK, QUICK)
    cut(plan, tmp_path, 5)
    path = tmp_path / FILE
    text = path.read_text()
    path.write_text(text[:-20])
    assert len(Journal(tmp_path, plan.stamp, True).lines) == len(text.splitlines()) - 1
    path.write_text(text.replace('"kind": "trial"', '"kind" "trial"', 1))
    with pytest.raises(ExperimentError, match="is damaged"):
        Journal(tmp_path, plan.stamp, True)
    path.write_text(text)
    with pytest.raises(ExperimentError, match="of another campaign"):
        Journal(tmp_path, load_rack(RACK, [*QUICK, "changer.tries=3"]).stamp, True)
    with pytest.raises(ExperimentError, match="no campaign to go on with"):
        Journal(tmp_path / "none", plan.stamp, True)


def test_the_command_leaves_table_picture_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One short trial a peg in the contact simulation; one peg is another: status 1, and it is told."""
    with_fault(tmp_path, "other")
    out, figures = tmp_path / "out", tmp_path / "rack.json"
    short = 'settings=["sensor.kind=emulated", "campaign.points=[1, 1, 1]"]'
    command = ["validate", str(tmp_path / "rack.toml"), "--set", short, "--set", WEIGH]
    assert main([*command, "--out", str(out), "--json", str(figures)]) == 1
    printed = capsys.readouterr().out
    assert "load wrong" in printed and "done: all 3 pegs of the rack are through" in printed
    told = json.loads(figures.read_text())
    assert [peg["outcome"] for peg in told["pegs"]] == ["done", "load wrong", "done"]
    assert told["pegs"][0]["tool_force_n"] == pytest.approx(told["pegs"][0]["max_force_n"], rel=0.3)
    with (out / TRIALS).open() as file:
        assert [row["peg"] for row in csv.DictReader(file)] == ["34.9", "30.0 long"]
    assert "<h2>Pegs</h2>" in (out / "report.html").read_text()
    assert (out / "campaign.png").read_bytes()[:4] == b"\x89PNG"
    assert main([*command, "--out", str(out)]) == 2  # nothing is overwritten
    assert main([*command, "--out", str(out), "--resume"]) == 1
    assert main([*command, "--resume"]) == 2 and main([*command, "--fit"]) == 2
    assert "takes no --fit" in capsys.readouterr().err
