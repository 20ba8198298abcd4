"""Lagrange optimisation: conditions of the minimum, SLSQP, limits, the trap, base and power, any chain."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from bench.inverse_cases import REFERENCE, START, arm, figure_eight, reference_path
from bench.inverse_lagrange import MOMENT, followed, path_figures
from planner.inverse.criteria import Motion, criteria_of, objective, objective_model
from planner.inverse.lagrange import LagrangeInverse
from planner.inverse.misalignment import misalignment_into, slope_into
from sim.chain.kinematics import jacobian, tip_pose
from sim.chain.serial_chain import SerialChain
from tests.planner.inverse.arms import (
    HOME,
    LIMITS,
    arm_on_a_rail,
    gantry,
    light_weight_arm,
    moved,
    selective_arm,
)

DT = 0.01


def misaligned(chain: SerialChain, T: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Misalignment and slopes."""
    h, A, pose = np.empty(6), np.empty((6, len(q))), tip_pose(chain, q)
    misalignment_into(h, T, pose, 0.2, False)
    slope_into(A, T, pose, jacobian(chain, q), 0.2, False)
    return h, A


def near_targets(
    count: int, seed: int, away: float = 0.3, share: float = 1.0
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Poses of the light-weight arm within a share of its limits, and joints `away` [rad] from them."""
    rng, chain, out = np.random.default_rng(seed), light_weight_arm(), []
    for _ in range(count):
        q, aside = share * rng.uniform(-LIMITS, LIMITS), rng.normal(size=7)
        out.append((tip_pose(chain, q), np.clip(q + away * aside / np.linalg.norm(aside), -LIMITS, LIMITS)))
    return out


def test_conditions_of_a_minimum_hold() -> None:
    """100 targets: met, the gradient in the range of A^T within 1e-6, no descent along the null space."""
    chain, iterations = light_weight_arm(), []
    inverse = LagrangeInverse(chain, q_ref=HOME)
    for T, start in near_targets(100, 0):
        found = inverse.solve(T, start)
        assert found.reachable and found.converged
        h, A = misaligned(chain, T, found.q)
        null = np.linalg.svd(A)[2][6]
        assert np.abs(h).max() < 1e-7 and abs(2.0 * (found.q - HOME) @ null) < 1e-6
        iterations.append(found.iterations)
        step = 1e-3 * null
        for sign in (1.0, -1.0):  # beside it on the constraint the objective is no less
            q = found.q + sign * step
            for _ in range(4):
                h, A = misaligned(chain, T, q)
                q = q - np.linalg.pinv(A) @ h
            assert np.sum((q - HOME) ** 2) >= np.sum((found.q - HOME) ** 2) - 1e-9
    assert np.median(iterations) <= 8


@pytest.mark.parametrize("limited", [False, True])
def test_the_objective_is_slsqps(limited: bool) -> None:
    """Where both end in the same minimum, within 1e-6; with limits some of which are active."""
    chain, compared, active = light_weight_arm(), 0, 0
    tight = 0.6 * LIMITS if limited else None
    inverse = LagrangeInverse(chain, None if tight is None else -tight, tight, q_ref=HOME)
    for T, start in near_targets(60, 1, share=0.6 if limited else 1.0):
        if tight is not None:
            start = np.clip(start, -tight, tight)
        other = minimize(
            lambda q: float((q - HOME) @ (q - HOME)), start, jac=lambda q: 2.0 * (q - HOME), method="SLSQP",
            bounds=None if tight is None else list(zip(-tight, tight, strict=True)),
            constraints={"type": "eq", "fun": lambda q, T=T: misaligned(chain, T, q)[0],
                         "jac": lambda q, T=T: misaligned(chain, T, q)[1]},
            options={"ftol": 1e-13, "maxiter": 300},
        )  # fmt: skip
        found = inverse.solve(T, start)
        if tight is not None:
            assert np.all(np.abs(found.q) <= tight + 1e-12)
        same = other.success and np.abs(misaligned(chain, T, other.x)[0]).max() < 1e-8
        if same and found.reachable and np.abs(found.q - other.x).max() < 0.01:
            compared += 1
            active += tight is not None and bool(np.any(np.abs(found.q) > tight - 1e-9))
            assert np.sum((found.q - HOME) ** 2) == pytest.approx(other.fun, rel=1e-6, abs=1e-6)
    assert compared >= (30 if limited else 40)
    assert not limited or active >= 3


def test_slopes_of_all_criteria_are_exact() -> None:
    """The gradient is that of the objective by differences; the curvature is that of squares."""
    chain, rng = light_weight_arm(), np.random.default_rng(3)
    q, q_1, q_2 = rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7)
    motion = Motion(q_1, q_2, 0.3)
    A = rng.normal(size=(7, 7))
    weights = {"position": 0.7, "speed": rng.uniform(0, 1, 7), "acceleration": A @ A.T, "torque": 0.3}
    weights |= {"power": A.T @ A, "base": rng.uniform(0, 1, 6)}
    for names in (*((name,) for name in weights), tuple(weights)):
        given = [weights[name] for name in names]
        criteria = criteria_of(7, names, given, HOME, np.array([0.0, 1.0, -9.0]))
        f, g, B = objective_model(chain, criteria, motion, q)
        assert f == pytest.approx(objective(chain, criteria, motion, q), rel=1e-12)
        for i, e in enumerate(1e-6 * np.eye(7)):
            difference = objective(chain, criteria, motion, q + e) - objective(chain, criteria, motion, q - e)
            assert g[i] == pytest.approx(difference / 2e-6, rel=1e-5, abs=1e-5 * np.abs(g).max())
        assert np.linalg.eigvalsh(B).min() > -1e-9 * np.abs(B).max()


def test_greedy_criteria_pay_for_speed() -> None:
    """Acceleration, torque, power and base never stand alone; position does."""
    for name in ("acceleration", "torque", "power", "base"):
        assert np.all(np.diag(criteria_of(7, (name,), (2.0,), HOME, np.zeros(3)).speed) > 0.0)
    assert not criteria_of(7, ("position",), (1.0,), HOME, np.zeros(3)).speed.any()
    given = criteria_of(7, ("base", "speed"), (1.0, 1e-2), HOME, np.zeros(3))
    np.testing.assert_array_equal(given.speed, 1e-2 * np.eye(7))


def test_base_moment_falls_on_the_reference_path() -> None:
    """15 % less than with speed alone, 8 % for force and moment together; each pose met within 1e-8."""
    path, chain = reference_path(), arm().chain
    figures = {}
    for name, (criteria, weights) in {
        "speed": (("speed",), (1.0,)),
        "base": (("base", "speed"), (1.0, 1e-2)),
        "moment": (("base", "speed"), (MOMENT, 1e-2)),
    }.items():
        steps, _ = followed(LagrangeInverse(chain, criteria=criteria, weights=weights, q_ref=START), path)
        assert all(step.reachable for step in steps)
        assert max(max(step.position_error, step.orientation_error) for step in steps) < 1e-8
        figures[name] = path_figures(chain, steps)["base_moment_n_m"]
    assert figures["base"] < 0.92 * figures["speed"]
    assert figures["moment"] < 0.85 * figures["speed"]


def test_the_reference_path_is_its_formula() -> None:
    """The shipped file is what the script writes, within its digits."""
    assert REFERENCE.is_file()
    np.testing.assert_allclose(reference_path(), figure_eight(arm().chain), atol=1e-12)


def test_the_trap_is_seen_and_left() -> None:
    """Half a turn away Krenn's (3) is content at the start; here the log map takes over and is counted."""
    chain = light_weight_arm()
    inverse = LagrangeInverse(chain, q_ref=HOME, form="entries")
    T = tip_pose(chain, HOME)
    T[:3, :3] = T[:3, :3] @ Rotation.from_rotvec([0.0, 0.0, np.pi]).as_matrix()
    found = inverse.solve(T, HOME)
    assert found.reachable and inverse.log_map_commands == 1
    near = LagrangeInverse(chain, q_ref=HOME, form="entries")
    for T, start in near_targets(30, 4, away=0.2):
        assert near.solve(T, start).reachable
    assert near.log_map_commands == 0


def test_out_of_reach_is_said_and_the_nearest_given() -> None:
    """Beyond reach the passive chain's pose is returned, and within reach again the target is met."""
    chain = light_weight_arm()
    inverse = LagrangeInverse(chain, criteria=("speed",))
    inverse.reset(HOME)
    near, far = tip_pose(chain, HOME), moved(0.0, 0.0, 1.4)
    assert inverse.step(near, DT).reachable
    lost = inverse.step(far, DT)
    assert not lost.reachable and lost.position_error > 0.2
    assert inverse.step(near, DT).reachable


def test_speed_alone_is_the_pseudo_inverse() -> None:
    """Small steps with the criterion of speed have no part in the null space, to second order."""
    chain = light_weight_arm()
    inverse = LagrangeInverse(chain, criteria=("speed",))
    inverse.reset(HOME)
    q = HOME
    for k in range(1, 30):
        found = inverse.step(tip_pose(chain, HOME) @ moved(0.002 * k, -0.001 * k, 0.0), DT)
        null = np.linalg.svd(jacobian(chain, found.q))[2][6]
        assert abs(null @ (found.q - q)) < 2.0 * np.sum((found.q - q) ** 2)
        q = found.q


def test_weights_spare_joints() -> None:
    """A joint whose speed is dear moves less."""
    chain = light_weight_arm()
    T = tip_pose(chain, HOME) @ moved(0.1, 0.15, -0.05)
    plain = LagrangeInverse(chain, criteria=("speed",)).solve(T, HOME)
    for joint in (0, 2):
        weights = np.ones(7)
        weights[joint] = 1e4
        dear = LagrangeInverse(chain, criteria=("speed",), weights=(weights,)).solve(T, HOME)
        assert dear.reachable
        assert abs(dear.q[joint] - HOME[joint]) < 0.1 * abs(plain.q[joint] - HOME[joint])


@pytest.mark.parametrize("make", [arm_on_a_rail, selective_arm, gantry])
def test_any_number_and_kind_of_joints(make) -> None:
    """Nine joints, four and three, linear ones among them; limits too."""
    chain, rng = make(), np.random.default_rng(9)
    n = len(chain.linear)
    for limits in ((None, None), (np.full(n, -1.3), np.full(n, 1.3))):
        inverse = LagrangeInverse(chain, *limits)
        for _ in range(10):
            q = rng.uniform(-1.0, 1.0, n)
            assert inverse.solve(tip_pose(chain, q), q + rng.uniform(-0.2, 0.2, n)).reachable


def test_nonsense_is_refused() -> None:
    """Criteria that do not exist, weights that do not fit."""
    chain = gantry()
    for arguments, says in (
        ({"criteria": ("pose",)}, "there are position"),
        ({"criteria": ("speed",), "weights": (1.0, 2.0)}, "as many weights"),
        ({"criteria": ("speed",), "weights": (np.ones(2),)}, "3 numbers"),
        ({"form": "euler"}, "log, entries"),
    ):
        with pytest.raises(ValueError, match=says):
            LagrangeInverse(chain, **arguments)
