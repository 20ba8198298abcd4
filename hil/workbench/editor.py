"""The editor's core: immutable assemblies in a row and which of them counts, so undo and redo are indices.

It knows no page, no file and no clock. Whatever cannot be done is refused, and nothing is changed then.
"""

import math
from dataclasses import dataclass, replace
from functools import singledispatch

from hil.common.errors import AssemblyError
from hil.workbench.edits import (
    Add,
    Clear,
    Edit,
    Gravity,
    NameArm,
    NamePart,
    Refusal,
    Remove,
    Replace,
    TurnPart,
)
from sim.assembly.chain import Chain, Part, misfit
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database

NAME = "new_arm"


@dataclass(frozen=True)
class Step:
    """An assembly, and in words what led to it.

    Attributes:
        chain: the assembly.
        deed: what led to it.
        arm: which arm it is: one that is opened, taken up or begun anew is another than the one before.
    """

    chain: Chain
    deed: str
    arm: int = 0


@dataclass(frozen=True)
class Editor:
    """All that was done, and where we are in it.

    Attributes:
        steps: first to last, at least one.
        cursor: the step that counts.
    """

    steps: tuple[Step, ...]
    cursor: int = 0

    @property
    def chain(self) -> Chain:
        """The assembly that counts."""
        return self.steps[self.cursor].chain

    @property
    def arm(self) -> int:
        """Which arm counts, see `Step`."""
        return self.steps[self.cursor].arm

    @property
    def undone_next(self) -> str:
        """What undo would take back; empty: there is nothing."""
        return self.steps[self.cursor].deed if self.cursor else ""

    @property
    def redone_next(self) -> str:
        """What redo would do again; empty: there is nothing."""
        return self.steps[self.cursor + 1].deed if self.cursor + 1 < len(self.steps) else ""

    def do(self, edit: Edit) -> "Editor":
        """Return the editor after a deed; what was undone is forgotten.

        Raises:
            Refusal: it cannot be done; it says why, and where.
        """
        chain, deed = changed(edit, self.chain)
        return self._with(chain, deed, self.arm + isinstance(edit, Clear))

    def with_arm(self, chain: Chain, deed: str) -> "Editor":
        """Return the editor with another arm, which undo takes back as any other deed."""
        return self._with(chain, deed, self.arm + 1)

    def _with(self, chain: Chain, deed: str, arm: int) -> "Editor":
        steps = (*self.steps[: self.cursor + 1], Step(chain, deed, arm))
        return Editor(steps, len(steps) - 1)

    def undo(self) -> "Editor":
        """Return the editor one step back.

        Raises:
            Refusal: there is nothing to undo.
        """
        if not self.undone_next:
            raise Refusal("there is nothing to undo")
        return replace(self, cursor=self.cursor - 1)

    def redo(self) -> "Editor":
        """Return the editor one step further.

        Raises:
            Refusal: there is nothing to redo.
        """
        if not self.redone_next:
            raise Refusal("there is nothing to redo")
        return replace(self, cursor=self.cursor + 1)


def empty_editor(database: Database, name: str = NAME) -> Editor:
    """Return an editor of an arm without parts."""
    return Editor((Step(Chain(name, database), ""),))


def misfits(chain: Chain, at: int | None = None) -> dict[str, str]:
    """Return why each component cannot come at the end, or before the part at a place, by its name.

    Empty where it can.
    """
    if at is None or at >= len(chain):
        return {component.name: chain.why_not(component) for component in chain.database}
    head, behind = replace(chain, parts=chain.parts[:at]), chain.parts[at]
    return {
        component.name: head.why_not(component) or _parts_from(component, behind)
        for component in chain.database
    }


def _parts_from(component: ComponentFile, behind: Part) -> str:
    """Return why a part does not fit behind a component; empty if it does."""
    if component.kind == "tool":
        return f"{component.name!r} is a tool: behind it nothing is joined, and {behind.name!r} would be"
    if component.output is None or behind.component.input is None:
        return f"{behind.name!r} stands on the ground: nothing is joined before it"
    return misfit(component.name, component.output, behind.name, behind.component.input)


@singledispatch
def changed(edit: Edit, chain: Chain) -> tuple[Chain, str]:
    """Return an assembly after a deed, and the deed in words.

    Raises:
        Refusal: it cannot be done.
    """
    raise TypeError(f"{type(edit).__name__} is no deed")


