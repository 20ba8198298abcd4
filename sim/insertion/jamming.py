"""When a peg in two-point contact jams: the loads at the boundary of going in, by the contact solver.

theory: Simunovic 1979, Whitney 1982. Sliding in at an even speed, with radius r, depth l, friction mu,
lam = l / (2 r mu), insertion force Fz, lateral force Fx and moment M about the middle of the tip,

    M / (r Fz) + mu (1 + lam) Fx / Fz = +-lam    between Fx / Fz = -1 / mu and 1 / mu,

closed by the two lines Fx / Fz = +-1 / mu, on which one side rests on the wall along all of its length.
Nothing of that is used here: contacts are solved for a step of a planar peg, and the loads are those under
which it neither gains nor loses speed.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.optimize import brentq

from hil.common.arrays import Array
from hil.common.errors import InsertionError
from sim.complementarity.answers import TOLERANCE
from sim.complementarity.contact_chain import NONE, contact_chain, residual_of
from sim.complementarity.contact_work import contact_work

SPEED = 1.0  # [m/s] of sliding in, of a peg of one kilogram with r = 1 m; only ratios matter
STEP = 1e-3  # [s]
LEFT_TIP, RIGHT_TIP, LEFT_MOUTH, RIGHT_MOUTH = range(4)
TILTED = ((LEFT_TIP, RIGHT_MOUTH), (RIGHT_TIP, LEFT_MOUTH))
LEANING = ((LEFT_TIP, LEFT_MOUTH), (RIGHT_TIP, RIGHT_MOUTH))


@dataclass(frozen=True, eq=False)
class JammingDiagram:
    """The boundary of loads.

    Attributes:
        mu: friction.
        slenderness: lam, depth over diameter and friction.
        loads: Fx / Fz and M / (r Fz), shape (4, n, 2): both tilted pegs, then both that lean on a wall.
        wedges: whether the two-point contact can hold forces without any load: the cones see each other.
    """

    mu: float
    slenderness: float
    loads: Array
    wedges: bool

    @property
    def outline(self) -> Array:
        """The closed boundary, shape (k, 2)."""
        tilted, leaning = self.loads[:2], self.loads[2:]
        parts = [tilted[0], leaning[0][::-1], tilted[1][::-1], leaning[1]]
        ring = [parts[0]]
        for part in parts[1:]:
            end = ring[-1][-1]
            ring.append(
                part if np.linalg.norm(part[0] - end) <= np.linalg.norm(part[-1] - end) else part[::-1]
            )
        return np.vstack(ring)


def gain(mu: float, depth: float, contacts: tuple[int, int], load: Array) -> tuple[float, Array]:
    """Return how the speed of sliding in changes in a step under a load with Fz = 1, and the normal forces.

    Args:
        mu: friction.
        depth: l over the radius.
        contacts: the two that touch.
        load: Fx / Fz and M / (r Fz), shape (2,).
    """
    first, second = contacts
    change, lam, residual = _gain(mu, depth, first, second, float(load[0]), float(load[1]))
    if not residual <= TOLERANCE:
        raise InsertionError(
            f"the contacts of a peg under the load {load.tolist()} have no answer: residual {residual:.3g}"
        )
    return change, lam


@njit(cache=True)
def _gain(
    mu: float, depth: float, first: int, second: int, aside: float, moment: float
) -> tuple[float, Array, float]:
    """Return `gain` and the residual of its contact problem; infinite: it has no solution."""
    W, G, b, friction = np.zeros((3, 4)), np.zeros((4, 4)), np.zeros(4), np.full(2, mu)
    for k in range(2):  # x, z inwards, turn; of each contact normal and tangent
        contact = first if k == 0 else second
        side = -1.0 if contact == LEFT_TIP or contact == LEFT_MOUTH else 1.0
        z = 0.0 if contact == LEFT_TIP or contact == RIGHT_TIP else -depth
        W[0, 2 * k], W[2, 2 * k] = -side, -z * side  # normal, away from the wall: turn = z fx - x fz
        W[1, 2 * k + 1], W[2, 2 * k + 1] = 1.0, -side
    for i in range(4):
        b[i] = STEP * (W[0, i] * aside + W[2, i] * moment) + W[1, i] * (SPEED + STEP)
        for j in range(4):
            for k in range(3):
                G[i, j] += W[k, i] * W[k, j]
    work, lam, change = contact_work(2, 2), np.zeros(2), 1.0
    dim = b.shape[0] // friction.shape[0]  # 2, as no literal: for that all solvers would be compiled anew
    code = contact_chain(G, b, friction, dim, work)
    residual = np.inf if code == NONE else residual_of(G, b, friction, dim, work)
    for k in range(2):
        lam[k] = work.lam[2 * k] / STEP
        change += W[1, 2 * k + 1] * work.lam[2 * k + 1] / STEP
    return change, lam, residual


def jamming_diagram(mu: float, slenderness: float, points: int = 21) -> JammingDiagram:
    """Return the boundary of the loads under which a peg goes in.

    Args:
        mu: friction, above 0.
        slenderness: lam, above 0.
        points: of each of its four sides.

    Raises:
        InsertionError: numbers that no peg has.
    """
    if not (mu > 0.0 and slenderness > 0.0 and points >= 2):
        raise InsertionError(
            f"mu = {mu:g}, lam = {slenderness:g}, points = {points}: above 0, above 0, at least 2 are asked"
        )
    depth = 2.0 * slenderness * mu
    inside = np.linspace(-1.0, 1.0, points) * (1.0 - 1e-6)
    loads = np.empty((4, points, 2))
    for k, contacts in enumerate(TILTED):
        for i, share in enumerate(inside):
            loads[k, i] = _boundary(mu, depth, contacts, np.array([share / mu, 0.0]), axis=1)
    for k, contacts in enumerate(LEANING):
        outwards = -1.0 if contacts[0] == LEFT_TIP else 1.0
        for i, share in enumerate(inside):
            # of a force outwards half way between tip and mouth, and as far as either
            moment = -outwards * (slenderness * (1.0 + share)) - outwards
            loads[2 + k, i] = _boundary(
                mu, depth, contacts, np.array([0.0, moment]), axis=0, towards=outwards
            )
    return JammingDiagram(mu, slenderness, loads, bool(depth < 2.0 * mu))


def _boundary(
    mu: float, depth: float, contacts: tuple[int, int], load: Array, axis: int, towards: float = 0.0
) -> Array:
    """Return the load with one component changed so that the speed stays: both contacts pressed."""
    sign = towards if towards else (-1.0 if contacts == TILTED[0] else 1.0)
    found = load.copy()
    found[axis] = low = -sign * (4.0 + 2.0 * depth / mu + 2.0 / mu)  # the other way: nothing is pressed
    step = 1.0
    while gain(mu, depth, contacts, found)[0] >= 0.0:
        low, found[axis] = float(found[axis]), found[axis] + sign * step
        step *= 2.0
        if step > 1e9:
            raise InsertionError(f"no load jams a peg with mu = {mu:g} on the contacts {contacts}")
    high = float(found[axis])
    if low == high:
        raise InsertionError(f"a peg with mu = {mu:g} jams on the contacts {contacts} whatever its load")
    found[axis] = brentq(
        lambda at: _gain_at(mu, depth, contacts, found, axis, at),
        low,
        high,
        xtol=1e-14,
        rtol=4.0 * np.finfo(float).eps,
    )
    return found


def _gain_at(mu: float, depth: float, contacts: tuple[int, int], load: Array, axis: int, at: float) -> float:
    load[axis] = at
    return gain(mu, depth, contacts, load)[0]
