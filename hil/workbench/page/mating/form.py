"""An experiment's file as fields that a page can show and change: key, value, unit, bounds."""

import math
import re
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hil.common.errors import ConfigurationError, ZeroGError
from hil.configuration.loading import table_of, text_of
from hil.configuration.overrides import leaves, setting, toml_value
from hil.configuration.quantities import UNITS, Quantity, Section, file_key
from hil.trials.mating.loading import KINDS, SHIPPED, load_mating, mating_file
from hil.workbench.edits import Refusal

FIXED = ("experiment", "type")  # another value would ask for other keys
LONGEST = 200  # characters of a value that a page says


def experiments(folder: Path) -> list[dict[str, Any]]:
    """Return the shipped experiments and those of a folder that a page may choose from."""
    there = {file.stem.replace("_", "-") for file in SHIPPED.glob("*.toml")}
    found: list[dict[str, Any]] = [{"name": name, "shipped": True} for name in KINDS if name in there]
    for file in sorted(folder.glob("*.toml")):
        try:
            known = str(table_of(text_of(file), file).get("experiment")) in KINDS
        except ZeroGError:
            continue  # a file of something else, or none that can be read
        if known:
            found.append({"name": file.name, "shipped": False})
    return found


def source_of(folder: Path, name: Any) -> str:
    """Return what an experiment of that list is loaded by: a page must name no other files of this machine.

    Raises:
        Refusal: there is none of that name.
    """
    for one in experiments(folder):
        if one["name"] == name:
            return str(name) if one["shipped"] else str(folder / str(name))
    raise Refusal(f"there is no mating experiment {str(name)[:80]!r} here", "experiment")


def form(source: str) -> dict[str, Any]:
    """Return an experiment's fields, with the file's values, and what its file says on top.

    Raises:
        ConfigurationError: the file breaks a rule.
    """
    path = mating_file(source)
    text = text_of(path)
    table = dict(leaves(table_of(text, path)))
    fields = [_filled(field, table) for field in fields_of(load_mating(source))]
    return {"fields": fields, "words": _words(text)}


def settings_of(source: str, values: Mapping[str, Any]) -> list[str]:
    """Return the lines that stand in for the file's values, of what a page says.

    Raises:
        Refusal: a value is none of its kind, or a key is unknown.
    """
    fields = {field["key"]: field for field in form(source)["fields"]}
    made = []
    for key, told in values.items():
        if key not in fields:
            raise Refusal(f"{str(key)[:80]} is unknown", "experiment")
        text = str(told).strip()
        if text != fields[key]["value"]:
            made.append(setting(key, _value(fields[key], text)))
    return made


def fault(error: ConfigurationError, source: str) -> tuple[str, str]:
    """Return the first fault of an experiment in one line, and the key that it is about."""
    line = str(error).split("\n")[0].removeprefix(f"{mating_file(source)}: ")
    key = re.split(r": | = ", line)[0]  # of a table as a whole, or of one of its keys
    return line, key if key else "experiment"


def fields_of(section: Section, above: str = "") -> Iterator[dict[str, Any]]:
    """Yield the fields of a table and of those in it; lists of tables and free words are left to the file.

    Words would name files of this machine, which a page must not.
    """
    for name, about in type(section).model_fields.items():
        key, value = f"{above}{file_key(name, about.metadata)}", getattr(section, name)
        if name in FIXED or about.annotation is str or str in typing.get_args(about.annotation):
            continue
        if isinstance(value, Section):
            yield from fields_of(value, f"{key}.")
        elif not (isinstance(value, tuple) and (not value or isinstance(value[0], Section))):
            yield _field(key, value, about)


def _field(key: str, value: Any, about: Any) -> dict[str, Any]:
    quantity = next((one for one in about.metadata if isinstance(one, Quantity)), _inner(about.annotation))
    unit = quantity.unit if quantity else ""
    choices = _choices(about.annotation)
    kind = "choice" if choices or isinstance(value, bool) else "number"
    if hasattr(value, "__len__") and kind == "number":
        kind = "list"
    return {
        "key": key,
        "value": _shown(value, unit),
        "kind": kind,
        "choices": ["true", "false"] if isinstance(value, bool) else choices,
        "unit": unit,
        "bounds": _bounds(quantity),
        "optional": value is None or not about.is_required(),
    }


def _inner(annotation: Any) -> Quantity | None:
    """Return the quantity that stands within an annotation such as `Annotated[...] | None`."""
    for one in typing.get_args(annotation):
        if isinstance(one, Quantity):
            return one
        if (found := _inner(one)) is not None:
            return found
    return None


def _choices(annotation: Any) -> list[str]:
    if typing.get_origin(annotation) is typing.Literal:
        return [toml_value(one).strip('"') for one in typing.get_args(annotation)]
    return []


def _bounds(quantity: Quantity | None) -> str:
    names = {"gt": "above", "ge": "at least", "lt": "below", "le": "at most"}
    found = [(words, getattr(quantity, name, None)) for name, words in names.items()]
    return ", ".join(f"{words} {bound:g}" for words, bound in found if bound is not None)


def _shown(value: Any, unit: str) -> str:
    """Return a value in its key's unit."""
    if value is None:
        return ""
    if isinstance(value, bool | str):
        return toml_value(value).strip('"')
    if hasattr(value, "__len__"):
        return f"[{', '.join(_shown(one, unit) for one in value)}]"
    return f"{value / UNITS[unit]:.12g}"


def _filled(field: dict[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field with the value as the file writes it."""
    if field["key"] in table:
        return field | {"value": toml_value(table[field["key"]]).strip('"')}
    return field


def _value(field: dict[str, Any], text: str) -> Any:
    """Return what a page's text means.

    Raises:
        Refusal: it is no such thing.
    """
    key, kind = field["key"], field["kind"]
    if len(text) > LONGEST:
        raise Refusal(f"{key}: {len(text)} characters are more than {LONGEST}", key)
    if kind == "choice":
        if text not in field["choices"]:
            raise Refusal(f"{key} = {text!r} must be one of {', '.join(field['choices'])}", key)
        return text == "true" if text in ("true", "false") else _whole_or_text(text)
    if kind == "list":
        return [_number(key, one) for one in text.strip("[] ").split(",")]
    return _number(key, text)


def _whole_or_text(text: str) -> Any:
    return int(text) if text.lstrip("-").isdigit() else text


def _number(key: str, text: str) -> float | int:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Refusal(f"{key} = {text.strip()!r} must be a number", key)
    return int(value) if value.is_integer() and text.strip().lstrip("+-").isdigit() else value


def _words(text: str) -> str:
    """Return the comment with which a file begins."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines)
