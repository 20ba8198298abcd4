"""The nominal motion through the poses: what it asks of the joints and of the base. Compiled.

theory: from rest to rest q = q0 + (q1 - q0) s with s = 10 u^3 - 15 u^4 + 6 u^5, whose rate is at most 15/8;
a leg takes as long as asked, or as long as its fastest joint needs. Power is the mean of
sum |tau q'| + k tau^2: what the joints give or brake away, and the windings' heat where they are known.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.chain.dynamics import inverse_dynamics
from sim.chain.serial_chain import SerialChain

SAMPLES = 20  # of a leg; both ends are at rest
FASTEST = 1.875  # greatest rate of s


@njit(cache=True)
def motion_figures(
    chain: SerialChain, path: Array, speeds: Array, losses: Array, gravity: Array, leg: float
) -> tuple[Array, float, float, float]:
    """Return what a motion through joint positions comes to.

    Args:
        chain: with its payload.
        path: joint positions at the poses [rad, m], shape (m, n).
        speeds: greatest joint speeds [rad/s, m/s], shape (n,).
        losses: heat of the windings, by the square of the joint's torque [W/(N m)2, W/N2], shape (n,).
        gravity: in base axes [m/s2], shape (3,).
        leg: time from pose to pose, at least [s].

    Returns:
        greatest torques and forces of the joints [N m, N], shape (n,), mean power [W], greatest force [N] and
        greatest moment about the base's origin [N m] on the base.
    """
    m, n = path.shape
    peaks, energy, duration, force, moment = np.zeros(n), 0.0, 0.0, 0.0, 0.0
    dq, ddq, q, nothing = np.empty(n), np.empty(n), np.empty(n), np.zeros(6)
    for k in range(max(m - 1, 1)):
        begin, end = path[k], path[min(k + 1, m - 1)]
        T = leg
        for i in range(n):
            T = max(T, FASTEST * abs(end[i] - begin[i]) / speeds[i])
        for sample in range(SAMPLES + 1):
            u = sample / SAMPLES
            s = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
            ds = 30.0 * u * u * (1.0 - u) * (1.0 - u) / T
            dds = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (T * T)
            for i in range(n):
                way = end[i] - begin[i]
                q[i], dq[i], ddq[i] = begin[i] + way * s, way * ds, way * dds
            tau, base = inverse_dynamics(chain, q, dq, ddq, gravity, nothing)
            power = 0.0
            for i in range(n):
                peaks[i] = max(peaks[i], abs(tau[i]))
                power += abs(tau[i] * dq[i]) + losses[i] * tau[i] * tau[i]
            energy += power * T / SAMPLES * (0.5 if sample == 0 or sample == SAMPLES else 1.0)
            force = max(force, np.sqrt(base[0] ** 2 + base[1] ** 2 + base[2] ** 2))
            moment = max(moment, np.sqrt(base[3] ** 2 + base[4] ** 2 + base[5] ** 2))
        duration += T
    return peaks, energy / duration, force, moment
