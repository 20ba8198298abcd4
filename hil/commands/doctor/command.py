"""`zerog doctor`: is this machine fit for a run?"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from hil.commands.grammar import add_command

EXIT_UNFIT = 1


def add_doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    text = "Look whether this machine is fit for a run; a line each, with the remedy."
    sub = add_command(commands, "doctor", doctor, text, "zerog doctor configs/cube.toml")
    sub.add_argument(
        "configuration",
        type=Path,
        nargs="?",
        metavar="CONFIG",
        help="TOML file of the run, for its addresses",
    )
    sub.add_argument("--json", action="store_true", help="for machines")


def doctor(options: argparse.Namespace) -> int:
    """Print the findings; return 0 when nothing fails, 1 else."""
    from hil.commands.doctor.examination import examine
    from hil.commands.doctor.finding import FAIL
    from hil.configuration import load_configuration

    c = None if options.configuration is None else load_configuration(options.configuration)
    found = examine(c)
    failed = [finding.name for finding in found if finding.verdict == FAIL]
    if options.json:
        print(json.dumps({"fit": not failed, "findings": [asdict(finding) for finding in found]}, indent=1))
    else:
        print("\n".join(map(str, found)))
        print(f"not fit: {', '.join(failed)}" if failed else "fit for a run")
    return EXIT_UNFIT if failed else 0
