"""Time stepping beside closed forms, published motions, and laws of energy."""

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from scipy.integrate import solve_ivp

from bench.contact_motions import GRAVITY, belt, block, oscillator
from bench.slider_crank import first_impact, first_turn
from hil.common.arrays import Array
from hil.common.errors import ComplementarityError
from sim.complementarity.contact_chain import SOLVERS
from sim.complementarity.moreau_step import moreau_step
from sim.complementarity.step_work import step_work
from sim.complementarity.time_stepping import time_step


def test_a_block_slides_and_stops() -> None:
    """t = v0 / (mu g), to the step within which it stops; the implicit rule's way is short by v0 h / 2."""
    rows = block(1.0, 0.3, 1e-3)
    stop = 1e-3 * (int(np.argmax(np.abs(rows[:, 1]) < 1e-12)) + 1)
    assert abs(stop - 1.0 / (0.3 * GRAVITY)) < 1e-3
    assert abs(rows[-1, 0] - (0.5 / (0.3 * GRAVITY) - 0.5e-3)) < 1e-5
    assert (rows[-20:, 1] == 0.0).all()


def test_the_friction_oscillator_sticks_where_it_must() -> None:
    """m = k = 1, friction 1, x 12, v 6: from sqrt(205) less 2 a half turn; it sticks at 15 - sqrt(205)."""
    rows = oscillator(1e-3)
    assert abs(abs(rows[-1, 0]) - (15.0 - np.sqrt(205.0))) < 1e-5
    assert rows[-1, 1] == 0.0 or abs(rows[-1, 1]) < 1e-12
    assert abs(rows[-1, 2]) < 1e-3  # friction holds the spring, below its bound


def test_a_mass_on_a_belt_sticks_and_slips() -> None:
    """m 1, k 100, belt .1 m/s, mu .4 and .2: from stick to slip an arc about the point of kinetic balance."""
    far, near = 0.4 * GRAVITY / 100.0, 0.2 * GRAVITY / 100.0
    radius = np.hypot(far - near, 0.1 / 10.0)
    arc = 2.0 * np.pi - 2.0 * np.arctan2(far - near, 0.1 / 10.0)
    # the arc's angle from leaving to meeting the belt's speed again, and the belt's way back to `far`
    period = (2.0 * np.pi - 2.0 * (np.pi / 2.0 - np.arctan2(0.01, far - near))) / 10.0
    period += 2.0 * (far - near) / 0.1
    assert np.isclose(period, 0.80083, atol=1e-4) and arc > 0.0
    x = belt(5e-4, 5.0)[:, 0]
    tops = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]))
    assert abs(np.diff(tops).mean() * 5e-4 / period - 1.0) < 0.005
    assert abs(x.max() / (near + radius) - 1.0) < 0.002


def test_the_slider_crank_is_the_published_one() -> None:
    """Flores, Leine and Glocker's as siconos computes it: impact, impulses, turn."""
    when, impulses = first_impact(1e-4, middle=False)
    assert abs(when - 0.0029) < 1e-4
    assert np.allclose(impulses[:2], [0.05834, 0.05776], rtol=2e-3) and not impulses[2:].any()
    assert abs(first_turn(1e-4, middle=False) - 0.0672) < 1e-3


def test_both_ways_to_step_the_slider_crank_meet() -> None:
    """With less than half the step they differ by less than half."""
    apart = [abs(first_turn(h, middle=False) - first_turn(h, middle=True)) for h in (1e-4, 4e-5)]
    assert apart[0] < 1.2e-3 and apart[1] < 0.5 * apart[0]


def test_without_contacts_the_step_is_that_of_the_linear_system() -> None:
    """theta 1/2 is of second order, theta 1 of first, against a fine Runge-Kutta solution."""
    M, P, Q = (
        np.diag([1.0, 2.0]),
        np.array([[0.3, -0.1], [-0.1, 0.2]]),
        np.array([[40.0, -10.0], [-10.0, 30.0]]),
    )
    force, v0, q0 = np.array([1.0, -2.0]), np.array([0.4, -0.3]), np.array([0.1, 0.2])

    def slope(_: float, y: Array) -> Array:
        return np.concatenate([y[2:], np.linalg.solve(M, force - P @ y[2:] - Q @ y[:2])])

    exact = solve_ivp(slope, (0.0, 1.0), np.concatenate([q0, v0]), rtol=1e-11, atol=1e-12).y[:2, -1]
    none = np.zeros((2, 0))
    for theta, order in ((0.5, 2), (1.0, 1)):
        errors = []
        for count in (100, 200):
            v, q = v0, q0
            for _ in range(count):
                answer = time_step(M, P, Q, v, q, force, none, none, [], [], [], 1.0 / count, theta)
                v, q = answer.v, answer.q
            errors.append(np.abs(q - exact).max())
        assert np.isclose(np.log2(errors[0] / errors[1]), order, atol=0.2)


