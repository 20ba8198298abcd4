"""An assembly as the loop's arm: URDF with the names that the loop gives to joints and links.

The joints are called A1, A2, ... along the chain, the links link_0, link_1, ..., the tip flange
(docs/conventions.md). Nothing is written: who reads `robot.model` gets the text.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hil.common.arm_files import ArmFile
from hil.common.errors import AssemblyError
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import SHIPPED, load_database
from sim.assembly.manipulator import manipulator_of
from sim.assembly.stamp import stamp_of
from sim.exports.urdf import urdf_text

Times = tuple[tuple[str, int, int], ...]  # of files: path, when changed, size


def assembled_arm(path: Path) -> ArmFile:
    """Return the arm in an assembly's file, made of the shipped components.

    Raises:
        OSError: the file cannot be read.
        AssemblyError: it, or a component, is refused.
    """
    files = [path, *sorted(SHIPPED.rglob("*.toml"))]
    stats = [(str(file), file.stat()) for file in files]
    return _made(path, tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats))


@lru_cache(maxsize=4)
def _made(path: Path, times: Times) -> ArmFile:
    """Make an arm once for each state of the files that it is made of."""
    chain = load_assembly(path, load_database(SHIPPED))
    manipulator = manipulator_of(chain)
    named = [replace(axis, name=f"A{i}") for i, axis in enumerate(manipulator.axes, 1)]
    try:
        urdf = urdf_text(replace(manipulator, axes=tuple(named)), chain)
    except AssemblyError as error:
        raise AssemblyError(f"{path}: {error}") from None
    return ArmFile(urdf.encode(), stamp_of(chain).encode(), made=True)
