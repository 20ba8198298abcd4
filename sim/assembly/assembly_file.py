"""Assemblies as small TOML files: which components, in which order, turned how."""

import math
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from hil.common.arrays import Array, frozen_array
from hil.common.errors import AssemblyError, ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from hil.configuration.quantities import Quantity, Section
from sim.assembly.chain import Chain
from sim.assembly.component_schema import Name
from sim.assembly.database import Database


class PartSection(Section):
    """A part."""

    component: Name
    name: str = ""
    turn: Annotated[float, Quantity("deg", ge=-360.0, le=360.0)] = 0.0


class AssemblyFile(Section):
    """An assembly."""

    name: Name
    text: str = ""
    source: str = ""
    gravity: Annotated[Array, Quantity(length=3)] = frozen_array([0.0, 0.0, -9.81])  # m/s2, base axes
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
    chain = Chain(file.name, database, gravity=(x, y, z), text=file.text, source=file.source)
    for i, part in enumerate(file.parts):
        try:
            chain = chain.add(part.component, math.degrees(part.turn), part.name)
        except AssemblyError as error:
            raise AssemblyError(f"{path}: parts[{i}]: {error}") from None
    return chain


def assembly_text(chain: Chain) -> str:
    """Return an assembly as a TOML file that `load_assembly` reads back."""
    lines = [f"name = {_quoted(chain.name)}"]
    lines += [
        f"{key} = {_quoted(said)}" for key, said in (("text", chain.text), ("source", chain.source)) if said
    ]
    if chain.gravity != (0.0, 0.0, -9.81):
        lines.append(f"gravity = {list(chain.gravity)}")
    for part in chain:
        lines += ["", "[[parts]]", f"component = {_quoted(part.component.name)}"]
        lines.append(f"name = {_quoted(part.name)}")
        if part.turn:
            lines.append(f"turn_deg = {round(math.degrees(part.turn), 9):.12g}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
