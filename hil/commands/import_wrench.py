"""`zerog import`: the grammar of the command that reads recordings as they come."""

import argparse
from pathlib import Path

from hil.commands.grammar import add_command, positive_float
from hil.commands.outputs import add_output

TIME_UNITS = ("s", "ms", "us", "ns", "min", "h", "days")


def add_import(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "import",
        import_wrench,
        "Read a recorded wrench as it comes: table, MCAP, ROS bag; ask what the file leaves open.",
        "zerog import sensor.csv --columns fx=Fx,fy=Fy,fz=Fz --time-unit ms -o wrench.csv",
    )
    sub.add_argument("recording", type=Path, metavar="FILE")
    add_output(sub, sub, "-o", "--output", metavar="OUT.csv", text="file to write", required=True)
    sub.add_argument(
        "--columns",
        type=_columns,
        action="append",
        default=[],
        metavar="fx=NAME,...",
        help="names of columns, or their numbers from 1 on, or none; by t, fx, fy, fz, tx, ty, tz",
    )
    sub.add_argument(
        "--sensor", default="", metavar="NAME", help="one of several: part of its names, or topic"
    )
    sub.add_argument("--time-unit", choices=TIME_UNITS, help="of the stamps")
    sub.add_argument("--rate-hz", type=positive_float, metavar="HZ", help="rows a second, without stamps")
    sub.add_argument("--force-unit", type=_force_unit, metavar="UNIT", help="N, kN, mN, lbf, kgf")
    sub.add_argument("--torque-unit", type=_torque_unit, metavar="UNIT", help="Nm, Nmm, mNm, lbf-in, lbf-ft")
    sub.add_argument("--decimal", choices=(".", ","), help="the decimal mark")
    sub.add_argument("--sort", action="store_true", help="put the rows into the order of their stamps")


def import_wrench(options: argparse.Namespace) -> int:
    """Read, say what was taken for what, and write."""
    from hil.wrench.recorded.asked import Asked
    from hil.wrench.recorded.importing import import_recording

    columns = {role: name for part in options.columns for role, name in part.items()}
    asked = Asked(
        columns,
        options.time_unit or "",
        options.rate_hz,
        options.force_unit or "",
        options.torque_unit or "",
        options.decimal or "",
        options.sensor,
        options.sort,
    )
    import_recording(options.recording, options.output, asked)
    return 0


def _columns(text: str) -> dict[str, str]:
    """Return columns by what they are; names with commas are given by their number, or one an option."""
    pairs: dict[str, str] = {}
    for part in text.split(","):
        role, sign, name = part.partition("=")
        if not sign or not name.strip():
            raise argparse.ArgumentTypeError(f"{part!r} must be as fx=NAME")
        pairs[role.strip().lower()] = name.strip()
    return pairs


def _force_unit(text: str) -> str:
    return _unit(text, "force")


def _torque_unit(text: str) -> str:
    return _unit(text, "torque")


def _unit(text: str, quantity: str) -> str:
    from hil.wrench.recorded.units import NAMED, factor

    if factor(text, quantity) is None:
        raise argparse.ArgumentTypeError(
            f"{text} is no unit of a {quantity}; there are {NAMED[quantity]}, ..."
        )
    return text
