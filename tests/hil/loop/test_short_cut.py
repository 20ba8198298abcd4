"""The short cut's speed cap, and what no hand can push."""

from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import changed
from hil.configuration import Configuration, load_configuration
from hil.configuration.base_rules import object_caps
from hil.configuration.schema import Detector, Stops
from hil.loop.driver.short_cut import keep_certified, missing_in_base
from hil.wrench.held_body import object_pose
from hil.wrench.plausibility import PlausibleWrench
from planner.kinematics.arm_model import load_arm_model
from tests.hil.loop.driven import Driven
from tests.hil.wrench.test_held_body import pose

SPEED, SPIN = 0.15, 0.5
STILL = np.zeros(6)  # the base stands
CUBE = load_configuration(Path(__file__).parents[3] / "configs" / "cube.toml")


def caps_of(stops: Stops) -> np.ndarray:
    """The caps of the default run with other stops."""
    return object_caps(CUBE.model_copy(update={"stops": stops}))


def allowed(stops: Stops, missing: np.ndarray, planned: np.ndarray) -> np.ndarray:
    """What is left of a missing twist."""
    left = np.array([missing, np.multiply(missing, 0.02), np.multiply(missing, 3.0)], dtype=float)
    keep_certified(left, np.array(planned, dtype=float), caps_of(stops))
    for part in (slice(0, 3), slice(3, 6)):  # of the displacement the same share is left
        share = np.linalg.norm(left[0, part]) / max(np.linalg.norm(missing[part]), 1e-300)
        np.testing.assert_allclose(
            left[1, part], 0.02 * min(share, 1.0) * np.array(missing[part]), atol=1e-15
        )
        np.testing.assert_allclose(left[2, part], 3.0 * min(share, 1.0) * np.array(missing[part]), atol=1e-12)
    return left[0]


def test_the_object_is_never_carried_beyond_the_certified_speed() -> None:
    """Whatever is missing: the total is within the cap, or no faster than planned; a small push is whole."""
    stops = Stops(max_speed_mm_s=1e3 * SPEED, max_spin_deg_s=float(np.rad2deg(SPIN)))
    rng = np.random.default_rng(3)
    for _ in range(500):
        planned, missing = rng.normal(0.0, 0.1, 6), rng.normal(0.0, 10.0 ** rng.uniform(-3, 1), 6)
        total = planned + allowed(stops, missing, planned)
        for part, most in ((slice(0, 3), SPEED), (slice(3, 6), SPIN)):
            speed, before = np.linalg.norm(total[part]), np.linalg.norm(planned[part])
            assert speed <= max(most, before) + 1e-12
            wanted = planned[part] + missing[part]
            if np.linalg.norm(wanted) <= most:
                np.testing.assert_allclose(total[part], wanted, atol=1e-15)
            else:  # the direction asked for is kept
                np.testing.assert_allclose(total[part] / speed, wanted / np.linalg.norm(wanted), atol=1e-9)


