"""The share of a closing velocity that is taken, against the object's motion by finite differences."""

import numpy as np
import pytest
import ruckig
from scipy.spatial.transform import Rotation

from hil.configuration.schema import Interpolation, Stops
from planner.following.closing import SLOWED, closing_of, rate_allowed, share_allowed
from planner.kinematics.forward import flange_pose
from tests.planner.following.following_cases import MODEL, REACH

T_FLANGE_OBJECT = np.eye(4)
T_FLANGE_OBJECT[:3, :3] = Rotation.from_euler("xyz", [0.3, -0.8, 0.5]).as_matrix()
T_FLANGE_OBJECT[:3, 3] = 0.05, -0.1, 0.4  # far from the flange, so that it matters
STEP = 1e-6  # [s] of the differences


def motion_by_differences(q: np.ndarray, dq: np.ndarray) -> tuple[float, float]:
    """Speed [m/s] of the object's centre and its spin [rad/s]."""
    before, after = (flange_pose(MODEL.geometry, q + sign * STEP * dq) @ T_FLANGE_OBJECT for sign in (-1, 1))
    turned = Rotation.from_matrix(after[:3, :3] @ before[:3, :3].T).as_rotvec()
    way = after[:3, 3] - before[:3, 3]
    return float(np.linalg.norm(way)) / (2 * STEP), float(np.linalg.norm(turned)) / (2 * STEP)


@pytest.mark.parametrize(
    ("speed_mm_s", "spin_deg_s", "bound"), [(10.0, 300.0, "speed"), (900.0, 4.0, "spin"), (900.0, 300.0, "")]
)
def test_as_much_is_taken_as_the_bounds_allow(speed_mm_s: float, spin_deg_s: float, bound: str) -> None:
    """Of any closing velocity anywhere: the tightest of speed, spin and each joint's spin, and no more."""
    stops = Stops(max_speed_mm_s=speed_mm_s, max_spin_deg_s=spin_deg_s)
    closing = closing_of(MODEL, T_FLANGE_OBJECT, stops, Interpolation())
    share = 2.0 * Interpolation().closing_overshoot
    rng, reached = np.random.default_rng(5), []
    for _ in range(200):
        q, dq = rng.uniform(-REACH, REACH), rng.normal(scale=0.05, size=7)
        speed, spin = motion_by_differences(q, dq)
        ratios = {
            "speed": share * stops.max_speed / speed,
            "spin": share * stops.max_spin / max(spin, float(np.abs(dq).max())),
            "": 1.0,
        }
        assert share_allowed(q, dq, closing) == pytest.approx(min(ratios.values()), rel=1e-6)
        reached.append(min(ratios, key=lambda key: ratios[key]))
    assert reached.count(bound) > 150


def test_at_the_rate_that_is_allowed_a_joint_comes_to_rest_within_half_its_gap() -> None:
    """Half the rate at which the way to rest within the jerk, by ruckig, is the gap itself."""
    for gap, jerk in ((1e-5, 160.0), (3e-4, 160.0), (3e-4, 1600.0), (0.02, 300.0)):
        k = rate_allowed(1e6, -gap, jerk)
        stop = ruckig.InputParameter(1)
        stop.control_interface = ruckig.ControlInterface.Velocity
        stop.current_velocity, stop.target_velocity = [k / SLOWED * gap], [0.0]
        stop.max_acceleration, stop.max_jerk = [1e6], [jerk]
        way = ruckig.Trajectory(1)
        ruckig.Ruckig(1).calculate(stop, way)
        assert way.at_time(way.duration)[0][0] == pytest.approx(gap, rel=1e-6)
        assert rate_allowed(k, gap, jerk) == pytest.approx(k) and rate_allowed(0.9 * k, gap, jerk) == 0.9 * k
    assert rate_allowed(200.0, 0.0, 160.0) == 200.0
