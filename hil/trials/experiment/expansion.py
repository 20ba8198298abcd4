"""The single trials of a plan: sweeps multiplied out, repeats with their seeds, each with its settings."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hil.common.errors import ConfigurationError, ExperimentError
from hil.common.output_file import real
from hil.configuration import Configuration
from hil.configuration.loading import configuration_from, table_of, text_of
from hil.configuration.overrides import leaves, overridden, setting
from hil.trials.experiment.plan import OperatorPushes, Plan, Trial, load_plan

MOST_TRIALS = 100_000


@dataclass(frozen=True)
class Base:
    """The configuration that all trials begin with: its file, its text, and its name in the plan."""

    path: Path
    text: str
    name: str

    def with_settings(self, settings: tuple[str, ...]) -> Configuration:
        """Return the configuration with lines `KEY = VALUE` instead of the file's.

        Raises:
            ConfigurationError: it breaks a rule.
        """
        return configuration_from(overridden(table_of(self.text, self.path), settings), self.path)


@dataclass(frozen=True)
class Task:
    """One trial to be run.

    Attributes:
        number: from 1 on, in the order of the plan.
        name: of the trial in the plan, shared by its repeats and swept values.
        repeat: from 1 on.
        duration: of floating [s].
        settings: lines `KEY = VALUE` instead of the base configuration's.
        swept: the value of every key that the plan sweeps anywhere; None where it is not said.
        operator: what a person is asked to do.
    """

    number: int
    name: str
    repeat: int
    duration: float
    settings: tuple[str, ...]
    swept: dict[str, Any]
    operator: OperatorPushes | None

    @property
    def folder(self) -> str:
        """The name of the trial's folder."""
        return f"{self.number:03d}-{self.name}"


@dataclass(frozen=True)
class Experiment:
    """A plan that may be run.

    Attributes:
        plan: as it was read.
        path: of its file.
        text: of its file.
        base: the configuration that all trials begin with.
        tasks: all trials, in order.
    """

    plan: Plan
    path: Path
    text: str
    base: Base
    tasks: tuple[Task, ...]

    @property
    def axes(self) -> list[str]:
        """The first key of every table of a sweep: what its results are looked at over."""
        tables = [part for trial in self.plan.trial for part in trial.sweep]
        return list(dict.fromkeys(next(key for key, _ in leaves(table)) for table in tables))


def load_experiment(path: Path) -> Experiment:
    """Return the plan in `path` with all its trials, every one of which has a sound configuration.

    Raises:
        ExperimentError: the plan, or the configuration of any trial, is refused; all faults are listed.
    """
    plan, table, text = load_plan(path)
    try:
        file = real(path.parent / plan.base)
        base = Base(file, text_of(file), str(plan.base))
        below = table_of(base.text, file)
    except ConfigurationError as error:
        raise ExperimentError(f"{path}: base: {error}") from error
    tasks, faults = list[Task](), dict[str, None]()
    for index, trial in enumerate(plan.trial):
        made = itertools.islice(_tasks_of(plan, trial, table["trial"][index], below), MOST_TRIALS + 1)
        for task in made:
            tasks.append(replace(task, number=len(tasks) + 1))
            faults |= dict.fromkeys(f"{path}: trial[{index}]: {fault}" for fault in _faults_of(task, base))
            if len(tasks) > MOST_TRIALS:
                raise ExperimentError(f"{path}: has more than {MOST_TRIALS} trials: split the plan")
    if faults:
        raise ExperimentError("\n".join(faults))
    return Experiment(plan, path, text, base, tuple(tasks))


def _tasks_of(plan: Plan, trial: Trial, table: dict[str, Any], below: dict[str, Any]) -> Iterator[Task]:
    """Yield the trials of an entry of the plan; `table` is the entry as written, `below` the base's."""
    seed = plan.seed if trial.seed is None else trial.seed
    keys = dict.fromkeys(key for entry in plan.trial for part in entry.sweep for key, _ in leaves(part))
    for values in itertools.product(*map(_steps, trial.sweep)):
        for repeat in range(trial.repeats):
            pairs = [("run.seed", seed + repeat), *_pushes(table), *leaves(plan.set), *leaves(trial.set)]
            pairs += itertools.chain.from_iterable(values)
            settings = tuple(setting(key, value) for key, value in pairs)
            said = dict(leaves(overridden(below, settings)))
            swept = {key: said.get(key) for key in keys}
            yield Task(
                0, trial.name, repeat + 1, trial.duration or plan.duration, settings, swept, trial.operator
            )


def _steps(table: dict[str, Any]) -> list[tuple[tuple[str, Any], ...]]:
    """Return the steps of a table of a sweep: in each, all its keys have their next value."""
    columns = [[(key, value) for value in values] for key, values in leaves(table)]
    return list(zip(*columns, strict=True))


def _pushes(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return what the operator of the emulation is told: the trial's pushes and no others."""
    random = {"count": 0, **table.get("random", {})}
    return [("operator.push", table.get("push", [])), *leaves(random, "operator.random.")]


def _faults_of(task: Task, base: Base) -> list[str]:
    """Return what is wrong with the configuration of a trial."""
    try:
        c = base.with_settings(task.settings)
    except ConfigurationError as error:
        return [line.removeprefix(f"{base.path}: ") for line in str(error).splitlines()]
    if c.robot.kind != "emulated" and task.operator is None:
        return ["robot.kind = 'fri': only a person can push a real arm; give the trial an operator"]
    return []
