"""The driver's share of a grasp: it hears the partner's words, supervises, and reports. Pure.

What it reports goes to the partner, which stands or opens its gripper by it, to the daemon, which holds
all by it, and to the page.
"""

from collections import deque

import numpy as np

from hil.common.arrays import Array
from hil.common.poses import pose_from, quat_of, twist_between
from hil.configuration import Configuration
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.grasp.gap import BarGap
from hil.loop.grasp.states import GraspState, Seen
from hil.loop.partner.in_the_way import UNKNOWN, holds_on
from hil.loop.partner.supervision import SILENT, Supervision
from hil.messaging.grasp_messages import GraspReport, PartnerWords

BACK = 10  # samples over which the mock-up's twist is taken
LONGEST_STEP = 0.05  # [s] that a cycle counts at most


class GraspWatch:
    """Hears, supervises and reports.

    Attributes:
        supervision: of the grasp.
        words: the newest that were believed.
    """

    def __init__(self, configuration: Configuration, force: GraspForce) -> None:
        """Watch the grasp of a configuration, whose force acts in the driver."""
        assert configuration.grasp is not None
        self._bar, self._grasp, self._force = BarGap(configuration.grasp), configuration.grasp, force
        self.supervision = Supervision(configuration, force)
        if configuration.robot.kind == "fri":  # until somebody says so; an emulated one begins with it open
            force.gripped = UNKNOWN
        self.words: PartnerWords | None = None
        self._heard_ns = self._sampled_ns = self._last_ns = 0
        self._samples, self._t, self._floated, self._floats = 0, 0.0, False, False
        self._why = ""
        self._gap = np.inf
        self._poses: deque[tuple[int, Array]] = deque(maxlen=BACK + 1)

    def hear(self, words: PartnerWords, now_ns: int) -> None:
        """Take the partner's words; such as are no numbers are not believed."""
        told = (*words.p_world_tip, *words.quat_world_tip, *words.q, *words.pads, words.opening)
        if np.isfinite(told).all() and abs(np.linalg.norm(words.quat_world_tip) - 1.0) < 1e-3:
            self.words, self._heard_ns = words, now_ns

    def step(self, now_ns: int, sampled_ns: int, lead: float, floats: bool) -> str:
        """Judge a cycle, after it was answered, and return why all must be held; empty if nothing must.

        Args:
            now_ns: now.
            sampled_ns: instant of the newest sample.
            lead: the first arm's delay from a command's instant [s].
            floats: the order that is obeyed is to float.
        """
        dt = min(LONGEST_STEP, 1e-9 * (now_ns - self._last_ns)) if self._last_ns else 0.0
        self._last_ns = now_ns
        if self._force.samples != self._samples:
            self._samples, self._sampled_ns = self._force.samples, now_ns
            self._poses.append((sampled_ns, self._force.pose))
        if self.words is not None:  # who is silent is taken to stand where it was
            T_world_tip = pose_from(self.words.p_world_tip, self.words.quat_world_tip)
            self._gap = self._bar.between(self._force.pose, T_world_tip, self.words.opening)
            self._force.gripped = self._gripped(self.words)
        self._floated |= floats
        self._floats, why = floats, ""
        if self._floated:
            self._t += dt
            silent = 1e-9 * (now_ns - self._heard_ns), 1e-9 * (now_ns - self._sampled_ns)
            told = self._seen() if self.words is not None and silent[0] <= SILENT else None
            why = self.supervision.step(self._t, dt, told, silent, lead, floats) or self._trouble()
        self._why = why
        return why

    @property
    def t(self) -> float:
        """Time since floating began for the first time [s]."""
        return self._t

    def _seen(self) -> Seen:
        """Return what a cycle shows, by what the partner tells and what the first arm feels."""
        words, felt = self.words, float(np.linalg.norm(self._force.beyond[:3]))
        assert words is not None
        return Seen(self._gap, words.closed, float(words.pads.min()), float(words.pads.max()), felt)

    def _gripped(self, words: PartnerWords) -> str:
        """Return that the second arm holds on to the bar, whoever saw it grasp; empty if it does not."""
        if self._gap >= self._grasp.near or not holds_on(words, self._grasp.touch_force):
            return ""
        return (
            f"the second arm holds on to the bar (its pads press with {words.pads.max():.0f} N, its gripper "
            f"is {'closed' if words.closed else 'open'}): let it release it first"
        )

    def _trouble(self) -> str:
        """Return why the partner cannot go on, where that matters."""
        if self.words is None or self.supervision.state is GraspState.FREE or not self.words.trouble:
            return ""
        return f"the partner: {self.words.trouble}"

    def report(self) -> GraspReport:
        """Return how the grasp is after the newest step."""
        s, T = self.supervision, self._force.pose
        force, torque = s.loads()
        twist, t_ns = np.zeros(6), self._last_ns
        if self._poses:
            (begun_ns, begin), (t_ns, end) = self._poses[0], self._poses[-1]
            twist = twist_between(begin, end, 1e-9 * (t_ns - begun_ns))
        return GraspReport(
            t_ns, T[:3, 3], quat_of(T), twist, self._floats, bool(s.opened), s.state, s.law, self._why,
            float(self._gap), force, torque, float(s.peak[0]), s.gain,
        )  # fmt: skip
