"""Assemblies as small TOML files: which components, in which order, turned how."""

import math
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from hil.common.arrays import Array, frozen_array
from hil.common.errors import AssemblyError, ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.quantities import Quantity, Section
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentSource, Name
from sim.assembly.component_sources import components_of
from sim.assembly.database import Database


class PartSection(Section):
    """A part."""

    component: Name
    name: str = ""
    on: str = ""  # the part that it is joined to; empty: the one before
    turn: Annotated[float, Quantity("deg", ge=-360.0, le=360.0)] = 0.0


class AssemblyFile(Section):
    """An assembly."""

    name: Name
    text: str = ""
    source: str = ""
    gravity: Annotated[Array, Quantity(length=3)] = frozen_array([0.0, 0.0, -9.81])  # m/s2, base axes
    components: tuple[ComponentSource, ...] = ()
    parts: tuple[PartSection, ...] = Field(min_length=1)


def load_assembly(path: Path, database: Database) -> Chain:
    """Return the assembly in a file.

    Raises:
        AssemblyError: the file breaks a rule, or its parts do not fit; each is named with its place.
    """
    try:
        text = text_of(path)
    except ConfigurationError as error:
        raise AssemblyError(str(error)) from None
    return read_assembly(text, path, database)


def read_assembly(text: str, path: Path, database: Database) -> Chain:
    """Return the assembly that a text is; `path` names it in errors, which are those of `load_assembly`."""
    try:
        file = AssemblyFile.model_validate(table_of(text, path))
    except ConfigurationError as error:
        raise AssemblyError(str(error)) from None
    except ValidationError as error:
        raise AssemblyError("\n".join(f"{path}: {s}" for s in sentences(error, AssemblyFile))) from None
    x, y, z = file.gravity.tolist()
    more = [made for source in file.components for made in components_of(source, path.parent)]
    chain = Chain(file.name, database.with_more(more), (), (x, y, z), file.text, file.source, file.components)
    for i in _order(file.parts, path):
        part = file.parts[i]
        try:
            chain = chain.add(part.component, math.degrees(part.turn), part.name)
        except AssemblyError as error:
            raise AssemblyError(f"{path}: parts[{i}]: {error}") from None
    return chain


def _order(parts: tuple[PartSection, ...], path: Path) -> list[int]:
    """Return the parts' numbers from the base to the tip.

    Raises:
        AssemblyError: they form a loop, branch, or one is joined to a part that there is not.
    """
    if not any(part.on for part in parts):
        return list(range(len(parts)))
    numbers = {part.name or part.component: i for i, part in enumerate(parts)}
    behind: dict[int, int] = {}
    for i, part in enumerate(parts):
        if part.on and part.on not in numbers:
            raise AssemblyError(f"{path}: parts[{i}].on = {part.on!r}: there is no part of that name")
        if i == 0 and not part.on:
            continue
        before = numbers[part.on] if part.on else i - 1
        if before in behind:
            first, second = parts[behind[before]].component, part.component
            raise AssemblyError(
                f"{path}: parts[{i}]: {first!r} and {second!r} are both joined to "
                f"{parts[before].name or parts[before].component!r}: a chain has no branches"
            )
        behind[before] = i
    order, at = [0], 0
    while at in behind:
        at = behind[at]
        if at in order:
            break
        order.append(at)
    left = sorted(set(range(len(parts))) - set(order))
    if left or parts[0].on:
        names = ", ".join(repr(parts[i].name or parts[i].component) for i in left or order)
        raise AssemblyError(
            f"{path}: the parts {names} are joined to one another in a loop: begin with a base"
        )
    return order


def assembly_text(chain: Chain) -> str:
    """Return an assembly as a TOML file that `load_assembly` reads back."""
    lines = [f"name = {_quoted(chain.name)}"]
    lines += [
        f"{key} = {_quoted(said)}" for key, said in (("text", chain.text), ("source", chain.source)) if said
    ]
    if chain.gravity != (0.0, 0.0, -9.81):
        lines.append(f"gravity = {list(chain.gravity)}")
    for source in chain.sources:
        lines += ["", "[[components]]", f"file = {_quoted(source.file)}"]
        lines += [f"tip = {_quoted(source.tip)}"] if source.tip else []
        for key, table in (("input", source.input), ("output", source.output)):
            lines += [] if table is None else [f"{key} = {_inline(table)}"]
    for part in chain:
        lines += ["", "[[parts]]", f"component = {_quoted(part.component.name)}"]
        lines.append(f"name = {_quoted(part.name)}")
        if part.turn:
            lines.append(f"turn_deg = {round(math.degrees(part.turn), 9):.12g}")
    return "\n".join(lines) + "\n"


def _inline(table: dict[str, Any]) -> str:
    """Return a connector's table in one line."""
    words = [f"{key} = {_quoted(v) if isinstance(v, str) else v}" for key, v in table.items()]
    return "{ " + ", ".join(words) + " }"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
