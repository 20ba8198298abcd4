"""`zerog replay`: today's cores on a recording's inputs, compared with what they said then."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command

if TYPE_CHECKING:
    from hil.recording.reading import Summary
    from hil.recording.replaying.comparison import Verdict

SAME, DIFFERENT = 0, 1


def add_replay(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(
        commands,
        "replay",
        replay,
        "Run today's cores on the inputs of a recording and compare; status 1 if anything differs.",
        "zerog replay run.mcap",
    )
    sub.add_argument("recording", type=Path, metavar="FILE.mcap")
    sub.add_argument("--one-process", action="store_true", help="core after core, not side by side")
    sub.add_argument(
        "--closed-loop", action="store_true", help="of a lock-step recording: the whole loop anew as well"
    )


def replay(options: argparse.Namespace) -> int:
    """Replay, print the verdicts, and return whether all is the same."""
    from rich.progress import Progress

    from hil.recording.reading import summary_of
    from hil.recording.replaying.closed_loop import closed_loop
    from hil.recording.replaying.runner import in_one_process, side_by_side

    path = options.recording
    summary = summary_of(path)
    _print_origin(summary)
    begin = time.perf_counter()
    with Progress(transient=True) as shown:
        tasks: dict[str, int] = {}

        def progress(core: str, turns: int) -> None:
            if core not in tasks:
                tasks[core] = shown.add_task(core, total=_turns(summary, core))
            shown.update(tasks[core], completed=turns)  # type: ignore[arg-type]

        verdicts = (in_one_process if options.one_process else side_by_side)(path, progress)
        wall_s = time.perf_counter() - begin
        if options.closed_loop:
            told: Callable[[float], None] = lambda done: progress("closed loop", round(done))  # noqa: E731
            verdicts.append(closed_loop(path, told))
    for verdict in verdicts:
        print_verdict(verdict, summary)
    print(f"{summary.duration:.1f} s in {wall_s:.1f} s: {summary.duration / wall_s:.1f} times real time")
    # a core that had no inputs, as the emulation of a real arm, is no disagreement
    agreed = any(verdict.same for verdict in verdicts) and not any(verdict.different for verdict in verdicts)
    return SAME if agreed else DIFFERENT


def print_verdict(verdict: "Verdict", summary: "Summary") -> None:
    """Print what came of one core: counts by topic, then the first differences."""
    offset_ns = summary.offset_ns
    begin_ns = summary.begin_ns - offset_ns
    compared = ", ".join(
        f"{topic} {count - verdict.different[topic]} of {count}" for topic, count in verdict.compared.items()
    )
    word = "the same" if verdict.same else "DIFFERENT" if verdict.different else "nothing to compare"
    print(f"{verdict.core}: {word}; {verdict.turns} turns; the same: {compared or 'nothing'}")
    for item in verdict.first:
        print(f"  at {1e-9 * (item.t_ns - begin_ns):.4f} s, {item.topic}: {item.text}")
    for text in verdict.notes:
        print(f"  {text}")


def _print_origin(summary: "Summary") -> None:
    from hil.common.machine import machine
    from hil.common.source_stamp import source_stamp

    head = summary.head
    if head.get("sources") != source_stamp():
        print(f"recorded by other sources (version {head.get('version')}): differences are to be expected")
    if not head.get("machine", "").startswith(machine()):  # earlier versions had the date behind it
        print(f"recorded on another machine ({head.get('machine')}): the last digits may differ")


def _turns(summary: "Summary", core: str) -> float | None:
    """Return about how many turns a core will have, or None."""
    if core == "closed loop":
        return summary.duration
    channels = {
        "driver": "/cycle",
        "simulation": "/sim_state",
        "planner": "/planner_turn",
        "supervisor": "/supervisor_turn",
        "emulator": "/truth",
    }
    channel = channels[core]
    return float(summary.counts[channel]) or None
