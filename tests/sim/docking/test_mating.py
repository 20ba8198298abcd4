"""Seated and starting poses of patterns, by where the pins then are."""

import numpy as np
import pytest

from hil.common.errors import SceneError
from sim.contact.interface import Interface, Pins, Plate
from sim.contact.interface_schema import Material
from sim.docking.mating import mated, started

RADIUS, HOLE, LENGTH, HEIGHT = 0.008, 0.00815, 0.035, 0.030
Z = np.array([0.0, 0.0, 1.0])
ODD = np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 30.0], [-20.0, -40.0], [45.0, 25.0]]) * 1e-3


MATERIAL = Material(friction=0.2, restitution=0.2, contact_time_ms=20.0)


def interface(feet: np.ndarray, axis: np.ndarray = Z, length: float = LENGTH) -> Interface:
    holes = np.column_stack((ODD, np.full(5, HOLE), np.full(5, HEIGHT)))
    pins = Pins("effector", MATERIAL, RADIUS, length, axis, feet)
    return Interface(
        "port", pins, Plate("module", MATERIAL, np.zeros(3), np.eye(3), np.array([0.1, 0.1, 0.05]), holes)
    )


def pins_for(turn: float, axis: np.ndarray) -> np.ndarray:
    """Feet of pins that sit in the holes when turned by `turn`, in a frame of any attitude."""
    c, s = np.cos(turn), np.sin(turn)
    flat = ODD @ np.array([[c, -s], [s, c]])
    x = np.cross([0.3, 0.5, -0.8], axis)
    x /= np.linalg.norm(x)
    return flat[:, :1] * x - flat[:, 1:] * np.cross(axis, x) + np.array([0.1, 0.2, 0.3])


@pytest.mark.parametrize("turn", [0.0, 0.7, -2.5])
@pytest.mark.parametrize("axis", [Z, np.array([0.6, 0.0, -0.8])], ids=["along z", "aslant"])
def test_seated_tips_touch_the_bottoms(turn: float, axis: np.ndarray) -> None:
    """Each pin's half sphere stands on the bottom of its own hole, whatever the attitude of the pattern."""
    seat = mated(interface(pins_for(turn, axis), axis))
    T = seat.T_plate_effector
    assert T[:3, :3] @ T[:3, :3].T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(T[:3, :3]) == pytest.approx(1.0)
    placed = seat.tips @ T[:3, :3].T + T[:3, 3]
    assert placed[:, :2] == pytest.approx(ODD, abs=1e-9)
    assert placed[:, 2] - RADIUS == pytest.approx(-(HEIGHT + HOLE), abs=1e-12)
    assert T[:3, :3] @ axis == pytest.approx(-Z, abs=1e-12)


def test_bad_patterns_are_refused() -> None:
    """Mirrored places, and pins that are too short for the holes."""
    feet = np.column_stack((ODD, np.zeros(5)))
    with pytest.raises(SceneError, match="pattern of the pins is not that of the holes"):
        mated(interface(feet))
    with pytest.raises(SceneError, match="too short"):
        mated(interface(feet * [1.0, -1.0, 1.0], length=0.029))


def test_start_has_the_faults_at_the_tips() -> None:
    """The middle of the tips is where it was told to be; the axis leans by the tilt."""
    feet = np.column_stack((ODD * [1.0, -1.0], np.zeros(5)))
    seat = mated(interface(feet))
    T = started(seat, 0.04, np.array([0.003, -0.002]), np.array([0.02, -0.01]), 0.05)
    middle = T[:3, :3] @ seat.middle + T[:3, 3]
    over = ODD.mean(axis=0)
    assert middle == pytest.approx([over[0] + 0.003, over[1] - 0.002, 0.04], abs=1e-12)
    assert np.arccos(-(T[:3, :3] @ Z)[2]) == pytest.approx(np.hypot(0.02, 0.01), rel=1e-6)
