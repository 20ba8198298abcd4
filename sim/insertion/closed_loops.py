"""The paper's own way with stiff parts: each contact closes a loop; a table tells when loops open and close.

theory: Meitinger & Pfeiffer, equations 57 to 64 and the table behind them, put right: accelerations of all
three directions stand on the left of 59; the sliding vectors of 62 hold no force of their own; they are
zero where contacts stick; while a contact is closed its normal acceleration is zero, so it opens where its
force would become negative, and a contact that sticks slides where its friction would exceed the cone's.
The terms of 54 that hold no acceleration are the rates of the contact's directions along the motion, taken
from the directions themselves: for smooth gaps that is the same.

It is here to check time stepping, by a way that shares nothing with it but the contacts' geometry: Runge and
Kutta's method between events, events found within the step, impacts by Newton's law without restitution.
Motors give what they are asked for.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import InsertionError
from sim.complementarity.contacts import solve_contacts
from sim.insertion.instant import linear_instant
from sim.insertion.pegs import Pair, candidates_of, in_hole
from sim.insertion.reach import Nominal, coordinates_at

EPSILON = 1e-6  # [s] of rates along the motion
TOUCHING = 1e-9  # [m]
SLOW = 1e-7  # [m/s] below which a contact sticks
HALVINGS = 40
CHANGES = 30  # of contact states in one instant
INACTIVE = 0.5  # [m] gaps from here are of surfaces that do not look at each other


@dataclass(frozen=True, eq=False)
class LoopRun:
    """A run by closed loops.

    Attributes:
        t: shape (n,) [s].
        depth: of the tip along the path beyond its beginning, shape (n,) [m].
        normals: of every place of contact, shape (n, r) [N].
        events: instants and what happened, in order.
    """

    t: Array
    depth: Array
    normals: Array
    events: list[tuple[float, str, int]]


@dataclass(frozen=True, eq=False)
class _View:
    """Matrices and contacts at an instant: M, its directions W (r, dof, dim) by place, gaps."""

    M: Array
    W: Array
    gaps: Array
    force: Array
    depth: float


class ClosedLoops:
    """A robot on its path with loops that open and close."""

    def __init__(self, nominal: Nominal, way: Array, h: float, pair: Pair) -> None:
        """Take the linear models along a path, the way at every step of h [s], and the stiff pair."""
        self.nominal, self.way, self.h, self.pair = nominal, way, h, pair
        self.dim = 3 if pair.across < 0 else 2
        dof = nominal.q.shape[1]
        self.q, self.V = np.zeros(dof), np.zeros(dof)
        self.closed: dict[int, bool] = {}  # by place: whether it sticks
        self.events: list[tuple[float, str, int]] = []
        self.forces = np.zeros(len(candidates_of(pair, np.eye(4)).gaps))

    def run(self) -> LoopRun:
        """Return the whole motion.

        Raises:
            InsertionError: no set of contact states fits an instant.
        """
        t, depths, normals = [], [], []
        for k in range(len(self.way) - 1):
            self._step(k * self.h, self.h)
            t.append((k + 1) * self.h)
            depths.append(self._view(t[-1], self.q, self.V).depth)
            normals.append(self.forces.copy())
        return LoopRun(np.array(t), np.array(depths), np.array(normals), self.events)

    def _way(self, t: float) -> float:
        return float(np.interp(t, self.h * np.arange(len(self.way)), self.way))

    def _rate(self, t: float) -> Array:
        """Return the nominal coordinates' rate: even within a step, as the way's points are joined."""
        k = min(int(t / self.h + 1e-9), len(self.way) - 2)
        q = coordinates_at(self.nominal, self.way[k : k + 2])
        return np.asarray((q[1] - q[0]) / self.h)

    def _view(self, t: float, q: Array, V: Array) -> _View:
        now = linear_instant(self.nominal, self._way(t), self._rate(t), q, 0.0)
        found = candidates_of(self.pair, in_hole(self.pair, now.T))
        hole, tip = self.pair.T_base_hole, now.T[:3, 3]
        W = np.zeros((len(found.gaps), len(q), self.dim))
        for row in np.flatnonzero(found.gaps < INACTIVE):
            n = hole[:3, :3] @ found.normals[row]
            arm = hole[:3, :3] @ found.points[row] + hole[:3, 3] - tip
            across = (
                hole[:3, self.pair.across] if self.dim == 2 else np.cross(n, hole[:3, 0] + 0.1 * hole[:3, 1])
            )
            first = np.cross(across, n)
            axes = [n, first / np.linalg.norm(first)]
            axes += [np.cross(n, axes[1])] if self.dim == 3 else []
            for k, d in enumerate(axes):
                W[row, :, k] = now.J[:3].T @ d + now.J[3:].T @ np.cross(arm, d)
        force = now.force - now.P @ V - now.Q @ q
        along = float(self.nominal.direction @ (now.T[:3, 3] - self.nominal.T_begin[:3, 3]))
        return _View(now.M, W, found.gaps, force, along)

    def accelerations(self, t: float, q: Array, V: Array) -> tuple[Array, dict[int, Array]]:
        """Return V' and the closed contacts' forces (dim,) by place: equation 64."""
        here, places = self._view(t, q, V), list(self.closed)
        free = np.asarray(np.linalg.solve(here.M, here.force), dtype=float)
        if not places:
            return free, {}
        going = V - self._rate(t)
        ahead = self._view(t + EPSILON, q + EPSILON * going, V).W
        before = self._view(t - EPSILON, q - EPSILON * going, V).W
        rows, pushes, drift = [], [], []
        for place in places:
            rate = (ahead[place] - before[place]).T @ V / (2.0 * EPSILON)
            W, sticks = here.W[place], self.closed[place]
            slip = W[:, 1:].T @ V
            size = float(np.linalg.norm(slip))
            drag = np.zeros(len(q)) if sticks or size == 0.0 else -self.pair.mu * W[:, 1:] @ slip / size
            rows.append(W[:, 0])
            pushes.append(W[:, 0] + drag)
            drift.append(rate[0])
            for k in range(1, self.dim if sticks else 1):
                rows.append(W[:, k])
                pushes.append(W[:, k])
                drift.append(rate[k])
        given = np.linalg.solve(here.M, np.array(pushes).T)
        lam = np.linalg.lstsq(np.array(rows) @ given, -(np.array(rows) @ free + np.array(drift)), rcond=None)[
            0
        ]
        forces, at = {}, 0
        for place in places:
            count = self.dim if self.closed[place] else 1
            forces[place] = np.concatenate([lam[at : at + count], np.zeros(self.dim - count)])
            at += count
        return np.asarray(free + given @ lam, dtype=float), forces

    def _step(self, t: float, h: float) -> None:
        """Go on by h, from event to event."""
        left, changes = h, 0
        while left > 1e-12:
            self._settle(t)
            q, V = self._moved(t, left)
            if self._sound(t + left, q, V):
                part = left
            else:
                low, part = 0.0, left
                for _ in range(HALVINGS):
                    middle = 0.5 * (low + part)
                    if self._sound(t + middle, *self._moved(t, middle)):
                        low = middle
                    else:
                        part = middle
                q, V = self._moved(t, part)
                changes += 1
            if changes > CHANGES:
                raise InsertionError(f"contacts change without end at {t:.6f} s: take time stepping")
            t, left, self.q, self.V = t + part, left - part, q, V
            self._close(t)
        self.forces[:] = 0.0
        for place, force in self.accelerations(t, self.q, self.V)[1].items():
            self.forces[place] = force[0]

    def _moved(self, t: float, h: float) -> tuple[Array, Array]:
        """Return coordinates and velocity after h, the states of contacts kept (Runge and Kutta)."""
        q, V = self.q, self.V
        rate = self._rate(t)
        a1 = self.accelerations(t, q, V)[0]
        q2, V2 = q + 0.5 * h * (V - rate), V + 0.5 * h * a1
        a2 = self.accelerations(t + 0.5 * h, q2, V2)[0]
        q3, V3 = q + 0.5 * h * (V2 - rate), V + 0.5 * h * a2
        a3 = self.accelerations(t + 0.5 * h, q3, V3)[0]
        q4, V4 = q + h * (V3 - rate), V + h * a3
        a4 = self.accelerations(t + h * (1.0 - 1e-9), q4, V4)[0]
        return (
            q + h * ((V + 2.0 * V2 + 2.0 * V3 + V4) / 6.0 - rate),
            V + h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0,
        )

    def _sound(self, t: float, q: Array, V: Array) -> bool:
        """Tell whether no open contact is inside, no closed one gone, and none slides backwards."""
        here, start = self._view(t, q, V), self.V
        for place, gap in enumerate(here.gaps):
            if place not in self.closed and gap < -TOUCHING:
                return False
            if place in self.closed and gap > INACTIVE:
                return False
            if self.closed.get(place) is False:
                before, after = here.W[place, :, 1:].T @ start, here.W[place, :, 1:].T @ V
                if before @ after < 0.0 and np.linalg.norm(after) > SLOW:
                    return False
        return True

    def _close(self, t: float) -> None:
        """Close what touches, drop what is gone, and take the drift of closed contacts back."""
        here = self._view(t, self.q, self.V)
        for place in [place for place in self.closed if here.gaps[place] > INACTIVE]:
            del self.closed[place]
            self.events.append((t, "gone", place))
        approaching = [
            place for place in np.flatnonzero(here.gaps < TOUCHING) if here.W[place, :, 0] @ self.V < 0.0
        ]
        fresh = [int(place) for place in approaching if place not in self.closed]
        if fresh:
            self._impact(t, here, [*self.closed, *fresh])
        for place, sticks in list(self.closed.items()):
            slip = here.W[place, :, 1:].T @ self.V
            if not sticks and np.linalg.norm(slip) < SLOW:
                self.closed[place] = True
                self.events.append((t, "stick", place))
        if self.closed:
            W = np.array([here.W[place, :, 0] for place in self.closed]).T
            given = np.linalg.solve(here.M, W)
            gaps = np.array([here.gaps[place] for place in self.closed])
            self.q = self.q - given @ np.linalg.lstsq(W.T @ given, gaps, rcond=None)[0]
            self.V = self.V - given @ np.linalg.lstsq(W.T @ given, W.T @ self.V, rcond=None)[0]

    def _impact(self, t: float, here: _View, places: list[int]) -> None:
        W = np.hstack([here.W[place] for place in places])
        given = np.linalg.solve(here.M, W)
        answer = solve_contacts(W.T @ given, W.T @ self.V, self.pair.mu, len(places), self.dim)
        impulses = np.column_stack([answer.lam_n, answer.lam_t]).ravel()
        self.V = self.V + given @ impulses
        for k, place in enumerate(places):
            leaves = here.W[place, :, 0] @ self.V > SLOW
            if leaves and place in self.closed:
                del self.closed[place]
                self.events.append((t, "open", place))
            elif not leaves and place not in self.closed:
                slip = here.W[place, :, 1:].T @ self.V
                self.closed[place] = bool(np.linalg.norm(slip) < SLOW)
                self.events.append((t, "closed", place))
            assert answer.lam_n[k] >= -1e-9

    def _settle(self, t: float) -> None:
        """Open loops whose forces pull, and let go what friction does not hold."""
        for _ in range(CHANGES):
            forces = self.accelerations(t, self.q, self.V)[1]
            pulling = [place for place, force in forces.items() if force[0] < 0.0]
            if pulling:
                place = min(pulling, key=lambda one: float(forces[one][0]))
                del self.closed[place]
                self.events.append((t, "open", place))
                continue
            loose = [
                place for place, force in forces.items()
                if self.closed[place] and np.linalg.norm(force[1:]) > self.pair.mu * force[0] * (1.0 + 1e-9)
            ]  # fmt: skip
            if not loose:
                return
            place, here = loose[0], self._view(t, self.q, self.V)
            self.closed[place] = False
            tangents = here.W[place, :, 1:]
            self.V = self.V - SLOW * 10.0 * np.linalg.solve(here.M, tangents @ forces[place][1:]) / max(
                float(np.linalg.norm(forces[place][1:])), 1e-300
            )
            self.events.append((t, "slide", place))
        raise InsertionError(f"no states of the contacts fit at {t:.6f} s: take time stepping")
