"""What a plan of experiments may say: one class a table, as in a configuration."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from hil.common.errors import ConfigurationError, ExperimentError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.overrides import leaves
from hil.configuration.quantities import Quantity, Section
from hil.configuration.schema import RandomPushes, ScriptedPush

Name = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]*$", max_length=60)]  # also of files
UP_WITHIN_S = 3.0  # of object time, from a stand to its full pace, unless the arm cannot follow


class OperatorPushes(Section):
    """A person pushes: how often, for how long that is waited for, and what is said."""

    pushes: int = Field(ge=1, le=1000)
    within: Annotated[float, Quantity("s", gt=0.0, le=3600.0)] = 60.0  # of floating, or of the push before
    after: Annotated[float, Quantity("s", ge=0.5, le=600.0)] = 2.0  # the trial goes on behind the last one
    say: str = "push the mock-up"

    @property
    def longest(self) -> float:
        """The longest time that a trial can take [s]."""
        return UP_WITHIN_S + self.pushes * self.within + self.after


class Trial(Section):
    """One trial, or many that differ in what is swept and in their seeds."""

    name: Name
    duration: Annotated[float, Quantity("s", ge=0.0, le=3600.0)] = 0.0  # of floating; 0: the plan's
    seed: int | None = Field(
        default=None, ge=0
    )  # of the first repeat, one more for each other; none: the plan's
    repeats: int = Field(default=1, ge=1, le=1000)
    push: tuple[ScriptedPush, ...] = ()
    random: RandomPushes | None = None  # what it leaves out is as in the base configuration
    operator: OperatorPushes | None = None
    set: dict[str, Any] = Field(default={})  # values instead of the base configuration's
    # keys of one table vary together, tables with each other
    sweep: tuple[dict[str, Any], ...] = ()


class Plan(Section):
    """A whole plan."""

    name: Name
    about: str = ""
    base: Path  # configuration, relative to the plan's folder
    duration: Annotated[float, Quantity("s", ge=0.0, le=3600.0)] = 0.0
    seed: int = Field(default=1, ge=0)
    set: dict[str, Any] = Field(default={})  # of all trials
    trial: tuple[Trial, ...]


def load_plan(path: Path) -> tuple[Plan, dict[str, Any], str]:
    """Return the plan in `path`, its table as written, and its text.

    Raises:
        ExperimentError: the file cannot be read, is no TOML, or breaks any rule; all are listed.
    """
    try:
        text = text_of(path)
        table = table_of(text, path)
    except ConfigurationError as error:
        raise ExperimentError(str(error)) from error
    try:
        plan = Plan.model_validate(table)
    except ValidationError as error:
        raise ExperimentError("\n".join(f"{path}: {fault}" for fault in sentences(error, Plan))) from None
    faults = [] if plan.trial else ["trial is empty: a plan needs one trial or more"]
    faults += [fault for index, trial in enumerate(plan.trial) for fault in _faults_of(plan, trial, index)]
    if faults:
        raise ExperimentError("\n".join(f"{path}: {fault}" for fault in faults))
    return plan, table, text


def _faults_of(plan: Plan, trial: Trial, index: int) -> list[str]:
    """Return the faults of a trial that no single key shows."""
    key, faults = f"trial[{index}]", []
    if trial.operator is None and not (trial.duration or plan.duration):
        faults.append(f"{key}.duration_s is missing; it may also stand at the top of the plan")
    if trial.operator is not None and (trial.push or trial.random is not None):
        faults.append(f"{key} has operator and push or random: either a person pushes or the emulation does")
    for number, table in enumerate(trial.sweep):
        faults += [f"{key}.sweep[{number}]{fault}" for fault in _sweep_faults(table)]
    return faults


def _sweep_faults(table: dict[str, Any]) -> list[str]:
    """Return what is wrong with a table of a sweep."""
    values = dict(leaves(table))
    faults = [
        f".{key} = {value!r} must be a list of one value or more"
        for key, value in values.items()
        if not isinstance(value, list) or not value
    ]
    if not values:
        return [" is empty: it needs a key with a list of values"]
    lengths = {key: len(value) for key, value in values.items() if isinstance(value, list)}
    if not faults and len(set(lengths.values())) > 1:
        counts = ", ".join(f"{key} has {length} values" for key, length in lengths.items())
        faults.append(f": keys of one table vary together, but {counts}")
    return faults
