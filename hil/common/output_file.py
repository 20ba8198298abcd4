"""What a command is told to write: a place that cannot be written is refused before the work."""

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from hil.common.errors import OutputError

LEAST_FREE = 1 << 16  # bytes: less is a full disk


def real(path: Path) -> Path:
    """Return a path without links; one whose links go round stays, and the system refuses it by name."""
    return Path(os.path.realpath(path))


def may_write(path: Path | None) -> None:
    """Return if a file can be written there, as far as that can be known before; None: none is asked for.

    What is there keeps its contents; what is not is made for a moment, which alone tells everything: rights,
    read-only file systems, names that are too long, full disks, quotas.

    Raises:
        OutputError: its folder is missing, it is a folder itself, or the system does not allow it.
    """
    if path is None:
        return
    try:
        if path.is_dir():
            raise OutputError(f"{path} cannot be written: it is a folder; name a file")
        place = real(path)
        if not place.parent.is_dir():
            lacking = place.parent if path.is_symlink() else path.parent
            raise OutputError(f"{path} cannot be written: there is no folder {lacking}")
        _tried(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}; give another place") from error


def may_fill(folder: Path | None) -> None:
    """Return if a folder is there and can be written to, or can be made; None: none is asked for.

    Raises:
        OutputError: neither is so.
    """
    if folder is None:
        return
    try:
        if os.path.lexists(folder) and not folder.is_dir():
            raise OutputError(f"{folder} cannot be written: it is no folder; name another one")
        made = _made(real(folder))
        try:
            _free(folder)
        finally:
            for new in reversed(made):
                with contextlib.suppress(OSError):  # another process has begun to use it
                    new.rmdir()
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}; give another place") from error


def write_output(path: Path, content: str | bytes) -> None:
    """Write a file.

    Raises:
        OutputError: it cannot be written.
    """
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def _tried(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        _tried_there(path)
        return
    os.close(descriptor)
    path.unlink()
    _free(real(path).parent)


def _tried_there(path: Path) -> None:
    kind = path.stat().st_mode
    if stat.S_ISFIFO(kind):
        return  # opened, it would wait for its reader
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    try:
        if stat.S_ISREG(kind) and os.access(real(path).parent, os.W_OK):
            _free(real(path).parent)
        elif stat.S_ISCHR(kind):
            os.write(descriptor, b"")  # to a device that is full not even this can be written
    finally:
        os.close(descriptor)


def _free(folder: Path) -> None:
    """Make sure that a disk is not full, by a file that is gone at once.

    Raises:
        OSError: it is full, or a quota is, or the folder takes no file.
    """
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        if file.write(bytes(LEAST_FREE)) < LEAST_FREE:
            file.write(b" ")  # what the system did not take it says now


def _made(folder: Path) -> list[Path]:
    """Make a folder and those above it that are missing; return the new ones, from above."""
    lacking = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    folder.mkdir(parents=True, exist_ok=True)
    return lacking[::-1]
