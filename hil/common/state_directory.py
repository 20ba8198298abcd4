"""Where lies what outlives a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hil.common.base_directory import base_directory
from hil.common.private_folder import is_writable, private_folder


@dataclass(frozen=True)
class StateDirectory:
    """A folder of what outlives a run.

    Attributes:
        path: of the folder.
        forgets: why what is kept there may be lost by the next run; empty if it lasts.
        stands_in: it stands in for the user's own folder, which cannot be used.
    """

    path: Path
    forgets: str = ""
    stands_in: bool = False


def state_directory(configured: str, environment: Mapping[str, str]) -> StateDirectory:
    """Return the folder of what outlives a run, made if it can be: configured, the service's, or the user's.

    Where the user has none, or none that can be written, a private one among the temporary files stands in.

    Raises:
        ConfigurationError: there is none for temporary files either.
    """
    service = environment.get("STATE_DIRECTORY", "").split(":")[0]  # set by systemd
    if configured or service:
        path = Path(configured or service)
        key = "run.state_directory" if configured else "STATE_DIRECTORY"
        return StateDirectory(path, "" if is_writable(path) else f"{key} {path} cannot be written")
    base = _base(environment)
    if base is not None and is_writable(base / "zerog"):
        return StateDirectory(base / "zerog")
    own = "this account has no home" if base is None else f"{base / 'zerog'} cannot be written"
    path = private_folder("state")[0]
    why = f"{own}: state is kept in {path}, which does not outlive the machine's or container's next start"
    return StateDirectory(path, why, stands_in=True)


def _base(environment: Mapping[str, str]) -> Path | None:
    if told := base_directory(environment, "XDG_STATE_HOME"):
        return told
    home = base_directory(environment, "HOME")
    return None if home is None else home / ".local" / "state"
