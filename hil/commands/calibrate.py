"""`zerog calibrate load`: what does the load data of the held mock-up miss?"""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, add_runtime_directory

TEXT = (
    "Find what the load data of the held mock-up misses: mass, centre and inertia, and the sensor's offset. "
    "From READY, within certified stops: the mock-up circles for 4 s and stands in 12 poses, half a minute "
    "in all, while you hold the space bar. Prints each figure with its interval, what is left over at rest "
    "and in motion, and the table [mockup.found], with which pushes and contacts are measured without that "
    "error."
)
EXAMPLE = "zerog calibrate load configs/cube.toml"


def add_calibrate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "calibrate", calibrate, TEXT, EXAMPLE)
    sub.add_argument("what", choices=["load"], help="what is calibrated: the load that the arm holds")
    sub.add_argument(
        "configuration", type=Path, nargs="?", metavar="CONFIG", help="of the run; says where its sockets are"
    )
    add_runtime_directory(sub)


def calibrate(options: argparse.Namespace) -> int:
    """Let an operator hold on until the motion is over, and print what it shows; status 2 when refused."""
    from hil.commands.key_terminal import KeyTerminal
    from hil.commands.load_trial import LoadTrial
    from hil.configuration import load_configuration
    from hil.messaging.runtime_directory import runtime_directory

    terminal = KeyTerminal("calibrate")  # without one nobody is asked anything
    folder = options.runtime_directory
    if not folder and options.configuration is not None:
        folder = load_configuration(options.configuration).run.runtime_directory
    trial = LoadTrial(runtime_directory(folder))
    try:
        return trial.held(terminal)
    finally:
        trial.close()
