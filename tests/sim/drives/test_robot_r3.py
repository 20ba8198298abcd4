"""RobotR3 of the Modelica Standard Library: its published motion by our drives and bodies."""

from pathlib import Path

import numpy as np
import pytest

from bench.drive_cases import robot_r3_run
from sim.drives import robot_r3

REFERENCE = Path(__file__).parents[4] / "shared" / "data" / "modelica" / "robot_r3_full.csv"
NEAR = 1e-4  # [rad]


def test_the_path_ends_when_it_is_published_to() -> None:
    """The fastest trapezoid of all axes, from start to end and at rest there."""
    assert robot_r3.path_end() == pytest.approx(1.356045, abs=5e-7)
    q, dq = robot_r3.reference(np.array([0.0, 0.6, 1.4]))
    np.testing.assert_allclose(q[[0, 2]], [robot_r3.START, robot_r3.END], atol=1e-12)
    assert not dq[[0, 2]].any()
    ahead = robot_r3.reference(np.array([0.6 - 1e-6, 0.6 + 1e-6]))[0]
    np.testing.assert_allclose(dq[1], (ahead[1] - ahead[0]) / 2e-6, atol=1e-8)
    assert float((np.abs(dq[1]) / robot_r3.SPEEDS).max()) == pytest.approx(1.0)


def test_joints_are_where_the_publication_says() -> None:
    """At 0.5, 1.0 and 1.85 s; begun at rest and in balance."""
    q, _ = robot_r3_run(2e-4)
    np.testing.assert_allclose(q[50][[0, 2, 5]], [-0.299971, 0.791065, 0.280112], atol=2e-6)
    np.testing.assert_allclose(q[100][[0, 2, 5]], [0.543761, -0.091947, 0.597928], atol=2e-6)
    end = [1.046811, -1.223641, -0.610883, 0.784784, 1.920246, 0.785337]
    np.testing.assert_allclose(q[-1], end, atol=NEAR)


@pytest.mark.skipif(not REFERENCE.is_file(), reason=f"{REFERENCE} with the published trajectory is not here")
@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_the_whole_motion_is_the_published_one(dt: float) -> None:
    """Every joint, every 10 ms, over the whole file; at 1 ms a step already."""
    table = np.genfromtxt(REFERENCE, delimiter=",", names=True)
    reference = np.stack([table[f"r{joint}"] for joint in range(1, 7)], axis=1)
    q, _ = robot_r3_run(dt)
    assert q.shape == reference.shape
    assert np.abs(q - reference).max() < (NEAR if dt == 1e-3 else 5e-6)
