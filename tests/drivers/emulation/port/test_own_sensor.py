"""The sensor in an emulated port: the reaction about the point of its face, with noise of its own."""

import numpy as np
import pytest

from hil.common.geometry import wrench_moved
from tests.drivers.emulation.port.bodies import moved, port_below, pose_at


def test_it_reads_the_reaction_about_the_point_of_the_face() -> None:
    """Equal and opposite to what the mock-up feels, moved from the object's centre to the port's point."""
    port = port_below(
        feet_mm=[[40.0, -30.0, -150.0]], point_mm=[10.0, 20.0, -150.1], friction=0.3, sensor_noise_n=0.0
    )
    p = np.array([2e-3, 1e-3, -1e-3])
    for k in range(3):
        port.step(1e-3 * k, 1e-3 * (k + 1), pose_at(p * (k + 1) / 3.0), np.zeros(6))
    assert abs(port.wrench_world[0]) > 1.0
    expected = -wrench_moved(port.wrench_world, p - port.p)
    assert port.told()[16:] == pytest.approx(expected, abs=1e-9)


def test_its_noise_is_white_and_of_the_size_that_was_set() -> None:
    """0.5 N and 0.02 N m on every axis, at rest before it is touched; another seed, other noise."""
    port = port_below(1.0, sensor_noise_n=0.5, sensor_noise_torque_n_m=0.02)
    rows = moved(port, lambda t: [0.0, 0.0, 0.0], 4.0)[:, -6:]
    assert rows.std(axis=0) == pytest.approx([0.5] * 3 + [0.02] * 3, rel=0.06)
    assert abs(np.mean(rows[1:] * rows[:-1], axis=0) / rows.var(axis=0)).max() < 0.08


def test_without_one_it_reads_nothing() -> None:
    """No noise either."""
    assert not moved(port_below(1e-3), lambda t: [0.0, 0.0, -0.1 * t], 0.02)[:, -6:].any()
