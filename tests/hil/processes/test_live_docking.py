"""A docking with a seal and latches, live: module and servicer meet, nothing faults, all of it replays.

Times are not judged: emulated time waits for a machine that is shared.
"""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.live_run import PATIENCE_S, ROOT, LiveRun, free_port
from hil.analysis.figures.insertion import insertion_figures
from hil.analysis.recorded.run import load_run
from hil.configuration import load_configuration
from hil.recording.replaying.runner import in_one_process
from hil.trials.docking.trial import docking_trial

pytestmark = pytest.mark.alone

FILE = ROOT / "configs" / "docking_snap.toml"
NEAR = ["docking.approach.distance_mm=6", "docking.approach.near_mm=6", "docking.outcome.hold_s=0.3"]
HELD = "1 of 1 seals, 4 of 4 latches"


@pytest.fixture(scope="module")
def docked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveRun, Path]]:
    """A run of the shipped file, the servicer near by, until it has docked, and its recording."""
    folder = tmp_path_factory.mktemp("docking")
    path = folder / "run.mcap"
    places = [f'run.{name}_directory="{folder}/r/{short}"' for name, short in
              (("runtime", "bus"), ("state", "state"))]  # fmt: skip
    settings = [*NEAR, *places, f"fri.port={free_port()}"]
    words = [word for setting in settings for word in ("--set", setting)]
    run = LiveRun(folder / "r", "--record", str(path), *words, configuration=FILE)
    try:
        run.wait(lambda: "-> FLOATING" in run.text, PATIENCE_S)
        yield run, path
    finally:
        run.close()


def test_seal_and_latches_close_and_nothing_faults(docked: tuple[LiveRun, Path]) -> None:
    """Status and recording say so; the insertion took what it takes when it is played alone."""
    run, path = docked
    run.wait(lambda: run.status()["docking"] == "docked", PATIENCE_S)
    status = run.status()
    assert status["fastened"].startswith(HELD) and status["fastened"].endswith(" N")
    assert (status["state"], status["faults"], status["holds"]) == ("FLOATING", 0, 0), run.text
    run.popen.send_signal(signal.SIGINT)
    assert run.popen.wait(PATIENCE_S) == 0, run.text
    found = load_run(path)
    assert found.insertion is not None
    live = insertion_figures(found.insertion)
    alone = insertion_figures(docking_trial(load_configuration(FILE, NEAR)).insertion)
    assert live["seal_reached"] and live["latch_closed"]
    for key in ("seal_reached_s", "latch_closed_s"):
        assert live[key] == pytest.approx(alone[key], abs=0.03), key
    assert live["insertion_force_n"] == pytest.approx(alone["insertion_force_n"], rel=0.1)
    assert live["insertion_work_j"] == pytest.approx(alone["insertion_work_j"], rel=0.1)


def test_it_replays_to_the_bit(docked: tuple[LiveRun, Path]) -> None:
    """Rewind and prediction with parts that remember: every core does again what it did."""
    _, path = docked
    for verdict in in_one_process(path, lambda core, turns: None):
        assert verdict.same and not verdict.notes, f"{verdict.core}: {verdict.first} {verdict.notes}"
