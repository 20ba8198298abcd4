"""All models of an arm in one archive, as a browser saves it."""

import io
import tempfile
import zipfile
from collections.abc import Iterable
from multiprocessing.connection import Connection
from pathlib import Path

from hil.common.errors import ZeroGError
from sim.assembly.chain import Chain
from sim.assembly.manipulator import manipulator_of
from sim.exports.exporting import export


def packed(chain: Chain, text: str, formats: Iterable[str]) -> bytes:
    """Return a zip archive with an assembly's file and its models.

    Args:
        chain: the assembly.
        text: its file.
        formats: those that are wanted.

    Raises:
        AssemblyError: there is no such format, or one that cannot say what the arm is.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        export(manipulator_of(chain), chain, folder, formats)
        (folder / f"{chain.name}.toml").write_text(text, encoding="utf-8")
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as pack:
            for file in sorted(path for path in folder.rglob("*") if path.is_file()):
                pack.write(file, f"{chain.name}/{file.relative_to(folder)}")
    return archive.getvalue()


def pack(line: Connection, chain: Chain, text: str, formats: Iterable[str]) -> None:
    """Answer with an archive, as `hil.workbench.page.worker` says."""
    try:
        line.send((True, packed(chain, text, formats)))
    except ZeroGError as error:
        line.send((False, str(error)))
