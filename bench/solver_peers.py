"""Solvers of others for the same problems: quantecon's Lemke, pinocchio's (no command).

A peer that is not installed is named by an ImportError when its solver is made.
"""

import importlib
from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array

MOST = 2000  # iterations
ENOUGH = 1e-10


def quantecon_solver() -> Callable[[Array, Array], Array]:
    """Return its Lemke for w = M z + q; what it answers is whatever it ends with."""
    lcp_lemke = importlib.import_module("quantecon.optimize").lcp_lemke
    return lambda M, q: np.array(lcp_lemke(M, q).z)


def pinocchio_solver(n: int, mu: float, kind: str) -> Callable[[Array, Array], Array]:
    """Return its solver ("pgs" or "admm") for n contacts in space, impulses with the normal first.

    Its own contacts have the normal last, so rows and columns change places; one model of n contacts at a
    free body serves for all problems, as only its cones count.
    """
    pin = importlib.import_module("pinocchio")
    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "body")
    contacts, datas = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
    for _ in range(n):
        contact = pin.PointContactConstraintModel(model, 1, pin.SE3.Identity())
        contact.setFriction(mu)
        whole = pin.ConstraintModel(contact)
        contacts.append(whole)
        datas.append(whole.createData())
    solver = getattr(pin, f"{kind.upper()}ConstraintSolver")(3 * n)
    settings = getattr(pin, f"{kind.upper()}SolverSettings")()
    settings.max_iterations, settings.solve_ncp = MOST, True
    for name in ("absolute_complementarity_tol", "absolute_feasibility_tol"):
        setattr(settings, name, ENOUGH)
    for name in ("relative_complementarity_tol", "relative_feasibility_tol"):
        setattr(settings, name, 0.0)
    result = getattr(pin, f"{kind.upper()}SolverResult")()
    order = np.arange(3 * n).reshape(n, 3)[:, [1, 2, 0]].ravel()

    def solve(G: Array, b: Array) -> Array:
        delassus = pin.DelassusOperatorDense(np.asfortranarray(G[np.ix_(order, order)]))
        result.reset()
        solver.solve(delassus, b[order], contacts, datas, settings, result)
        lam = np.empty(3 * n)
        lam[order] = result.retrieveConstraintImpulses()
        return lam

    return solve
