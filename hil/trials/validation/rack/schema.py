"""What the file of an unattended campaign may say: one class a table, one field a key, SI inside."""

from typing import Annotated, Literal

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section
from hil.trials.validation.schema import Millimetres, Millimetres3

TURNS = frozen_array([[0.0, 0.0], [-0.4363323129985824, 0.0], [-0.4363323129985824, 1.5707963267948966]])


class RackPeg(Section):
    """A peg in the rack: its slot, its geometry, the load that it is declared to be."""

    name: str = Field(min_length=1, max_length=40)
    slot: int = Field(ge=1, le=100)
    radius: Millimetres
    length: Millimetres  # of the cylinder between its half spheres
    tip: Millimetres  # end of the outer half sphere, from the flange
    mass: Annotated[float, Quantity("kg", gt=0.0, le=14.0)]  # with its holder
    centre: Millimetres3  # of mass, flange axes; only the check of the load looks at it
    # what goes wrong in the emulated cell with this peg, to see what is done then
    fault: Literal["", "pick", "missing", "other", "lost", "lost unseen", "place", "sensor"] = ""


class Changer(Section):
    """The tool changer, and how a peg is weighed."""

    tries: int = Field(default=2, ge=1, le=10)  # of a pick or a place
    mass_tolerance: Annotated[float, Quantity("kg", gt=0.0, le=5.0)] = 0.05
    centre_tolerance: Annotated[float, Quantity("mm", gt=0.0, le=200.0)] = 0.005
    weigh_time: Annotated[float, Quantity("s", ge=0.1, le=30.0)] = 0.5  # in each attitude
    turns: Annotated[Array, Quantity("deg", length=2, rows=True)] = (
        TURNS  # of A6 and A7 from the start joints, shape (n, 2)
    )
    on_failure: Literal["next", "stop"] = "next"  # where nothing hangs or lies where it should not


class Rack(Section):
    """A whole campaign."""

    about: str = ""
    experiment: str  # a shipped one by its name, or a file relative to this one's folder
    settings: tuple[str, ...] = ()  # lines KEY=VALUE for it
    changer: Changer = Changer()
    peg: tuple[RackPeg, ...] = Field(min_length=1, max_length=100)