def random_impact(rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Return the mass of a rod, its velocity, and directions at one or two ends that hit a floor."""
    mass, inertia, half = rng.uniform(0.5, 2.0), rng.uniform(0.01, 0.3), rng.uniform(0.1, 0.5)
    angle, M = rng.uniform(-1.4, 1.4), np.diag([mass, mass, inertia])
    normal, tangential = [], []
    for side in (-1.0, 1.0)[: rng.integers(1, 3)]:
        x, y = side * half * np.cos(angle), side * half * np.sin(angle)
        normal.append([0.0, 1.0, x])
        tangential.append([1.0, 0.0, -y])
    return M, rng.standard_normal(3), np.array(normal).T, np.array(tangential).T


def test_no_impact_puts_energy_in() -> None:
    """500 rods that hit a floor with one or two ends, any friction and restitution."""
    rng, zero, hits, slower = np.random.default_rng(500), np.zeros((3, 3)), 0, 0
    for case in range(500):
        M, v, W_N, W_T = random_impact(rng)
        n = W_N.shape[1]
        mu, e = rng.uniform(0.0, 1.2), rng.uniform(0.0, 1.0, n)
        answer = time_step(M, zero, zero, v, np.zeros(3), np.zeros(3), W_N, W_T, np.zeros(n), mu, e, 1e-6)
        assert answer.status == "solved", case
        before, after = 0.5 * v @ M @ v, 0.5 * answer.v @ M @ answer.v
        assert after <= before * (1.0 + 1e-12), case
        hits += bool(answer.lam_n.any())
        slower += bool(
            n == 1 and answer.lam_n[0] > 0.0 and (W_N.T @ answer.v)[0] < -e[0] * (W_N.T @ v)[0] - 1e-9
        )
    assert hits > 200 and 0 < slower < 100  # where Newton's law would have put energy in, restitution is less


def test_restitution_and_gaps() -> None:
    """A ball rebounds by Newton's law; without restitution it comes to lie on the floor, not in it."""
    one, zero = np.eye(1), np.zeros((1, 1))
    W_N, W_T = np.array([[1.0]]), np.array([[0.0]])

    def step(v: float, gap: float, e: float, recovery: float = 1.0) -> float:
        answer = time_step(one, zero, zero, [v], [0], [0], W_N, W_T, [gap], 0.3, e, 1e-3, recovery=recovery)
        return float(answer.v[0])

    assert np.isclose(step(-2.0, 0.0, 0.6), 1.2)
    assert step(-2.0, 1.5e-3, 0.6) == -2.0  # closes in this step, but not within its first half
    assert np.isclose(step(-2.0, 0.5e-3, 0.6), 1.2)
    assert np.isclose(step(-2.0, 1.5e-3, 0.0), -1.5)
    assert step(-2.0, 3e-3, 0.0) == -2.0
    assert np.isclose(step(0.0, -1e-3, 0.0), 1.0) and np.isclose(step(0.0, -1e-3, 0.0, 0.1), 0.1)
    assert step(3.0, -1e-3, 0.6) == 3.0


def test_a_block_in_space_slides_against_its_motion() -> None:
    """Both tangents: friction is along the velocity, and stops it without turning it."""
    W_N, W_T = np.array([[0.0], [0.0], [1.0]]), np.eye(3)[:, :2]
    v, q, zero = np.array([0.3, -0.4, 0.0]), np.zeros(3), np.zeros((3, 3))
    for _ in range(50):
        answer = time_step(
            np.eye(3), zero, zero, v, q, [0, 0, -GRAVITY], W_N, W_T, [q[2]], 0.25, 0.0, 1e-3, start=None
        )
        v, q = answer.v, answer.q
    speed = 0.5 - 0.25 * GRAVITY * 0.05
    assert np.allclose(v, [0.6 * speed, -0.8 * speed, 0.0], atol=1e-9)


@pytest.mark.parametrize("dim", [2, 3])
def test_steps_allocate_nothing(dim: int) -> None:
    """Handing arrays over from Python is counted; whatever contacts do adds nothing."""
    rng, n, zero = np.random.default_rng(dim), 4, np.zeros((3, 3))
    W, work, e = rng.standard_normal((3, n * dim)), step_work(3, n, dim), np.array([0.0, 0.5, 0.0, 0.3])
    mu, counts, solvers = np.full(n, 0.5), [], set()
    _nrt_python.memsys_enable_stats()
    for case in range(60):
        v, force, gaps = rng.standard_normal(3), rng.standard_normal(3), np.full(n, float(case == 0))
        before = rtsys.get_allocation_stats().alloc
        code = moreau_step(np.eye(3), zero, zero, v, v, force, W, gaps, mu, e, 1e-3, 1.0, 1.0, work)
        counts.append(rtsys.get_allocation_stats().alloc - before)
        solvers.add(SOLVERS[code])
    assert len(set(counts)) == 1 and solvers >= ({"lemke"} if dim == 2 else {"gauss-seidel", "newton"})


def test_what_makes_no_sense_is_refused() -> None:
    good = dict(M=np.eye(1), P=[[0]], Q=[[0]], v=[0], q=[0], force=[0], W_N=[[1]], W_T=[[0]], gaps=[0])
    good |= dict(mu=0.1, restitution=0.0, dt=1e-3)
    for change, words in (
        ({"restitution": 1.5}, "restitution = 1.5: 0 <= restitution <= 1"),
        ({"mu": -1.0}, "mu = -1.0: 0 <= mu"),
        ({"dt": 0.0}, "dt = 0.0"),
        ({"theta": 0.2}, "theta = 0.2"),
        ({"M": [[0]]}, "singular"),
        ({"v": [0, 1]}, r"v has shape \(2,\): \(1,\) is asked"),
        ({"gaps": [np.nan]}, "gaps has entries that are not finite"),
        ({"W_T": [[1, 2, 3]]}, "W_T has shape"),
    ):
        with pytest.raises(ComplementarityError, match=words):
            time_step(**(good | change))
