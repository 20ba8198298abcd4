"""The file of an arm: what we know of it, so that nothing that others have written there is lost."""

from dataclasses import dataclass
from pathlib import Path

from hil.workbench.edits import Refusal


@dataclass(frozen=True)
class ArmFile:
    """What is known of an arm's file.

    Attributes:
        name: in the folder of the workbench; empty: it has none yet.
        content: to the letter, as it was read or written last; None: what lies there we have never seen.
        saved: the assembly that the content is, as we would write it; None: none.
    """

    name: str = ""
    content: bytes | None = None
    saved: str | None = None

    def may_replace(self, path: Path, text: str) -> None:
        """Return if a file may be written without asking: nothing is lost by it.

        Raises:
            Refusal: something lies there that we have not read or written.
        """
        there = content_of(path)
        if there is None or there == text.encode():
            return
        if path.name != self.name:
            where = f"{path.name} is there already in {path.parent}"
            raise Refusal(f"{where}: save again to replace it", "overwrite")
        if there != self.content:
            raise Refusal(
                f"{path.name} has been changed since it was read or saved here: save again to replace that, "
                "or give another name",
                "overwrite",
            )


def content_of(path: Path) -> bytes | None:
    """Return what lies in a file; None: there is none.

    Raises:
        Refusal: it cannot be known.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refusal(f"{path}: cannot be written: {error.strerror}", "file") from error
