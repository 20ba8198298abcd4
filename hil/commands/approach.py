"""`zerog approach`: the arm comes to its start pose while an operator holds the space bar."""

import argparse
import math

from hil.commands.grammar import add_command, add_runtime_directory, positive_float
from hil.commands.holding import Holding
from hil.commands.key_terminal import KeyTerminal
from hil.loop.approach.caps import DEFAULT_SPEED_DEG_S, JOINT_SPEED
from hil.messaging.bus import Bus
from hil.messaging.runtime_directory import runtime_directory

MOST_DEG_S = round(math.degrees(JOINT_SPEED), 9)


def add_approach(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    text = "Bring the arm to its start pose while you hold the space bar; from READY only."
    sub = add_command(commands, "approach", approach_start, text, "zerog approach --speed-deg-s 3")
    sub.add_argument(
        "--speed-deg-s",
        type=approach_speed,
        default=DEFAULT_SPEED_DEG_S,
        metavar="V",
        help=f"of the fastest joint, at most {MOST_DEG_S:g} (default {DEFAULT_SPEED_DEG_S:g})",
    )
    add_runtime_directory(sub)


def approach_speed(text: str) -> float:
    """Return the speed that `text` is [deg/s]; argparse turns the error into a clear line."""
    speed = positive_float(text)
    if speed > MOST_DEG_S:
        raise argparse.ArgumentTypeError(f"{text} deg/s is too fast beside a person: at most {MOST_DEG_S:g}")
    return speed


def approach_start(options: argparse.Namespace) -> int:
    """Let an operator hold on until the arm is there or he leaves; status 2 when it is refused."""
    terminal = KeyTerminal("approach")  # without one nobody is asked anything
    directory = runtime_directory(options.runtime_directory)
    bus = Bus(directory)
    try:
        holding = Holding(bus, directory, "approach", {"speed_deg_s": options.speed_deg_s})
        print(f"{holding.ask()}\nHold the space bar: the arm moves as long as you do. q leaves.")
        with terminal:
            holding.held(terminal, "the arm is at its start pose")
        return 0
    finally:
        bus.close()
