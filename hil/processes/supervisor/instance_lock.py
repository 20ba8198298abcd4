"""One daemon in one run-time directory."""

import fcntl
import os
from pathlib import Path

from hil.common.errors import LinkError


class InstanceLock:
    """Held while a daemon runs; the kernel frees it however the daemon ends."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
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
