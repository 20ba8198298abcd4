"""A run against an emulated port: its trace, its recording and its replay tell the same of the port."""

from pathlib import Path

import numpy as np
import pytest

from hil.analysis.recorded.run import load_run
from hil.commands.cli import main
from hil.loop.trace.fields import COLUMNS, Trace

PORT = Path(__file__).resolve().parents[4] / "configs" / "port.toml"
MASS = 200.0
# nearer, so that it is touched soon, and it floats
SETTINGS = ("port.point_mm=[944.0, 0.0, 150.0]", f"port.mass_kg={MASS}")
OF_PORT = [name for name, column in COLUMNS.items() if column.of == "port"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):
    """The recording's path, the trace, and the recording as a run."""
    folder = tmp_path_factory.mktemp("port")
    trace, path = folder / "run.npz", folder / "run.mcap"
    settings = [word for setting in SETTINGS for word in ("--set", setting)]
    words = ["simulate", str(PORT), "--duration", "0.8", "--trace", str(trace), "--record", str(path)]
    assert main([*words, *settings]) == 0
    return path, Trace.load(trace), load_run(path)


def test_the_port_is_pushed_away_and_told_in_the_trace(run):
    """Momentum: what it gives the mock-up it takes; and its place follows its speed."""
    _, trace, _ = run
    t, force = trace.t - trace.t[0], trace.port_wrench[:, 0]
    touched = force < 0.0
    assert 0.2 < t[touched][0] < 0.5 and 50 < touched.sum() < 150  # the arm catches up at first
    impulse = np.trapezoid(force, trace.t)
    assert impulse < -0.5 and MASS * trace.v_world_port[-1, 0] == pytest.approx(-impulse, rel=5e-3)
    place = 0.944 + np.concatenate([[0.0], np.cumsum(trace.v_world_port[1:, 0] * np.diff(trace.t))])
    assert trace.p_world_port[:, 0] == pytest.approx(place, abs=1e-5)
    assert trace.wrench_true == pytest.approx(trace.port_wrench)  # nobody pushes beside it
    (push,) = trace.push_value  # a touch is told as a push is
    assert push[0] == pytest.approx(impulse, rel=2e-3)
    measured = trace.wrench_measured[touched, 2]  # object z is world x
    assert np.corrcoef(measured, force[touched])[0, 1] > 0.99


def test_the_recording_has_what_the_trace_has(run):
    """To single precision, row by row; and the touch as a push."""
    _, trace, recorded = run
    n = len(recorded.trace.t)
    assert n > 300
    for name in OF_PORT:
        told, known = getattr(recorded.trace, name), getattr(trace, name)[:n]
        np.testing.assert_allclose(told, known, rtol=1e-6, atol=1e-7, err_msg=name)
    np.testing.assert_allclose(recorded.trace.push_value, trace.push_value, rtol=5e-3, atol=1e-3)


def test_a_replay_gives_the_same_bits(run, capsys):
    """The port is run again with the rest of the emulated controller."""
    path, _, _ = run
    assert main(["replay", str(path)]) == 0
    assert "emulator" in capsys.readouterr().out
