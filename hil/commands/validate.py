"""`zerog validate`: contact experiments of a stiffness-controlled arm, beside a log or a stand-in."""

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.grammar import add_command, add_settings, positive_int
from hil.commands.outputs import Kind, add_output
from hil.commands.progress import progress_of
from hil.commands.validate_rack import rack
from hil.commands.validate_tool import add_tool_options, capture, measured, refuse_tool
from hil.common.errors import ExperimentError

if TYPE_CHECKING:
    from hil.common.arrays import Array
    from hil.trials.validation.arm_run import ArmRun
    from hil.trials.validation.parameters import Parameters
    from hil.trials.validation.setup import Setup

OUTSIDE = 1
TEXT = (
    "Do a contact experiment with the stiffness-controlled arm in the contact simulation, and compare it, "
    "joint by joint, with a measured log; without one, with the emulated arm with other parameters as a "
    "stand-in, which is no real arm. Status 0 when all figures keep their bounds, 1 when not."
)
EXAMPLE = "zerog validate rim-contact --out rim --json rim.json"


def add_validate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command's grammar."""
    sub = add_command(commands, "validate", validate, TEXT, EXAMPLE)
    sub.add_argument(
        "experiment",
        metavar="EXPERIMENT",
        help="table-slide, rim-contact, a TOML file, also of a rack; with --fit also of `zerog mate`",
    )
    sub.add_argument(
        "--log",
        type=Path,
        metavar="LOG",
        help="measured: recording (.mcap), or CSV with t_s, q1..q7, tau1..tau7; of parts: depth_mm, force_n",
    )
    add_tool_options(sub)
    kind = sub.add_mutually_exclusive_group()
    kind.add_argument(
        "--fit",
        action="store_true",
        help="adjust parameters of arm, control, contact and tool to the log; without one, to a made-up log",
    )
    kind.add_argument("--campaign", action="store_true", help="trials with the plate shifted, as configured")
    sub.add_argument(
        "--resume", action="store_true", help="go on with the campaign of a rack that was cut off, in --out"
    )
    text = "write courses and pictures to this new folder"
    add_output(sub, sub, "--out", kind=Kind.FOLDER, metavar="DIR", text=text)
    add_output(sub, sub, "--json", metavar="OUT.json", text="write the figures")
    sub.add_argument("--jobs", type=positive_int, metavar="J", help="threads; as many as cores if not said")
    add_settings(sub)


def validate(options: argparse.Namespace) -> int:
    """Do what was asked, print it, and return 1 if a figure is out of its bounds."""
    from hil.trials.mating.loading import is_mating
    from hil.trials.validation.files import begin_folder
    from hil.trials.validation.rack.loading import is_rack
    from hil.trials.validation.setup import Setup

    if is_rack(options.experiment):
        return rack(options)
    if options.resume:
        raise ExperimentError("--resume goes on with a campaign of a rack: give its file")
    if is_mating(options.experiment):
        return _insertion(options)
    if options.campaign and options.log is not None:
        raise ExperimentError("--campaign takes no --log: its trials are simulated")
    setup = Setup.load(options.experiment, options.set)
    refuse_tool(options, setup)
    begin_folder(options.out)
    jobs = options.jobs or os.cpu_count() or 1
    if options.live and setup.experiment.sensor.kind != "emulated":
        return capture(options, setup)
    if options.campaign:
        return _campaign(options, setup, jobs)
    return _fit(options, setup, jobs) if options.fit else _compare(options, setup, jobs)


def _runs(options: argparse.Namespace, setup: "Setup") -> "Callable[..., ArmRun]":
    from hil.trials.validation.simulation import simulate

    return partial(simulate, setup, folder=options.out)


def _compare(options: argparse.Namespace, setup: "Setup", jobs: int) -> int:
    from hil.commands.validation_tables import print_result
    from hil.trials.validation.files import write_json, write_result
    from hil.trials.validation.result import against_log, against_stand_ins

    run = _runs(options, setup)
    log, _ = measured(options, setup, run)
    if log is not None:
        result = against_log(setup, log, partial(run, setup.parameters))
    else:
        with progress_of("stand-ins", setup.experiment.stand_in.draws) as progress:
            result = against_stand_ins(setup, jobs, run, progress)
    print_result(result)
    if options.out is not None:
        write_result(options.out, result)
    if options.json is not None:
        write_json(options.json, result.to_dict())
    return 0 if result.within else OUTSIDE


