"""`zerog dock`: does the servicer dock to the module, and over which misalignments?"""

import argparse
import json
import math
import sys
import time
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_configuration, add_settings, positive_int
from hil.commands.outputs import Kind, add_output
from hil.common.errors import ConfigurationError
from hil.common.output_file import write_output

if TYPE_CHECKING:
    from rich.progress import Progress

    from hil.configuration import Configuration
    from hil.trials.docking.envelope import EnvelopeMap
    from hil.trials.docking.trial import Trial

TEXT = "Dock a servicer to the module on virtual time: docked, jammed or lost, forces, capture envelope."
EXAMPLE = "zerog dock configs/docking.toml --json docking.json --envelope envelope.png"


def add_dock(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "dock", dock, TEXT, EXAMPLE)
    add_configuration(sub)
    add_settings(sub)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures")
    text = "try the grid of [docking.envelope] too and draw it"
    add_output(sub, sub, "--envelope", kind=Kind.PICTURE, metavar="OUT.png", text=text)
    sub.add_argument("--jobs", type=positive_int, metavar="N", help="processes of the envelope (all cores)")


def dock(options: argparse.Namespace) -> int:
    """Play the docking and print what came of it; status 0 if docked, else 1.

    Raises:
        ConfigurationError: the file has no table `docking`.
        OutputError: a path cannot be written to.
    """
    from hil.configuration import load_configuration
    from hil.trials.docking.trial import docking_trial

    if options.jobs is not None and options.envelope is None:
        raise ConfigurationError(f"--jobs {options.jobs} is the envelope's: add --envelope OUT.png")
    configuration = load_configuration(options.configuration, options.set)
    if configuration.docking is None:
        raise ConfigurationError(
            f"{options.configuration}: there is no table [docking]: see configs/docking.toml"
        )
    began = time.perf_counter()
    limit = configuration.docking.outcome.time_limit
    with _bar() as progress:
        task = progress.add_task("docking (the first run compiles)", total=limit)
        found = docking_trial(configuration, None, lambda t: progress.update(task, completed=t))
    _describe(found, time.perf_counter() - began)
    figures = found.figures()
    if options.envelope is not None:
        envelope = _envelope(options, configuration)
        figures["envelope"] = envelope.figures()
    if options.json is not None:
        text = json.dumps(figures, indent=2, sort_keys=True, allow_nan=False) + "\n"
        write_output(options.json, text)
        print(f"figures: {options.json}")
    return 0 if found.word == "docked" else 1


def _bar() -> "Progress":
    """Return a bar on a terminal, nothing elsewhere."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(transient=True, console=console, disable=not console.is_terminal)


def _describe(found: "Trial", wall: float) -> None:
    """Print the outcome first, then what led to it."""
    from hil.analysis.figures.insertion_words import insertion_words
    from hil.trials.docking.trial import first_touch

    history, last = found.history, -1
    touch = first_touch(history)
    print(f"{found.word} after {found.time:.2f} s, {found.pins} pins")
    if found.remark:
        print(f"zerog: {found.remark}", file=sys.stderr)
    print(f"  first touch     {'never' if touch is None else f'{touch:.2f} s'}")
    print(f"  seated          {'no' if found.seated is None else f'since {found.seated:.2f} s'}")
    print(f"  contact force   at most {found.max_force:.1f} N, moment {found.max_torque:.2f} N m")
    print(f"  penetration     at most {1e3 * found.penetration:.3f} mm")
    for name, words in insertion_words(found.figures()):
        print(f"  {name:<16}{words}")
    print(
        f"  at the end      least depth {100.0 * float(history.depth[last].min()):.1f} %, "
        f"tilt {math.degrees(float(history.tilt[last])):.3f} deg, "
        f"relative speed {1e3 * float(history.speed[last]):.3f} mm/s, "
        f"axial force {float(history.axial[last]):.1f} N"
    )
    print(f"  simulated       in {wall:.1f} s with steps of {1e3 * found.step:g} ms")


def _envelope(options: argparse.Namespace, configuration: "Configuration") -> "EnvelopeMap":
    """Try the grid, print and draw it."""
    import os

    from hil.trials.docking.envelope import envelope_map
    from hil.trials.docking.envelope_picture import draw_envelope, envelope_title

    docking = configuration.docking
    assert docking is not None
    with _bar() as progress:
        task = progress.add_task("envelope", total=None)
        found = envelope_map(
            options.configuration, options.set, docking, options.jobs or os.cpu_count() or 1, None,
            lambda done, total: progress.update(task, completed=done, total=total),
        )  # fmt: skip
    draw_envelope(found, envelope_title(configuration), options.envelope)
    print("envelope: " + ", ".join(f"{number} {word}" for word, number in found.counts.items()))
    print(f"picture: {options.envelope}")
    return found
