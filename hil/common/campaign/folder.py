"""The folder of a campaign: kept to one process, found under a free name, its files written whole."""

import fcntl
import os
from itertools import count
from pathlib import Path

LOCK = ".lock"


def lock_folder(folder: Path, name: str = LOCK) -> int:
    """Keep a folder to this process and return the descriptor of its lock; the kernel frees it at the end.

    Args:
        folder: that is kept.
        name: of the lock's file: who shares a folder with others keeps it from those of the same name.

    Raises:
        BlockingIOError: another process keeps it.
        OSError: its lock cannot be opened.
    """
    descriptor = os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def usual_folder(parent: str, name: str) -> Path:
    """Return the first folder of that name with a number that is not there yet."""
    return next(path for path in (Path(f"{parent}/{name}-{n}") for n in count(1)) if not path.exists())


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and put it there: it is the old one or the new one, never half of it.

    Raises:
        OSError: it cannot be written.
    """
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
