"""`zerog share`: two arms share the relative motion of two bodies, in lock-step or live."""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_settings, positive_float
from hil.commands.outputs import Kind, add_output

if TYPE_CHECKING:
    from hil.configuration.shared_pair import Pair
    from hil.loop.shared.flown_pair import FlownPair

TEXT = (
    "Let two arms share the relative motion of two floating bodies before a moving observer, in lock-step "
    "or live; no arm moves what the bodies do in common. Status 0, or 1 where both had to be held before the "
    "end."
)
EXAMPLE = "zerog share configs/shared/touch.toml --set observer.sharing=first"
DURATION = 15.0  # [s]


def add_share(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "share", share, TEXT, EXAMPLE)
    sub.add_argument(
        "pair", type=Path, metavar="PAIR.toml", help="two arms and their bodies, as in configs/shared"
    )
    sub.add_argument("--duration", type=positive_float, default=DURATION, metavar="S", help="to float (15)")
    sub.add_argument(
        "--live",
        action="store_true",
        help="by two live runs and one emulation of both arms, not in lock-step",
    )
    add_output(
        sub, sub, "--record", kind=Kind.FOLDER, metavar="DIR",
        text="with --live: record both runs into first.mcap and second.mcap in this folder",
    )  # fmt: skip
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures")
    add_settings(sub)


def share(options: argparse.Namespace) -> int:
    """Run the pair and print what came of it.

    Raises:
        ConfigurationError: the file, or one of the arms', breaks a rule.
        OutputError: there are recordings already.
        LinkError: a live run did not come so far.
    """
    from rich.progress import Progress

    from hil.common.errors import ConfigurationError
    from hil.common.output_file import write_output
    from hil.configuration.shared_pair import load_pair
    from hil.loop.shared.flown_pair import figures, in_words
    from hil.processes.first_start.stage import compile_first

    if options.record is not None and not options.live:
        raise ConfigurationError("--record is for --live: in lock-step nothing is recorded of a pair")
    pair = load_pair(options.pair, options.set)
    with Progress(transient=True) as progress:
        task = progress.add_task("sharing", total=options.duration)
        for arm, c in zip((pair.shared.first, pair.shared.second), pair.arms, strict=True):
            file = options.pair.parent / arm.configuration
            compile_first(c, file, list(arm.settings), lambda text: progress.update(task, description=text))
        progress.update(task, description="sharing")
        begin = time.perf_counter()
        run = _flown(
            options,
            pair,
            lambda text: progress.update(task, description=text),
            lambda done: progress.update(task, description="sharing", completed=done),
        )
    told = figures(run) | {"wall_s": time.perf_counter() - begin}
    print("\n".join(in_words(run)))
    if options.json is not None:
        write_output(options.json, json.dumps(told, indent=2) + "\n")
    return 1 if run.ended else 0


def _flown(
    options: argparse.Namespace,
    pair: "Pair",
    waiting: Callable[[str], None],
    progress: Callable[[float], None],
) -> "FlownPair":
    """Return what was flown, live or in lock-step."""
    from hil.common.errors import ConfigurationError
    from hil.loop.shared.lockstep_shared import LockStepShared

    try:
        loop = LockStepShared(pair)  # live as well: what cannot begin is told before anything is started
    except ConfigurationError as error:
        raise ConfigurationError(f"{options.pair}: {error}") from error
    if not options.live:
        return loop.run(options.duration, progress)
    from hil.processes.pair_run import PairRun

    with PairRun(options.pair, options.set, options.record) as live:
        live.start(waiting)
        for name, run in zip(("first", "second"), live.runs, strict=True):
            print(f"the {name} arm's run: --runtime-directory {run.directory}", flush=True)
        return live.fly(options.duration, progress)
