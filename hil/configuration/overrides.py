"""Values instead of those of the file, for one run: `KEY=VALUE` as TOML; words and files need no quotes."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from hil.common.errors import ConfigurationError

NO_WORDS = ("true", "false", "inf", "nan")  # values of TOML
SHOWN = 200  # characters of a setting that are shown in an error


def overridden(data: dict[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """Return the table `data` with `settings` put in, for example `fri.sample_time_ms=1`.

    Raises:
        ConfigurationError: a setting is no line of TOML with a dotted key.
    """
    for text in settings:
        try:
            given = tomllib.loads(_as_toml(text))
        except ValueError as error:  # of TOML, or of a number of thousands of digits
            raise _no_setting(text, str(error)) from None
        except RecursionError:
            raise _no_setting(text, "its lists or tables lie too deep in one another") from None
        if not given:
            raise _no_setting(text, "it names no key")
        data = _merged(data, given)
    return data


def _no_setting(text: str, fault: str) -> ConfigurationError:
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return ConfigurationError(
        f"--set {shown!r} must read KEY=VALUE as in the file, for example fri.sample_time_ms=1 or "
        f"run.runtime_directory='\"/run/zerog\"': {fault}"
    )


def _as_toml(text: str) -> str:
    """Return a setting with quotes about words and files, which a shell takes away, and `.5` as `0.5`."""
    key, _, value = (part.strip() for part in text.partition("="))
    if re.fullmatch(r"[a-z][a-z0-9-]*", value) and value not in NO_WORDS:
        return f'{key} = "{value}"'
    if re.fullmatch(r"[\w./~-]*/[\w./-]*|[a-zA-Z_][\w-]*\.[a-z]\w*|\d+(\.\d+){3}", value):  # file, address
        return f'{key} = "{value}"'
    without_zero = re.fullmatch(r"([+-]?)(\.\d.*)", value)
    return f"{key} = {without_zero[1]}0{without_zero[2]}" if without_zero else text


def leaves(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted key and value of everything in a table that is no table itself."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def setting(key: str, value: Any) -> str:
    """Return the line `KEY = VALUE` that gives a dotted key a value as TOML knows them."""
    return f"{'.'.join(map(_quoted, key.split('.')))} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """Return a value as it stands in a line of TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(key)} = {toml_value(item)}' for key, item in value.items())}}}"
    return str(value)


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return `below` with the values of `above` in their places; tables are merged, all else replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
