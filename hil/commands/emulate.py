"""`zerog emulate` and `zerog weight`: a stand-in for the robot's controller, and a weight at its arm."""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, add_configuration, add_runtime_directory, add_settings, tcp_port

EMULATE = (
    "Stand in for the controller of a real arm: the controller's side of the wire alone, which a run with "
    'robot.kind = "fri" on this machine or another one commands. Goes on until it is interrupted.'
)
EMULATE_EXAMPLE = "zerog emulate run.toml --port 49939"
WEIGHT = (
    "Hang a weight at the arm of a running `zerog emulate`, as a technician does for `zerog check-wrench`; "
    "0 takes it off."
)
WEIGHT_EXAMPLE = "zerog weight 1.5 --lever-mm 0 0 100"


def add_emulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands' grammar."""
    sub = add_command(commands, "emulate", emulate, EMULATE, EMULATE_EXAMPLE)
    add_configuration(sub)
    add_settings(sub)
    sub.add_argument(
        "--port",
        type=tcp_port,
        metavar="P",
        help="to send from (default: fri.port, or the next one where both ends share an address)",
    )
    add_runtime_directory(sub)
    hang = add_command(commands, "weight", weight, WEIGHT, WEIGHT_EXAMPLE)
    hang.set_defaults(verb="weight")
    hang.add_argument("weight_kg", type=float, metavar="KG")
    hang.add_argument(
        "--lever-mm",
        type=float,
        nargs=3,
        metavar=("X", "Y", "Z"),
        help="where it hangs, from the tcp, tcp axes",
    )
    hang.add_argument(
        "--runtime-directory", default="", metavar="DIR", help="of the controller, if not the usual folder"
    )


def emulate(options: argparse.Namespace) -> int:
    """Stand in for the controller; return the exit status."""
    from hil.configuration import load_configuration
    from hil.processes.controller_alone import emulate as emulate_controller

    configuration = load_configuration(Path(options.configuration), options.set)
    return emulate_controller(configuration, options.port, options.runtime_directory)


def weight(options: argparse.Namespace) -> int:
    """Ask the controller to hang a weight, or to take it off; return the exit status."""
    from hil.commands.operate import operate_daemon
    from hil.processes.controller_alone import controller_directory

    options.runtime_directory = options.runtime_directory or str(controller_directory(""))
    said = {"weight_kg": options.weight_kg, "lever_mm": options.lever_mm}
    return operate_daemon(options, {name: value for name, value in said.items() if value is not None})
