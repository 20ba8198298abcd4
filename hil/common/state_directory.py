"""Where lies what outlives a run."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def state_directory(configured: str, environment: Mapping[str, str]) -> Path:
    """Return the folder of what outlives a run: configured, the service's own, or the user's."""
    if configured:
        return Path(configured)
    service = environment.get("STATE_DIRECTORY")  # set by systemd
    if service:
        return Path(service.split(":")[0])
    base = environment.get("XDG_STATE_HOME") or (
        str(Path(environment["HOME"]) / ".local" / "state") if environment.get("HOME") else ""
    )
    return Path(base) / "zerog" if base else Path(tempfile.gettempdir()) / f"zerog-state-{os.getuid()}"
