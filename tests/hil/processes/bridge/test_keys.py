"""Keys of the link: modes, no overwriting, and one clear line for each thing wrong with a file."""

import stat
from pathlib import Path

import pytest
import zmq

from hil.commands.cli import main
from hil.common.errors import KeyFileError
from hil.processes.bridge.keys import load_keys, make_keys


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_zerog_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Folder 0700, secret files 0600; it says what goes where, and refuses to overwrite."""
    folder = tmp_path / "keys"
    assert main(["keys", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "host with --only driver needs: robot.key_secret, compute.key" in said
    assert "host with --only sim,planner needs: compute.key_secret, robot.key" in said
    assert mode(folder) == 0o700
    secrets = [folder / "robot.key_secret", folder / "compute.key_secret"]
    assert [mode(file) for file in secrets] == [0o600, 0o600]
    before = [file.read_bytes() for file in secrets]
    assert main(["keys", str(folder)]) == 2
    error = capsys.readouterr().err
    assert "is not overwritten" in error and len(error.splitlines()) == 1
    assert [file.read_bytes() for file in secrets] == before


def test_each_site_knows_itself_and_the_other(tmp_path: Path) -> None:
    """The public keys belong to the secret ones, and each site's other key is the other's own."""
    folder = tmp_path / "keys"
    make_keys(folder)
    robot, compute = load_keys(folder, "robot"), load_keys(folder, "compute")
    assert zmq.curve_public(robot.secret) == robot.public == compute.other_public
    assert zmq.curve_public(compute.secret) == compute.public == robot.other_public
    assert robot.secret != compute.secret


def remove(folder: Path) -> None:
    (folder / "robot.key_secret").unlink()


def remove_other(folder: Path) -> None:
    (folder / "compute.key").unlink()


def make_folder_of_it(folder: Path) -> None:
    (folder / "robot.key_secret").unlink()
    (folder / "robot.key_secret").mkdir()


def open_to_the_group(folder: Path) -> None:
    (folder / "robot.key_secret").chmod(0o640)


def empty(folder: Path) -> None:
    (folder / "robot.key_secret").write_text("")


def cut(folder: Path) -> None:
    file = folder / "robot.key_secret"
    file.write_text(file.read_text()[:-8])


def garbage(folder: Path) -> None:
    (folder / "compute.key").write_bytes(bytes(range(256)) * 64)


FAULTS = [
    (remove, "robot.key_secret: this key file is missing"),
    (remove_other, "compute.key: this key file is missing"),
    (make_folder_of_it, "robot.key_secret: this key file cannot be read: Is a directory"),
    (open_to_the_group, "must not be open to others (mode 640): chmod 600"),
    (empty, "robot.key_secret: is no key file: secret-key"),
    (cut, "robot.key_secret: is no key file: secret-key"),
    (garbage, "compute.key: is no key file: public-key"),
]


@pytest.mark.parametrize(("spoil", "words"), FAULTS, ids=lambda v: getattr(v, "__name__", ""))
def test_each_fault_of_a_file_is_one_line(tmp_path: Path, spoil, words: str) -> None:
    """File, what is wrong, remedy."""
    folder = tmp_path / "keys"
    make_keys(folder)
    spoil(folder)
    with pytest.raises(KeyFileError) as told:
        load_keys(folder, "robot")
    assert words in str(told.value) and str(folder) in str(told.value)
    assert len(str(told.value).splitlines()) == 1


def test_an_open_folder_is_refused(tmp_path: Path) -> None:
    """Keys are not written where others may read."""
    tmp_path.chmod(0o755)
    with pytest.raises(KeyFileError, match="is open to others"):
        make_keys(tmp_path)
    assert list(tmp_path.iterdir()) == []
