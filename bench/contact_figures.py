"""Figures of the contact solvers: success, time beside peers, motions beside closed forms (no command)."""

import sys
import time
from collections.abc import Callable

import numpy as np

from bench.contact_motions import GRAVITY, belt, block, oscillator
from bench.hard_and_soft import HALF, box, moved, pins
from bench.report import Row
from bench.slider_crank import first_impact, first_turn
from bench.solver_peers import pinocchio_solver, quantecon_solver
from hil.common.arrays import Array
from sim.complementarity.answers import TOLERANCE
from sim.complementarity.contact_work import contact_work
from sim.complementarity.contacts import solve_contacts
from sim.complementarity.planar import write_problem

FRICTION, CASES, DOF = 0.3, 60, 9
SETS = (1, 2, 4, 8, 16, 32, 64)  # contacts of the curve of cost
WRONG = 1e-7  # residual above which a peer's answer counts as none

Problem = tuple[Array, Array]


def random_problem(rng: np.random.Generator, n: int, dof: int, dim: int) -> Problem:
    """Return G and b of n contacts, all approaching in random directions, of `dof` coordinates."""
    W, root, v = (
        rng.standard_normal((dof, n * dim)),
        rng.standard_normal((dof, dof)),
        rng.standard_normal(dof),
    )
    W[:, ::dim] *= -np.sign(W[:, ::dim].T @ v)
    inverse_mass = root @ root.T / dof + 0.5 * np.eye(dof)
    return W.T @ inverse_mass @ W, W.T @ v


def timed(solve: Callable[[Array, Array], Array], problems: list[Problem]) -> tuple[list[float], list[Array]]:
    """Return the best of five times of each call [us], and the answers."""
    times, answers = [], []
    for G, b in problems:
        taken = []
        for _ in range(5):
            begin = time.perf_counter()
            answer = solve(G, b)
            taken.append(time.perf_counter() - begin)
        times.append(1e6 * min(taken))
        answers.append(answer)
    return times, answers


def ours(n: int, dim: int) -> Callable[[Array, Array], Array]:
    """Return our solver as its peers are called."""
    return lambda G, b: np.array(solve_contacts(G, b, FRICTION, n, dim).residual)


