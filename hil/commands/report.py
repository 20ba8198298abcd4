"""`zerog report`: a page about a recorded run or an experiment, with its fidelity certificate."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command
from hil.commands.outputs import add_output
from hil.common.errors import ReportError
from hil.common.output_file import write_output

if TYPE_CHECKING:
    from hil.analysis.report.certificate import Certificate

TEXT = (
    "Make a page about a recording or an experiment: certificate of fidelity, pictures, configuration; or "
    "about the recording of a drive: tracking, loads, heat, reaction."
)
EXAMPLE = "zerog report run.mcap -o report.html --tolerance reaction=25"


def add_report(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "report", report, TEXT, EXAMPLE)
    sub.add_argument(
        "source",
        type=Path,
        metavar="RECORDING_OR_DIR",
        help="run.mcap, drive.mcap, or an experiment's folder",
    )
    add_output(
        sub, sub, "-o", "--output", default=Path("report.html"), metavar="OUT.html",
        text="page to write (report.html); its pictures go to OUT_files",
    )  # fmt: skip
    sub.add_argument(
        "--tolerance", action="append", default=[], metavar="NAME=VALUE",
        help="instead of a metric's default one; looser ones are marked; may be given again",
    )  # fmt: skip
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the certificate's rows as well")
    sub.add_argument("--expect", metavar="DIGEST", help="that the trace of a lock-step run must have")


def report(options: argparse.Namespace) -> int:
    """Write the report and say its verdict: status 1 if a metric failed."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from hil.analysis.figures.insertion_words import insertion_words
    from hil.analysis.report.certificate_json import certificate_json
    from hil.analysis.report.output import folder_of, may_write, write_report
    from hil.analysis.report.tolerances import parsed
    from hil.trials.experiment.report.source import report_of
    from hil.workbench.driving.report.recorded_drive import is_drive

    tolerances = parsed(options.tolerance)
    may_write(options.output)
    if options.source.is_file() and is_drive(options.source):
        return _drive(options)
    shown, console = TextColumn("{task.description}"), Console(stderr=True)
    quiet = not console.is_terminal
    with Progress(SpinnerColumn(), shown, transient=True, console=console, disable=quiet) as progress:
        task = progress.add_task("reading")
        made = report_of(
            options.source, tolerances, options.expect, options.output,
            lambda words: progress.update(task, description=words),
        )  # fmt: skip
        write_report(options.output, made.html, made.pictures)
    if options.json is not None:
        write_output(
            options.json, certificate_json(made.certificate, made.worth, made.docking, made.contacts)
        )
    print_verdict(made.certificate, made.note)
    if made.worth:
        print(f"worth of an impulse: {made.worth}")
    for name, words in insertion_words(made.docking):
        print(f"{name}: {words}")
    print(f"{options.output}: {len(made.pictures)} pictures in {folder_of(options.output)}")
    return 1 if made.certificate.failed else 0


def _drive(options: argparse.Namespace) -> int:
    """Write the page about a drive, which has no certificate."""
    from hil.analysis.report.output import folder_of, write_report
    from hil.workbench.driving.report.drive_report import drive_report

    for name in ("tolerance", "json", "expect"):
        if getattr(options, name):
            raise ReportError(
                f"--{name} is of a fidelity certificate; {options.source} is a drive and has none"
            )
    folder = folder_of(options.output)
    made = drive_report(options.source, folder.name)
    write_report(options.output, made.html, made.pictures)
    print(f"{options.output}: {len(made.pictures)} pictures in {folder}")
    return 0


def print_verdict(found: "Certificate", note: str) -> None:
    """Print the verdict with its note, and the rows that failed or were not measured."""
    from hil.analysis.report.page import value_in
    from hil.analysis.report.verdict import Verdict

    for line in found.lines:
        if line.verdict is Verdict.FAIL:
            bound = "" if line.tolerance is None else f", at most {value_in(line.tolerance, line.unit)}"
            print(f"failed: {line.title}: {value_in(line.value, line.unit)}{bound}")
        elif line.verdict is Verdict.NOT_MEASURED:
            print(f"not measured: {line.title}: {line.remark}")
    print(f"{found.headline.lower()}: {found.in_words}" + (f"; {note}" if note else ""))
