"""The writing of exports: what is there stays, what is unknown is named, and nothing is half done."""

from pathlib import Path

import pytest

from hil.common.errors import AssemblyError
from sim.assembly.chain import Chain
from sim.assembly.manipulator import manipulator_of
from sim.exports.exporting import FORMATS, export
from tests.sim.exports.arms import drawn_arm


@pytest.fixture(scope="module")
def chain() -> Chain:
    """A small arm."""
    return drawn_arm(1)


def test_files_are_written_once(chain: Chain, tmp_path: Path) -> None:
    """Each format gives its file; a second time they are not overwritten unless it is asked for."""
    made, folder = manipulator_of(chain), tmp_path / "new" / "folder"
    paths = export(made, chain, folder, ["urdf", "mjcf", "urdf"])
    assert [path.name for path in paths] == ["arm-1.urdf", "arm-1.xml"]
    before = paths[0].read_bytes()
    paths[0].write_bytes(b"mine")
    with pytest.raises(AssemblyError, match=r"arm-1\.urdf: is there already"):
        export(made, chain, folder, ["urdf"])
    assert paths[0].read_bytes() == b"mine"
    export(made, chain, folder, ["urdf"], replace=True)
    assert paths[0].read_bytes() == before


def test_an_unknown_format_is_refused_by_name(chain: Chain, tmp_path: Path) -> None:
    """With the names that there are; nothing is written, of the known ones neither."""
    with pytest.raises(AssemblyError, match="no format 'vrml'; there are urdf, mjcf") as caught:
        export(manipulator_of(chain), chain, tmp_path, ["urdf", "vrml"])
    assert all(name in str(caught.value) for name in FORMATS)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_is_told(chain: Chain, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(AssemblyError, match="cannot be written"):
        export(manipulator_of(chain), chain, tmp_path / "file", ["urdf"])


def test_joints_of_one_name_are_refused(chain: Chain, tmp_path: Path) -> None:
    """No format could tell them apart."""
    made = manipulator_of(chain)
    twice = type(made)(made.name, made.chain, (*made.axes, *made.axes), made.units, made.gravity)
    with pytest.raises(AssemblyError, match="two joints are named 'A1'"):
        export(twice, chain, tmp_path, ["urdf"])
