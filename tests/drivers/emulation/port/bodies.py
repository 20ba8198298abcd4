"""What the port's tests share: ports before an object at the origin, and bodies that run into them."""

from collections.abc import Callable

import numpy as np

from drivers.emulation.port.emulated_port import EmulatedPort
from hil.configuration.frames import Frames
from tests.drivers.emulation.loops import configured

FOOT = [0.0, 0.0, -150.0]  # [mm] of the object's lower face, which looks at a port below


def port_below(gap: float = 0.0, **table) -> EmulatedPort:
    """Return a port whose face lies `gap` [m] under the foot of an object at the origin, looking up."""
    given = {
        "stiffness_n_per_m": 2e4,
        "point_mm": [0.0, 0.0, -150.0 - 1e3 * gap],
        "normal": [0.0, 0.0, 2.0],
        "feet_mm": [FOOT],
    }
    c = configured(port={**given, **table})
    return EmulatedPort(c, Frames.from_configuration(c), np.eye(4))


def pose_at(p) -> np.ndarray:
    """Return an upright pose at `p` [m]."""
    T = np.eye(4)
    T[:3, 3] = p
    return T


def moved(
    port: EmulatedPort, p: Callable, until: float, step: float = 1e-3, start: float = 0.0
) -> np.ndarray:
    """Move an upright object along `p(t)` (3,); return rows of time, its place, and what the port tells."""
    rows = []
    for k in range(round((until - start) / step)):
        t_0, t_1 = start + k * step, start + (k + 1) * step
        v = (np.array(p(t_1 + 1e-6)) - np.array(p(t_1 - 1e-6))) / 2e-6
        port.step(t_0, t_1, pose_at(p(t_1)), np.concatenate((v, np.zeros(3))))
        rows.append(np.concatenate(([t_1], p(t_1), port.told())))
    return np.array(rows)


def bounced(port: EmulatedPort, mass: float, v: float, step: float, most: float = 1.0) -> np.ndarray:
    """Let a free body of this mass [kg] come down at `v` [m/s]; rows (t, z, v, force, port's v).

    The body goes by velocity Verlet, its force that of the port: the first body's own law of motion.
    """
    z, speed, force, rows = 0.0, -v, 0.0, []
    touched = False
    for k in range(round(most / step)):
        half = speed + 0.5 * step * force / mass
        z += step * half
        ahead = half + 0.5 * step * force / mass
        port.step(k * step, (k + 1) * step, pose_at([0.0, 0.0, z]), np.array([0, 0, ahead, 0, 0, 0.0]))
        force = port.wrench_world[2]
        speed = half + 0.5 * step * force / mass
        rows.append((k * step, z, speed, force, port.v[2]))
        touched |= force > 0.0
        if touched and force == 0.0:
            break
    return np.array(rows)
