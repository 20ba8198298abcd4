"""`zerog drive`: an assembled arm moves as hands, programs, files or tables command its tip."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_runtime_directory, add_settings, positive_float
from hil.commands.outputs import Kind, add_output

if TYPE_CHECKING:
    from hil.commands.key_terminal import KeyTerminal

TEXT = "Drive a simulated arm, or a mission, by a command to its tip: device, program, file or table."
EXAMPLE = "zerog drive configs/assemblies/lwr4.toml --input circle --record circle.mcap"
SOURCES = (
    "spacemouse, haptic, gamepad, keyboard, bus, FILE.csv, or a table: step, sine_sweep, circle, "
    "figure_eight, pick_and_place, singular_stretch, thermal_duty_cycle; without: the mission's own, "
    "or circle"
)


def add_drive(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "drive", drive, TEXT, EXAMPLE)
    sub.add_argument("arm", type=Path, metavar="ARM.toml", help="assembly, or mission of configs/missions")
    sub.add_argument("--input", metavar="SOURCE", default="", help=SOURCES)
    pace = sub.add_mutually_exclusive_group()
    pace.add_argument("--real-time", action="store_true", help="paced by the clock; so it is with hands")
    pace.add_argument(
        "--fast", action="store_true", help="as fast as it goes; so it is with files and tables"
    )
    sub.add_argument("--inverse", choices=("lagrange", "passive-chain"), help="inverse kinematics")
    sub.add_argument("--duration", type=positive_float, metavar="S", help="end after so long, simulated")
    text = "write all variables, a row a command"
    add_output(sub, sub, "--csv", kind=Kind.NEW_FILE, metavar="OUT.csv", text=text)
    text = "for Foxglove, and for `zerog report`"
    add_output(sub, sub, "--record", kind=Kind.NEW_FILE, metavar="OUT.mcap", text=text)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures")
    sub.add_argument("--variables", action="store_true", help="name variables and parameters, and end")
    add_settings(sub)
    add_runtime_directory(sub)


def drive(options: argparse.Namespace) -> int:
    """Drive, and print what it came to."""
    from hil.workbench.driving.drive import Asked, drive_arm, print_variables

    asked = Asked(
        options.arm, options.input, options.inverse, tuple(options.set), options.duration,
        options.real_time, options.fast, options.csv, options.record, options.json, options.runtime_directory,
    )  # fmt: skip
    if options.variables:
        print_variables(asked)
        return 0
    return drive_arm(asked, _terminal)


def _terminal() -> "KeyTerminal":
    from hil.commands.key_terminal import KeyTerminal

    return KeyTerminal("drive --input keyboard")
