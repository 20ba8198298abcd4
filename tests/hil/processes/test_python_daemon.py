"""The running daemon from Python: floated, pushed, held and stopped, as by the commands."""

import numpy as np
import zerog

from bench.live_run import LiveRun


def test_a_run_is_operated_from_python(run: LiveRun) -> None:
    """State by state; a push that is asked for changes the object's motion; refusals are the desk's."""
    with zerog.Daemon(run.directory, timeout_s=20.0) as daemon:
        assert daemon.status().state == "FLOATING"
        before = daemon.status().values["pushes"]
        daemon.push((30.0, 0.0, 0.0), duration_ms=100.0)
        run.wait(lambda: daemon.status().values["pushes"] > before)
        assert daemon.hold().state == "HOLDING"
        assert daemon.float().state == "FLOATING"
        assert daemon.stop().state == "STOPPED"
        try:
            daemon.float()
        except zerog.OperatorError as error:
            assert "\n" not in str(error) and "STOPPED" in str(error)
        else:
            raise AssertionError("a stop by the operator is left by a reset only")
        daemon.reset()
        assert daemon.wait_for("READY").state == "READY"
        assert np.isfinite(daemon.status().values["force_n"])
