"""Changes of a configuration, given in Python, as the settings `KEY=VALUE` that the commands take."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hil.common.errors import ConfigurationError
from hil.configuration.overrides import setting

KEY = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
EXAMPLE = 'for example {"emulator.delay_ms": 20.0} or emulator={"delay_ms": 20.0}'


def settings_of(changes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the settings that changes are: keys as the file spells them, dotted or as tables in tables.

    Raises:
        ConfigurationError: a key is none, or TOML knows no such value; whether the configuration has the key
            is said by who reads it.
    """
    if not isinstance(changes, Mapping):
        raise ConfigurationError(f"changes = {changes!r} are no keys with values: {EXAMPLE}")
    return tuple(setting(key, value) for key, value in _leaves(changes, ""))


def _leaves(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if not isinstance(name, str) or not KEY.fullmatch(name):
            raise ConfigurationError(f"{key!r} is no key of a configuration: {EXAMPLE}")
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{key}.")
        else:
            yield key, _plain(key, value)


def _plain(key: str, value: Any) -> Any:
    """Return a value of TOML: booleans, numbers, texts, and lists of them (and of tables within)."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(key, item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(key, item) for name, item in value.items()}
    raise ConfigurationError(
        f"{key} = {value!r} is no value of a configuration: give a number, a text, true or false, or a list"
    )
