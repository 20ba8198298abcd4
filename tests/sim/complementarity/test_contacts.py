"""Contacts with Coulomb friction beside enumeration of modes, the law itself, pinocchio and known answers."""

import numpy as np
import pytest

from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.answers import TOLERANCE, ContactAnswer
from sim.complementarity.contacts import solve_contacts
from sim.complementarity.one_contact import one_contact
from sim.complementarity.problem_file import ContactProblem, read_problem
from tests.sim.complementarity.problems import all_planar, coulomb_violation, file_of, random_contacts


def whole(answer: ContactAnswer) -> Array:
    return np.column_stack([answer.lam_n, answer.lam_t]).ravel()


def solved_file(name: str) -> tuple[ContactProblem, Array]:
    problem = read_problem(file_of("friction", f"{name}.dat"))
    assert isinstance(problem, ContactProblem)
    answer = solve_contacts(problem.G, problem.b, problem.mu, problem.n, problem.dim)
    assert answer.status == "solved" and answer.residual < TOLERANCE
    return problem, whole(answer)


def test_files_have_their_known_solutions() -> None:
    problem, lam = solved_file("FrictionContact3D_RR_1c")
    assert np.allclose(lam, [10.205876, 1.931888, 5.810798], rtol=1e-6)
    assert np.allclose((problem.G @ lam + problem.b)[1:], [-0.0424292, -0.1276201], rtol=1e-5)
    _, lam = solved_file("FrictionContact3D_1c")
    assert np.allclose(lam, [0.06569568, -0.00367861, -0.00544307], rtol=1e-6)


@pytest.mark.parametrize("name", ["FC2D_SliderCrankLagrangian00000", "Confeti-ex13-4contact-Fc3D-SBM"])
def test_files_obey_the_law(name: str) -> None:
    """The scale of both is told by b, of order ten."""
    problem, lam = solved_file(name)
    assert coulomb_violation(problem.G, problem.b, problem.mu, lam, problem.dim) < 1e-8


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_planar_contacts_are_those_of_enumeration(n: int) -> None:
    """60 random cases of nine degrees of freedom: the one solution there is, or one of those there are."""
    rng = np.random.default_rng(100 + n)
    for case in range(60):
        G, b = random_contacts(rng, n, 9, 2)
        answer, every = solve_contacts(G, b, 0.3, n, 2), all_planar(G, b, 0.3)
        assert (answer.status, answer.solver) == ("solved", "lemke") and answer.residual < 1e-9, case
        assert min(np.abs(whole(answer) - lam).max() for lam in every) < 1e-6, case


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("n", "dof"), [(1, 3), (3, 9), (4, 3), (8, 6)])
def test_random_contacts_obey_the_law(n: int, dof: int, dim: int) -> None:
    """Redundant ones too: more directions than degrees of freedom."""
    rng = np.random.default_rng(10 * n + dim)
    for case in range(40):
        G, b = random_contacts(rng, n, dof, dim)
        answer = solve_contacts(G, b, 0.3, n, dim)
        assert answer.status == "solved", case
        assert coulomb_violation(G, b, 0.3, whole(answer), dim) < 1e-7 * max(1.0, np.linalg.norm(b)), case


def test_the_answer_scales_as_the_problem() -> None:
    """Masses in grams, speeds in micrometres a second: impulses scale with b over G."""
    rng = np.random.default_rng(4)
    for dim in (2, 3):
        G, b = random_contacts(rng, 4, 9, dim)
        plain = whole(solve_contacts(G, b, 0.4, 4, dim))
        for mass, speed in ((1e6, 1.0), (1.0, 1e-6), (1e-5, 1e4)):
            scaled = whole(solve_contacts(mass * G, speed * b, 0.4, 4, dim)) * mass / speed
            assert np.allclose(scaled, plain, rtol=1e-6, atol=1e-6 * np.abs(plain).max())


def table(mu: float, push: Array) -> tuple[Array, Array]:
    """Return G and b of a table of four legs (redundant in any direction) under gravity and a push."""
    corners = np.array([[0.4, 0.3, -0.7], [-0.4, 0.3, -0.7], [-0.4, -0.3, -0.7], [0.4, -0.3, -0.7]])
    W = np.zeros((6, 12))
    for i, r in enumerate(corners):
        for k, axis in enumerate(np.eye(3)[[2, 0, 1]]):
            W[:3, 3 * i + k], W[3:, 3 * i + k] = axis, np.cross(r, axis)
    inverse = np.diag([0.1, 0.1, 0.1, 1.0, 1.0, 1.0])
    return W.T @ inverse @ W, W.T @ inverse @ push


