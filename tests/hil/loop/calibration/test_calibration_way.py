"""Where the motion that shows missed inertia may be made, and where not: judged before anything moves."""

import numpy as np

from bench.fidelity import changed
from hil.configuration import Configuration
from hil.configuration.workspace_stamp import workspace_stamp
from hil.loop.judging.calibration_way import WayOfCalibration
from hil.loop.judging.held_pose import HeldPose


def certified(c: Configuration) -> Configuration:
    """The configuration with the certificate of whatever stops it has."""
    return changed(c, "stops", certified=workspace_stamp(c))


def refusal(c: Configuration, *degrees: float) -> str:
    q = np.array(c.robot.start) + np.radians(np.pad(degrees, (0, 7 - len(degrees))))
    way, why = WayOfCalibration(c).judged(q)
    assert (way is None) == bool(why)
    return why


def test_at_the_start_pose_it_may_be_made(cube: Configuration) -> None:
    """And is told with its speeds."""
    way, why = WayOfCalibration(cube).judged(np.array(cube.robot.start))
    assert way is not None and not why
    assert 0.09 < way.speed <= 0.8 * cube.stops.max_speed and way.spin <= 0.8 * cube.stops.max_spin
    assert f"{1e3 * way.speed:.0f} mm/s" in way.words()


def test_without_a_certificate_it_is_refused(cube: Configuration) -> None:
    """Of an emulated arm too: none, that of other stops, or no stops at all."""
    assert "not certified" in refusal(changed(cube, "stops", certified=""))
    assert "not certified" in refusal(changed(cube, "stops", max_speed=0.2))
    assert "no certified set" in refusal(changed(cube, "stops", enabled=False))


def test_from_outside_the_set_and_from_its_border_it_is_refused(cube: Configuration) -> None:
    """Held outside; held inside where the motion would leave it, on either side of the box, or by swing."""
    assert "outside the stops" in refusal(cube, 0.0, 14.3)
    centre, _ = HeldPose(cube).at(np.array(cube.robot.start))
    for side in (-1.0, 1.0):
        for axis in range(3):
            shift = side * (cube.stops.half_extent - 0.005) * np.eye(3)[axis]
            c = certified(changed(cube, "stops", centre=centre + shift))
            assert f"along {'+' if side < 0 else '-'}{'xyz'[axis]}" in refusal(c)
    tilted = certified(changed(cube, "stops", axis_pitch=cube.stops.swing - np.radians(1.0)))
    assert "swing" in refusal(tilted)


def test_near_a_joints_limit_it_is_refused(cube: Configuration) -> None:
    """The joint stands within it, and the motion would pass it."""
    model_upper = np.radians(120.0) - cube.limits.position_margin  # A6
    away = np.degrees(model_upper) - 58.885 - 0.5
    stops = changed(cube, "stops", half_extent=np.full(3, 2.0), swing=np.pi, twist=np.pi)
    assert "A6" in refusal(certified(stops), 0.0, 0.0, 0.0, 0.0, 0.0, away)


def test_too_near_to_the_arm_it_is_refused(cube: Configuration) -> None:
    """With as much clearance asked for as there is not."""
    assert "40 mm are needed" in refusal(changed(cube, "approach", clearance=0.04))