def as_lcp(problem: Problem) -> Problem:
    """Return the planar problem of size 3 n for a solver of linear complementarity."""
    G, b = problem
    work = contact_work(len(b) // 2, 2)
    write_problem(G, b, np.full(len(b) // 2, FRICTION), work)
    return work.M.copy(), work.q.copy()


def small_planar(rows: list[Row]) -> None:
    """Add what two to four planar contacts cost, ours beside quantecon's Lemke."""
    rng, all_times, solved = np.random.default_rng(0), [], 0
    try:
        peer = quantecon_solver()
    except ImportError as error:
        print(f"quantecon is left out: {error}", file=sys.stderr)
        peer = None
    for n in (2, 3, 4):
        problems = [random_problem(rng, n, DOF, 2) for _ in range(CASES)]
        timed(ours(n, 2), problems[:2])
        times, residuals = timed(ours(n, 2), problems)
        all_times += times
        solved += sum(bool(r <= TOLERANCE) for r in residuals)
        rows.append(Row(f"{n} planar contacts, p50", float(np.median(times)), 120.0, "us"))
        if peer:
            lcps = [as_lcp(problem) for problem in problems]
            timed(peer, lcps[:2])
            theirs, answers = timed(peer, lcps)
            good = sum(
                bool(np.linalg.norm(np.minimum(z, M @ z + q)) < WRONG)
                for (M, q), z in zip(lcps, answers, strict=True)
            )
            rows.append(Row(f"  quantecon, solved of {CASES}", good, None, ""))
            rows.append(Row("  quantecon's time over ours", np.median(theirs) / np.median(times), None, ""))
    rows.append(Row(f"2 to 4 planar contacts, solved of {3 * CASES}", solved, 3.0 * CASES, "", least=True))


def spatial(rows: list[Row]) -> None:
    """Add what contacts in space cost, ours beside pinocchio's solvers."""
    rng = np.random.default_rng(1)
    for n in (2, 4, 8):
        problems = [random_problem(rng, n, 6, 3) for _ in range(CASES)]
        timed(ours(n, 3), problems[:2])
        times, residuals = timed(ours(n, 3), problems)
        solved = sum(bool(r <= TOLERANCE) for r in residuals)
        rows.append(Row(f"{n} contacts in space on 6 coordinates, p50", float(np.median(times)), None, "us"))
        rows.append(Row(f"  p95, n = {n}", float(np.percentile(times, 95)), None, "us"))
        rows.append(Row(f"  solved of {CASES}", solved, float(CASES), "", least=True))
        for kind in ("pgs", "admm"):
            try:
                peer = pinocchio_solver(n, FRICTION, kind)
            except ImportError as error:
                print(f"pinocchio is left out: {error}", file=sys.stderr)
                return
            theirs, answers = timed(peer, problems)
            good = 0
            for (G, b), lam in zip(problems, answers, strict=True):
                good += bool(violation(G, b, lam) < 1e3 * WRONG)
            rows.append(Row(f"  pinocchio's {kind}, solved to 1e-4", good, None, ""))
            rows.append(
                Row(f"  pinocchio's {kind}, time over ours", np.median(theirs) / np.median(times), None, "")
            )


def violation(G: Array, b: Array, lam: Array) -> float:
    """Return by how much impulses in space break Coulomb's law with unilateral contact."""
    u, p = (G @ lam + b).reshape(-1, 3), lam.reshape(-1, 3)
    slip, pull = np.linalg.norm(u[:, 1:], axis=1), np.linalg.norm(p[:, 1:], axis=1)
    most = FRICTION * p[:, 0]
    against = np.abs(np.einsum("ij,ij->i", u[:, 1:], p[:, 1:]) + most * slip)
    parts = (-u[:, 0], -p[:, 0], np.abs(u[:, 0] * p[:, 0]), pull - most, against)
    return float(max(part.max() for part in parts))


def hard_cases(rows: list[Row], cases: int) -> None:
    """Add how many redundant problems with much friction, where solutions may be many, stay unsolved."""
    rng, unsolved = np.random.default_rng(5), 0
    kinds = ((4, 9, 0.3), (5, 9, 1.0), (8, 9, 1.0), (6, 6, 0.8), (8, 12, 0.6))
    for n, dof, mu in kinds:
        for _ in range(cases):
            G, b = random_problem(rng, n, dof, 3)
            unsolved += solve_contacts(G, b, mu, n, 3).status != "solved"
    rows.append(Row(f"redundant with friction up to 1, unsolved of {cases * len(kinds)}", unsolved, None, ""))


def bodies_at_rest(rows: list[Row]) -> None:
    """Add what a step of our contacts costs beside a whole one of MuJoCo's, on the same bodies."""
    for what, text in (("a box", box(HALF)), ("20 pins", pins())):
        hard, soft = (moved(text, 300, hard)[3] for hard in (True, False))
        rows.append(Row(f"{what} at rest, a step of its contacts, p50", 1e6 * hard, None, "us"))
        rows.append(Row("  MuJoCo's step (soft contacts), time over ours", soft / hard, None, ""))


def cost_curve(dim: int, cases: int) -> list[tuple[int, float, float]]:
    """Return contacts, median and 95th percentile [us]; six coordinates for every four contacts."""
    rng, curve = np.random.default_rng(2), []
    for n in SETS:
        problems = [random_problem(rng, n, max(6, 6 * n // 4), dim) for _ in range(cases)]
        timed(ours(n, dim), problems[:1])
        times, _ = timed(ours(n, dim), problems)
        curve.append((n, float(np.median(times)), float(np.percentile(times, 95))))
    return curve


def motions(rows: list[Row]) -> None:
    """Add the motions that are known."""
    rows_block = block(1.0, FRICTION, 1e-3)
    stop = 1e-3 * (int(np.argmax(np.abs(rows_block[:, 1]) < 1e-12)) + 1)
    rows.append(Row("block, stop away from v0 / (mu g)", abs(stop - 1.0 / (FRICTION * GRAVITY)), 1e-3, "s"))
    rest = abs(oscillator(1e-3)[-1, 0])
    rows.append(
        Row("friction oscillator rests away from 0.682179", abs(rest - 15.0 + np.sqrt(205.0)), 1e-5, "")
    )
    x, h = belt(5e-4, 5.0)[:, 0], 5e-4
    tops = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]))
    period = float(np.diff(tops).mean() * h)
    rows.append(Row("belt, period", period, None, "s"))
    rows.append(Row("belt, period away from 0.80083 s", 100.0 * abs(period / 0.80083 - 1.0), 0.5, "%"))
    when, impulses = first_impact(1e-4, middle=False)
    rows.append(Row("slider-crank, first impact away from 2.9 ms", 1e3 * abs(when - 0.0029), 0.1, "ms"))
    rows.append(Row("slider-crank, its impulses", impulses[0], None, "N s"))
    rows.append(Row("  second contact", impulses[1], None, "N s"))
    turn = first_turn(1e-4, middle=False)
    rows.append(Row("slider-crank, first turn away from 67.2 ms", 1e3 * abs(turn - 0.0672), 1.0, "ms"))
    rows.append(Row("  by steps of second order", 1e3 * first_turn(1e-4, middle=True), None, "ms"))


def figures(quick: bool) -> list[Row]:
    """Return all rows."""
    rows: list[Row] = []
    small_planar(rows)
    spatial(rows)
    hard_cases(rows, 20 if quick else 200)
    bodies_at_rest(rows)
    for dim in (2, 3):
        for n, median, _ in cost_curve(dim, 5 if quick else 20):
            rows.append(Row(f"{n} contacts, dim {dim}, spread over bodies", median, None, "us"))
    motions(rows)
    return rows
