"""A docking's file in the whole loop, in lock-step: the arm holds the module, the servicer is virtual."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hil.analysis.figures.insertion import insertion_figures
from hil.commands.cli import main
from hil.configuration import load_configuration
from hil.loop.solid import WORLD
from hil.loop.solids import OTHER, other_frames, surroundings_of
from hil.loop.trace.recorder import Trace
from hil.trials.docking.trial import docking_trial
from sim.world.world import World

FILE = Path(__file__).resolve().parents[3] / "configs" / "docking.toml"
SETTINGS = [
    "docking.approach.distance_mm=6",
    "operator.random.count=2",
    "operator.random.first_s=5.2",
    "operator.random.gap_s=1.2",
    "operator.random.impulse_max_n_s=2",
]
DURATION_S = 8.0
FAST = ["docking.approach.distance_mm=6", "docking.approach.speed_mm_s=120", "docking.push.force_n=30"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with two pushes on the docked module: trace, figures, recording."""
    folder = tmp_path_factory.mktemp("docking")
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    command = ["simulate", str(FILE), "--duration", str(DURATION_S), *settings]
    outputs = [("--trace", "run.npz"), ("--json", "run.json"), ("--record", "run.mcap")]
    assert main([*command, *(word for key, name in outputs for word in (key, str(folder / name)))]) == 0
    return folder


def test_the_module_docks_and_the_arm_follows(run: Path) -> None:
    """Docked, the pushes found, nothing held or out of bounds; the arm within 1 mm, the pins felt."""
    told = json.loads((run / "run.json").read_text())
    assert told["docking"] == "docked"
    assert (told["impulses"]["missed"], told["impulses"]["false"]) == (0, 0)
    assert told["impulses"]["true"] == 2
    assert (told["plan"]["holds"], told["limits"]["violations"]) == (0, 0)
    assert told["tracking"]["bounce_max_mm"] < 1.0
    trace = Trace.load(run / "run.npz")
    pressed = trace.t[trace.pressed_sim]
    assert 0.2 < pressed[0] - trace.t[0] < 2.0 and (trace.contact_sim >= trace.pressed_sim).all()
    before = trace.t < pressed[0] - 0.05
    assert np.abs(trace.twist_world_object_sim[before]).max() == 0.0
    assert np.abs(trace.p_world_object_sim[-1] - trace.p_world_object_sim[0]).max() > 5e-3


def test_its_recording_replays_to_the_bit(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Contacts and all: every core on its recorded inputs gives what it gave."""
    assert main(["replay", str(run / "run.mcap"), "--one-process"]) == 0
    assert "simulation: the same" in capsys.readouterr().out


@pytest.fixture(scope="module")
def latched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with seal and latches that come at three times their speed, 30 N behind them."""
    folder = tmp_path_factory.mktemp("latched")
    settings = [word for setting in FAST for word in ("--set", setting)]
    outputs = [word for name in ("json", "mcap") for word in (KEYS[name], str(folder / f"run.{name}"))]
    file = str(FILE.with_name("docking_snap.toml"))
    assert main(["simulate", file, "--duration", "3", *settings, *outputs]) == 0
    return folder


KEYS = {"json": "--json", "mcap": "--record"}


def test_latches_that_close_break_no_limit(latched: Path) -> None:
    """Thrown shut, they press on the module as pins do: no command leaves the arm's certified limits."""
    told = json.loads((latched / "run.json").read_text())
    assert told["fastened"] == {"seals_holding": 1, "seals": 1, "latches_closed": 4, "latches": 4}
    assert told["limits"]["violations"] == 0
    assert told["plan"]["max_speed_ratio"] < 1.0


def test_what_latches_remember_replays_to_the_bit(latched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seal and hooks are a part of the state: the recorded inputs give the recorded states."""
    assert main(["replay", str(latched / "run.mcap"), "--one-process"]) == 0
    assert "simulation: the same" in capsys.readouterr().out


def test_the_report_says_what_the_insertion_took(latched: Path, tmp_path: Path) -> None:
    """In the page, in its figures and as a picture, what `zerog dock` says of the same docking played alone.

    The loop's states come every 2 ms, the docking's own samples every 1 ms: a peak may lie between.
    """
    page, told = tmp_path / "report.html", tmp_path / "report.json"
    assert main(["report", str(latched / "run.mcap"), "-o", str(page), "--json", str(told)]) in (0, 1)
    c = load_configuration(FILE.with_name("docking_snap.toml"), FAST)
    alone = docking_trial(c)
    theirs = insertion_figures(replace(alone, history=alone.history.until(3.0)).insertion)
    found = json.loads(told.read_text())["docking"]
    for key in ("insertion_force_n", "insertion_work_j"):
        assert found[key] == pytest.approx(theirs[key], rel=0.06), key
    assert found["insertion_force_depth_mm"] == pytest.approx(theirs["insertion_force_depth_mm"], abs=0.5)
    for key in ("seal_reached_s", "latch_closed_s"):
        assert found[key] == pytest.approx(theirs[key], abs=0.02), key
    assert found["seal_reached"] and found["latch_closed"] and found["seals"] + found["latches"] == 5
    assert "4 of 4 latches" in page.read_text()
    assert (tmp_path / "report_files" / "insertion.png").stat().st_size > 10_000


def test_what_is_drawn_is_what_is_told() -> None:
    """The frames of the servicer's solids are those whose poses the states tell, in their order."""
    c = load_configuration(FILE)
    frames = other_frames(c)
    drawn = {solid.frame for solid in surroundings_of(c)}
    assert f"{OTHER}effector" in frames and f"{OTHER}module" not in drawn
    assert drawn - {WORLD} <= set(frames)
    state = World(c).other_poses_at_start
    assert state.shape == (len(frames), 7)
    # the effector's tips are as far from the plate's face as the approach says, its base is farther away
    away = np.linalg.norm(state[:, :3] - c.stops.centre, axis=1)
    assert away[frames.index(f"{OTHER}effector")] == away.min()


def test_a_servicer_that_rams_the_module_breaks_no_limit(tmp_path: Path) -> None:
    """At 300 mm/s with 1000 N behind it the plan is held, and no command leaves the arm's limits."""
    told = tmp_path / "rammed.json"
    rammed = ["docking.push.force_n=1000", "docking.push.rise_s=0.2", "docking.approach.speed_mm_s=300"]
    settings = [word for setting in rammed for word in ("--set", setting)]
    assert main(["simulate", str(FILE), "--duration", "4", "--json", str(told), *settings]) == 0
    found = json.loads(told.read_text())
    assert found["limits"]["violations"] == 0 and found["plan"]["holds"] >= 1
