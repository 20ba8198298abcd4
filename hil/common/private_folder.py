"""A folder for an account that has no home, or none that can be written: its own, below the temporary files.

What is read from there is trusted as our own, compiled code among it. So nobody else may be able to write
there: mode 0700, owned by us, and no link. Where another one already lies under the name, we take a new one.
"""

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path

from hil.common.errors import ConfigurationError

ROOT = 0


def private_folder(purpose: str) -> tuple[Path, bool]:
    """Return a folder of ours alone, and whether the next process of ours will find it again.

    Args:
        purpose: a word of its name.

    Raises:
        ConfigurationError: there is no folder for temporary files.
    """
    try:
        folder = Path(tempfile.gettempdir()) / f"zerog-{purpose}-{os.geteuid()}"
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            if not is_private(folder):
                return _for_now(purpose), False
        return folder, True
    except OSError as error:
        raise ConfigurationError(
            f"no folder for temporary files can be written ({error.strerror}): set TMPDIR to one that can be"
        ) from error


def keep_own_rights() -> None:
    """Take from the umask what shuts our files to ourselves: the next process could not read them."""
    os.umask(os.umask(0o077) & 0o077)


def is_private(folder: Path) -> bool:
    """Return whether a folder is ours, open to us and shut to everybody else."""
    found = folder.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return ours and stat.S_IMODE(found.st_mode) & 0o777 == 0o700


def is_trusted(folder: Path) -> bool:
    """Return whether only we, or root, can have written to a folder that is there.

    A group of the owner's own (the usual one of many systems, of the same number) is nobody else.
    """
    found = folder.stat()
    own_group = found.st_gid == found.st_uid
    others = 0o002 if own_group else 0o022
    return found.st_uid in (os.geteuid(), ROOT) and not found.st_mode & others


def is_writable(folder: Path) -> bool:
    """Return whether a file can be written in a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _for_now(purpose: str) -> Path:
    """Return a new folder that goes when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"zerog-{purpose}-"))
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # not a child that was forked
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder
