"""The folders that an account's environment names, as the XDG specification has them."""

from collections.abc import Mapping
from pathlib import Path


def base_directory(environment: Mapping[str, str], name: str) -> Path | None:
    """Return the folder that a variable names; None if there is none, or it is not absolute.

    Relative ones are ignored, as the specification says: they would be others in every working folder, and
    a run's clients would look for its sockets where they are not.
    """
    told = Path(environment.get(name, ""))
    return told if told.is_absolute() else None
