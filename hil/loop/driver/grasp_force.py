"""Force of a grasp in the driver: the wrench beyond a frozen baseline acts, without gate or detector.

Away from the second arm the contact mode acts as it always does (`hil.loop.driver.touching`). Near it that is
cut off, and from a touch until what is released is quiet every sample's force acts over its cycle, in
slices of 20 ms. What is late about it, the law answers: `full` carries place and speed on to the instant at
which the arm gets there, by the force and its slope, and has the place caught up with as fast as the limits
allow (`hil.loop.driver.carried_force`); `closing` has the speed at once and leaves the place to the
interpolator's gentle gap.

Where object time runs p times as fast as time, a force gives the object `p f dt`: so much of the work that is
done on what is shown, `f p V dt`, is the object's own (docs/understand/contact_loop.md). What is shown then
answers `dv/dt = p^2 f / M`.
"""

from collections import deque

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.driver.carried_force import CLOSING_RATE, CarriedForce
from hil.loop.driver.contact_slices import ContactSlices
from hil.loop.driver.touching import Touching
from hil.loop.grasp.baseline import Baseline
from hil.loop.grasp.states import ACTING, GraspState
from hil.wrench.detector.push_report import PushReport
from planner.kinematics.arm_model import ArmModel

FIRST_NUMBER = 1 << 20  # of a grasp's slices: those of contacts are counted from 1
BACK = 25  # cycles before a touch was noticed that act as well
MOST_MISSED = 25  # cycles without a sample that are filled in


