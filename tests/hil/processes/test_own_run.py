"""A live run of our own: it never outlives the program that wanted it."""

import os
import signal

import pytest

from hil.processes.own_run import OwnRun


def test_who_is_terminated_ends_its_run_first(root, monkeypatch):
    """SIGTERM leaves the context as Ctrl-C does: the run is ended, then the program with the usual status."""
    ended = []
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as leaving, OwnRun(root / "configs" / "cube.toml", [], "test") as run:
        monkeypatch.setattr(run, "end", lambda: ended.append(True))
        os.kill(os.getpid(), signal.SIGTERM)
        pytest.fail("nothing happened")
    assert leaving.value.code == 128 + signal.SIGTERM and ended == [True]
    assert signal.getsignal(signal.SIGTERM) is before
