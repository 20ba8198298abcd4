"""The draft: what is being assembled, kept after each deed and offered again at the next start.

Two files in the state directory, both ordinary assemblies. `workbench-draft.toml` is what is being made now.
What an earlier workbench left there becomes `workbench-offer.toml`, so that nothing new is written over it
before its owner has said whether it is wanted.
"""

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from hil.common.errors import WorkbenchError
from sim.assembly.assembly_file import assembly_text, load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import Database

DRAFT, OFFER = "workbench-draft.toml", "workbench-offer.toml"


class Drafts:
    """The two files in a folder."""

    def __init__(self, folder: Path) -> None:
        """Turn the last workbench's draft into an offer.

        Raises:
            WorkbenchError: the folder cannot be written.
        """
        self.draft, self.offer = folder / DRAFT, folder / OFFER
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self.draft.exists():
                os.replace(self.draft, self.offer)
        except OSError as error:
            raise WorkbenchError(
                f"{folder}: cannot be written ({error.strerror}): drafts are kept there; set XDG_STATE_HOME "
                "to a folder of yours"
            ) from error

    def offered(self, database: Database) -> Chain | None:
        """Return what an earlier workbench left; None: nothing.

        Raises:
            AssemblyError: it cannot be read, for example because a component is no more.
        """
        return load_assembly(self.offer, database) if self.offer.exists() else None

    def offered_at(self) -> str:
        """Return when it was left, as a person says it."""
        return f"{datetime.fromtimestamp(self.offer.stat().st_mtime):%d.%m. %H:%M}"

    def dismiss(self) -> None:
        """Forget what was offered."""
        with suppress(OSError):
            self.offer.unlink()

    def keep(self, chain: Chain) -> None:
        """Write the draft, all of it or nothing; without parts there is none.

        Raises:
            WorkbenchError: it cannot be written.
        """
        try:
            if not chain.parts:
                self.draft.unlink(missing_ok=True)
                return
            write_whole(self.draft, assembly_text(chain))
        except OSError as error:
            raise WorkbenchError(
                f"{self.draft}: the draft cannot be kept ({error.strerror}): save the arm elsewhere"
            ) from error

    def done(self) -> None:
        """Forget the draft: it is saved."""
        with suppress(OSError):
            self.draft.unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is the old one or the new one at every instant."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