@changed.register
def _(edit: Add, chain: Chain) -> tuple[Chain, str]:
    spot = f"component {edit.component}"
    try:
        if edit.at is None or edit.at >= len(chain):
            return chain.add(edit.component, edit.turn), f"{edit.component} joined"
        head = replace(chain, parts=chain.parts[: edit.at]).add(edit.component, edit.turn)
    except AssemblyError as error:
        raise Refusal(_bare(error, chain), spot) from None
    new = head.parts[-1]
    taken = {part.name for part in chain.parts}
    name = next(n for n in _numbered(new.component.name) if n not in taken)
    parts = (*chain.parts[: edit.at], replace(new, name=name), *chain.parts[edit.at :])
    return _rebuilt(chain, parts), f"{edit.component} put before {chain.parts[edit.at].name}"


@changed.register
def _(edit: Remove, chain: Chain) -> tuple[Chain, str]:
    part = _part(chain, edit.at)
    if edit.rest:
        return replace(chain, parts=chain.parts[: edit.at]), f"{part.name} and all behind it removed"
    return _rebuilt(chain, chain.parts[: edit.at] + chain.parts[edit.at + 1 :]), f"{part.name} removed"


@changed.register
def _(edit: Replace, chain: Chain) -> tuple[Chain, str]:
    old = _part(chain, edit.at)
    try:
        component = chain.database[edit.component]
    except AssemblyError as error:
        raise Refusal(str(error), f"component {edit.component}") from None
    # a part that bears its component's name gets the new one's
    taken = {part.name for part in chain.parts} - {old.name}
    own = old.name.startswith(old.component.name)
    name = next(n for n in _numbered(component.name) if n not in taken) if own else old.name
    parts = (*chain.parts[: edit.at], Part(name, component, old.turn), *chain.parts[edit.at + 1 :])
    return _rebuilt(chain, parts), f"{old.name} replaced by {component.name}"


@changed.register
def _(edit: TurnPart, chain: Chain) -> tuple[Chain, str]:
    part = _part(chain, edit.at)
    if part.component.input is None:
        raise Refusal(
            f"{part.name!r} is the base: it is joined to nothing, so it has no turn", _spot(edit.at)
        )
    turned = replace(part, turn=math.radians(edit.turn))
    parts = (*chain.parts[: edit.at], turned, *chain.parts[edit.at + 1 :])
    return replace(chain, parts=parts), f"{part.name} turned to {edit.turn:g}°"


@changed.register
def _(edit: NamePart, chain: Chain) -> tuple[Chain, str]:
    part = _part(chain, edit.at)
    if any(other.name == edit.name for other in chain.parts if other is not part):
        raise Refusal(f"there is a part {edit.name!r} already; give it another name", _spot(edit.at))
    parts = (*chain.parts[: edit.at], replace(part, name=edit.name), *chain.parts[edit.at + 1 :])
    return replace(chain, parts=parts), f"{part.name} named {edit.name}"


@changed.register
def _(edit: NameArm, chain: Chain) -> tuple[Chain, str]:
    return replace(chain, name=edit.name), f"arm named {edit.name}"


@changed.register
def _(edit: Gravity, chain: Chain) -> tuple[Chain, str]:
    x, y, z = edit.gravity.tolist()
    return replace(chain, gravity=(x, y, z)), f"gravity set to {x:g} {y:g} {z:g} m/s²"


@changed.register
def _(edit: Clear, chain: Chain) -> tuple[Chain, str]:
    return Chain(NAME, chain.database), "began anew"


def _part(chain: Chain, at: int) -> Part:
    if at >= len(chain):
        raise Refusal(f"there is no part {at}: the arm has {len(chain)}", _spot(at))
    return chain.parts[at]


def _rebuilt(chain: Chain, parts: tuple[Part, ...]) -> Chain:
    """Return the chain with other parts, each joined anew to the one before it."""
    made = replace(chain, parts=())
    for at, part in enumerate(parts):
        if why := made.why_not(part.component):
            # the spot is where the part is now: behind a removal that is one further
            now = next((i for i, old in enumerate(chain.parts) if old.name == part.name), at)
            raise Refusal(why, _spot(now))
        made = replace(made, parts=(*made.parts, part))
    return made


def _spot(at: int) -> str:
    return f"part {at}"


def _numbered(name: str) -> list[str]:
    return [name, *(f"{name}_{n}" for n in range(2, 1000))]


def _bare(error: AssemblyError, chain: Chain) -> str:
    """Return an error's sentence without the arm's name, which the page shows anyway."""
    return str(error).removeprefix(f"{chain.name}: ")
