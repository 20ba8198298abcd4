"""Inverse kinematics by a passive chain: robust, also out of reach, for any number of joints."""

import numpy as np

from hil.common.arrays import Array
from planner.inverse.inverse_step import InverseStep, limits_of, reached
from planner.inverse.misalignment import errors
from planner.inverse.passive_motion import Tuning, settle
from sim.chain.kinematics import tip_pose
from sim.chain.serial_chain import SerialChain

MASS = 1e-4  # of a joint, against the tip's
DAMPING = 1.0  # critical
LENGTH = 0.2  # [m] by which angles count
MOST = 200  # steps a command


class PassiveChain:
    """Joints that follow a target as a chain without drives, drawn by its tip, would.

    A target out of reach draws it to the nearest pose that it can take. Joints with more mass or friction
    than others move less, where the chain is free to choose.
    """

    def __init__(
        self,
        chain: SerialChain,
        lower: Array | None = None,
        upper: Array | None = None,
        masses: Array | float = MASS,
        frictions: Array | float = 1.0,
        damping: float = DAMPING,
        length: float = LENGTH,
    ) -> None:
        """Set up for a chain of n joints.

        Args:
            chain: the kinematics; its masses are not looked at.
            lower: least joint positions [rad, m], shape (n,); None: no limits.
            upper: greatest joint positions [rad, m], shape (n,); None: no limits.
            masses: inertia of the joints, with spring and damper in the same ratio, against a unit mass at
                the tip; one for all, or shape (n,). All the same give one frequency.
            frictions: dampers of the joints, times the one that one frequency needs; likewise.
            damping: ratio of that frequency.
            length: by which angles count as distances [m]; 0 leaves the orientation free.

        Raises:
            ValueError: limits, masses or frictions that make no sense.
        """
        n = len(chain.linear)
        low, high = limits_of(n, lower, upper)
        mass, friction = np.broadcast_to(masses, n), np.broadcast_to(frictions, n)
        if not (np.all(mass > 0.0) and np.all(friction >= 0.0) and damping > 0.0 and length >= 0.0):
            raise ValueError("masses and damping must be above 0, frictions and length not below 0")
        self._chain = chain
        self._tuning = Tuning(
            np.array(mass, np.float64),
            np.array(friction, np.float64),
            float(damping),
            float(length),
            low,
            high,
        )
        self._q = np.clip(np.zeros(n), low, high)

    def reset(self, q: Array) -> None:
        """Begin at joints (n,)."""
        self._q = np.array(q, np.float64)

    def step(self, T_base_tip: Array, dt: float) -> InverseStep:
        """Return the joints for the next target.

        Args:
            T_base_tip: the target, shape (4, 4).
            dt: since the one before [s]; the chain settles however short it is.
        """
        found = self.solve(T_base_tip, self._q)
        self._q = found.q
        return found

    def solve(self, T_base_tip: Array, q_start: Array) -> InverseStep:
        """Return the joints to which a chain at `q_start` (n,) settles for a target (4, 4)."""
        tuning = self._tuning
        start = np.minimum(np.maximum(np.array(q_start, np.float64), tuning.lower), tuning.upper)
        T = np.array(T_base_tip, np.float64)
        q, converged, steps = settle(self._chain, T, start, tuning, MOST)
        position, orientation = errors(T, tip_pose(self._chain, q))
        within = reached(position, orientation, tuning.length)
        return InverseStep(q, position, orientation, converged or within, within, steps)
