"""`zerog check`: is a configuration sound, what does it say, and what do its keys mean?"""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, add_settings
from hil.common.errors import ConfigurationError


def add_check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "check",
        check,
        "Check a configuration, print it as a file spells it with SI beside, and explain its keys.",
        "zerog check configs/cube.toml --set emulator.delay_ms=20",
    )
    sub.add_argument("configuration", type=Path, nargs="?", metavar="CONFIG", help="TOML file of the run")
    add_settings(sub)
    sub.add_argument(
        "--explain",
        metavar="KEY",
        help="say what a key means, or all keys with that piece; CONFIG may be left out",
    )


def check(options: argparse.Namespace) -> int:
    """Explain a key, or look at a file."""
    from hil.commands.checking import check_configuration
    from hil.commands.explain import explain
    from hil.configuration import load_configuration

    path: Path | None = options.configuration
    if path is None and options.set:
        raise ConfigurationError("--set stands in for a file's values: give CONFIG, the TOML file of a run")
    if options.explain is not None:
        return explain(options.explain, None if path is None else load_configuration(path, options.set))
    if path is None:
        raise ConfigurationError("zerog check needs CONFIG, the TOML file of a run, or --explain KEY")
    return check_configuration(path, options.set)
