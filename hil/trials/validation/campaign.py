"""Trials of an experiment with the plate shifted from its place, on a grid: what the peg does at each."""

import csv
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError, ExperimentError
from hil.configuration.frames import pose_of
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.schema import Campaign, Experiment
from hil.trials.validation.sequence import Commands
from hil.trials.validation.setup import Setup

INSERTED, RIM, FACE, FREE = "inserted", "held at the rim", "stopped at the face", "no contact"
SUNK = 0.15  # of the peg's radius below the face: no face gives way so far
SETTLING = 0.2  # [s] at the start joints, before the first move


@dataclass(frozen=True)
class Trial:
    """One trial.

    Attributes:
        x_mm: shift of the plate, world axes [mm], as y_mm and z_mm.
        y_mm: see x_mm.
        z_mm: see x_mm.
        outcome: `INSERTED` where the tip came deeper than its half sphere, `RIM` where it came into the hole
            but not so deep, `FACE` or `FREE`.
        depth_mm: how deep the tip came below the face [mm].
        max_force_n: largest force between peg and plate [N].
        max_torque_n_m: largest torque of the environment on any joint [N m].
        max_deviation_rad: of any joint from its command [rad].
        contact_s: how long peg and plate touched [s].
    """

    x_mm: float
    y_mm: float
    z_mm: float
    outcome: str
    depth_mm: float
    max_force_n: float
    max_torque_n_m: float
    max_deviation_rad: float
    contact_s: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as keys of a file."""
        return asdict(self)


def shifts(campaign: Campaign) -> Array:
    """Return the shifts of the plate in the order of the trials [m], shape (n, 3)."""
    axes = [
        np.linspace(-reach, reach, count) if count > 1 else np.zeros(1)
        for reach, count in zip(campaign.reach, campaign.points, strict=True)
    ]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def trials(setup: Setup, jobs: int, run: Callable[[Array, Array], ArmRun]) -> Iterator[Trial]:
    """Yield the trials of the experiment's campaign, in order, as they are done.

    Args:
        setup: of the experiment.
        jobs: threads; the simulation runs compiled, side by side.
        run: makes a run from commands [rad], shape (n, 7), and the shift of the plate [m], shape (3,).

    Raises:
        ConfigurationError: the experiment has no campaign.
    """
    e = setup.experiment
    if e.campaign is None:
        raise ConfigurationError(f"{setup.name}: there is no table [campaign] in its configuration: add one")
    commands = commands_of_trials(setup)
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda shift: trial_of(e, shift, run(commands, shift)), shifts(e.campaign))


def commands_of_trials(setup: Setup) -> Array:
    """Return the commands of a trial of an experiment with a campaign [rad], shape (n, 7)."""
    e = setup.experiment
    assert e.campaign is not None  # who asks has looked
    return Commands(_without_wait(e), setup.arm).sequence(e.sequence.move[: e.campaign.moves], 1)


def write_trials(path: Path, found: list[Trial]) -> None:
    """Write the table of trials as CSV.

    Raises:
        ExperimentError: the file cannot be written.
    """
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(found[0].to_dict()), lineterminator="\n")
            writer.writeheader()
            writer.writerows(trial.to_dict() for trial in found)
    except OSError as error:
        raise ExperimentError(f"{path} cannot be written: {error.strerror}") from error


def trial_of(e: Experiment, shift: Array, run: ArmRun) -> Trial:
    """Return what a run with the plate shifted by `shift` [m], shape (3,), came to."""
    # a run's tip counts from the plate's own place
    shifted = pose_of(e.plate.rotvec, e.plate.position)[:3, :3].T @ shift
    depth = -float((run.tip - shifted)[:, 2].min())
    return Trial(
        *_millimetres(shift),
        _outcome(e, depth, bool(run.touching.any())),
        1e3 * depth,
        float(np.linalg.norm(run.force, axis=1).max()),
        float(np.abs(run.external).max()),
        float(np.abs(run.q - run.command).max()),
        float(run.touching.sum() * e.simulation.sample),
    )


def _millimetres(shift: Array) -> tuple[float, float, float]:
    x, y, z = (round(1e3 * float(value), 6) for value in shift)
    return x, y, z


def _outcome(e: Experiment, depth: float, touched: bool) -> str:
    if not touched:
        return FREE
    if depth > e.peg.radius:
        return INSERTED
    return RIM if depth > SUNK * e.peg.radius else FACE


def _without_wait(e: Experiment) -> Experiment:
    return e.model_copy(update={"sequence": e.sequence.model_copy(update={"wait": SETTLING})})
