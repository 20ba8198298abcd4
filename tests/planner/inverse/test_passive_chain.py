"""The passive chain: within reach, beyond it, through singular poses, at limits, with its knobs."""

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from planner.inverse.misalignment import misalignment_into
from planner.inverse.passive_chain import PassiveChain
from planner.inverse.passive_motion import potential_of, stiffness_of
from sim.chain.kinematics import tip_pose
from tests.planner.inverse.arms import (
    HOME,
    LIMITS,
    REACH,
    SHOULDER,
    arm_on_a_rail,
    gantry,
    light_weight_arm,
    moved,
    selective_arm,
)

DT = 0.01


def beyond(rng: np.random.Generator) -> np.ndarray:
    """A pose out of reach of the light-weight arm."""
    along = rng.normal(size=3)
    T = np.eye(4)
    T[:3, :3] = Rotation.random(rng=rng).as_matrix()
    T[:3, 3] = SHOULDER + rng.uniform(0.95, 1.5) * along / np.linalg.norm(along)
    return T


def stretched_path() -> tuple[np.ndarray, list[np.ndarray]]:
    """Joints to begin with, and poses straight out to 1.05 m from the shoulder and back, in 4 s."""
    q_start, chain = np.array([0.0, 0.6, 0.0, 1.3, 0.0, 0.9, 0.0]), light_weight_arm()
    T_0, path = tip_pose(chain, q_start), []
    away = T_0[:3, 3] - SHOULDER
    for k in range(401):
        T, near = T_0.copy(), np.linalg.norm(away)
        T[:3, 3] = SHOULDER + away / near * (near + (1.05 - near) * (0.5 - 0.5 * np.cos(2 * np.pi * k / 400)))
        path.append(T)
    return q_start, path


def test_targets_within_reach_are_reached() -> None:
    """At least 98 of 100 poses from 0.3 rad away within 1e-6, in a median of 15 steps; limits are kept."""
    chain, rng = light_weight_arm(), np.random.default_rng(0)
    inverse, steps = PassiveChain(chain, -LIMITS, LIMITS), []
    reached = 0
    for _ in range(100):
        q = rng.uniform(-LIMITS, LIMITS)
        aside = rng.normal(size=7)
        start = np.clip(q + 0.3 * aside / np.linalg.norm(aside), -LIMITS, LIMITS)
        found = inverse.solve(tip_pose(chain, q), start)
        reached += found.reachable
        steps.append(found.iterations)
        assert np.all(np.abs(found.q) <= LIMITS)
        assert found.reachable == (found.position_error < 1e-6 and found.orientation_error < 1e-6)
    assert reached >= 98 and np.median(steps) <= 15


def test_beyond_reach_it_takes_the_nearest_pose() -> None:
    """Within 0.1 % of the best of scipy's least squares from twelve starts; said to be out of reach."""
    chain, rng = light_weight_arm(), np.random.default_rng(5)
    inverse = PassiveChain(chain)

    def residual(q: np.ndarray, T: np.ndarray) -> np.ndarray:
        h = np.empty(6)
        misalignment_into(h, T, tip_pose(chain, q), 0.2, False)
        return h

    for _ in range(12):
        T = beyond(rng)
        found = inverse.solve(T, HOME)
        assert found.converged and not found.reachable
        best = min(least_squares(residual, rng.uniform(-2, 2, 7), args=(T,)).cost for _ in range(12))
        assert potential_of(chain, T, found.q, 0.2) <= 1.001 * best


def test_position_alone_leaves_what_geometry_demands() -> None:
    """Out of reach without orientation: the distance is that from the sphere of 0.868 m."""
    chain, rng = light_weight_arm(), np.random.default_rng(6)
    inverse = PassiveChain(chain, length=0.0)
    for _ in range(20):
        T = beyond(rng)
        found = inverse.solve(T, HOME)
        wanted = np.linalg.norm(T[:3, 3] - SHOULDER) - REACH
        assert found.converged and found.position_error == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("limited", [False, True])
def test_stretched_path_is_calm(limited: bool) -> None:
    """Out to 1.05 m and back: joints below 25 rad/s, errors below 0.01 mm within reach, no NaN."""
    q_start, path = stretched_path()
    inverse = PassiveChain(light_weight_arm(), *((-LIMITS, LIMITS) if limited else (None, None)))
    inverse.reset(q_start)
    q, within = q_start, 0
    for T in path[1:]:
        found = inverse.step(T, DT)
        assert np.all(np.isfinite(found.q)) and np.abs(found.q - q).max() < 25.0 * DT
        if np.linalg.norm(T[:3, 3] - SHOULDER) < 0.7:
            assert found.position_error < 1e-5
            within += found.reachable
        q = found.q
    assert within > 100


