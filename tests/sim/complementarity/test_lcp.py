"""Linear complementarity problems beside known answers, enumeration and problems that have none."""

import numpy as np
import pytest

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.answers import TOLERANCE
from sim.complementarity.enumeration import in_some_cone
from sim.complementarity.gauss_seidel import gauss_seidel
from sim.complementarity.lcp import solve_lcp
from sim.complementarity.lcp_work import lcp_work
from sim.complementarity.lemke import STOPPED, lemke
from sim.complementarity.problem_file import LcpProblem, read_problem
from tests.sim.complementarity.problems import file_of

# the solutions that enumerating all bases gives, in exact fractions or to seven digits
ANSWERS = {
    "deudeu": [4 / 3, 7 / 3],
    "ortiz": [2 / 3, 0, 1 / 3, 0],
    "exp_murty": [0, 0, 0, 0, 0, 1],
    "CPS_2": [0, 1, 3],
    "CPS_4": [2, 2, 2, 92],
    "Pang_isolated_sol": [1, 0, 0],
    "enum_fails": 1e-5
    * np.array([6.449878, 0.3710899, 0, 8.016313, 1.603263, 5.211145, 17.31011, 1.725763, 0]),
}


def read(name: str) -> LcpProblem:
    problem = read_problem(file_of("lcp", f"{name}.dat"))
    assert isinstance(problem, LcpProblem)
    return problem


def bare_residual(M: Array, q: Array, z: Array) -> float:
    return float(np.linalg.norm(np.minimum(z, M @ z + q)) / max(1.0, np.linalg.norm(q)))


@pytest.mark.parametrize("name", ANSWERS)
def test_files_have_their_known_solutions(name: str) -> None:
    problem = read(name)
    answer = solve_lcp(problem.M, problem.q)
    assert answer.status == "solved"
    assert answer.residual < TOLERANCE and bare_residual(problem.M, problem.q, answer.z) < TOLERANCE
    assert np.allclose(answer.z, ANSWERS[name], rtol=1e-6, atol=1e-12)


def test_a_ray_of_solutions_gives_one_of_them() -> None:
    problem = read("CPS_5")
    z = solve_lcp(problem.M, problem.q).z
    assert z[0] >= 0.0 and abs(z[1] - z[0] - 1.0) < 1e-12


def test_a_problem_without_solution_is_said_to_have_none() -> None:
    """w_0 = -1e-4 - z_1 - z_2 can never be at least zero."""
    answer = solve_lcp([[0, -1, -1], [1, 0, 0], [-1, 0, 0]], [-1e-4, -1, 1])
    assert (answer.status, answer.solver) == ("none", "feasibility")
    assert solve_lcp([[0, -1, -1], [1, 0, 0], [-1, 0, 0]], [0, -1, 1]).status == "solved"


def test_singular_bases_count() -> None:
    """w = (z_1 - 1, 0): any z_1 >= 1 is a solution, on a basis that is singular."""
    answer = solve_lcp([[0, 1], [0, 0]], [-1, 0])
    assert answer.status == "solved" and answer.z[1] >= 1.0


