"""What can be done to an assembly, as data: one class a deed, as a page says it."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from hil.configuration.quantities import Quantity, Section
from sim.assembly import chain
from sim.assembly.component_schema import NAME, Name

PART_NAME = rf"^{chain.PART_NAME.pattern}$"
PartName = Annotated[str, Field(pattern=PART_NAME, max_length=60)]
PATTERNS = {  # what names are made of, in words
    PART_NAME: "must be letters, digits, - _ and . without spaces, a letter or a digit first",
    NAME: "must be small letters, digits, - _ and . without spaces, a letter or a digit first",
}
Place = Annotated[int, Field(ge=0, strict=True)]  # of a part in the chain, the base is 0
Turn = Annotated[float, Quantity(ge=-360.0, le=360.0)]  # degrees


class Refusal(AssemblyError):
    """Something that is not done, and where on the page that shows.

    Attributes:
        spot: `part 3`, `component link_a`, `name`, `file`, or empty where there is no such place.
    """

    def __init__(self, sentence: str, spot: str = "") -> None:
        super().__init__(sentence)
        self.spot = spot


class Add(Section):
    """Join a component: at the end, or before the part that is at a place."""

    do: Literal["add"]
    component: str
    turn: Turn = 0.0
    at: Place | None = None


class Remove(Section):
    """Take a part away, those behind it move up; or with all that are behind it."""

    do: Literal["remove"]
    at: Place
    rest: bool = False


class Replace(Section):
    """Put another component in a part's place."""

    do: Literal["replace"]
    at: Place
    component: str


class TurnPart(Section):
    """Turn a part about the marker where it is joined."""

    do: Literal["turn"]
    at: Place
    turn: Turn


class NamePart(Section):
    """Give a part another name."""

    do: Literal["name_part"]
    at: Place
    name: PartName


class NameArm(Section):
    """Give the arm another name."""

    do: Literal["name"]
    name: Name


class Gravity(Section):
    """Let another gravity act [m/s2], base axes."""

    do: Literal["gravity"]
    gravity: Annotated[Array, Quantity(ge=-1000.0, le=1000.0, length=3)]


class Clear(Section):
    """Begin with nothing."""

    do: Literal["clear"]


Edit = Add | Remove | Replace | TurnPart | NamePart | NameArm | Gravity | Clear
EDITS: TypeAdapter[Edit] = TypeAdapter(Annotated[Edit, Field(discriminator="do")])


def edit_of(told: dict[str, Any]) -> Edit:
    """Return the deed that a page asks for.

    Raises:
        Refusal: it is none; the spot is the place that it names.
    """
    try:
        return EDITS.validate_python(told)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = first["loc"][-1] if first["loc"] else "do"
        why = PATTERNS.get(first.get("ctx", {}).get("pattern", ""), first["msg"])
        raise Refusal(f"{key} = {first.get('input')!r}: {why}", spot_of(told)) from None


def spot_of(told: dict[str, Any]) -> str:
    """Return where on the page a deed belongs."""
    if isinstance(told.get("at"), int):
        return f"part {told['at']}"
    if isinstance(told.get("component"), str):
        return f"component {told['component']}"
    return "name" if told.get("do") == "name" else ""
