"""A configuration in Python: its file's text, and what was changed of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from hil.api.changes import settings_of
from hil.configuration import Configuration as Values
from hil.configuration.loading import configuration_from, table_of, text_of
from hil.configuration.overrides import overridden
from hil.configuration.resolved import resolved


@dataclass(frozen=True)
class Configuration:
    """A configuration that was accepted; never changed, only changed copies are made.

    Attributes:
        path: of its file, or a name in its place; files that it names are looked for from there.
        text: of the file.
        settings: lines KEY=VALUE that stand in for the file's.
    """

    path: Path
    text: str
    settings: tuple[str, ...] = ()

    @classmethod
    def read(
        cls, path: "str | PathLike[str]", changes: Mapping[str, Any] | None = None, /, **more: Any
    ) -> "Configuration":
        """Return the configuration in a file, with changes; keys as the file spells them.

        Raises:
            ConfigurationError: the file or a change is refused; all faults are listed.
        """
        file = Path(path)
        return cls(file, text_of(file)).changed(changes, **more)

    def changed(self, changes: Mapping[str, Any] | None = None, /, **more: Any) -> "Configuration":
        """Return a copy: `changed({"emulator.delay_ms": 20.0})`, `changed(emulator={"delay_ms": 20.0})`.

        Raises:
            ConfigurationError: a change is refused; all faults are listed.
        """
        asked = settings_of({} if changes is None else changes)
        made = replace(self, settings=(*self.settings, *asked, *settings_of(more)))
        _ = made.values  # what is wrong is said here, and not where it is used
        return made

    @cached_property
    def values(self) -> Values:
        """All values, typed, in SI: `configuration.values.object.mass` [kg]."""
        return configuration_from(overridden(table_of(self.text, self.path), self.settings), self.path)

    def items(self) -> list[tuple[str, str]]:
        """Return names and values as text, in SI, as `zerog check` prints them."""
        return list(resolved(self.values))
