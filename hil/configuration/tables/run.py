"""How a run begins and where it keeps things; two hosts for one run."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hil.configuration.quantities import Quantity, Section


class Run(Section):
    """How a run begins. In: daemon."""

    seed: int = Field(default=0, ge=0)
    """Of all that is drawn at random: pushes, noise, lost packets, initial motions. In: sim, emulator."""
    float_at_start: bool = False
    """Float as soon as the arm is ready. Refused for a real arm: an operator floats it."""
    follow: bool = True
    """False: the object moves in the simulation alone, nothing is planned, the arm stands.
    In: driver, sim, planner, daemon."""
    runtime_directory: str = ""
    """Folder of the processes' sockets; empty: the service's run-time directory or a private one.
    In: all processes."""
    state_directory: str = ""
    """Folder of the mark that a run goes on and of passed checks of the wrench; empty: the service's or the
    user's own."""


class Experiments(Section):
    """After every push the object floats anew, from a slow motion drawn at random. In: daemon."""

    after: Annotated[float, Quantity("s", ge=0.5)]
    """From the end of a push until the arm is stopped."""
    max_speed: Annotated[float, Quantity("mm_s", ge=0.0)]
    """Largest speed drawn for the next experiment. In: sim."""
    max_spin: Annotated[float, Quantity("deg_s", ge=0.0)]
    """Largest angular velocity drawn for it. In: sim."""


class Network(Section):
    """Two hosts for one run, see docs/use/network.md. In: bridge, daemon."""

    robot: str
    """`tcp://HOST:PORT` on which the host of daemon and driver listens."""
    compute: str
    """`tcp://HOST:PORT` on which the host of simulation and planner listens."""
    key_folder: Path = Path("keys")
    """Folder of the key files that `zerog keys` makes, relative to the configuration's folder."""
