"""What is read has an end: devices are refused by every reader, files, pipes and the empty device are not."""

import os
import resource
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hil.common.arm_files import read_arm
from hil.common.csv_rows import csv_rows
from hil.common.errors import ZeroGError
from hil.common.formats import text
from hil.common.formats.mcap_chunks import McapChunks
from hil.common.input_file import content_of, refuse_device
from hil.configuration import loading
from hil.recording.reading import summary_of
from sim.assembly.interchange.timor_in import components_of_timor
from sim.assembly.interchange.urdf_in import components_of_urdf
from sim.complementarity.problem_file import read_problem

ENDLESS = Path("/dev/zero")
READERS: dict[str, Callable[[Path], Any]] = {
    "wrench": text.text_of,
    "rows": lambda path: csv_rows(path, "t_s"),
    "configuration": loading.text_of,
    "timor": components_of_timor,
    "urdf": components_of_urdf,
    "problem": read_problem,
}


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """A reader without end shall run into a wall, and not take the machine with it."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (256 << 20), hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize("reader", READERS)
def test_a_device_without_end_is_refused_by_every_reader(reader: str) -> None:
    """One line with its name, nothing read."""
    with pytest.raises(ZeroGError, match=r"^/dev/zero: cannot be read: it is a device") as refusal:
        READERS[reader](ENDLESS)
    assert "Errno" not in str(refusal.value)


def test_an_arm_is_no_device() -> None:
    """Its caller names the key."""
    with pytest.raises(OSError, match="it is a device"):
        read_arm(ENDLESS)


def test_pipes_files_and_the_empty_device_are_read(tmp_path: Path) -> None:
    """As a shell hands them over; what is not there is said by the system."""
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_bytes(b"abc")
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"through"))
    writer.start()
    assert content_of(pipe) == b"through"
    writer.join()
    assert content_of(file) == b"abc" and content_of(Path(os.devnull)) == b""
    with pytest.raises(FileNotFoundError):
        refuse_device(tmp_path / "none")


def test_a_recording_is_no_pipe_and_no_device(tmp_path: Path) -> None:
    """It is read here and there; a pipe that nobody fills would be waited for without end."""
    pipe = tmp_path / "run.mcap"
    os.mkfifo(pipe)
    for path in (pipe, ENDLESS):
        with pytest.raises(ZeroGError, match=f"^{path} cannot be read: it is a device or a pipe"):
            summary_of(path)
        with pytest.raises(ZeroGError, match=f"^{path} cannot be read: it is a device or a pipe"):
            McapChunks(path)
