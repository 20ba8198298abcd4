"""Controllers of a joint: a cascade of position and speed, and a joint impedance. Both ask for a current."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cascade:
    """Position P, velocity PI, as industrial drives have it; all on the motor's side.

    Equation: `e = k_p (theta_d - theta) + N dq_ref - w`, `i_ref = k_v (e + z)`, `dz/dt = e / T`, with the
    ratio N. `theta_d = N q_ref`; with the gravity model `theta_d = N (q_ref + twist(g))` and `g/(N k)` more
    current, where g is the joint's torque of weight at q_ref: so the link, not the motor, comes to q_ref.
    z stands while the current is at its limit.

    Attributes:
        position_gain: k_p [1/s].
        velocity_gain: k_v [A s/rad].
        integral_time: T [s].
        gravity_model: whether weight is known.
    """

    position_gain: float
    velocity_gain: float
    integral_time: float
    gravity_model: bool = False


@dataclass(frozen=True)
class Impedance:
    """A spring and a damper at the joint, as light-weight arms have it.

    Equation: `t = K (q_d - theta/N) + D (dq_ref - w/N) + g`, `i_ref = ((1 + k_t) t - k_t tau)/(N k)` with the
    torque sensor's tau: what it measures is fed back and makes the rotor as if lighter by `1/(1 + k_t)`
    (Ott, Albu-Schaeffer, Hirzinger). `q_d = q_ref`, with the gravity model `q_ref + twist(g)`.

    Attributes:
        stiffness: K [N m/rad, N/m].
        damping: D [N m s/rad, N s/m].
        torque_gain: k_t; 0: without a sensor.
        gravity_model: whether weight is known.
    """

    stiffness: float
    damping: float
    torque_gain: float = 0.0
    gravity_model: bool = True
