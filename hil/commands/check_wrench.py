"""`zerog check-wrench`: is the measured wrench what really acts on the arm?"""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, add_runtime_directory, positive_float

TEXT = (
    "Compare the measured wrench with a known force on the resting arm: sign, frame, magnitude, moment, and "
    "the joint torques. The daemon must run and be READY. A real arm needs a weight that is hung at the tcp "
    "when the program asks for it; an emulated one is pushed. Status 0 when all is right, 1 when not."
)
EXAMPLE = "zerog check-wrench configs/lwr_fri.toml --weight-kg 1.5 --lever-mm 0 0 0"


def add_check_wrench(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "check-wrench", check_wrench, TEXT, EXAMPLE)
    sub.add_argument(
        "configuration", type=Path, nargs="?", metavar="CONFIG", help="of the run; says where its sockets are"
    )
    force = sub.add_mutually_exclusive_group()
    force.add_argument("--weight-kg", type=positive_float, metavar="M", help="hung at the tcp (real arm)")
    force.add_argument("--push-n", type=positive_float, metavar="F", help="peak of the pushes (emulated arm)")
    sub.add_argument(
        "--lever-mm",
        type=float,
        nargs=3,
        default=[0.0, 0.0, 0.0],
        metavar=("X", "Y", "Z"),
        help="where the weight hangs, from the tcp, tcp axes",
    )
    add_runtime_directory(sub)


def check_wrench(options: argparse.Namespace) -> int:
    """Apply known forces and print one line a finding; return 0 when all is right, 1 when not."""
    from hil.commands.wrench_trial import WrenchTrial, told
    from hil.configuration import load_configuration
    from hil.messaging.runtime_directory import runtime_directory

    folder = options.runtime_directory
    if not folder and options.configuration is not None:
        folder = load_configuration(options.configuration).run.runtime_directory
    trial = WrenchTrial(runtime_directory(folder))
    try:
        return told(trial.findings(options.weight_kg, options.lever_mm, options.push_n))
    finally:
        trial.close()