def test_a_chain_within_reach_has_one_frequency() -> None:
    """One ratio of mass, damper and spring at tip and joints: all fourteen eigenvalues have modulus w = 1."""
    chain, mass, zeta = light_weight_arm(), 1e-4, 0.7
    _, inertia, _, _ = stiffness_of(chain, tip_pose(chain, HOME), HOME, 0.2)
    M = inertia + mass * np.eye(7)
    D, K = 2.0 * zeta * M, M
    A = np.block([[np.zeros((7, 7)), np.eye(7)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    assert np.ptp(np.abs(np.linalg.eigvals(A))) < 1e-6


def test_geometric_stiffness_is_the_potentials_curvature() -> None:
    """Force and whole stiffness are the slopes of the potential, by differences."""
    chain, rng = light_weight_arm(), np.random.default_rng(7)
    q, T, h = rng.uniform(-1, 1, 7), beyond(rng), 1e-6
    force, _, whole, _ = stiffness_of(chain, T, q, 0.2)
    for i, e in enumerate(h * np.eye(7)):
        slope = (potential_of(chain, T, q + e, 0.2) - potential_of(chain, T, q - e, 0.2)) / (2 * h)
        assert force[i] == pytest.approx(-slope, abs=1e-8)
        turned = (stiffness_of(chain, T, q + e, 0.2)[0] - stiffness_of(chain, T, q - e, 0.2)[0]) / (-2 * h)
        np.testing.assert_allclose(whole[i], turned, atol=1e-8)


def test_a_saddle_is_left() -> None:
    """Straight up, and the target straight below the tip: no force, but the arm can bend."""
    chain = light_weight_arm()
    q = np.zeros(7)
    T = tip_pose(chain, q) @ moved(0.0, 0.0, -0.2)
    assert np.abs(stiffness_of(chain, T, q, 0.2)[0]).max() < 1e-12
    assert PassiveChain(chain).solve(T, q).reachable


@pytest.mark.parametrize("knob", ["masses", "frictions"])
def test_knobs_steer_the_redundancy(knob: str) -> None:
    """A joint with more mass or more friction than the others moves less; the tip gets there all the same."""
    chain = light_weight_arm()
    T = tip_pose(chain, HOME) @ moved(0.1, 0.15, -0.05)
    usual = 1e-4 if knob == "masses" else 1.0
    plain = PassiveChain(chain).solve(T, HOME)
    for joint in (0, 2):
        values = np.full(7, usual)
        values[joint] *= 1000.0
        steered = PassiveChain(chain, **{knob: values}).solve(T, HOME)
        assert steered.reachable and plain.reachable
        assert abs(steered.q[joint] - HOME[joint]) < 0.6 * abs(plain.q[joint] - HOME[joint])


@pytest.mark.parametrize("make", [arm_on_a_rail, selective_arm, gantry])
def test_any_number_and_kind_of_joints(make) -> None:
    """Nine joints, four and three, linear ones among them: poses that they can take are reached."""
    chain, rng = make(), np.random.default_rng(9)
    n, reached = len(chain.linear), 0
    inverse = PassiveChain(chain)
    for _ in range(20):
        q = rng.uniform(-1.0, 1.0, n)
        reached += inverse.solve(tip_pose(chain, q), q + rng.uniform(-0.2, 0.2, n)).reachable
    assert reached == 20


def test_three_slides_come_nearest_in_closed_form() -> None:
    """A gantry cannot turn: position is met, the angle stays; limits cut the position off at the box."""
    T = moved(0.5, -2.0, 0.3)
    T[:3, :3] = Rotation.from_rotvec([0.0, 0.0, 0.4]).as_matrix()
    found = PassiveChain(gantry()).solve(T, np.zeros(3))
    np.testing.assert_allclose(found.q, [0.5, -2.0, 0.3], atol=1e-5)
    assert not found.reachable and found.orientation_error == pytest.approx(0.4)
    limited = PassiveChain(gantry(), np.full(3, -1.0), np.ones(3)).solve(T, np.zeros(3))
    np.testing.assert_allclose(limited.q, [0.5, -1.0, 0.3], atol=1e-5)


def test_limits_are_kept_at_the_optimum() -> None:
    """With a joint stopped, the pose found is stationary for the others: no force is left in them."""
    chain = light_weight_arm()
    tight = LIMITS.copy()
    tight[[1, 3]] = 0.4
    T = tip_pose(chain, np.full(7, 0.9))
    found = PassiveChain(chain, -tight, tight).solve(T, np.full(7, 0.1))
    force = stiffness_of(chain, T, found.q, 0.2)[0]
    free = np.abs(found.q) < tight
    assert np.all(np.abs(found.q) <= tight) and 0 < free.sum() < 7
    assert np.abs(force[free]).max() < 1e-5 < np.abs(force[~free]).max()
    assert np.all(force[~free] * found.q[~free] > -1e-9)


def test_nonsense_is_refused() -> None:
    """Limits the wrong way round, of the wrong number, and a mass of nothing."""
    chain = gantry()
    for arguments, says in (
        ({"lower": np.ones(3), "upper": np.zeros(3)}, "must be below"),
        ({"lower": np.zeros(2), "upper": np.ones(2)}, "3 joints"),
        ({"masses": 0.0}, "above 0"),
    ):
        with pytest.raises(ValueError, match=says):
            PassiveChain(chain, **arguments)
