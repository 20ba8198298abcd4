"""An arm that follows as drives do, stepped finely: what the fits are judged by."""

import numpy as np
from scipy.signal import cont2discrete, lfilter

from hil.common.arrays import Array

STEP, FINE = 0.002, 20  # [s] of a cycle, and fine steps in it
JOINTS = 7


def motion(seed: int, seconds: float = 4.0, speed: float = 0.3) -> Array:
    """Return commands of the joints [rad], shape (n, 7): from rest, 0.6 to 3.6 Hz, back to rest."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, seconds, STEP)
    rise = np.clip(np.minimum(t - 0.1, seconds - 0.2 - t) / 0.4, 0.0, 1.0)
    grown = rise**3 * (10.0 - 15.0 * rise + 6.0 * rise**2)
    rate = 2.0 * np.pi * (2.1 + 1.5 * np.cos(2.0 * np.pi * (t / seconds - rng.random())))
    angle = np.cumsum(rate) * STEP
    phases, sizes = rng.uniform(0.0, 2.0 * np.pi, JOINTS), rng.uniform(0.3, 1.0, JOINTS)
    swing = np.sin(angle[:, None] + phases) * sizes * (speed * grown / rate)[:, None]
    return rng.uniform(-1.0, 1.0, JOINTS) + swing


def followed(u: Array, dead_time: float, lag: float, damping: float) -> Array:
    """Return the joints at the cycles' instants that follow commands, straight between them, (n, m).

    By scipy's discretisation for inputs that are straight between fine steps; the dead time is whole ones.
    """
    h, w = STEP / FINE, 2.0 * damping / lag
    fine = np.arange((len(u) - 1) * FINE + 1) / FINE
    path = np.stack([np.interp(fine, np.arange(len(u)), x) for x in u.T], axis=1) - u[0]
    behind = round(dead_time / h)
    late = np.concatenate([np.zeros((behind, u.shape[1])), path])[: len(path)]
    plant = cont2discrete(([w * w], [1.0, 2.0 * damping * w, w * w]), h, method="foh")
    x: Array = lfilter(np.ravel(plant[0]), plant[1], late, axis=0)
    return u[0] + x[::FINE]
