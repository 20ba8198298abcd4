"""`zerog validate` with the file of a rack: an unattended campaign, peg after peg."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.progress import progress_of
from hil.common.errors import ExperimentError

if TYPE_CHECKING:
    from hil.common.arrays import Array
    from hil.trials.validation.arm_run import ArmRun
    from hil.trials.validation.rack.journal import Journal
    from hil.trials.validation.rack.loading import RackPlan
    from hil.trials.validation.rack.state import State
    from hil.trials.validation.rack.unattended import Unattended
    from hil.trials.validation.setup import Setup

STOPPED = 1


def rack(options: argparse.Namespace) -> int:
    """Run, or go on with, a campaign; return 1 if it stopped or a peg did not get through.

    Raises:
        ConfigurationError: the file breaks a rule.
        ExperimentError: options that do not go together, or a folder that cannot be used.
    """
    from hil.trials.validation.files import begin_folder, write_json
    from hil.trials.validation.rack.files import to_dict, write_campaign
    from hil.trials.validation.rack.journal import Journal
    from hil.trials.validation.rack.loading import load_rack
    from hil.trials.validation.rack.state import Outcome

    _refuse(options)
    plan = load_rack(Path(options.experiment), options.set)
    if not options.resume:
        begin_folder(options.out)
    journal = Journal(options.out, plan.stamp, options.resume)
    campaign = _done(plan, journal, options.out)
    _print(campaign)
    if options.out is not None:
        write_campaign(options.out, campaign, plan.rack.about)
    if options.json is not None:
        write_json(options.json, to_dict(campaign, plan.rack.about))
    well = all(result.outcome is Outcome.DONE for result in campaign.results)
    return 0 if well else STOPPED


def _refuse(options: argparse.Namespace) -> None:
    for given, text in (
        (options.fit, "--fit"),
        (options.campaign, "--campaign"),
        (options.live, "--live"),
        (options.log is not None, "--log"),
        (options.sensor_log is not None, "--sensor-log"),
    ):
        if given:
            raise ExperimentError(f"{options.experiment} lists pegs of a rack: it takes no {text}")
    if options.resume and options.out is None:
        raise ExperimentError("--resume needs --out: the folder of the campaign that was cut off")


def _done(plan: "RackPlan", journal: "Journal", folder: Path | None) -> "Unattended":
    """Return a campaign that has come to its end, its states told as they came."""
    from rich.console import Console

    from hil.trials.validation.campaign import shifts
    from hil.trials.validation.rack.cell import Cell
    from hil.trials.validation.rack.unattended import Unattended
    from hil.trials.validation.simulation import simulate

    pegs = {peg.name: peg for peg in plan.rack.peg}
    cell = Cell(plan, pegs.get(journal.flange or ""))
    count = sum(len(shifts(s.experiment.campaign)) for s in plan.setups if s.experiment.campaign)
    console = Console(soft_wrap=True)

    with progress_of("trials", count) as progress:

        def tell(state: "State", line: str) -> None:
            console.print(f"{state}: {line}", highlight=False, markup=False)
            progress(sum(len(result.trials) for result in campaign.results))

        def run(setup: "Setup", commands: "Array", shift: "Array") -> "ArmRun":
            return simulate(setup, setup.parameters, commands, shift, folder)

        campaign = Unattended(plan, cell, run, journal, tell)
        campaign.go()
    return campaign


def _print(campaign: "Unattended") -> None:
    """Print the pegs as one table."""
    from rich.table import Table

    from hil.commands.validation_tables import console_of
    from hil.trials.validation.rack.files import peg_row

    table, rows = Table(box=None), [peg_row(result) for result in campaign.results]
    heads = ("peg", "slot", "outcome", "declared kg", "weighed kg", "trials", "force N", "by sensor N")
    for name in heads:
        table.add_column(name, justify="left" if name in ("peg", "outcome") else "right")
    for row in rows:
        figures = [row["weighed_kg"], row["max_force_n"], row["tool_force_n"]]
        weighed, force, tool = ("-" if x is None else f"{x:.4g}" for x in figures)
        told = (row["peg"], str(row["slot"]), row["outcome"], f"{row['declared_kg']:g}", weighed)
        table.add_row(*told, str(row["trials"]), force, tool)
    console = console_of()
    console.print(table)
    console.print(f"{campaign.state}: {campaign.line}", highlight=False, markup=False)
