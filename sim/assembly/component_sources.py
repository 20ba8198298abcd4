"""Where an assembly's own components come from: files beside it that join the database."""

from pathlib import Path

from hil.common.errors import AssemblyError
from sim.assembly.component_schema import ComponentFile, ComponentSource
from sim.assembly.database import load_component, load_database
from sim.assembly.interchange.timor_in import components_of_timor
from sim.assembly.interchange.urdf_in import components_of_urdf


def components_of(source: ComponentSource, beside: Path) -> list[ComponentFile]:
    """Return the components in a folder, a component's TOML, Timor's JSON or a URDF.

    Args:
        source: as the assembly's file names it.
        beside: the folder of that file.

    Raises:
        AssemblyError: it cannot be read, or what is in it breaks a rule.
    """
    path = beside / source.file
    if path.is_dir():
        return list(load_database(path))
    if path.suffix == ".urdf":
        return components_of_urdf(path, source.input, source.output, source.tip)
    if path.suffix == ".json":
        return components_of_timor(path)
    if path.suffix == ".toml":
        return [load_component(path)]
    raise AssemblyError(f"{path}: components come from a folder, or a file .toml, .json (Timor) or .urdf")
