"""Inverse kinematics by Lagrange optimisation: the target met exactly, criteria minimised meanwhile."""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array
from planner.inverse.criteria import Motion, criteria_of
from planner.inverse.inverse_step import InverseStep, limits_of, reached
from planner.inverse.limited_step import limited_step
from planner.inverse.misalignment import errors, half_a_turn_near
from planner.inverse.passive_chain import LENGTH, MASS, MOST
from planner.inverse.passive_motion import Tuning, settle
from planner.inverse.sqp import CONVERGED, LIMITED, MOVING, Problem, searched, sqp, state_after
from sim.chain.kinematics import tip_pose
from sim.chain.serial_chain import SerialChain

STEPS = 60  # of the optimisation, at most
TURN = 2.0 * np.pi
FORMS = ("log", "entries")


class LagrangeInverse:
    """Joints that meet a target and minimise weighted criteria.

    Where no joints meet it, or none are found, a passive chain goes on: to where the optimisation can go on,
    or to the nearest pose, which is then returned as not reachable.

    Attributes:
        log_map_commands: commands for which Krenn's h was not trusted and the log map was taken .
    """

    log_map_commands = 0

    def __init__(
        self,
        chain: SerialChain,
        lower: Array | None = None,
        upper: Array | None = None,
        criteria: Sequence[str] = ("position",),
        weights: Sequence[float | Array] = (1.0,),
        q_ref: Array | None = None,
        gravity: Array | None = None,
        length: float = LENGTH,
        form: str = "log",
    ) -> None:
        """Set up for a chain of n joints.

        Args:
            chain: kinematics, and masses where torque, power or base are criteria.
            lower: least joint positions [rad, m], shape (n,); None: no limits.
            upper: greatest joint positions [rad, m], shape (n,); None: no limits.
            criteria: of position, speed, acceleration, torque, power, base.
            weights: one a criterion: a number, a diagonal or a symmetric matrix; for base of 6, else of n.
            q_ref: joints that the criterion of position draws to, shape (n,); None: the middle of the
                limits, 0 where there are none.
            gravity: in base axes [m/s2], shape (3,); None: none.
            length: by which angles count as distances [m]; 0 leaves the orientation free.
            form: of the misalignment: "log", or "entries" for Krenn's (3).

        Raises:
            ValueError: limits, criteria or weights that make no sense.
        """
        n = len(chain.linear)
        if form not in FORMS or length < 0.0:
            raise ValueError(f"form {form!r} must be one of {', '.join(FORMS)}, length not below 0")
        self._lower, self._upper = limits_of(n, lower, upper)
        limited = np.isfinite(self._lower) & np.isfinite(self._upper)
        middle = np.clip(np.zeros(n), self._lower, self._upper)
        middle[limited] = 0.5 * (self._lower[limited] + self._upper[limited])
        self._criteria = criteria_of(
            n,
            criteria,
            weights,
            middle if q_ref is None else q_ref,
            np.zeros(3) if gravity is None else gravity,
        )
        self._chain, self._length, self._entries = chain, float(length), form == "entries"
        self._tuning = Tuning(np.full(n, MASS), np.ones(n), 1.0, self._length, self._lower, self._upper)
        self._lost = False  # the command before was out of reach
        self.reset(middle)

    def reset(self, q: Array) -> None:
        """Begin at rest at joints (n,)."""
        self._q_1, self._q_2 = np.array(q, np.float64), np.array(q, np.float64)
        self._lost = False

    def step(self, T_base_tip: Array, dt: float) -> InverseStep:
        """Return the joints for the next target.

        Args:
            T_base_tip: the target, shape (4, 4).
            dt: since the one before [s].
        """
        motion = Motion(self._q_1, self._q_2, float(dt))
        start = self._q_1 if self._lost else 2.0 * self._q_1 - self._q_2
        found = self._solved(np.array(T_base_tip, np.float64), start, motion, self._q_1)
        self._q_1, self._q_2 = found.q, self._q_1
        self._lost = not found.reachable
        return found

    def solve(self, T_base_tip: Array, q_start: Array) -> InverseStep:
        """Return the joints for a target (4, 4), from q_start (n,) where the chain was at rest 1 s before."""
        q = np.array(q_start, np.float64)
        self._lost = False
        return self._solved(np.array(T_base_tip, np.float64), q, Motion(q, q, 1.0), self._criteria.q_ref)

    def _solved(self, T_target: Array, q_start: Array, motion: Motion, near: Array) -> InverseStep:
        start = np.clip(q_start, self._lower, self._upper)
        problem = Problem(
            T_target, self._criteria, motion, self._lower, self._upper, self._length, self._entries
        )
        if self._entries and half_a_turn_near(T_target, tip_pose(self._chain, start)):
            self.log_map_commands += 1
        steps = 0
        if not self._lost:
            q, state, steps = self._optimised(problem, start)
            if state == CONVERGED:
                return self._judged(T_target, q, True, steps)
        q, settled, more = settle(self._chain, T_target, start, self._tuning, MOST)
        steps += more
        if self._judged(T_target, q, settled, steps).reachable:
            optimised, state, more = self._optimised(problem, self._unwound(q, near))
            steps += more
            if state == CONVERGED:
                q = optimised
        return self._judged(T_target, q, settled, steps)

    def _optimised(self, problem: Problem, q: Array) -> tuple[Array, int, int]:
        """Return joints, state and steps of the optimisation from q."""
        mu, steps, multipliers = 0.0, 0, np.full(6, np.nan)
        while True:
            q, state, more, mu, local = sqp(self._chain, problem, q, mu, multipliers, STEPS - steps)
            steps += more
            if state != LIMITED:
                return q, state, steps
            p, multipliers = limited_step(problem, local, q)
            q, mu, misalignment, fell = searched(self._chain, problem, q, local, p, mu)
            steps += 1
            state = state_after(p, misalignment, fell)
            if state != MOVING or steps >= STEPS:
                return q, state, steps

    def _unwound(self, q: Array, near: Array) -> Array:
        """Return the same pose with whole turns taken off where the limits allow it."""
        unwound = q - TURN * np.round((q - near) / TURN) * ~self._chain.linear
        allowed = (unwound >= self._lower) & (unwound <= self._upper)
        return np.where(allowed, unwound, q)

    def _judged(self, T_target: Array, q: Array, settled: bool, steps: int) -> InverseStep:
        position, orientation = errors(T_target, tip_pose(self._chain, q))
        within = reached(position, orientation, self._length)
        return InverseStep(q, position, orientation, settled or within, within, steps)
