"""Every key that a configuration may have, as data: unit, bounds, default, meaning, and where it acts."""

import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from annotated_types import Ge, Gt, Le, Lt
from pydantic import AfterValidator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from hil.configuration.addresses import controller_address, numeric_address, other_controller
from hil.configuration.meanings import Meaning, of_field, of_table
from hil.configuration.overrides import toml_value
from hil.configuration.quantities import UNITS, Quantity, Section, file_key
from hil.configuration.schema import Configuration

MUST, ABSENT = "must be given", "absent"
SIGNS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
WORDS: dict[Any, str] = {bool: "true or false", str: "text", Path: "file", int: "whole number"}
DIGITS = 8  # significant ones of a value in the file's unit: more than anybody writes, less than rounding


@dataclass(frozen=True)
class Key:
    """One key of the file.

    Attributes:
        name: dotted, as `--set` takes it; `[]` behind a table of which there may be several.
        unit: in words, empty for a pure number or a word.
        bounds: what it may be, in that unit.
        default: as it would stand in the file, or that there is none.
        meaning: and where it acts.
    """

    name: str
    unit: str
    bounds: str
    default: str
    meaning: Meaning


@dataclass(frozen=True)
class Table:
    """One table of the file with its own keys.

    Attributes:
        name: dotted, empty for the whole file.
        head: as it stands in the file.
        note: whether it must be there.
        meaning: of it all.
        keys: that stand in it, without those of tables within.
    """

    name: str
    head: str
    note: str
    meaning: Meaning
    keys: tuple[Key, ...]


def tables(
    section: type[Section] = Configuration, name: str = "", note: str = "", given: Section | None = None
) -> Iterator[Table]:
    """Yield all tables of a file, each before those within it.

    Args:
        section: class of the outermost table.
        name: of it, dotted.
        note: on whether it must be there.
        given: the table as it is without a line in the file, if there is one; its values are the defaults.
    """
    keys: list[Key] = []
    within: list[Table] = []
    for field, info in section.model_fields.items():
        inner, several = table_in(info.annotation)
        full = f"{name}.{field}" if name else field
        if inner is None:
            default = info.default if given is None else getattr(given, field)
            keys.append(_key(section, field, info, name, default))
        else:
            default = info.default if isinstance(info.default, Section) else None
            within += tables(inner, full + "[]" * several, _note(info, several), default)
    if name:
        plain = name.replace("[]", "")
        head = f"[[{plain}]]" if name.endswith("[]") else f"[{plain}]"
        yield Table(name, head, note, of_table(section), tuple(keys))
    yield from within


def all_keys() -> list[Key]:
    """Return every key, in the order of the schema."""
    return [key for table in tables() for key in table.keys]


def in_file(value: Any, info: FieldInfo) -> str:
    """Return a value as it stands in the file, in the key's own unit; empty for none."""
    if value is None or (_is_reason(info) and not value):
        return ""
    unit = next((m.unit for m in info.metadata if isinstance(m, Quantity)), "")
    if isinstance(value, np.ndarray):
        return toml_value(_rounded(value, UNITS[unit]))
    if isinstance(value, float):
        return toml_value(_rounded(np.array(value), UNITS[unit]))
    return toml_value(str(value) if isinstance(value, Path) else value)


def table_in(annotation: Any) -> tuple[type[Section] | None, bool]:
    """Return the table's class in an annotation, if it is one, and whether there may be several of it."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation, False
    for inner in typing.get_args(annotation):
        found, _ = table_in(inner)
        if found is not None:
            return found, typing.get_origin(annotation) is tuple
    return None, False


def _key(section: type[Section], field: str, info: FieldInfo, table: str, default: Any) -> Key:
    quantity = next((m for m in info.metadata if isinstance(m, Quantity)), Quantity())
    name = file_key(field, info.metadata)
    return Key(
        f"{table}.{name}",
        unit_in_words(quantity.unit),
        _bounds(info, quantity),
        MUST if default is PydanticUndefined else in_file(default, info) or ABSENT,
        of_field(section, field),
    )


def unit_in_words(unit: str) -> str:
    """Return the unit of a key's ending, as `N m/rad` of `n_m_per_rad`."""
    above, _, below = unit.partition("_per_")
    powers = {"kg_m2": "kg m2", "mm_s": "mm/s", "deg_s": "deg/s", "rad_s2": "rad/s2", "rad_s3": "rad/s3"}
    if unit in powers:
        return powers[unit]
    names = {"n": "N", "hz": "Hz"}
    words = " ".join(names.get(piece, piece) for piece in above.split("_"))
    return f"{words}/{names.get(below, below)}" if below else words


def _bounds(info: FieldInfo, quantity: Quantity) -> str:
    kind = info.annotation
    choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    if choices:
        return ", ".join(f"`{toml_value(choice)}`" for choice in choices)
    limits = {name: getattr(quantity, name) for name in SIGNS if getattr(quantity, name) is not None}
    for item in info.metadata:
        for name, bound in (("gt", Gt), ("ge", Ge), ("lt", Lt), ("le", Le)):
            if isinstance(item, bound):
                limits[name] = getattr(item, name)
    several = ""
    if quantity.length is not None:
        several = f"{quantity.length} numbers" + (", each " if limits else "")
    elif quantity.some:
        several = "list of numbers" + (", each " if limits else "")
    elif typing.get_origin(kind) is tuple:
        several = "list of whole numbers"
    if limits:
        return several + " and ".join(f"{SIGNS[name]} {limits[name]:g}" for name in SIGNS if name in limits)
    if several:
        return several
    return _word(info)


def _word(info: FieldInfo) -> str:
    checks = [item.func for item in info.metadata if isinstance(item, AfterValidator)]
    if {numeric_address, controller_address, other_controller} & set(checks):
        return "address, IPv4"
    kinds = (info.annotation, *typing.get_args(info.annotation))
    if _is_reason(info):
        return "reason, at least 10 characters"
    return next((WORDS[kind] for kind in kinds if kind in WORDS), "any number")


def _is_reason(info: FieldInfo) -> bool:
    return any(getattr(item, "min_length", None) for item in info.metadata)


def _note(info: FieldInfo, several: bool) -> str:
    if several:
        return "may stand there several times"
    if info.default is PydanticUndefined:
        return "must be there"
    return "may be absent: then there is none" if info.default is None else ""


def _rounded(values: Any, scale: float) -> Any:
    """Return values in the file's unit without the rounding of the way to SI and back."""
    if values.ndim:
        return [_rounded(value, scale) for value in values]
    return float(f"{float(values) / scale:.{DIGITS}g}")