def test_a_push_along_the_plan_ends_at_the_cap() -> None:
    """0.1 m/s planned, 0.2 m/s missing, cap 0.15 m/s: 0.05 m/s are left (by hand)."""
    missing = allowed(Stops(max_speed_mm_s=150.0), [0.2, 0, 0, 0, 0, 0], [0.1, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(missing, [0.05, 0, 0, 0, 0, 0], atol=1e-12)


def test_a_push_that_brakes_a_body_faster_than_certified_is_whole() -> None:
    """0.25 m/s and 0.8 rad/s planned, caps 0.15 and 0.5: braking to 0.2 and 0.6 is not cut, nor turned."""
    stops = Stops(max_speed_mm_s=1e3 * SPEED, max_spin_deg_s=float(np.rad2deg(SPIN)))
    planned, total = [0.25, 0, 0, 0, 0, 0.8], [0.16, 0.12, 0, 0.36, 0, 0.48]
    missing = np.subtract(total, planned)
    np.testing.assert_allclose(allowed(stops, missing, planned), missing, atol=1e-15)
    rng = np.random.default_rng(5)
    for _ in range(200):
        before, after = rng.normal(size=6), rng.normal(size=6)
        for part, cap in ((slice(0, 3), SPEED), (slice(3, 6), SPIN)):
            fast = cap * rng.uniform(1.2, 3.0)
            before[part] *= fast / np.linalg.norm(before[part])
            after[part] *= rng.uniform(cap, fast) / np.linalg.norm(after[part])
        np.testing.assert_allclose(allowed(stops, after - before, before), after - before, atol=1e-14)


def test_without_stops_no_speed_is_certified_and_none_is_cut() -> None:
    """The caps are infinite; with stops they are theirs."""
    assert np.isinf(caps_of(Stops(enabled=False))).all()
    caps = caps_of(Stops(max_speed_mm_s=150.0, max_spin_deg_s=90.0))
    np.testing.assert_allclose(caps, [0.15, np.pi / 2.0])


def test_what_is_missing_is_turned_with_the_held_object(cube: Configuration) -> None:
    """Twist and displacement, given in object axes, come out in base axes; so does the Jacobian.

    Oracle: the object's attitude by its pose, the Jacobian by finite differences of that pose.
    """
    model, rng = load_arm_model(cube.robot.model), np.random.default_rng(6)
    T_flange_object = pose([0.4, -0.8, 0.3], [0.02, -0.05, 0.15])
    q = np.array([0.3, -0.9, 0.4, 1.2, -0.5, 0.8, 0.2])

    def held(joints: np.ndarray) -> np.ndarray:
        return object_pose(model.geometry, joints, np.eye(4), T_flange_object)

    missing = rng.normal(size=(3, 6))
    free = np.full(2, np.inf)
    turned, J = missing_in_base(model.geometry, q, T_flange_object, missing, np.zeros(7), free, STILL)
    R = held(q)[:3, :3]
    for row in range(3):
        np.testing.assert_allclose(turned[row], np.r_[R @ missing[row, :3], R @ missing[row, 3:]], atol=1e-12)
    for j, step in enumerate(1e-6 * np.eye(7)):
        before, after = held(q - step), held(q + step)
        spin = (after[:3, :3] - before[:3, :3]) @ R.T / 2e-6
        moved = (after[:3, 3] - before[:3, 3]) / 2e-6
        np.testing.assert_allclose(J[:, j], [*moved, spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8)
    dq = rng.normal(size=7)
    capped, _ = missing_in_base(
        model.geometry, q, T_flange_object, missing, dq, np.array([1e-3, 1e-3]), STILL
    )
    total = capped[0] + J @ dq
    for part in (slice(0, 3), slice(3, 6)):
        most = max(1e-3, np.linalg.norm((J @ dq)[part]))
        assert np.linalg.norm(total[part]) <= most + 1e-9, "what the plan does already counts"


@pytest.mark.parametrize("axis", range(6))
def test_a_wrench_beyond_any_hand_is_noticed_after_its_time(axis: int) -> None:
    """Just below the bound never, just above after 20 ms and not before; a spike is forgiven."""
    detector = Detector()
    bound = detector.plausible_force if axis < 3 else detector.plausible_torque
    judge = PlausibleWrench(detector)
    below, above = np.zeros(6), np.zeros(6)
    below[axis], above[axis] = 0.999 * bound, -1.001 * bound
    assert not any(judge.judge(k * 2_000_000, below) for k in range(100))
    assert not any(judge.judge((100 + k) * 2_000_000, above) for k in range(10))
    assert not judge.judge(220_000_000, below)
    assert not any(judge.judge((200 + k) * 2_000_000, above) for k in range(10))
    assert "no hand" in judge.judge(420_000_000, above)
    judge = PlausibleWrench(detector)
    below[axis] = np.nan
    assert "nan" in [judge.judge(k * 2_000_000, below) for k in range(11)][-1]


def test_the_short_cut_looks_ahead_as_the_plan_does(cube: Configuration) -> None:
    """The way that a push has made is taken for the instant at which the arm will be where it is sent."""
    lead = 0.1
    driven = Driven(changed(cube, "interpolation", lead="fixed", lead_time=lead))
    for _ in range(10):
        driven.floated(100, velocity=0.0)
    asked: list[float] = []
    missing = driven.driver._live.missing
    driven.driver._live.missing = lambda t_ns, at_ns: (  # type: ignore[method-assign]
        asked.append(1e-9 * (at_ns - t_ns)) or missing(t_ns, at_ns)
    )
    driven.cycle()
    assert asked == [pytest.approx(lead, abs=1e-3)]
