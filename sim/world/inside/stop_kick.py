"""The stops' wrench on the base of an object that has bodies inside; compiled.

The springs are those of `sim.world.stops`, but here they act as a wrench that is a function of the base's
pose, at both ends of a step: the force of the box is that of the whole's mass, `F = -m w^2 depth`.
"""

from numba import njit

from hil.common.arrays import Array
from sim.world.stops import RATE, spin_potential, stop_torque, stored_speed_squared


@njit(cache=True, error_model="numpy")
def stop_wrench(
    x: float, y: float, z: float, a: float, b: float, c: float, d: float, mass: float, stops: Array
) -> tuple[float, float, float, float, float, float]:
    """Return force and torque on the base about its frame, world axes [N, N m].

    Args:
        x: the base's place in world [m]; so are `y` and `z`.
        y: see `x`.
        z: see `x`.
        a: its attitude w x y z; so are `b`, `c` and `d`.
        b: see `a`.
        c: see `a`.
        d: see `a`.
        mass: of the whole [kg].
        stops: packed stops, shape (17,).
    """
    stiffness = mass * stops[RATE] * stops[RATE]
    t0, t1, t2 = stop_torque(a, b, c, d, stops)
    return (
        _pull(x - stops[0], stops[3], stiffness),
        _pull(y - stops[1], stops[4], stiffness),
        _pull(z - stops[2], stops[5], stiffness),
        t0,
        t1,
        t2,
    )


@njit(cache=True, inline="always")
def _pull(x: float, half: float, stiffness: float) -> float:
    if x > half:
        return -stiffness * (x - half)
    if x < -half:
        return -stiffness * (x + half)
    return 0.0


@njit(cache=True, error_model="numpy")
def stop_energy(p: Array, quat: Array, mass: float, stops: Array) -> float:
    """Return what the springs hold [J], the base at `p` (3,) with attitude `quat` (4,)."""
    return 0.5 * mass * stored_speed_squared(p, stops) + spin_potential(quat, stops)
