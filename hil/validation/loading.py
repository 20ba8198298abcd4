"""Reading the configuration of an experiment: every fault in one report, as with that of a run."""

from pathlib import Path

from pydantic import ValidationError

from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.errors import ConfigurationError
from hil.validation.schema import Experiment

SHIPPED = Path(__file__).resolve().parents[2] / "configs" / "validation"


def load_experiment(name: str) -> Experiment:
    """Return the experiment of that name: a shipped one, such as `table-slide`, or that in a file.

    Raises:
        ConfigurationError: there is no such experiment, or its file breaks a rule; all faults are listed.
    """
    path = experiment_file(name)
    data = table_of(text_of(path), path)
    try:
        experiment = Experiment.model_validate(data)
    except ValidationError as error:
        lines = [f"{path}: {fault}" for fault in sentences(error, Experiment)]
        raise ConfigurationError("\n".join(lines)) from None
    model = path.parent / experiment.arm.model
    faults = [] if model.is_file() else [f"arm.model = {str(model)!r} is no file"]
    faults += _rules_between_keys(experiment)
    if faults:
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults))
    return experiment.model_copy(update={"arm": experiment.arm.model_copy(update={"model": model})})


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
    faults = []
    steps = e.simulation.sample / e.simulation.step
    if abs(steps - round(steps)) > 1e-9 or steps < 0.5:
        faults.append(
            f"simulation.sample_ms = {1e3 * e.simulation.sample:g} must be a multiple of simulation.step_ms = "
            f"{1e3 * e.simulation.step:g}"
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
