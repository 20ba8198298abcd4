"""Under which terms an arm is simulated."""

from typing import Literal

from hil.configuration.quantities import Section


class Terms(Section):
    """The terms, as a page says them."""

    inverse: Literal["passive-chain", "lagrange"] = "passive-chain"
    weightless: bool = False
    free: bool = False  # the base floats, as on a satellite
    q: tuple[float, ...] = ()  # where it begins [rad, m]; empty: where arms begin