def test_a_table_stands_and_slides_by_its_whole_weight() -> None:
    """Redundant legs: how they share is open, their sum is not."""
    weight = 98.1
    for pull, slides in ((0.0, False), (25.0, False), (35.0, True)):
        G, b = table(0.3, np.array([pull, 0.0, -weight, 0.0, 0.0, 0.0]))
        answer = solve_contacts(G, b, 0.3, 4, 3)
        assert answer.status == "solved"
        assert np.isclose(answer.lam_n.sum(), weight, rtol=1e-9)
        assert np.isclose(-answer.lam_t[:, 0].sum(), 0.3 * weight if slides else pull, rtol=1e-9, atol=1e-9)


def test_bodies_that_cannot_part_are_refused() -> None:
    """Two walls that come towards each other with a block between: y = (1, 1) proves it."""
    planar = np.array(
        [[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [-1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
    )
    assert solve_contacts(planar, [-1.0, 0.0, -1.0, 0.0], 0.3, 2, 2).status == "none"
    W = np.zeros((3, 6))
    W[0, 0], W[1, 1], W[2, 2], W[0, 3], W[1, 4], W[2, 5] = 1, 1, 1, -1, 1, 1
    answer = solve_contacts(W.T @ W, [-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], 0.3, 2, 3)
    assert (answer.status, answer.solver) == ("none", "feasibility")
    assert solve_contacts(W.T @ W, [-1.0, 0.0, 0.0, 1.0, 0.0, 0.0], 0.3, 2, 3).status == "solved"


def test_a_rod_that_jams_stops_at_once() -> None:
    """Painlevé: friction would press it on harder than the ground holds it; only sticking is left."""
    G, b = np.array([[1.0, 2.0], [2.0, 5.0]]), np.array([-1.0, 10.0])
    answer = solve_contacts(G, b, 1.0, 1, 2)
    assert np.allclose(whole(answer), [25.0, -12.0]) and np.allclose(all_planar(G, b, 1.0), [[25.0, -12.0]])


def test_a_start_near_the_answer_is_kept() -> None:
    rng = np.random.default_rng(9)
    G, b = random_contacts(rng, 20, 60, 3)
    cold = whole(solve_contacts(G, b, 0.5, 20, 3))
    warm = solve_contacts(G, b, 0.5, 20, 3, start=cold)
    assert warm.solver == "gauss-seidel" and np.allclose(whole(warm), cold, atol=1e-10)


@pytest.mark.parametrize("dim", [2, 3])
def test_one_contact_is_the_best_of_all_directions(dim: int) -> None:
    """Sliding: of all directions of friction the one that slip is opposed to; seen by trying 20000."""
    rng, slid = np.random.default_rng(dim), 0
    for case in range(60):
        G, b = random_contacts(rng, 1, 4, dim)
        lam = np.zeros(dim)
        mu = (0.0, 0.2, 0.8)[case % 3]
        assert one_contact(G, b, mu, lam)
        assert coulomb_violation(G, b, mu, lam, dim) < 1e-10 * max(1.0, np.linalg.norm(lam)), case
        slid += bool(b[0] < 0.0 and np.linalg.norm((G @ lam + b)[1:]) > 1e-9)
        if b[0] < 0.0 and dim == 3 and mu > 0.0:
            angles = np.linspace(0.0, 2.0 * np.pi, 20001)
            ways = np.column_stack([np.ones_like(angles), mu * np.cos(angles), mu * np.sin(angles)])
            normal = -b[0] / (ways @ G[0])
            slips = b + normal[:, None] * (ways @ G)
            against = np.einsum("ij,ij->i", slips[:, 1:], ways[:, 1:]) + mu * np.linalg.norm(
                slips[:, 1:], axis=1
            )
            if np.linalg.norm(lam[1:]) > 0.999999 * mu * lam[0] and (normal > 0.0).all():
                best = int(np.argmin(np.abs(against)))
                assert np.allclose(lam / lam[0], ways[best], atol=2e-3), case
    assert slid > 10


def test_pinocchio_agrees() -> None:
    """Its proximal solver on problems with one solution, to its own precision."""
    pytest.importorskip("pinocchio")
    from bench.solver_peers import pinocchio_solver

    rng, solve = np.random.default_rng(21), pinocchio_solver(3, 0.3, "admm")
    for case in range(20):
        G, b = random_contacts(rng, 3, 20, 3)
        ours, theirs = whole(solve_contacts(G, b, 0.3, 3, 3)), solve(G, b)
        assert np.allclose(ours, theirs, atol=1e-5 * max(1.0, np.abs(ours).max())), case


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ComplementarityError, match=r"mu = -0\.1: 1 finite coefficients"):
        solve_contacts(np.eye(2), np.zeros(2), -0.1, 1, 2)
    with pytest.raises(ComplementarityError, match="b has 3 entries: 1 contacts in 2 dimensions have 2"):
        solve_contacts(np.eye(3), np.zeros(3), 0.1, 1, 2)
    with pytest.raises(ComplementarityError, match="dim = 4"):
        solve_contacts(np.eye(4), np.zeros(4), 0.1, 1, 4)
