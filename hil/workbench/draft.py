"""The draft: what is being assembled, kept after each deed and offered again at the next start.

The files lie in the state directory and are ordinary assemblies. `workbench-draft.toml` is what is being
made now. What an earlier workbench left there becomes an offer, `workbench-offer.toml`, or `-2` and so on
beside others: nothing is ever written over an arm whose owner has not said yet whether it is wanted. One
workbench at a time has the folder.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from hil.common.campaign.folder import lock_folder
from hil.common.errors import AssemblyError, WorkbenchError
from sim.assembly.assembly_file import assembly_text, load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import Database

DRAFT, OFFER, LOCK = "workbench-draft.toml", "workbench-offer", "workbench.lock"
ELSEWHERE = "set XDG_STATE_HOME to a folder of yours"


@dataclass(frozen=True)
class Offer:
    """An arm that an earlier workbench left: its file, and when that was, as a person says it."""

    path: Path
    chain: Chain
    left_at: str


class Drafts:
    """The files in a folder."""

    def __init__(self, folder: Path) -> None:
        """Turn the last workbench's draft into an offer.

        Raises:
            WorkbenchError: the folder cannot be written, or another workbench is at work in it.
        """
        self._folder, self.draft = folder, folder / DRAFT
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = lock_folder(folder, LOCK)
            if self.draft.exists():
                os.replace(self.draft, next(path for path in self._names() if not path.exists()))
        except BlockingIOError:
            raise WorkbenchError(
                f"{folder}: another workbench is at work and keeps its draft there: use its page, end it, or "
                "set XDG_STATE_HOME to another folder"
            ) from None
        except OSError as error:
            raise WorkbenchError(
                f"{folder}: cannot be written ({error.strerror}): drafts are kept there; {ELSEWHERE}"
            ) from error

    def offers(self, database: Database) -> tuple[list[Offer], list[str]]:
        """Return what earlier workbenches left, the newest first, and a sentence for each unreadable one."""
        found: list[Offer] = []
        unread: list[str] = []
        paths = [path for path in self._folder.glob(f"{OFFER}*.toml") if path.exists()]
        for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True):
            left_at = f"{datetime.fromtimestamp(path.stat().st_mtime):%d.%m. %H:%M}"
            try:
                found.append(Offer(path, load_assembly(path, database), left_at))
            except AssemblyError as error:
                unread.append(f"A draft cannot be read, it stays where it is: {error}")
        return found, unread

    def dismiss(self, offer: Offer) -> None:
        """Forget what was offered."""
        with suppress(OSError):
            offer.path.unlink()

    def keep(self, chain: Chain) -> None:
        """Write the draft, all of it or nothing; without parts there is none.

        Raises:
            WorkbenchError: it cannot be written.
        """
        try:
            if not chain.parts:
                self.draft.unlink(missing_ok=True)
                return
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # somebody may have cleaned up
            write_whole(self.draft, assembly_text(chain))
        except OSError as error:
            raise WorkbenchError(
                f"{self.draft}: the draft cannot be kept ({error.strerror}): save the arm elsewhere"
            ) from error

    def done(self) -> None:
        """Forget the draft: it is saved."""
        with suppress(OSError):
            self.draft.unlink()

    def release(self) -> None:
        """Let another workbench have the folder."""
        os.close(self._lock)

    def _names(self) -> "map[Path]":
        numbers = ("" if n == 1 else f"-{n}" for n in count(1))
        return map(lambda number: self._folder / f"{OFFER}{number}.toml", numbers)


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
