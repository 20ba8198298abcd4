"""What a page asks of a simulation: under which terms an arm is simulated, and what it is to do then."""

from typing import Literal

from hil.configuration.quantities import Section


class Terms(Section):
    """The terms, as a page says them."""

    inverse: Literal["passive-chain", "lagrange"] = "passive-chain"
    weightless: bool = False
    free: bool = False  # the base floats, as on a satellite
    q: tuple[float, ...] = ()  # where it begins [rad, m]; empty: where arms begin


class Input(Section):
    """Who moves the tip."""

    name: str


class Setting(Section):
    """A parameter's value, SI."""

    name: str
    value: float


class Choice(Section):
    """The variables that are drawn."""

    names: tuple[str, ...]
