"""What a missed body is worth in the wrench, against a body of point masses."""

import numpy as np

from hil.wrench.load.held_motion import raw_motion
from hil.wrench.load.inertial import inertia_matrix, regressor
from tests.hil.wrench.load.point_masses import MASSES, PLACES, motion, parameters, wrench

STEP = 0.0005
T = np.arange(400) * STEP


def test_the_wrench_of_point_masses_is_linear_in_ten_parameters() -> None:
    """All six axes, in a motion that turns and shifts; differences over half a millisecond."""
    Y = regressor(raw_motion(*motion(T), STEP))
    expected = wrench(T[1:-1])
    assert np.abs(Y @ parameters() - expected).max() < 2e-4 * np.abs(expected).max()
    assert np.linalg.matrix_rank(np.concatenate(Y), tol=1e-3) == 10


def test_turning_alone_pulls_outward() -> None:
    """A spin at constant rate: the point masses' centripetal force, and no more."""
    spin, angles = 3.0, 3.0 * T
    zero, one = np.zeros(len(T)), np.ones(len(T))
    c, s = np.cos(angles), np.sin(angles)
    R = np.array([[c, -s, zero], [s, c, zero], [zero, zero, one]]).transpose(2, 0, 1)
    Y = regressor(raw_motion(R, np.zeros((len(T), 3)), STEP))
    centre = MASSES @ PLACES
    expected = -(spin**2) * np.array([centre[0], centre[1], 0.0])
    np.testing.assert_allclose((Y @ parameters())[:, :3], np.tile(expected, (len(Y), 1)), atol=2e-5)


def test_the_inertias_six_numbers_are_those_of_its_matrix() -> None:
    """In the order that is written: xx, yy, zz, xy, xz, yz."""
    expected = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(MASSES, PLACES, strict=True))
    np.testing.assert_allclose(inertia_matrix(parameters()[4:]), expected, atol=1e-15)
