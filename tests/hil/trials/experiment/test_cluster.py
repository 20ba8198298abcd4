"""Campaigns on a Dask cluster: a killed worker changes nothing; an open scheduler is refused."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from distributed import LocalCluster

from hil.commands.cli import main
from tests.hil.trials.experiment.plans import results, written

PATIENCE_S = 120.0


def killed_after_one(cluster: LocalCluster, out: Path) -> None:
    """Kill one of the workers as soon as a trial is done."""
    deadline = time.monotonic() + PATIENCE_S
    while not list(out.glob("trials/0*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(cluster.workers[0].pid, signal.SIGKILL)


def test_a_killed_worker_changes_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers, one dies on the way: the table is that of a campaign on this machine's own processes."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")  # one date in all recordings
    plan = written(tmp_path)
    out, alone = tmp_path / "out", tmp_path / "alone"
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        before = cluster.workers[0].pid
        killer = threading.Thread(target=killed_after_one, args=(cluster, out))
        killer.start()
        words = ["experiment", str(plan), "--fast", "--out", str(out)]
        assert main([*words, "--scheduler", cluster.scheduler_address]) == 0
        killer.join()
        assert cluster.workers[0].pid != before
    assert main(["experiment", str(plan), "--fast", "--out", str(alone)]) == 0
    assert results(out) == results(alone) and len(results(out)) == 5
    names = sorted(path.name for path in (alone / "trials").iterdir())
    assert names == sorted(path.name for path in (out / "trials").iterdir())
    for name in names:
        recordings = [folder / "trials" / name / "run.mcap" for folder in (out, alone)]
        assert recordings[0].read_bytes() == recordings[1].read_bytes()


OPEN = "is refused: Dask's protocol is pickle without authentication"
REFUSED = {
    "tcp://10.0.0.1:8786": OPEN,
    "tcp://0.0.0.0:8786": OPEN,
    "tcp://scheduler.example:8786": OPEN,
    "tcp://127.0.0.1.example:8786": OPEN,
    "127.0.0.1:8786": "must be tcp://127.0.0.1:PORT on this machine, or tls://HOST:PORT",
    "ws://127.0.0.1:8786": "must be tcp://127.0.0.1:PORT",
    "tcp://127.0.0.1": "must be tcp://127.0.0.1:PORT",
    "tls://10.0.0.1:8786": "needs certificates",
}


@pytest.mark.parametrize("address", REFUSED)
def test_an_open_scheduler_is_refused(tmp_path: Path, capsys, address: str) -> None:
    """Only loopback, or TLS with certificates; one line says why, and no folder is made."""
    out = tmp_path / "out"
    words = ["experiment", str(written(tmp_path)), "--fast", "--out", str(out), "--scheduler", address]
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert address in line and REFUSED[address] in line
    assert not out.exists()


def test_without_dask_the_extra_is_named(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program runs without it; only --scheduler needs it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["experiment", str(written(tmp_path)), "--fast", "--out", str(tmp_path / "out")]
    assert main([*words, "--scheduler", "tcp://127.0.0.1:1"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "zerog: --scheduler needs the extra `campaign`: pip install 'zerog-emulator[campaign]'"
