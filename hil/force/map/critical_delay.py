"""The delay beyond which a lasting contact diverges, in closed form.

theory: the body `M s^2 x = -f`, the arm `x_a = G(s) e^{-s T0} x` behind its drives, `f = (d s + k) x_a` at a
fixed port. On the border the loop's gain is 1 at some frequency, and its phase turns the force round:
`M s^2 + (d s + k) G e^{-s T0} = 0` at `s = j W`. T0 = dead time + half a cycle for which a force is held.
"""

import cmath
import math
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay

SCANNED = np.geomspace(1e-3, 1e2, 4001)  # frequencies over the contact's rate where |H| - |G| is looked at


def pure_critical_delay(ratio: float) -> float:
    """Return `w T_c` of a pure delay at a fixed port: `y^2 = 2 z^2 + sqrt(4 z^4 + 1)`, `atan(2 z y) / y`."""
    z = ratio
    y = math.sqrt(2.0 * z * z + math.sqrt(4.0 * z**4 + 1.0))
    return math.atan(2.0 * z * y) / y


def critical_dead_time(contact: Contact, loop: LoopDelay) -> float:
    """Return the dead time T0, the held half cycle in it, from which on a pressed contact diverges [s].

    0: the drives' lag alone is too much. inf: stable whatever the delay, as heavy bodies at light, damped
    ports are. `loop.dead` does not enter.
    """
    if contact.damping == 0.0 or not _stable_without_delay(contact, loop):
        return 0.0
    free = math.isfinite(contact.port_mass)
    crossings = _crossings_of_a_free_port(contact, loop) if free else _crossings(contact, loop)
    return min(crossings, default=math.inf)


def critical_delay(contact: Contact, loop: LoopDelay) -> float:
    """Return the critical whole delay T [s], lag and held half cycle in it, to compare with `loop.total`.

    Where the lag alone is too much it is that of drives so fast that they are just not.
    """
    dead = critical_dead_time(contact, loop)
    if dead > 0.0 or loop.lag == 0.0 or contact.damping == 0.0:
        return dead + loop.lag if dead > 0.0 else 0.0
    slow, fast = loop.lag, 0.0
    while slow - fast > 1e-6 * loop.lag:
        lag = 0.5 * (slow + fast)
        slow, fast = (slow, lag) if _stable_without_delay(contact, replace(loop, lag=lag)) else (lag, fast)
    return fast


def _crossings(contact: Contact, loop: LoopDelay) -> list[float]:
    """Return dead times [s] at which a fixed port's loop is on the border: roots of a quartic in W^2."""
    M, k, d = contact.mass, contact.stiffness, contact.damping
    square = [1.0]
    if loop.lag > 0.0:
        wd, zd = loop.drive_rate, loop.damping
        square = [wd**-4, (4.0 * zd * zd - 2.0) / wd**2, 1.0]  # 1 / |G|^2 over y = W^2
    quartic = np.polysub(np.polymul(np.polymul(square, [1.0, 0.0, 0.0]), [M * M]), [d * d, k * k])
    found = []
    for y in np.roots(quartic):
        if y.real > 0.0 and abs(y.imag) < 1e-9 * abs(y):
            W = math.sqrt(y.real)
            phase = math.atan2(d * W, k) + cmath.phase(loop.drive(1j * W))
            found.append((phase % (2.0 * math.pi)) / W)
    return found


def _crossings_of_a_free_port(contact: Contact, loop: LoopDelay) -> list[float]:
    """Return the same of a port that moves: `G e^{-s T0} = H = -(M m s^2 / (d s + k) + M) / m`."""
    M, m, k, d = contact.mass, contact.port_mass, contact.stiffness, contact.damping

    def H(W: float) -> complex:
        s = 1j * W
        return -(M * m * s * s / (d * s + k) + M) / m

    def gap(W: float) -> float:
        return abs(H(W)) - abs(loop.drive(1j * W))

    W = contact.rate * SCANNED
    values = np.array([gap(w) for w in W])
    found = []
    for i in np.flatnonzero(np.signbit(values[1:]) != np.signbit(values[:-1])):
        w = brentq(gap, W[i], W[i + 1], xtol=1e-12 * W[i])
        found.append((cmath.phase(loop.drive(1j * w) / H(w)) % (2.0 * math.pi)) / w)
    return found


def _stable_without_delay(contact: Contact, loop: LoopDelay) -> bool:
    """Return whether the drives' lag alone lets a pressed contact come to rest."""
    M, k, d = contact.mass, contact.stiffness, contact.damping
    drive = [1.0]
    if loop.lag > 0.0:
        drive = [loop.drive_rate**-2, 2.0 * loop.damping / loop.drive_rate, 1.0]
    if math.isfinite(contact.port_mass):
        m = contact.port_mass
        poles = np.roots(np.polyadd(np.polymul([M * m, M * d, M * k], drive), [m * d, m * k]))
    else:
        poles = np.roots(np.polyadd(np.polymul([M, 0.0, 0.0], drive), [d, k]))
    return bool(poles.real.max() < 0.0)
