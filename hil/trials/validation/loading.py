"""Reading the configuration of an experiment: every fault in one report, as with that of a run."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from hil.common.errors import ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.overrides import overridden
from hil.trials.validation.parameters import NAMES, UNITS
from hil.trials.validation.schema import Experiment
from sim.contact.interface_rules import MIN_CLEARANCE

SHIPPED = Path(__file__).resolve().parents[3] / "configs" / "validation"


def load_experiment(name: str, settings: Sequence[str] = ()) -> Experiment:
    """Return the experiment of that name: a shipped one, such as `table-slide`, or that in a file.

    `settings` are lines `KEY=VALUE` that stand in for the file's.

    Raises:
        ConfigurationError: there is no such experiment, or its file breaks a rule; all faults are listed.
    """
    path = experiment_file(name)
    data = overridden(table_of(text_of(path), path), settings)
    try:
        experiment = Experiment.model_validate(data)
    except ValidationError as error:
        lines = [f"{path}: {fault}" for fault in sentences(error, Experiment)]
        raise ConfigurationError("\n".join(lines)) from None
    model = path.parent / experiment.arm.model
    faults = [] if model.is_file() else [f"arm.model = {str(model)!r} is no file"]
    settings_file = experiment.sensor.settings
    if settings_file is not None and not (path.parent / settings_file).is_file():
        faults.append(f"sensor.settings = {str(path.parent / settings_file)!r} is no file")
    if experiment.sensor.kind == "bota" and settings_file is None:
        faults.append("sensor.settings is missing: a Bota sensor needs its driver's file of settings (JSON)")
    faults += _rules_between_keys(experiment)
    if faults:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults))
    arm = experiment.arm.model_copy(update={"model": model})
    sensor = experiment.sensor
    if settings_file is not None:
        sensor = sensor.model_copy(update={"settings": path.parent / settings_file})
    return experiment.model_copy(update={"arm": arm, "sensor": sensor})


def experiment_file(name: str) -> Path:
    """Return the file of a shipped experiment by its name, or of any other by its path."""
    shipped = SHIPPED / f"{name.replace('-', '_')}.toml"
    if "/" not in name and not name.endswith(".toml") and shipped.is_file():
        return shipped
    if not name.endswith(".toml") and not Path(name).is_file():
        known = ", ".join(sorted(file.stem.replace("_", "-") for file in SHIPPED.glob("*.toml")))
        raise ConfigurationError(f"there is no experiment {name!r}: {known}, or a TOML file")
    return Path(name)


def _rules_between_keys(e: Experiment) -> list[str]:
    """Return the faults that no single key shows."""
    faults = [fault for index in range(len(e.plate.hole)) for fault in _hole_faults(e, index)]
    steps = e.simulation.sample / e.simulation.step
    if abs(steps - round(steps)) > 1e-9 or steps < 0.5:
        faults.append(
            f"simulation.sample_ms = {1e3 * e.simulation.sample:g} must be a multiple of "
            f"simulation.step_ms = {1e3 * e.simulation.step:g}"
        )
    unknown = [name for name in e.fit.parameters if name not in (*NAMES, *UNITS)]
    if unknown:
        faults.append(
            f"fit.parameters: {', '.join(unknown)} is no parameter; known are {', '.join(UNITS)}, those of "
            "joints also with _A1 to _A7"
        )
    least = e.peg.length + 2.0 * e.peg.radius
    if e.peg.tip < least - 1e-12:
        faults.append(
            f"peg.tip_mm = {1e3 * e.peg.tip:g} must be at least {1e3 * least:g}: the peg with both its half "
            "spheres lies in front of the flange"
        )
    if e.campaign is not None and e.campaign.moves > len(e.sequence.move):
        faults.append(
            f"campaign.moves = {e.campaign.moves} must be at most {len(e.sequence.move)}, the number of moves"
        )
    return faults


def _hole_faults(e: Experiment, index: int) -> list[str]:
    """Return why a hole does not lie in the plate, or the peg does not fit it."""
    hole, plate, key = e.plate.hole[index], e.plate, f"plate.hole[{index}]"
    faults = []
    clearance = hole.radius - e.peg.radius
    if clearance < MIN_CLEARANCE * (1.0 - 1e-9):
        faults.append(
            f"{key}.radius_mm = {1e3 * hole.radius:g} leaves the peg of peg.radius_mm = "
            f"{1e3 * e.peg.radius:g} {1e6 * clearance:.3g} um of clearance, at least "
            f"{1e6 * MIN_CLEARANCE:g} um is needed: without it the peg touches the wall all "
            "around and no contact has a direction"
        )
    if np.any(np.abs(hole.position) + hole.radius >= plate.half_width):
        faults.append(
            f"{key}.position_mm = {(1e3 * hole.position).tolist()} is outside the plate: the opening must "
            f"lie within plate.half_width_mm = {(1e3 * plate.half_width).tolist()}"
        )
    if hole.depth + hole.radius > plate.height * (1.0 + 1e-9):
        faults.append(
            f"plate.height_mm = {1e3 * plate.height:g} must be at least depth_mm + radius_mm of {key} = "
            f"{1e3 * (hole.depth + hole.radius):g}, or the hole comes out below"
        )
    return faults
