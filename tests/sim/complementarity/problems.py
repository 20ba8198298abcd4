"""Problems for the solvers, the files beside the project, and oracles that know nothing of the solvers."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from hil.common.arrays import Array

FILES = Path(__file__).resolve().parents[4] / "shared" / "data"


def file_of(folder: str, name: str) -> Path:
    """Return a problem file; skip the test where the collection is not there."""
    path = FILES / folder / name
    if not path.is_file():
        pytest.skip(f"{folder}/{name} is not beside the project")
    return path


def random_contacts(rng: np.random.Generator, n: int, dof: int, dim: int) -> tuple[Array, Array]:
    """Return G and b of contacts, all approaching in random directions, of a system of `dof` coordinates."""
    W, root, v = (
        rng.standard_normal((dof, n * dim)),
        rng.standard_normal((dof, dof)),
        rng.standard_normal(dof),
    )
    W[:, ::dim] *= -np.sign(W[:, ::dim].T @ v)
    inverse_mass = root @ root.T / dof + 0.5 * np.eye(dof)
    return W.T @ inverse_mass @ W, W.T @ v


def all_planar(G: Array, b: Array, mu: float) -> list[Array]:
    """Return every solution (lam_N, lam_T of each contact): all of open, sticking, sliding either way."""
    n, found = len(b) // 2, []
    for modes in itertools.product(("open", "stick", "plus", "minus"), repeat=n):
        A, right = np.zeros((2 * n, 2 * n)), np.zeros(2 * n)
        for i, mode in enumerate(modes):
            N, T = 2 * i, 2 * i + 1
            if mode == "open":
                A[N, N] = A[T, T] = 1.0
                continue
            A[N], right[N] = G[N], -b[N]
            if mode == "stick":
                A[T], right[T] = G[T], -b[T]
            else:  # it slides to the plus side, friction pulls to the minus side
                A[T, T], A[T, N] = 1.0, mu if mode == "plus" else -mu
        if np.linalg.cond(A) > 1e12:
            continue
        lam = np.linalg.solve(A, right)
        if coulomb_violation(G, b, mu, lam, 2) < 1e-9:
            found.append(lam)
    return found


def coulomb_violation(G: Array, b: Array, mu: float | Array, lam: Array, dim: int) -> float:
    """Return by how much impulses break unilateral contact and Coulomb's law, condition by condition."""
    u = (G @ lam + b).reshape(-1, dim)
    forces, worst = lam.reshape(-1, dim), 0.0
    for i, (velocity, force) in enumerate(zip(u, forces, strict=True)):
        most = (mu if np.ndim(mu) == 0 else mu[i]) * force[0]
        slip, pull = np.linalg.norm(velocity[1:]), np.linalg.norm(force[1:])
        worst = max(worst, -velocity[0], -force[0], abs(velocity[0] * force[0]), pull - most)
        # friction works against slip with all it has: lam_T . u_T = -mu lam_N |u_T|
        worst = max(worst, abs(force[1:] @ velocity[1:] + most * slip))
    return float(worst)
