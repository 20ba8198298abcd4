"""A gamepad, as Linux tells of it: events of eight bytes, a change of an axis or a button each.

    uint32 time [ms], int16 value, uint8 type, uint8 number
(the kernel's joystick interface, `/dev/input/js0`). Sticks move the tip, triggers raise and lower it, and
with the shoulder button held the sticks turn it.
"""

import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import SourceLost

EVENT = struct.Struct("<IhBB")
BUTTON, AXIS, INITIAL = 0x01, 0x02, 0x80
FULL = 32767.0
DEAD = 0.12  # of a stick, within which it is at rest: worn sticks do not come back to zero
# axes of the common layout: left stick, left trigger, right stick, right trigger
LEFT_X, LEFT_Y, LEFT_TRIGGER, RIGHT_X, RIGHT_Y, RIGHT_TRIGGER = range(6)
TURNING = 4  # the left shoulder button
DEVICE = Path("/dev/input/js0")


class Gamepad:
    """A twist from sticks and triggers."""

    def __init__(self, read: Callable[[float], bytes], linear: float, angular: float) -> None:
        """Listen to a gamepad.

        Args:
            read: returns the bytes that have come until a time [s]; raises OSError when the pad is gone.
            linear: speed at full deflection [m/s].
            angular: the same [rad/s].
        """
        self._read, self._linear, self._angular = read, linear, angular
        self._axes = np.zeros(6)
        self._axes[[LEFT_TRIGGER, RIGHT_TRIGGER]] = -1.0  # a trigger that is not pulled
        self._turning = False

    def twist(self, t: float) -> Array:
        """Return the twist that the sticks ask for, shape (6,).

        Raises:
            SourceLost: the gamepad has gone.
        """
        try:
            heard = self._read(t)
        except OSError as error:
            raise SourceLost(f"gamepad: gone ({error}); plug it in and start again") from error
        for _, value, kind, number in EVENT.iter_unpack(heard[: len(heard) // EVENT.size * EVENT.size]):
            self._take(value / FULL, kind & ~INITIAL, number)
        stick = np.where(np.abs(self._axes) > DEAD, self._axes, 0.0)
        lift = 0.5 * (self._axes[RIGHT_TRIGGER] - self._axes[LEFT_TRIGGER])
        wanted = np.array([-stick[LEFT_Y], -stick[LEFT_X], lift if abs(lift) > DEAD else 0.0])
        turn = np.array([-stick[RIGHT_X], -stick[RIGHT_Y]])
        if self._turning:  # roll and pitch by the left stick, yaw by the right one
            return self._angular * np.array([0.0, 0.0, 0.0, wanted[1], wanted[0], turn[0]])
        twist = np.zeros(6)
        twist[:3], twist[5] = self._linear * wanted, self._angular * turn[0]
        return twist

    def _take(self, value: float, kind: int, number: int) -> None:
        if kind == AXIS and number < len(self._axes):
            self._axes[number] = min(1.0, max(-1.0, value))
        elif kind == BUTTON and number == TURNING:
            self._turning = value > 0.0


def plugged_in(device: Path = DEVICE) -> Callable[[float], bytes]:
    """Return how to read the gamepad that is plugged in.

    Raises:
        SourceLost: there is none, or it may not be read.
    """
    try:
        file = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as error:
        raise SourceLost(
            f"gamepad: {device} cannot be read: {error.strerror}; plug one in, and be of the group `input`"
        ) from error

    def read(t: float) -> bytes:
        try:
            return os.read(file, 64 * EVENT.size)
        except BlockingIOError:
            return b""

    return read