class GraspForce(Touching):
    """Continuous force with a second arm.

    Attributes:
        state: of the grasp, as the supervision has it.
        supervised: whether anybody says so; nothing floats otherwise.
        gripped: that the second arm holds on, by what its partner says, whoever saw it grasp; empty if not.
        full: whether place and speed are carried on to now.
        pose: of the mock-up at the newest sample as measured, (4, 4).
        beyond: the newest wrench beyond the baseline, world axes [N, N m], (6,); zeros while there is none.
        samples: taken so far.
    """

    def __init__(self, configuration: Configuration, model: ArmModel, frames: Frames) -> None:
        """Prepare for an arm that holds the mock-up at these frames."""
        super().__init__(configuration, model, frames)
        c = configuration
        self._carried = CarriedForce(c)
        self._grasp_slices = ContactSlices(c.fri.sample_time, c.filter.length, FIRST_NUMBER)
        self._most_beyond, self._late = c.force.stop_force, c.force.wrench_skew
        self._kept: deque[Array] = deque(maxlen=BACK)  # what was given just before, object axes
        self._cells: list[Array] = []  # impulses of the grasp's cycles from `_first` on, object axes
        self._first = self._count = 0
        self._acting = False
        self._given, self._slope = np.zeros(6), np.zeros(6)  # that acts on the object, in its time and axes
        self._sampled_ns = 0
        self.baseline = Baseline(c.fri.sample_time)
        self.state, self.full, self.supervised = GraspState.FREE, True, False
        self.gripped = ""
        self.pose, self.beyond, self.samples = np.eye(4), np.zeros(6), 0

    def restart(self) -> None:
        """Nothing is followed, or another floating begins."""
        super().restart()
        self._acting, self._cells = False, []
        self._kept.clear()
        self._given, self._slope = np.zeros(6), np.zeros(6)
        self.beyond[:] = 0.0

    def take(self, t_ns: int, wrench: Array) -> PushReport | None:
        """Take one sample and return the slices that it begins or changes; arguments as in `Touching`."""
        R = self._arm[:3, :3]
        in_world = np.concatenate((R @ wrench[:3], R @ wrench[3:]))
        self.pose, self.samples = self._arm, self.samples + 1
        if not np.isfinite(wrench).all():  # as one that was lost; what lasts is a fault elsewhere
            return None
        missed = 0 if self._sampled_ns == 0 else round(1e-9 * (t_ns - self._sampled_ns) / self._step) - 1
        self._sampled_ns = t_ns
        if self._believed is None:
            self.restart()
            return None
        if self.state is GraspState.FREE:
            return self._free(t_ns, wrench, in_world)
        if self.baseline.frozen is None:
            if self.state is GraspState.NEAR:
                self.baseline.take(in_world)
                self.baseline.freeze()
            return self._cut_off()
        self.beyond = in_world - self.baseline.frozen
        beyond = np.concatenate((R.T @ self.beyond[:3], R.T @ self.beyond[3:]))
        if self.state not in ACTING:
            self._kept.append(self.pace * beyond)
            return self._cut_off()
        if self._stands:  # nothing moves in object time, so no force acts
            self._kept.clear()
            return self._over(t_ns)
        return self._act(t_ns, beyond, min(MOST_MISSED, max(0, missed)))

    @property
    def refusal(self) -> str:
        """Why no floating may begin, in words; empty if one may."""
        if not self.supervised:
            return "[grasp] is given, and nobody supervises the second arm"
        if self.state in ACTING:
            return "the second arm holds the mock-up: let it release it first"
        return self.gripped or super().refusal

    @property
    def pace(self) -> float:
        """Of object time at the newest sample, 0 to 1."""
        return self._paces[-1]

    @property
    def held_on(self) -> bool:
        """Whether the second arm is known to hold on."""
        return self.state in ACTING or bool(self.gripped)

    @property
    def closing_rate(self) -> float:
        """At which the command closes its gap [1/s]; 0: as gently as ever."""
        return CLOSING_RATE if self._acting and self.full else 0.0

    def led(self, missing: Array | None, ahead: float) -> Array | None:
        """Return what the plan lacks with what a force that lasts will have done until then."""
        if self.state is GraspState.FREE:
            return super().led(missing, ahead)
        missing = None if missing is None else self.pace * missing
        if not self._acting:
            return missing
        force, slope = self.pace * self._given, self.pace * self._slope
        more = (
            self._carried.until(force, slope, ahead + self._late) if self.full else self._carried.now(force)
        )
        return more if missing is None else missing + more

    def _free(self, t_ns: int, wrench: Array, in_world: Array) -> PushReport | None:
        """Let the contact mode act, and end a grasp that has just been left."""
        self.beyond = np.zeros(6)
        if self._acting:
            self.baseline.anew()
            return self._over(t_ns)
        self.baseline.frozen = None
        report = super().take(t_ns, wrench)
        if self.quiet:
            self.baseline.take(in_world)
        return report

    def _act(self, t_ns: int, force: Array, missed: int) -> PushReport | None:
        """Let a force act over the cycle that begins, and over those that were missed before it."""
        given = self.pace * force
        if np.linalg.norm(force[:3]) > self._most_beyond:
            self.fault = self.fault or (
                f"force in the grasp {np.linalg.norm(force[:3]):.0f} N is above force.stop_force_n = "
                f"{self._most_beyond:g}: the arm brakes"
            )
        if not self._acting:
            self._acting, self.quiet = True, False
            back = len(self._kept)
            self._grasp_slices.begin(t_ns - round(1e9 * (back * self._step + self._late)))
            self._cells = [self._step * before for before in self._kept]
            self._given = self._kept[-1] if back else self._given
            self._first = self._count = 0
            self._kept.clear()
            missed = 0
        for k in range(missed):
            share = (k + 1) / (missed + 1)
            self._cells.append(self._step * (self._given + share * (given - self._given)))
        self._cells.append(self._step * given)
        self._slope = (given - self._given) / (self._step * (missed + 1))
        self._given = given
        end = self._first + len(self._cells)
        first = self._grasp_slices.first_told(self._count, end, False)
        cells = np.array(self._cells[first - self._first :])
        report = self._grasp_slices.report(t_ns, cells, first, end, False)
        self._count = end
        self._forget(first)
        return report

    def _over(self, t_ns: int) -> PushReport | None:
        """End what has acted: nothing of it changes any more."""
        if not self._acting:
            return None
        first = self._grasp_slices.first_told(self._count, self._count, True)
        cells = np.array(self._cells[first - self._first :])
        report = self._grasp_slices.report(t_ns, cells, first, self._count, True) if len(cells) else None
        self._acting, self.quiet, self._cells = False, True, []
        self._given, self._slope = np.zeros(6), np.zeros(6)
        return report

    def _forget(self, first: int) -> None:
        """Drop cells that no report will name again."""
        if first > self._first:
            del self._cells[: first - self._first]
            self._first = first
