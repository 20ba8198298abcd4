"""A study: a task, the components that its arms are made of, and the list of candidates."""

import fnmatch
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hil.common.errors import AssemblyError, DesignError
from hil.workbench.design.grammar import Grammar
from hil.workbench.design.lot import Candidate, candidates_of
from hil.workbench.design.task_file import TaskFile, load_task
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database, load_database

DRIVE = ("motor", "gear", "brake", "torque_sensor")


@dataclass(frozen=True)
class Study:
    """What is to be searched.

    Attributes:
        task: see `TaskFile`.
        path: of its file.
        text: of its file.
        parts: the components that arms may be made of.
        drives: the components that these name.
        seed: of the lot.
    """

    task: TaskFile
    path: Path
    text: str
    parts: tuple[ComponentFile, ...]
    drives: tuple[ComponentFile, ...]
    seed: int

    @property
    def components(self) -> tuple[ComponentFile, ...]:
        """All that candidates are built from."""
        return (*self.parts, *self.drives)

    @cached_property
    def grammar(self) -> Grammar:
        """Of the arms."""
        space = self.task.space
        return Grammar(self.parts, space.turns_deg, space.links_in_row, space.end)

    @property
    def joints(self) -> range:
        """How many an arm may have."""
        return range(self.task.limits.joints_min, self.task.limits.joints_max + 1)

    @cached_property
    def total(self) -> int:
        """How many arms the space has."""
        return sum(self.grammar.count(n) for n in self.joints)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Those that are judged, in this order."""
        return candidates_of(self.grammar, self.joints, self.task.space.candidates, self.seed)

    @property
    def stamp(self) -> str:
        """Return a hash of what decides about the results: task, seed, components."""
        digest = hashlib.sha256(f"{self.text}\n{self.seed}\n".encode())
        for component in self.components:
            said = component.model_dump_json(fallback=lambda array: array.tolist(), warnings=False)
            digest.update(said.encode())
        return digest.hexdigest()[:16]


def load_study(path: Path, seed: int | None = None) -> Study:
    """Return the study of a task's file; `seed` stands in for the file's.

    Raises:
        DesignError: the task, or its space of arms, is refused; each fault is named.
    """
    task, text = load_task(path)
    space = task.space
    try:
        database = load_database(space.folder)
        parts = _parts(database, task, path)
        drives = _drives(database, parts)
    except AssemblyError as error:
        raise DesignError(f"{path}: space.folder: {error}") from None
    study = Study(task, path, text, parts, drives, task.seed if seed is None else seed)
    if not study.total:
        raise DesignError(
            f"{path}: space: no arm of {task.limits.joints_min} to {task.limits.joints_max} joints can be "
            f"put together from {', '.join(c.name for c in parts)}: look at their connectors, at "
            "links_in_row, and at a tool that is to stand at the end"
        )
    return study


def _parts(database: Database, task: TaskFile, path: Path) -> tuple[ComponentFile, ...]:
    """Return the components that a task allows, by name."""
    allowed = [c for kind in task.space.kinds for c in database.of_kind(kind)]
    for pattern in task.space.components:
        if not fnmatch.filter([c.name for c in allowed], pattern):
            raise DesignError(
                f"{path}: space.components: {pattern!r} is none of the {len(allowed)} components of "
                f"{', '.join(task.space.kinds)} in {task.space.folder}"
            )
    chosen = {
        c.name: c for c in allowed if any(fnmatch.fnmatchcase(c.name, p) for p in task.space.components)
    }
    if not any(c.kind == "base" for c in chosen.values()):
        raise DesignError(
            f"{path}: space: has no base among its {len(chosen)} components: an arm begins with one"
        )
    return tuple(chosen[name] for name in sorted(chosen))


def _drives(database: Database, parts: tuple[ComponentFile, ...]) -> tuple[ComponentFile, ...]:
    names = {
        name
        for c in parts
        for joint in c.joints
        for kind in DRIVE
        if (name := getattr(joint, kind)) is not None
    }
    return tuple(database[name] for name in sorted(names))
