"""`zerog info` and `zerog export`: what is in a recording, and its contents for other programs."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command
from hil.commands.outputs import Kind, add_output
from hil.common.errors import RecordingError

if TYPE_CHECKING:
    from hil.recording.reading import Summary


def add_recording(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands' grammars."""
    about = add_command(
        commands, "info", info, "Say what is in a recording, broken ones included.", "zerog info run.mcap"
    )
    about.add_argument("recording", type=Path, metavar="FILE.mcap")
    text = "write what can be read to a whole file with an index"
    add_output(about, about, "--repair", kind=Kind.NEW_FILE, metavar="NEW.mcap", text=text)
    out = add_command(
        commands,
        "export",
        export,
        "Write a recording's messages as tables.",
        "zerog export run.mcap --csv run",
    )
    out.add_argument("recording", type=Path, metavar="FILE.mcap")
    form = out.add_mutually_exclusive_group(required=True)
    text = "one file a channel, one number a column with its unit in the name"
    add_output(form, out, "--csv", kind=Kind.FOLDER, metavar="DIR", text=text)
    text = "the driver's wrench, as `zerog detect` reads it"
    add_output(form, out, "--wrench", kind=Kind.NEW_FILE, metavar="OUT.csv", text=text)
    text = "all channels as arrays CHANNEL/COLUMN"
    add_output(form, out, "--npz", kind=Kind.NEW_FILE, metavar="OUT.npz", text=text)


def info(options: argparse.Namespace) -> int:
    """Print a recording's summary and repair it if asked."""
    from hil.recording.reading import summary_of
    from hil.recording.repair import repair

    print_summary(options.recording, summary_of(options.recording))
    if options.repair is not None:
        written = repair(options.recording, options.repair)
        print(f"repaired: {written} messages in {options.repair}")
    return 0


def export(options: argparse.Namespace) -> int:
    """Write tables and say how many."""
    from hil.recording.export import write_csv, write_npz, write_wrench
    from hil.recording.reading import summary_of

    summary = summary_of(options.recording)
    missing = ["it is broken off"] * (not summary.whole) + [summary.damage] * bool(summary.damage)
    if missing:
        told = f"{', '.join(missing)}: what can be read is written"
        print(f"zerog: {options.recording}: {told}", file=sys.stderr)
    if options.csv is not None:
        if options.csv.exists() and any(options.csv.iterdir()):
            raise RecordingError(f"{options.csv} is not empty: give another folder, nothing is overwritten")
        print(f"{write_csv(options.recording, options.csv)} files in {options.csv}")
    elif options.wrench is not None:
        print(f"{write_wrench(options.recording, options.wrench)} rows in {options.wrench}")
    else:
        print(f"{write_npz(options.recording, options.npz)} arrays in {options.npz}")
    return 0


def print_summary(path: Path, summary: "Summary") -> None:
    """Print what is in a recording."""
    from rich.console import Console
    from rich.table import Table

    from hil.recording.head import began_in_words

    head = summary.head
    begin = began_in_words(summary)
    damaged = f", {summary.damage}" if summary.damage else ""
    whole = "whole" if summary.whole else "broken off: `zerog info --repair` gives it an index"
    table = Table(box=None)
    for name, side in (("channel", "left"), ("messages", "right"), ("a second", "right"), ("kB", "right")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for channel in sorted(summary.counts):
        count = summary.counts[channel]
        rate = f"{count / summary.duration:.1f}" if summary.duration else ""
        table.add_row(channel, str(count), rate, f"{1e-3 * summary.sizes[channel]:.0f}")
    print(
        f"{path}: {whole}{damaged}\n{begin}, {summary.duration:.1f} s, {path.stat().st_size / 1e6:.1f} MB\n"
        f"version {head.get('version', 'unknown')} on {head.get('machine', 'an unknown machine')}",
    )
    Console().print(table)
    lost = ", ".join(f"{number} of {topic}" for topic, number in summary.lost.items())
    if summary.whole:
        print(f"messages lost by the recorder: {lost or 'none'}")
