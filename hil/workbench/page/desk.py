"""The desk: the arm that is being assembled, its file and its draft, and what pages ask of it."""

import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hil.common.errors import AssemblyError, ZeroGError
from hil.workbench.draft import Drafts, write_whole
from hil.workbench.editor import Editor, Step, empty_editor, misfits
from hil.workbench.edits import Refusal, edit_of, spot_of
from hil.workbench.page.data_rows import mass_of
from hil.workbench.page.preview import structure
from sim.assembly.assembly_file import assembly_text, load_assembly, read_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import Database
from sim.assembly.manipulator import Manipulator, manipulator_of

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.toml")


@dataclass
class OurFile:
    """The file that an arm is of: its name, empty where there is none, and its text as we know it."""

    name: str = ""
    text: str = ""


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
        self._files = [OurFile()]  # of the editor's steps: undo goes back to the file as well
        self._saved = assembly_text(self.editor.chain)
        self.revision = 0
        self.manipulator: Manipulator | None = None
        if path is not None:
            self._folder = path.absolute().parent
            chain = load_assembly(path, database)
            self._set(Editor((Step(chain, ""),)))
            self._files = [OurFile(path.name, path.read_text(encoding="utf-8"))]
            self._saved = assembly_text(chain)
        self.notice, self._offered = "", None
        try:
            self._offered = self._fresh(drafts.offered(database))
        except AssemblyError as error:
            self.notice = f"The last draft cannot be read, it stays where it is: {error}"

    @property
    def chain(self) -> Chain:
        """The assembly that counts."""
        return self.editor.chain

    @property
    def _own(self) -> OurFile:
        return self._files[self.editor.cursor]

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
            "file": self._own.name,
            "saved": self.text == self._saved,
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
            self._drafts.dismiss()
            self._offered = None
            return "the draft is dismissed"
        editor, own = self._edited(told), self._own
        self._set(editor)
        if deed in ("open", "clear"):
            name = str(told.get("file", ""))
            own = OurFile(name if FILE_NAME.fullmatch(name) else "", str(told.get("text", "")))
        if deed not in ("undo", "redo"):
            self._files = [*self._files[: editor.cursor], own]
        if deed == "resume":
            self._offered = None
        self._keep_draft()
        if deed == "resume":
            self._drafts.dismiss()
        return editor.undone_next

    def _edited(self, told: dict[str, Any]) -> Editor:
        """Return the editor after a deed; nothing of ours has changed then."""
        deed = told.get("do")
        if deed == "undo":
            return self.editor.undo()
        if deed == "redo":
            return self.editor.redo()
        if deed == "open":
            name = Path(str(told.get("file", "opened.toml"))).name
            try:
                chain = read_assembly(str(told.get("text", "")), self._folder / name, self.database)
            except AssemblyError as error:
                raise Refusal(str(error).replace(f"{self._folder}/", ""), "file") from None
            return self.editor.with_chain(chain, f"{name} opened")
        if deed == "resume":
            if self._offered is None:
                raise Refusal("there is no draft to go on with", "offer")
            return self.editor.with_chain(self._offered, "draft taken up")
        return self.editor.do(edit_of(told))

    def _save(self, name: str, overwrite: bool) -> str:
        if not FILE_NAME.fullmatch(name):
            raise Refusal(
                f"{name[:80]!r} is no name for the file: letters, digits, - and _, and .toml at its end",
                "file",
            )
        if not self.chain.parts:
            raise Refusal("there is nothing to save: the arm has no parts", "file")
        path = self._folder / name
        if path.exists() and not overwrite and not (name == self._own.name and self._ours(path)):
            raise Refusal(f"{name} is there already in {self._folder}: save again to replace it", "overwrite")
        try:
            write_whole(path, self.text)
        except OSError as error:
            raise Refusal(f"{path}: cannot be written: {error.strerror}", "file") from error
        self._own.name, self._own.text, self._saved = name, self.text, self.text
        self._drafts.done()
        return f"saved as {path}"

    def _ours(self, path: Path) -> bool:
        """Return whether a file is still as we know ours: a page opens files of any folder, others write."""
        try:
            return path.read_text(encoding="utf-8") == self._own.text
        except (OSError, UnicodeError):
            return False

    def _set(self, editor: Editor) -> None:
        """Let another editor count; an arm that is no mechanism is refused before anything changes."""
        manipulator = manipulator_of(editor.chain) if editor.chain.parts else None
        self.editor, self.manipulator = editor, manipulator
        self.revision += 1

    def _keep_draft(self) -> None:
        if self.text == self._saved:
            self._drafts.done()
        else:
            self._drafts.keep(self._anchored(self.chain))

    def _anchored(self, chain: Chain) -> Chain:
        """Return the assembly with the files that it names as absolute ones: a draft lies elsewhere."""
        sources = [
            source.model_copy(update={"file": str(self._folder / source.file)}) for source in chain.sources
        ]
        return replace(chain, sources=tuple(sources))

    def _fresh(self, offered: Chain | None) -> Chain | None:
        """Return what is offered, if it is not what we begin with anyway."""
        return None if offered is None or assembly_text(offered) == self.text else offered

    def _offer_in_words(self) -> str:
        if self._offered is None:
            return ""
        parts = len(self._offered)
        return f"{self._offered.name}, {parts} part{'s' if parts > 1 else ''}, of {self._drafts.offered_at()}"