def test_none_is_proved_by_all_bases_where_the_inequalities_have_solutions() -> None:
    """w = (-z_0 + z_1 - 1, 1): z = (0, 1) has w >= 0, but w_1 = 1 asks z_1 = 0, and then w_0 < 0."""
    answer = solve_lcp([[-1, 1], [0, 0]], [-1, 1])
    assert (answer.status, answer.solver) == ("none", "enumeration")


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_semidefinite_problems_are_solved_or_infeasible(n: int) -> None:
    """For positive semidefinite M there is a solution exactly if M z + q >= 0 has one; all cones tell."""
    rng = np.random.default_rng(n)
    for case in range(40):
        root = rng.standard_normal((n, max(1, n // 2)))
        M, q = root @ root.T, rng.standard_normal(n)
        answer, oracle = solve_lcp(M, q), in_some_cone(M, q, 1e-9)
        assert (answer.status == "solved") == (oracle is not None), case
        if oracle is not None:
            assert bare_residual(M, q, answer.z) < TOLERANCE, case


def test_a_game_of_many_has_an_equilibrium() -> None:
    """Eight players of four strategies, costs between each two: nobody has a cheaper one than those in use.

    As a problem without positive diagonal: w = (C x - E v, E^T x - 1), copositive-plus.
    """
    rng = np.random.default_rng(7)
    C, E = rng.integers(1, 250, (32, 32)).astype(float), np.kron(np.eye(8), np.ones((4, 1)))
    C[E @ E.T == 1.0] = 1.0
    answer = solve_lcp(np.block([[C, -E], [E.T, np.zeros((8, 8))]]), np.r_[np.zeros(32), -np.ones(8)])
    assert answer.status == "solved"
    x = answer.z[:32].reshape(8, 4)
    costs = (C @ answer.z[:32]).reshape(8, 4)
    assert np.allclose(x.sum(axis=1), 1.0)
    assert np.allclose((x * costs).sum(axis=1), costs.min(axis=1))


def test_a_ray_alone_proves_nothing() -> None:
    """Games of two end Lemke on a ray at once, and yet have an equilibrium: no better strategy for either."""
    rng = np.random.default_rng(8)
    for case in range(5):
        A, B = rng.uniform(1.0, 2.0, (2, 4, 4))
        answer = solve_lcp(np.block([[np.zeros((4, 4)), A], [B.T, np.zeros((4, 4))]]), -np.ones(8))
        assert answer.status == "solved", case
        x, y = answer.z[:4] / answer.z[:4].sum(), answer.z[4:] / answer.z[4:].sum()
        assert (A @ y >= x @ A @ y - 1e-9).all() and (B.T @ x >= x @ B @ y - 1e-9).all(), case


def test_degenerate_problems_do_not_cycle() -> None:
    """Equal ratios at every pivot: many q alike, a matrix of few different entries."""
    for n in (4, 8, 16):
        M = np.ones((n, n)) - np.tril(np.ones((n, n)), -2)
        assert solve_lcp(M, -np.ones(n)).status == "solved"
        assert solve_lcp(np.ones((n, n)), -np.ones(n)).status == "solved"


def test_exponential_problems_end() -> None:
    """Murty's matrix needs 2^n pivots of Lemke unless scaled; pivots are counted."""
    n = 16
    M, q = np.eye(n) + 2.0 * np.tril(np.ones((n, n)), -1), -np.ones(n)
    assert lemke(M, q, lcp_work(n), 1) == STOPPED
    answer = solve_lcp(M, q)
    assert answer.status == "solved" and np.allclose(answer.z, [1.0] + [0.0] * (n - 1))


def test_sweeps_alone_solve_definite_problems() -> None:
    rng = np.random.default_rng(3)
    root = rng.standard_normal((6, 6))
    M, q, work = root @ root.T + np.eye(6), rng.standard_normal(6), lcp_work(6)
    assert gauss_seidel(M, q, work, 2000, 1e-12) < 1e-11
    assert np.allclose(work.z, solve_lcp(M, q).z, atol=1e-9)


def test_quantecon_agrees() -> None:
    """Its Lemke on definite problems, which have one solution."""
    pytest.importorskip("quantecon")
    from bench.solver_peers import quantecon_solver

    rng, theirs = np.random.default_rng(5), quantecon_solver()
    for case in range(30):
        root = rng.standard_normal((6, 6))
        M, q = root @ root.T + 0.1 * np.eye(6), rng.standard_normal(6)
        assert np.allclose(theirs(M, q), solve_lcp(M, q).z, atol=1e-8), case


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ComplementarityError, match=r"M has shape \(2, 3\)"):
        solve_lcp(np.zeros((2, 3)), np.zeros(2))
    with pytest.raises(ComplementarityError, match=r"q\[1\] = nan is not finite"):
        solve_lcp(np.eye(2), [1.0, np.nan])
