"""The motion by hand that shows the load: the circles of `hil.loop.calibration.excitation`, then its poses.

The poses are looked for while the arm rests behind the circles, one iteration a cycle. The certificate judges
every command, as while the object floats. It lets go of the arm to brake: the interpolator then brings it to
rest from where it is, as from any plan.
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.calibration.excitation import Excitation, Motion
from hil.loop.calibration.poses import REST, Poses, Search
from hil.loop.judging.approaching import SHOWN
from hil.messaging.messages import Mode
from planner.kinematics.arm_model import ArmModel


class Exciting:
    """For the attributes see `by_hand.HandMotion`."""

    done = SHOWN
    certified = True

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        self._certified = configuration.stops.enabled and configuration.run.follow
        self._excitation = Excitation(configuration, model)
        self._poses = Poses(configuration, model)
        self._start = np.array(configuration.robot.start)
        self._motion: Motion | None = None
        self._search: Search | None = None  # for the poses behind it
        self._row = 0
        self._braking = False

    @property
    def moves(self) -> bool:
        """Whether it moves the arm."""
        return self._motion is not None

    def warm(self) -> None:
        """Lay out a motion once."""
        self._excitation.laid_out(self._start)
        self._poses.laid_out(self._start)

    def refusal(self, mode: Mode, q: Array) -> str:
        """Return why it does not begin: there is nothing that its commands could be judged by."""
        return "" if self._certified else "there is no certified set to move within"

    def begin(self, mode: Mode, q: Array) -> str:
        """Lay the motion out from where the arm stands; return why that cannot be."""
        self._motion, scale = self._excitation.laid_out(q)
        self._search = self._poses.sought(q)
        self._row, self._braking = 0, False
        return "" if self._motion is not None else f"the joints' limits allow {scale:.2f} of the motion here"

    def objection(self, q: Array, h: float) -> str:
        """Return why the poses cannot be visited; the certificate judges each command."""
        return "" if self._search is None else self._search.refusal

    def brake(self) -> None:
        """Let go of the arm."""
        self._braking = True

    def forget(self) -> None:
        """Move no more."""
        self._motion = None

    def step(self, h: float) -> Array | None:
        """Return the state `h` [s] on; None when it lets go, whereupon it is over."""
        motion = self._motion
        assert motion is not None
        if self._braking:
            self._motion = None
            return None
        self._row += round(h / self._excitation.step)
        beyond = self._row - (motion.count - 1)
        if beyond <= 0:
            return motion.states(slice(self._row, self._row + 1))[:, 0]
        return self._visited(beyond, motion.begin)

    def _visited(self, row: int, begin: Array) -> Array:
        """Return a state behind the circles, which end where they began."""
        search, step = self._search, self._excitation.step
        assert search is not None
        if not search.over:
            search.advance()
        while not search.over and row >= REST / step - 1:
            search.advance()
        visit = search.visit
        if visit is None:
            return np.array([begin, np.zeros(7), np.zeros(7)])
        row = min(row, visit.count - 1)
        if row == visit.count - 1:
            self._motion = None
        return visit.states(slice(row, row + 1))[:, 0]
