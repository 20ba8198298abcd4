"""Stability and bias of the force path: what the uncompensated inertia of the held mock-up does.

The wrench estimate contains `-E a` with E the uncompensated share of the mock-up's inertia, and the arm
moves with `a(t) = M^-1 w(t - T)`: `w(t) = F - E M^-1 w(t - T)` converges only for a spectral radius of
`E M^-1` below 1, and every impulse comes out smaller by g / (1 + g).
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import pose_of

FORCE_PATH_WARNING = 0.02  # a real arm must not pass it
FORCE_PATH_LIMIT = 0.5


def force_path_ratio(configuration: Configuration, mobility: Array | None = None) -> float:
    """Return the spectral radius of the 6x6 ratio of uncompensated to emulated inertia.

    Both are taken about the emulated object's centre of mass in tcp axes; the mock-up's centre of mass
    is taken to coincide with it, its principal axes with the tcp's. Without kernels: the daemon asks too.

    Args:
        configuration: of the run.
        mobility: of an object with bodies inside: its twist per impulse, object axes, shape (6, 6); it takes
            the place of the inverse of the emulated inertia.
    """
    body, mockup = configuration.object, configuration.mockup
    R_tcp_object = pose_of(body.rotvec, np.zeros(3))[:3, :3]
    emulated = np.zeros((6, 6))
    emulated[:3, :3] = body.mass * np.eye(3)
    emulated[3:, 3:] = R_tcp_object @ np.diag(body.inertia) @ R_tcp_object.T
    missed = mockup.uncompensated * np.diag([*[mockup.mass] * 3, *mockup.inertia])
    if mobility is None:
        return float(np.abs(np.linalg.eigvals(missed @ np.linalg.inv(emulated))).max())
    turn = np.kron(np.eye(2), R_tcp_object)
    return float(np.abs(np.linalg.eigvals(missed @ turn @ mobility @ turn.T)).max())
