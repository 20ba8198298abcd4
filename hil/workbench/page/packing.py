"""All models of an arm in one archive, as a browser saves it."""

import io
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sim.assembly.chain import Chain
from sim.assembly.manipulator import manipulator_of
from sim.exports.exporting import FORMATS, export

WORDS = {
    "urdf": "for ROS, pinocchio and most other tools, with its meshes",
    "mjcf": "for MuJoCo, with actuators and sensors",
    "modelica": "component classes and their connections, with animation",
    "ik": "parameters of the inverse kinematics",
    "gltf": "for viewers, joints animated",
    "x3d": "for viewers, one group a link unit",
    "fmu": "co-simulation unit, FMI 2.0",
    "standalone": "a simulator that runs without the workbench; large",
}
LARGE = ("standalone",)  # only where it is asked for


def formats() -> list[dict[str, Any]]:
    """Return the formats for the page: name, words, and whether they are usual."""
    return [{"name": name, "text": WORDS.get(name, ""), "usual": name not in LARGE} for name in FORMATS]


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
