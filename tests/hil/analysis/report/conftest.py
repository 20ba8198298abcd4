"""What the tests of recorded runs share: one lock-step run, traced and recorded at once."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from hil.analysis.recorded.run import RecordedRun, load_run
from hil.commands.cli import main
from hil.loop.trace.recorder import Trace

CUBE = Path(__file__).resolve().parents[4] / "configs" / "cube.toml"
SETTINGS = (
    # towards a stop, which it reaches after two pushes
    "object.initial_velocity_mm_s=[0.0, 60.0, 10.0]",
    "operator.random.count=0",
    "operator.push=[{time_s=0.5, force_n=[25.0, 10.0, 0.0], duration_ms=60.0, point_mm=[0.0, 30.0, 0.0]},"
    " {time_s=1.413, force_n=[-10.0, 20.0, 5.0], duration_ms=40.0, point_mm=[0.0, 0.0, 20.0]}]",
)


@dataclass(frozen=True)
class Both:
    """A run's trace and its recording."""

    path: Path
    trace: Trace
    recorded: RecordedRun


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """A run of 5 s with two pushes and a bounce."""
    folder = tmp_path_factory.mktemp("recorded")
    trace, path = folder / "run.npz", folder / "run.mcap"
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    words = ["simulate", str(CUBE), "--duration", "5", "--trace", str(trace), "--record", str(path)]
    assert main([*words, *settings]) == 0
    return Both(path, Trace.load(trace), load_run(path))
