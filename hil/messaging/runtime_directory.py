"""The folder of a run's sockets: where it is, and whether sockets can lie there.

Whoever can write there can speak as a process of the run. So a folder that is there already must be ours.
"""

import os
import tempfile
from pathlib import Path

from hil.common.base_directory import base_directory
from hil.common.errors import ConfigurationError, LinkError, OutputError
from hil.common.output_file import may_fill
from hil.messaging.topics import TOPICS

LONGEST_PATH = 107  # bytes of a socket's path, by the kernel (unix(7))
REQUEST_SOCKET = "request"
EVERY = "every"  # ending of the second socket of a topic of which readers otherwise get the newest only
LONGEST_NAME = max(len(name) for topic in TOPICS for name in (f"{topic}.{EVERY}", REQUEST_SOCKET))
REMEDY = "give run.runtime_directory a folder of yours"


def runtime_directory(configured: str) -> Path:
    """Return the folder of the sockets: configured, the service's own, or one private to the user.

    Raises:
        ConfigurationError: none is named, and there is no folder for temporary files.
    """
    if configured:
        return Path(configured)
    service = os.environ.get("RUNTIME_DIRECTORY")  # set by systemd
    if service:
        return Path(service.split(":")[0])
    try:
        base = base_directory(os.environ, "XDG_RUNTIME_DIR") or Path(tempfile.gettempdir())
    except OSError as error:
        raise ConfigurationError(
            f"run.runtime_directory: {error.strerror}: name a folder that can be"
        ) from error
    return base / f"zerog-{os.getuid()}"


def may_hold_sockets(directory: Path) -> None:
    """Return if a run's sockets can lie in a folder, which need not be there yet.

    Raises:
        LinkError: their paths would be too long, or the folder cannot be made, written, or trusted.
    """
    _short_enough(directory)
    there = directory.is_dir()
    try:
        may_fill(directory)
    except OutputError as error:
        why = str(error).partition(" cannot be written: ")[2].partition(";")[0]
        raise _refused(directory, why) from error
    if there:
        _owned(directory)


def own_directory(directory: Path) -> None:
    """Make the folder for a run of ours, with mode 0700.

    Raises:
        LinkError: it cannot hold sockets of ours alone.
    """
    make_directory(directory)
    _owned(directory)


def make_directory(directory: Path) -> None:
    """Make the folder if it is not there; who only asks a daemon may do so in the folder of another user.

    Raises:
        LinkError: it cannot hold sockets.
    """
    _short_enough(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise _refused(directory, str(error.strerror)) from error
    if not os.access(directory, os.W_OK | os.X_OK):
        raise _refused(directory, "it cannot be written")


def _short_enough(directory: Path) -> None:
    room = LONGEST_PATH - LONGEST_NAME - 1
    length = len(os.fsencode(directory))
    if length > room:
        raise LinkError(
            f"run.runtime_directory {directory} is {length} bytes long, and sockets' paths allow {room}: "
            f"{REMEDY} with a shorter path"
        )


def _owned(directory: Path) -> None:
    status = directory.stat()
    if status.st_uid not in (os.geteuid(), 0):
        raise _refused(directory, f"it belongs to user {status.st_uid}, who could speak for the run")
    if status.st_mode & 0o002:
        raise _refused(directory, "everybody can write there, and could speak for the run")


def _refused(directory: Path, why: str) -> LinkError:
    return LinkError(f"run.runtime_directory {directory} cannot be used: {why}: {REMEDY}")
