"""`zerog soak`: the loop in lock-step under random faults; no command may break a limit."""

import argparse
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_settings, positive_int
from hil.commands.outputs import add_output
from hil.common.output_file import write_output

if TYPE_CHECKING:
    from hil.trials.soak.ledger import Ledger

DEFAULT_CYCLES = 100_000
VIOLATED = 1


def add_soak(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "soak",
        soak,
        "Run the loop in lock-step under random faults and check every command by an independent monitor.",
        "zerog soak configs/cube.toml --cycles 10000000 --state soak.json",
    )
    sub.add_argument(
        "configuration",
        type=Path,
        nargs="?",
        default=Path("configs/cube.toml"),
        metavar="CONFIG",
        help="TOML file of the run; configs/cube.toml if not said",
    )
    sub.add_argument("--cycles", type=positive_int, default=DEFAULT_CYCLES, metavar="N", help="of the robot")
    sub.add_argument("--seed", type=int, default=1, metavar="S", help="of the first chunk of 20 000 cycles")
    sub.add_argument("--jobs", type=positive_int, metavar="J", help="processes; as many as cores if not said")
    add_output(sub, sub, "--state", metavar="FILE", text="go on from here, and keep it up to date")
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the counts")
    add_settings(sub)


def soak(options: argparse.Namespace) -> int:
    """Soak, print what was counted, and return 1 if anything must not be."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hil.processes.first_start.stage import compile_first
    from hil.trials.soak.campaign import Campaign, StateFile, configured, quick, run

    configuration = configured(options.configuration, options.set)  # refused here, with its own line
    campaign = Campaign(options.configuration, tuple(options.set), options.cycles, options.seed)
    state = StateFile(options.state, campaign.identity)
    begin = time.perf_counter()
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, transient=True) as shown:
        task = shown.add_task("soaking", total=campaign.cycles)
        compile_first(
            configuration,
            options.configuration,
            quick(options.configuration, options.set),
            lambda text: shown.update(task, description=text),
        )

        def progress(ledger: "Ledger") -> None:
            text = f"{ledger.cycles} cycles, {ledger.scenarios} scenarios, {ledger.violations} violations"
            shown.update(task, completed=ledger.cycles, description=text)

        ledger = run(campaign, options.jobs or os.cpu_count() or 1, state, progress)
    print_ledger(ledger, time.perf_counter() - begin)
    if options.json is not None:
        write_output(options.json, json.dumps(ledger.to_dict(), indent=2))
    wrong = ledger.violations or ledger.unsettled or ledger.died or ledger.gained or ledger.overforces
    return VIOLATED if wrong else 0


def print_ledger(ledger: "Ledger", wall_s: float) -> None:
    """Print the counts as tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table("fault", "times", "stops", "longest s", "joint rad", "object mm", title="Faults and stops")
    for kind in sorted({*ledger.faults, *ledger.stops}):
        row = [kind, str(ledger.faults.get(kind, "")), "", "", "", ""]
        if stops := ledger.stops.get(kind):
            row[2:] = (
                str(stops.count),
                f"{stops.longest:.3f}",
                f"{stops.widest:.3f}",
                f"{1e3 * stops.farthest:.1f}",
            )
        table.add_row(*row)
    console.print(table)
    states = ", ".join(f"{name} {count}" for name, count in sorted(ledger.states.items()))
    shares = ", ".join(f"{name} {100.0 * share:.2f} %" for name, share in ledger.worst.items())
    bridged = ", ".join(f"{way} {count}" for way, count in sorted(ledger.bridged.items()))
    console.print(
        f"{ledger.cycles} cycles, {ledger.commands} commands checked, {ledger.scenarios} scenarios in "
        f"{wall_s:.0f} s\nlargest share of the limits: {shares}\n"
        f"states entered: {states}\n"
        f"cycles without an answer: {bridged}\n"
        f"{_contacts(ledger)}{_grasps(ledger)}"
        f"taken home {ledger.homed} times, failures {ledger.died}, unsettled {ledger.unsettled}\n"
        f"violations: {ledger.violations}",
        highlight=False,
    )
    for finding in ledger.findings:
        console.print(f"  {finding}", highlight=False, markup=False)


def _contacts(ledger: "Ledger") -> str:
    """Return what became of contacts with a port; empty if there was none."""
    if not ledger.contacts:
        return ""
    return (
        f"contacts: {ledger.contacts}, met by a fault {ledger.contacts_in_fault}; of the others the largest "
        f"gain of energy {100.0 * ledger.gain:.2f} %, gained {ledger.gained}; greatest force "
        f"{ledger.peak_force:.0f} N\n"
    )


def _grasps(ledger: "Ledger") -> str:
    """Return what became of grasps by a second arm; empty if there was none."""
    if not ledger.grasps:
        return ""
    return (
        f"grasps: {ledger.grasps}; the mock-up felt at most {ledger.peak_grasp:.1f} N of the second arm, "
        f"more than it may {ledger.overforces} times\n"
    )
