"""`zerog run`: the live emulator."""

from pathlib import Path

from hil.configuration import load_configuration
from hil.recordings import read_recording
from hil.supervisor.daemon import Daemon
from planner.arm_model import load_arm_model


def run_live(path: Path, duration_s: float | None, seed: int | None, replay: Path | None) -> int:
    """Run the configuration until it is over or interrupted; return the exit status."""
    configuration = load_configuration(path)
    load_arm_model(configuration.robot.model)  # a bad model is told here, in one line
    extra = []
    if seed is not None:
        extra += ["--seed", str(seed)]
    if replay is not None:
        read_recording(replay)
        extra += ["--replay", str(replay)]
    return Daemon(configuration, path, extra, duration_s).run()
