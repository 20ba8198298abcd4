"""Values that stand in for those of the file, for one run: `KEY=VALUE` as a line of TOML."""

import tomllib
from collections.abc import Iterable
from typing import Any

from hil.errors import ConfigurationError


def overridden(data: dict[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """Return the table `data` with `settings` put in, for example `fri.sample_time_ms=1`.

    Raises:
        ConfigurationError: a setting is no line of TOML with a dotted key.
    """
    for text in settings:
        try:
            data = _merged(data, tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ConfigurationError(
                f"--set {text!r} must read KEY=VALUE as in the file, for example fri.sample_time_ms=1 or "
                f"run.runtime_directory='\"/run/zerog\"': {error}"
            ) from None
    return data


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return `below` with the values of `above` in their places; tables are merged, all else replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
