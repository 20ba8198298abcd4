"""`zerog latency`: how long each part of the chain takes, from the push to the motion."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_runtime_directory, add_settings, positive_float
from hil.commands.outputs import Kind, add_output
from hil.common.errors import OperatorError

if TYPE_CHECKING:
    from hil.analysis.latency.recording import LatencyRecording

TEXT = "Measure the whole chain of a live loop: every stage, push to motion, cycle, the robot's own delay."
EXAMPLE = "zerog latency configs/pushes.toml --pushes 50 --json latency.json --plot latency.png"
PUSHES = 20
DEFAULT_CONFIGURATION = Path("configs/pushes.toml")


def add_latency(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "latency", latency, TEXT, EXAMPLE)
    sub.add_argument(
        "configuration",
        type=Path,
        nargs="?",
        metavar="CONFIG",
        help="start this emulated run and push it; without it the running daemon is measured, or if there is "
        f"none {DEFAULT_CONFIGURATION}",
    )
    sub.add_argument("--pushes", type=int, default=PUSHES, metavar="N", help=f"to wait for ({PUSHES})")
    sub.add_argument("--duration", type=positive_float, metavar="S", help="listen for so long instead")
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures")
    text = "draw histograms and the response"
    add_output(sub, sub, "--plot", kind=Kind.PICTURE, metavar="OUT.png", text=text)
    sub.add_argument("--histogram", action="store_true", help="print histograms as well")
    add_settings(sub)
    add_runtime_directory(sub)


def latency(options: argparse.Namespace) -> int:
    """Measure, print and write what was asked for; status 0 also where a goal is missed."""
    if options.pushes < 1:
        raise OperatorError(f"--pushes {options.pushes} must be at least 1")
    recording = _measured(options)

    from hil.analysis.latency.analysis import analysed
    from hil.analysis.latency.report import report, write_report
    from hil.analysis.latency.report_text import print_report

    analysis = analysed(recording)
    print_report(analysis, histograms=options.histogram)
    if options.json is not None:
        write_report(options.json, report(analysis))
    if options.plot is not None:
        from hil.analysis.latency.plot import draw_latency

        draw_latency(options.plot, analysis)
    return 0


def _measured(options: argparse.Namespace) -> "LatencyRecording":
    """Return the recording of the loop that was meant, with progress on the way."""
    from rich.console import Console
    from rich.progress import Progress

    from hil.analysis.latency.measurement import measure_own_loop, measure_running_loop
    from hil.messaging.bus import Bus
    from hil.messaging.runtime_directory import runtime_directory

    with Progress(transient=True, console=Console(stderr=True)) as progress:
        task = progress.add_task("starting", total=1.0)

        def told(text: str, share: float) -> None:
            progress.update(task, description=text, completed=share)

        path = options.configuration
        if path is None:
            bus = Bus(runtime_directory(options.runtime_directory))
            try:
                if _daemon_answers(bus):
                    return measure_running_loop(bus, options.pushes, options.duration, told)
            finally:
                bus.close()
            path = DEFAULT_CONFIGURATION
            print(f"no daemon is running: a loop of {path} is started", file=sys.stderr)
        return measure_own_loop(path, options.set, options.pushes, options.duration, told)


def _daemon_answers(bus: object) -> bool:
    from hil.common.errors import LinkError
    from hil.messaging.bus import Bus

    assert isinstance(bus, Bus)
    try:
        bus.status()
    except LinkError:
        return False
    return True
