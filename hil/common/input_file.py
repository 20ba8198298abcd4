"""What a command is told to read: a file or a pipe; a device may have no end, and would fill the memory."""

import errno
import os
import stat
from pathlib import Path

NO_FILE = "it is a device or a pipe; name a file"
DEVICE = "it is a device, which may have no end; name a file"


def refuse_device(path: Path) -> None:
    """Return if a path can be read to its end, as far as its kind tells.

    Raises:
        OSError: it is a device, or cannot be looked at; `strerror` says which.
    """
    kind = path.stat().st_mode
    if (stat.S_ISCHR(kind) or stat.S_ISBLK(kind)) and not _is_null(path):
        raise OSError(errno.ENODEV, DEVICE, os.fspath(path))


def refuse_unmapped(path: Path) -> None:
    """Return if a path may be read here and there, and not from its beginning on only.

    Raises:
        OSError: it is a device or a pipe, or cannot be looked at; `strerror` says which.
    """
    kind = path.stat().st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise OSError(errno.ENODEV, NO_FILE, os.fspath(path))


def content_of(path: Path) -> bytes:
    """Return the bytes of a file or pipe.

    Raises:
        OSError: it cannot be read, or is a device.
    """
    refuse_device(path)
    return path.read_bytes()


def _is_null(path: Path) -> bool:
    """Return whether it is the device that is empty."""
    return os.path.samefile(path, os.devnull)
