"""A file that a command is told to write: what cannot be one is refused before the work, not behind it."""

from pathlib import Path

from hil.common.errors import OutputError


def may_write(path: Path | None) -> None:
    """Return if a file can be written there, as far as that can be known before; None: none is asked for.

    Raises:
        OutputError: its folder is missing, or it is a folder itself.
    """
    if path is None:
        return
    if path.is_dir():
        raise OutputError(f"{path} cannot be written: it is a folder; name a file")
    if not path.resolve().parent.is_dir():
        raise OutputError(f"{path} cannot be written: there is no folder {path.parent}")


def write_output(path: Path, content: str | bytes) -> None:
    """Write a file.

    Raises:
        OutputError: it cannot be written.
    """
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
