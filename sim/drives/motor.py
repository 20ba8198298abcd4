"""A brushless motor and what limits it: torque, winding, rotor, current loop, heat."""

from dataclasses import dataclass, field

from sim.drives.friction import Friction


@dataclass(frozen=True)
class Heating:
    """Two nodes of heat, temperatures above ambient [K].

    Equation: `C_w dT_w/dt = R i^2 - (T_w - T_h)/R_wh`, `C_h dT_h/dt = (T_w - T_h)/R_wh - T_h/R_ha`; at rest
    the winding is `R i^2 (R_wh + R_ha)` warmer than the air. The winding's resistance is
    `R = R_0 (1 + alpha T_w)`.

    Attributes:
        winding_resistance: R_wh, winding to housing [K/W].
        housing_resistance: R_ha, housing to ambient [K/W].
        winding_capacity: C_w [J/K].
        housing_capacity: C_h [J/K].
        winding_limit: from 0.9 of it the current's limit falls, to the continuous current [K above ambient].
        alpha: rise of the winding's resistance [1/K]; 0: none; copper has 0.00393.
    """

    winding_resistance: float
    housing_resistance: float
    winding_capacity: float
    housing_capacity: float
    winding_limit: float = 95.0
    alpha: float = 0.0


@dataclass(frozen=True)
class CurrentLoop:
    """The amplifier: a PI controller of the current, and what it cannot exceed.

    Equation: `u = k_p (i_ref - i) + y`, `dy/dt = k_i (i_ref - i)`, |u| up to `voltage_max`; y stands while u
    is at its limit.

    Attributes:
        proportional: k_p [V/A].
        integral: k_i [V/(A s)].
        voltage_max: [V].
        current_max: largest reference [A].
        current_continuous: to which the largest falls when the winding is hot [A].
    """

    proportional: float
    integral: float
    voltage_max: float = 1e9
    current_max: float = 1e9
    current_continuous: float = 1e9

    @classmethod
    def of_bandwidth(cls, resistance: float, inductance: float, bandwidth: float) -> "CurrentLoop":
        """Return the loop whose closed form is one lag of this bandwidth [rad/s]; the winding's cancels."""
        return cls(inductance * bandwidth, resistance * bandwidth)


@dataclass(frozen=True)
class Motor:
    """A motor of one winding (a brushless one in its field's axes).

    Equation: `L di/dt = u - R i - k w`, torque `k i`; `J dw/dt = k i - friction - gear torque / ratio`.

    Attributes:
        torque_constant: k [N m/A], and [V s/rad] of the counter-voltage.
        resistance: R [ohm].
        inductance: L [H].
        rotor_inertia: J, with what turns at its speed [kg m2].
        loop: the amplifier's.
        friction: of the shaft [N m].
        heating: its heat; none: it stays cold.
    """

    torque_constant: float
    resistance: float
    inductance: float
    rotor_inertia: float
    loop: CurrentLoop
    friction: Friction = field(default_factory=Friction)
    heating: Heating | None = None
