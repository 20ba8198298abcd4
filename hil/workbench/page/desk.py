"""The desk: the arm that is being assembled, its file and its draft, and what pages ask of it."""

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from hil.common.errors import AssemblyError, ZeroGError
from hil.workbench.draft import Drafts, write_whole
from hil.workbench.editor import Editor, Step, empty_editor, misfits
from hil.workbench.edits import Refusal, edit_of, spot_of
from hil.workbench.page.arm_file import ArmFile, content_of
from hil.workbench.page.data_rows import mass_of
from hil.workbench.page.preview import structure
from sim.assembly.assembly_file import assembly_text, load_assembly, read_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import Database
from sim.assembly.manipulator import Manipulator, manipulator_of

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.toml")


class Desk:
    """What all pages of a workbench share."""

    def __init__(self, database: Database, drafts: Drafts, folder: Path, path: Path | None) -> None:
        """Begin with a file, or with nothing.

        Args:
            database: of components.
            drafts: where the draft is kept.
            folder: where files are saved.
            path: a file to begin with; None: none.

        Raises:
            AssemblyError: the file cannot be read.
        """
        self.database, self._drafts, self._folder = database, drafts, folder
        self.editor = empty_editor(database)
        self._files = {0: ArmFile(saved=self.text)}  # by the number of the arm, see `Step`
        self.revision = 0
        self.manipulator: Manipulator | None = None
        if path is not None:
            self._folder = path.absolute().parent
            self._set(Editor((Step(load_assembly(path, database), ""),)))
            self._files[0] = ArmFile(path.name, content_of(path), self.text)
        offers, unread = drafts.offers(database)
        self._offers = [offer for offer in offers if assembly_text(offer.chain) != self.text]
        self.notice = " ".join(unread)

    @property
    def chain(self) -> Chain:
        """The assembly that counts."""
        return self.editor.chain

    @property
    def folder(self) -> Path:
        """The folder in which files are saved, and of which a page may read."""
        return self._folder

    @property
    def file(self) -> str:
        """The name of the arm's file; empty: it has none yet."""
        return self._files[self.editor.arm].name

    @property
    def text(self) -> str:
        """The assembly as a file."""
        return assembly_text(self.chain)

    def obey(self, told: dict[str, Any]) -> dict[str, Any]:
        """Do what a page asks for and return what is said to it: `accepted`, `text` and `spot`."""
        try:
            said = self._done(told)
        except Refusal as refusal:
            return {"accepted": False, "text": str(refusal), "spot": refusal.spot}
        except ZeroGError as error:
            return {"accepted": False, "text": str(error), "spot": spot_of(told)}
        return {"accepted": True, "text": said, "spot": ""}

    def state(self) -> dict[str, Any]:
        """Return what pages show."""
        chain = self.chain
        return {
            "revision": self.revision,
            "name": chain.name,
            "gravity": list(chain.gravity),
            "file": self.file,
            "saved": self._saved,
            "undo": self.editor.undone_next,
            "redo": self.editor.redone_next,
            "parts": [
                {"name": part.name, "component": part.component.name, "kind": part.component.kind,
                 "turn": round(math.degrees(part.turn), 9), "mass": mass_of(part.component)}
                for part in chain
            ],
            "mass": sum(mass_of(part.component) for part in chain),
            "misfits": misfits(chain),
            "offer": self._offer_in_words(),
            "notice": self.notice,
            **self._structure(),
        }  # fmt: skip

    def _structure(self) -> dict[str, Any]:
        if self.manipulator is None:
            return {"joints": [], "units": []}
        return structure(self.chain, self.manipulator)

    def look(self, at: Any) -> dict[str, Any]:
        """Return what would fit before the part at a place; None: at the end."""
        place = at if isinstance(at, int) and 0 <= at < len(self.chain) else None
        return {"at": place, "revision": self.revision, "misfits": misfits(self.chain, place)}

    def _done(self, told: dict[str, Any]) -> str:
        deed = told.get("do")
        if deed == "save":
            return self._save(str(told.get("file", "")), overwrite=told.get("overwrite") is True)
        if deed == "dismiss":
            self._answered()
            return "the draft is dismissed"
        editor, file = self._edited(told)
        self._set(editor)
        if file is not None:
            self._files[editor.arm] = file
        self._keep_draft()
        if deed == "resume":
            self._answered()
        return editor.undone_next

    def _answered(self) -> None:
        if self._offers:
            self._drafts.dismiss(self._offers.pop(0))

    def _edited(self, told: dict[str, Any]) -> tuple[Editor, ArmFile | None]:
        """Return the editor after a deed, and the file of an arm that it begins; nothing has changed yet."""
        deed = told.get("do")
        if deed == "undo":
            return self.editor.undo(), None
        if deed == "redo":
            return self.editor.redo(), None
        if deed == "open":
            return self._opened(str(told.get("file", "opened.toml")), str(told.get("text", "")))
        if deed == "resume":
            if not self._offers:
                raise Refusal("there is no draft to go on with", "offer")
            return self.editor.with_arm(self._offers[0].chain, "draft taken up"), ArmFile()
        editor = self.editor.do(edit_of(told))
        anew = editor.arm != self.editor.arm
        return editor, ArmFile(saved=assembly_text(editor.chain)) if anew else None

    def _opened(self, said: str, text: str) -> tuple[Editor, ArmFile]:
        """Return the editor with an arm that a browser has read, and what is known of its file here."""
        name = Path(said).name
        path = self._folder / name
        try:
            content = text.encode()
            chain = read_assembly(text, path, self.database)
        except UnicodeEncodeError:
            raise Refusal(f"{name}: is no text", "file") from None
        except AssemblyError as error:
            raise Refusal(str(error).replace(f"{self._folder}/", ""), "file") from None
        editor = self.editor.with_arm(chain, f"{name} opened")
        if not FILE_NAME.fullmatch(name):
            return editor, ArmFile()
        same = content_of(path) == content
        return editor, ArmFile(name, content, assembly_text(chain)) if same else ArmFile(name)

    def _save(self, name: str, overwrite: bool) -> str:
        file = self._files[self.editor.arm]
        if not (FILE_NAME.fullmatch(name) or (name and name == file.name)):
            raise Refusal(
                f"{name[:80]!r} is no name for the file: letters, digits, - and _, at most 100 of them, and "
                ".toml at its end",
                "file",
            )
        if not self.chain.parts:
            raise Refusal("there is nothing to save: the arm has no parts", "file")
        path, text = self._folder / name, self.text
        if not overwrite:
            file.may_replace(path, text)
        try:
            write_whole(path, text)
        except OSError as error:
            raise Refusal(f"{path}: cannot be written: {error.strerror}", "file") from error
        self._files[self.editor.arm] = ArmFile(name, text.encode(), text)
        self._drafts.done()
        return f"saved as {path}"

    @property
    def _saved(self) -> bool:
        return self.text == self._files[self.editor.arm].saved

    def _set(self, editor: Editor) -> None:
        """Let another editor count; an arm that is no mechanism is refused before anything changes."""
        manipulator = manipulator_of(editor.chain) if editor.chain.parts else None
        self.editor, self.manipulator = editor, manipulator
        self.revision += 1

    def _keep_draft(self) -> None:
        if self._saved:
            self._drafts.done()
        else:
            self._drafts.keep(self._anchored(self.chain))

    def _anchored(self, chain: Chain) -> Chain:
        """Return the assembly with the files that it names as absolute ones: a draft lies elsewhere."""
        sources = [
            source.model_copy(update={"file": str(self._folder / source.file)}) for source in chain.sources
        ]
        return replace(chain, sources=tuple(sources))

    def _offer_in_words(self) -> str:
        if not self._offers:
            return ""
        offer, more = self._offers[0], len(self._offers) - 1
        parts = len(offer.chain)
        words = f"{offer.chain.name}, {parts} part{'s' if parts > 1 else ''}, of {offer.left_at}"
        return f"{words}; {more} more behind it" if more else words
