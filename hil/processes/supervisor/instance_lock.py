"""One daemon in one run-time directory."""

import fcntl
import os
from pathlib import Path

from hil.common.errors import LinkError
from hil.messaging.runtime_directory import REMEDY, own_directory


class InstanceLock:
    """Held while a daemon runs; the kernel frees it however the daemon ends."""

    def __init__(self, directory: Path) -> None:
        own_directory(directory)
        try:
            self._descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise LinkError(f"{directory / 'lock'} cannot be written: {error.strerror}: {REMEDY}") from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._descriptor)
            raise LinkError(
                f"another zerog run (process {owner}) uses {directory}: stop it first, or give "
                "run.runtime_directory another folder"
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let another daemon start."""
        os.close(self._descriptor)
