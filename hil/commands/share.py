"""`zerog share`: two arms share the relative motion of two bodies, in lock-step."""

import argparse
import json
import time
from pathlib import Path

from hil.commands.grammar import add_command, add_settings, positive_float
from hil.commands.outputs import add_output

TEXT = (
    "Let two arms share the relative motion of two floating bodies before a moving observer, in lock-step; "
    "no arm moves what the bodies do in common. Status 0, or 1 where both had to be held before the end."
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
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures")
    add_settings(sub)


def share(options: argparse.Namespace) -> int:
    """Run the pair and print what came of it.

    Raises:
        ConfigurationError: the file, or one of the arms', breaks a rule.
    """
    from rich.progress import Progress

    from hil.common.errors import ConfigurationError
    from hil.common.output_file import write_output
    from hil.configuration.shared_pair import load_pair
    from hil.loop.shared.flown_pair import figures, in_words
    from hil.loop.shared.lockstep_shared import LockStepShared
    from hil.processes.first_start.stage import compile_first

    pair = load_pair(options.pair, options.set)
    with Progress(transient=True) as progress:
        task = progress.add_task("sharing", total=options.duration)
        for arm, c in zip((pair.shared.first, pair.shared.second), pair.arms, strict=True):
            file = options.pair.parent / arm.configuration
            compile_first(c, file, list(arm.settings), lambda text: progress.update(task, description=text))
        progress.update(task, description="sharing")
        begin = time.perf_counter()
        try:
            loop = LockStepShared(pair)
        except ConfigurationError as error:
            raise ConfigurationError(f"{options.pair}: {error}") from error
        run = loop.run(options.duration, lambda done: progress.update(task, completed=done))
    told = figures(run) | {"wall_s": time.perf_counter() - begin}
    print("\n".join(in_words(run)))
    if options.json is not None:
        write_output(options.json, json.dumps(told, indent=2) + "\n")
    return 1 if run.ended else 0