def _fit(options: argparse.Namespace, setup: "Setup", jobs: int) -> int:
    from hil.commands.validation_tables import print_fit, print_result
    from hil.trials.validation.files import write_json, write_result
    from hil.trials.validation.fit_picture import fit_picture
    from hil.trials.validation.fitting import fit
    from hil.trials.validation.parameters import named
    from hil.trials.validation.pictures import save
    from hil.trials.validation.result import against_log, commands_of
    from hil.trials.validation.stand_in import made_up_log

    e, run = setup.experiment, _runs(options, setup)
    names = named(e.fit.parameters)
    log, truth = measured(options, setup, run)
    if log is None:
        truth = setup.parameters.drawn(e.stand_in.seed, e.stand_in.spread, names)
        log = made_up_log(run(truth), e.noise, e.stand_in.seed, e.sensor_errors)
    commands = commands_of(setup, log)
    cut = log.within(0.0, (len(commands) - 1) * e.simulation.step)

    def follow(parameters: "Parameters") -> "ArmRun":
        return run(parameters, commands, forces=False)

    with progress_of("runs", None) as progress:
        found = fit(setup.parameters, cut, e.noise, follow, jobs, names, progress)
    result = against_log(setup, log, partial(run, found.parameters))
    print_fit(found, truth)
    print_result(result)
    if options.out is not None:
        write_result(options.out, result)
        save(fit_picture(found, truth), options.out / "fit.png")
    if options.json is not None:
        write_json(options.json, {**result.to_dict(), "fit": found.to_dict(truth)})
    return 0 if result.within else OUTSIDE


def _insertion(options: argparse.Namespace) -> int:
    """Fit a part that mates to a measured insertion."""
    from hil.commands.validation_tables import print_insertion_fit
    from hil.trials.mating.fitting import fit_insertion
    from hil.trials.mating.insertion_picture import insertion_picture
    from hil.trials.mating.loading import load_mating
    from hil.trials.mating.measured import read_insertion
    from hil.trials.validation.files import begin_folder, write_json
    from hil.trials.validation.pictures import save

    if not options.fit or options.log is None:
        raise ExperimentError(
            f"{options.experiment}: parts that mate are fitted to a measured insertion: give --fit, and "
            "--log with a CSV file of depth_mm and force_n; without a log: zerog mate"
        )
    experiment = load_mating(options.experiment, options.set)
    depth, force = read_insertion(options.log)
    begin_folder(options.out)
    found = fit_insertion(experiment, depth, force)
    print_insertion_fit(found, experiment.experiment, str(options.log))
    if options.out is not None:
        save(insertion_picture(found), options.out / "fit.png")
    if options.json is not None:
        write_json(options.json, {"experiment": experiment.experiment, "fit": found.to_dict()})
    return 0


def _campaign(options: argparse.Namespace, setup: "Setup", jobs: int) -> int:
    from hil.commands.validation_tables import print_trials
    from hil.trials.validation.campaign import shifts, trials, write_trials
    from hil.trials.validation.campaign_picture import campaign_picture
    from hil.trials.validation.files import write_json
    from hil.trials.validation.pictures import save

    run, found = _runs(options, setup), []
    campaign = setup.experiment.campaign
    with progress_of("trials", None if campaign is None else len(shifts(campaign))) as progress:

        def one(commands: "Array", shift: "Array") -> "ArmRun":
            return run(setup.parameters, commands, shift)

        for trial in trials(setup, jobs, one):
            found.append(trial)
            progress(len(found))
    print_trials(found)
    if options.out is not None:
        write_trials(options.out / "trials.csv", found)
        save(campaign_picture(found), options.out / "campaign.png")
    if options.json is not None:
        write_json(options.json, {"experiment": setup.name, "trials": [trial.to_dict() for trial in found]})
    return 0
