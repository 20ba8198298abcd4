"""An admittance law instead of the detector of pushes: what others do, run beside it to compare."""

from collections.abc import Iterable
from typing import Annotated

from hil.configuration.quantities import Quantity, Section

NO_PUSHES = "an admittance follows every wrench and finds no pushes"  # instead of figures of impulses


class Admittance(Section):
    """The object follows the filtered wrench against a viscous damping; there are no pushes any more.

    To compare with, in the emulation only; absent: pushes are detected. In: driver, sim.
    """

    damping: Annotated[float, Quantity("n_s_per_m", ge=0.0, le=10_000.0)]
    """Damping of the object's velocity. In: sim."""
    spin_damping: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0, le=1000.0)]
    """Damping of its spin. In: sim."""
    filter: Annotated[float, Quantity("ms", ge=0.0, le=1000.0)]
    """Time constant of the wrench's low-pass. In: driver."""
    dead_band_force: Annotated[float, Quantity("n", ge=0.0, le=100.0)]
    """A force below it moves nothing. In: driver."""
    dead_band_torque: Annotated[float, Quantity("n_m", ge=0.0, le=100.0)]
    """A torque below it moves nothing. In: driver."""


def admittance_faults(robot_kind: str, beside: Iterable[str]) -> list[str]:
    """Return why an admittance law may not run with the rest of a configuration.

    Args:
        robot_kind: `robot.kind`.
        beside: names of the tables `scene`, `docking` and `network` that are given.
    """
    faults = []
    if robot_kind == "fri":
        faults.append(
            "admittance is refused with robot.kind = 'fri': it is a comparison for the emulation; "
            "take it out, then pushes are detected"
        )
    return faults + [
        f"admittance and {name} are both given: an admittance knows the stops alone" for name in beside
    ]
