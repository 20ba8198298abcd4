"""What the grammars of commands have in common."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Number = TypeVar("Number", int, float)
LARGEST = 1e9  # of any number here, as the seconds of a run, whose nanoseconds are to fit


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    function: Callable[[argparse.Namespace], int],
    text: str,
    example: str,
) -> argparse.ArgumentParser:
    """Add a command with its help and an example, and return its parser."""
    sub = commands.add_parser(
        name,
        help=text,
        description=text,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    sub.set_defaults(command=function, name=name)
    return sub


def add_configuration(sub: argparse.ArgumentParser) -> None:
    """Let a command take the file of a run."""
    sub.add_argument("configuration", type=Path, metavar="CONFIG", help="TOML file of the run")


def add_settings(sub: argparse.ArgumentParser) -> None:
    """Let a command take values instead of the file's."""
    sub.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a value instead of the file's, for example fri.sample_time_ms=1; may be given again",
    )


def add_runtime_directory(sub: argparse.ArgumentParser) -> None:
    """Let a command find a daemon elsewhere."""
    sub.add_argument(
        "--runtime-directory",
        default="",
        metavar="DIR",
        help="sockets of the daemon, if not the usual folder",
    )


def positive_float(text: str) -> float:
    """Return the positive number that `text` is; argparse turns the error into a clear line."""
    value = _number(float, text, "a number above 0")
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} must be a number above 0")
    if value > LARGEST:
        raise argparse.ArgumentTypeError(f"{text} must be at most {LARGEST:g}")
    return value


def float_from_zero(text: str) -> float:
    """Return the number from 0 on that `text` is; argparse turns the error into a clear line."""
    return 0.0 if _number(float, text, "a number of at least 0") == 0.0 else positive_float(text)


def tcp_port(text: str) -> int:
    """Return the port that `text` is; argparse turns the error into a clear line."""
    value = _number(int, text, "a port within 1024 and 65535")
    if not 1024 <= value <= 65535:
        raise argparse.ArgumentTypeError(f"{text} must be a port within 1024 and 65535")
    return value


def positive_int(text: str) -> int:
    """Return the positive whole number that `text` is; argparse turns the error into a clear line."""
    value = _number(int, text, "a whole number above 0")
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} must be a whole number above 0")
    return value


def _number(kind: Callable[[str], Number], text: str, wanted: str) -> Number:
    """Return a number, or say what is wanted: argparse would name this program's functions."""
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} must be {wanted}") from None
