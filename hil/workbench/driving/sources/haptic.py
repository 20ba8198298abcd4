"""A haptic device: a handle that is moved, and that pushes back with what the tip feels.

`HapticDevice` is what a driver of real hardware has to be. The emulated one is a hand that means to lead its
handle along a path and gives way like a spring and a damper:
    m x'' = k (x_meant(t) - x) - d x' + f
in each direction, its turn fixed; integrated implicitly, so it is stable whatever the period.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.rigid import moved, way


class HapticDevice(Protocol):
    """Hardware with a handle, or what stands in for it."""

    def handle(self, t: float) -> Array:
        """Return the handle's pose in the device's axes, which lie as the base's, shape (4, 4).

        Raises:
            SourceLost: the device has gone.
        """

    def exert(self, wrench: Array) -> None:
        """Push the hand from now on: force and torque [N, N m], shape (6,)."""


class Haptic:
    """A pose source: the tip moves from where it began as the handle does, enlarged or reduced."""

    def __init__(self, device: HapticDevice, T_start: Array, motion: float = 1.0, force: float = 1.0) -> None:
        """Couple a device to the tip.

        Args:
            device: the handle.
            T_start: where the tip is now, shape (4, 4).
            motion: way of the tip over that of the handle.
            force: force on the hand over that on the tip.
        """
        self._device, self._T, self._motion, self._force = device, T_start, motion, force
        self._handle_0 = device.handle(0.0)

    def pose(self, t: float) -> Array:
        """Return where the handle leads the tip, shape (4, 4).

        Raises:
            SourceLost: the device has gone.
        """
        shift = way(self._handle_0, self._device.handle(t))
        return moved(self._T, shift * np.repeat([self._motion, 1.0], 3))

    def feel(self, wrench_tip_in_base: Array) -> None:
        """Let the hand feel what the tip does."""
        self._device.exert(self._force * wrench_tip_in_base)


class EmulatedHaptic:
    """A hand on a handle, in the computer.

    Attributes:
        p: the handle's place [m], shape (3,).
        felt: force on the hand [N], shape (3,).
    """

    def __init__(
        self,
        meant: Callable[[float], Array],
        mass: float = 0.3,
        stiffness: float = 400.0,
        damping: float = 30.0,
    ) -> None:
        """Hold a handle.

        Args:
            meant: where the hand wants the handle at a time [m], shape (3,).
            mass: of handle and hand [kg].
            stiffness: of the hand [N/m].
            damping: of the hand [N s/m].
        """
        self._meant, self._mass, self._stiffness, self._damping = meant, mass, stiffness, damping
        self.p, self._v, self._t = meant(0.0).copy(), np.zeros(3), 0.0
        self.felt = np.zeros(3)

    def handle(self, t: float) -> Array:
        """Return the handle's pose at a time, to which it moves on; times never fall."""
        share = (t - self._t) / self._mass
        drive = self._stiffness * (self._meant(t) - self.p) + self.felt
        stiff = self._damping + (t - self._t) * self._stiffness
        self._v = (self._v + share * drive) / (1.0 + share * stiff)
        self.p, self._t = self.p + (t - self._t) * self._v, t
        T = np.eye(4)
        T[:3, 3] = self.p
        return T

    def exert(self, wrench: Array) -> None:
        """Push the hand from now on."""
        self.felt = wrench[:3].copy()
