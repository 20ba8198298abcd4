"""The export of a manipulator to files: which formats there are, and the writing."""

from collections.abc import Callable, Iterable
from pathlib import Path

from hil.common.errors import AssemblyError
from sim.assembly.chain import Chain
from sim.assembly.manipulator import Manipulator
from sim.drives.drive import DriveParameters
from sim.drives.of_assembly import drives_of
from sim.exports.fmu import fmu_bytes
from sim.exports.gltf import swinging_glb
from sim.exports.ik import ik_text
from sim.exports.mjcf import mjcf_text
from sim.exports.modelica import modelica_text
from sim.exports.standalone import standalone_files
from sim.exports.urdf import urdf_text
from sim.exports.x3d import x3d_text

PROGRAM = b"\x7fELF"
Files = dict[str, bytes]  # what is in files, by their names below the folder


def _text(ending: str, write: Callable[[Manipulator, Chain], str]) -> Callable[[Manipulator, Chain], Files]:
    return lambda manipulator, chain: {f"{manipulator.name}{ending}": write(manipulator, chain).encode()}


def _driven_text(
    ending: str, write: Callable[[Manipulator, tuple[DriveParameters, ...]], str]
) -> Callable[[Manipulator, Chain], Files]:
    return lambda manipulator, chain: {
        f"{manipulator.name}{ending}": write(manipulator, drives_of(manipulator, chain.database)).encode()
    }


FORMATS: dict[str, Callable[[Manipulator, Chain], Files]] = {
    "urdf": _text(".urdf", urdf_text),
    "mjcf": _text(".xml", mjcf_text),
    "ik": _text(".ik.toml", lambda manipulator, _: ik_text(manipulator)),
    "gltf": lambda manipulator, _: {f"{manipulator.name}.glb": swinging_glb(manipulator)},
    "x3d": _text(".x3d", x3d_text),
    "modelica": _driven_text(".mo", modelica_text),
    "fmu": lambda manipulator, chain: {
        f"{manipulator.name}.fmu": fmu_bytes(manipulator, drives_of(manipulator, chain.database))
    },
    "standalone": lambda manipulator, chain: standalone_files(
        manipulator, drives_of(manipulator, chain.database)
    ),
}


def export(
    manipulator: Manipulator,
    chain: Chain,
    folder: Path,
    formats: Iterable[str] | None = None,
    replace: bool = False,
) -> list[Path]:
    """Write a manipulator in some formats and return the files.

    Nothing is written unless everything can be.

    Args:
        manipulator: by `manipulator_of(chain)`.
        chain: the assembly.
        folder: is made if it is not there.
        formats: names out of `FORMATS`; None: all.
        replace: files that are there already are overwritten.

    Raises:
        AssemblyError: there is no such format, a file is there already, or cannot be written, or the format
            cannot say what the manipulator is.
    """
    wanted = list(dict.fromkeys(FORMATS if formats is None else formats))
    unknown = [name for name in wanted if name not in FORMATS]
    if unknown:
        raise AssemblyError(
            f"there is no format {', '.join(map(repr, unknown))}; there are {', '.join(FORMATS)}"
        )
    names = [axis.name for axis in manipulator.axes]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise AssemblyError(
            f"{manipulator.name}: two joints are named {twice[0]!r}; rename one of their parts"
        )
    files: Files = {}
    for name in wanted:
        files |= FORMATS[name](manipulator, chain)
    paths = [folder / name for name in files]
    there = [path for path in paths if path.exists()]
    if there and not replace:
        raise AssemblyError(f"{there[0]}: is there already; export to another folder, or ask for replacing")
    try:
        for path, content in zip(paths, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            if content.startswith(PROGRAM):
                path.chmod(0o755)
    except OSError as error:
        raise AssemblyError(f"{folder}: cannot be written: {error}") from error
    return paths
