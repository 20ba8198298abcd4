"""A live run whose arm stands outside the stops: nothing floats, by itself or by command."""

from pathlib import Path

import pytest

from bench.live_run import PATIENCE_S, LiveRun
from hil.common.errors import LinkError
from hil.processes.own_run import OwnRun

OUTSIDE = "stops.centre_mm = [890.0, 0.0, 150.0]"  # 20 mm beside where the arm holds the object


def test_a_live_run_refuses_to_float_outside_the_stops(tmp_path: Path) -> None:
    """READY, refused at the start and to an operator with the reason, with a motion or none; it stands."""
    run = LiveRun(tmp_path / "run", **{r"centre_mm = \[790.0": "centre_mm = [890.0"})
    try:
        run.wait(lambda: "nothing floats by itself" in run.text, PATIENCE_S)
        status = run.wait_state("READY")
        assert not status["stops_inside"] and 19.0 < status["stops_mm"][0] < 21.0
        assert "along -x" in status["stops_words"] and "outside the stops" in status["float_refused"]
        for motion in ({}, {"velocity_mm_s": [0.0, 0.0, 0.0]}, {"velocity_mm_s": [-50.0, 0.0, 0.0]}):
            reply = run.ask("float", **motion)
            assert not reply.accepted and "mm along -x" in reply.text
        assert run.status()["state"] == "READY" and run.status()["epoch"] == 0 and run.stands()
    finally:
        run.close()


def test_a_run_of_our_own_that_may_not_float_is_told(root: Path) -> None:
    """Who waits for it to float learns at once why it does not."""
    with OwnRun(root / "configs" / "cube.toml", [OUTSIDE], "test") as run:
        with pytest.raises(LinkError, match="mm along -x"):
            run.start(lambda text: None)
