"""`zerog calibrate`: what load data misses, how the drives follow, and how late the wrench is."""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, add_runtime_directory, positive_int

TEXT = (
    "Find what a run's configuration cannot know beforehand. load: what the controller's load data of the "
    "held mock-up misses, mass, centre and inertia, and the sensor's offset, for [mockup.found]. timing: the "
    "drives' lag and damping, and by how much the wrench is later than the joints, for [force]. Both from "
    "READY, within certified stops: the mock-up circles for 4 s and stands in 12 poses, half a minute in "
    "all, while you hold the space bar. Each figure has its interval. spring: the same lateness by the "
    "contacts of a mock-up that floats and bounces off a steel spring; it moves nothing."
)
EXAMPLE = "zerog calibrate load configs/cube.toml"
CONTACTS = 6


def add_calibrate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "calibrate", calibrate, TEXT, EXAMPLE)
    sub.add_argument("what", choices=["load", "timing", "spring"], help="what is calibrated")
    sub.add_argument(
        "configuration", type=Path, nargs="?", metavar="CONFIG", help="of the run; says where its sockets are"
    )
    sub.add_argument(
        "--contacts",
        type=positive_int,
        default=CONTACTS,
        metavar="N",
        help=f"spring: how many contacts are waited for ({CONTACTS})",
    )
    add_runtime_directory(sub)


def calibrate(options: argparse.Namespace) -> int:
    """Calibrate with the daemon that runs and print what is found; status 2 when refused."""
    from hil.configuration import load_configuration
    from hil.messaging.runtime_directory import runtime_directory

    folder = options.runtime_directory
    if not folder and options.configuration is not None:
        folder = load_configuration(options.configuration).run.runtime_directory
    directory = runtime_directory(folder)
    if options.what == "spring":
        from hil.commands.spring_trial import SpringTrial

        listening = SpringTrial(directory)
        try:
            return listening.listen(options.contacts)
        finally:
            listening.close()
    return _moved(options.what, directory)


def _moved(what: str, directory: Path) -> int:
    """Let an operator hold on until the motion is over, and print what it shows."""
    from hil.commands.key_terminal import KeyTerminal
    from hil.commands.motion_trial import MotionTrial, load_words, timing_words

    terminal = KeyTerminal("calibrate")  # without one nobody is asked anything
    trial = MotionTrial(directory, timing_words if what == "timing" else load_words)
    try:
        return trial.held(terminal)
    finally:
        trial.close()
