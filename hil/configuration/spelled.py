"""A configuration as the lines of its file: keys with their units, one line each, as `--set` takes them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hil.common.arrays import plain_numbers
from hil.configuration.quantities import UNITS, Quantity, Section, file_key
from hil.configuration.reference import in_file


def spelled(section: Section, prefix: str = "", given: bool = True) -> Iterator[tuple[str, str]]:
    """Yield the line of every value of a table, first to last, and a remark: a default, and what it is in SI.

    The lines are those of a file that has the same values. What is absent has no line.

    Args:
        section: the table.
        prefix: of its keys, with a point at its end.
        given: whether the file has that table at all.
    """
    for name, info in type(section).model_fields.items():
        value: Any = getattr(section, name)
        key = f"{prefix}{file_key(name, info.metadata)}"
        written = given and name in section.model_fields_set
        if isinstance(value, Section):
            yield from spelled(value, f"{key}.", written)
        elif _is_tables(value):
            yield f"{key} = [{', '.join(_inline(item) for item in value)}]", ""
        elif text := in_file(value, info):
            remarks = [] if written else ["default"]
            si = _in_si(value, info.metadata)
            yield f"{key} = {text}", ", ".join(remarks + ([f"SI {si}"] if si else []))


def _is_tables(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Section)


def _inline(table: Section) -> str:
    return f"{{ {', '.join(line for line, _ in spelled(table))} }}"


def _in_si(value: Any, metadata: list[Any]) -> str:
    unit = next((m.unit for m in metadata if isinstance(m, Quantity)), "")
    if UNITS[unit] == 1.0:
        return ""
    return plain_numbers(value) if isinstance(value, np.ndarray) else f"{value:.6g}"
