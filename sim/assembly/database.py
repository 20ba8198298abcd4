"""The component database: a folder of TOML files, one a component, named by what they say."""

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from hil.common.errors import AssemblyError, ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from sim.assembly.component_rules import component_faults
from sim.assembly.component_schema import ComponentFile

SHIPPED = Path(__file__).parents[2] / "configs" / "components"


class Database:
    """Components by name."""

    def __init__(self, components: Iterable[ComponentFile]) -> None:
        """Hold components; of equal names the last counts."""
        self._by_name = {component.name: component for component in components}

    def __len__(self) -> int:
        return len(self._by_name)

    def __getitem__(self, name: str) -> ComponentFile:
        """Return a component.

        Raises:
            AssemblyError: there is none of that name; the nearest are named.
        """
        if name not in self._by_name:
            near = difflib.get_close_matches(name, self._by_name, n=3, cutoff=0.4)
            hint = f"; near: {', '.join(near)}" if near else ""
            raise AssemblyError(f"there is no component {name!r} among {len(self)}{hint}")
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[ComponentFile]:
        """Go through all components, by name."""
        return iter(sorted(self._by_name.values(), key=lambda c: c.name))

    def of_kind(self, kind: str) -> list[ComponentFile]:
        """Return all components of a kind, by name."""
        return sorted((c for c in self._by_name.values() if c.kind == kind), key=lambda c: c.name)

    def with_more(self, components: Iterable[ComponentFile]) -> "Database":
        """Return a database with further components."""
        return Database([*self._by_name.values(), *components])


def load_component(path: Path) -> ComponentFile:
    """Return the component in a file.

    Raises:
        AssemblyError: it cannot be read, is no TOML, or breaks a rule; every fault is named.
    """
    try:
        component = ComponentFile.model_validate(table_of(text_of(path), path))
    except ConfigurationError as error:
        raise AssemblyError(str(error)) from None
    except ValidationError as error:
        raise AssemblyError("\n".join(f"{path}: {s}" for s in sentences(error, ComponentFile))) from None
    faults = component_faults(component)
    if faults:
        raise AssemblyError("\n".join(f"{path}: {fault}" for fault in faults))
    return component


def load_database(folder: Path = SHIPPED) -> Database:
    """Return all components of a folder and the folders below it.

    Raises:
        AssemblyError: there is no such folder, a file breaks a rule, or two have one name; all are named.
    """
    if not folder.is_dir():
        raise AssemblyError(f"{folder}: there is no such folder of components")
    found: dict[str, tuple[Path, ComponentFile]] = {}
    faults = []
    for path in sorted(folder.rglob("*.toml")):
        try:
            component = load_component(path)
        except AssemblyError as error:
            faults.append(str(error))
            continue
        if component.name in found:
            faults.append(f"{path}: name = {component.name!r} is that of {found[component.name][0]} already")
        found[component.name] = path, component
    if faults:
        raise AssemblyError("\n".join(faults))
    return Database(component for _, component in found.values())
