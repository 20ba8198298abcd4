"""What a recording shows at an instant: the newest of each kind, and the curves of the seconds before it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hil.analysis.recorded.latency import cycle_block, truth_block
from hil.common.arrays import Array
from hil.common.clock import NS
from hil.configuration import Configuration
from hil.dashboard.hearing import Last
from hil.dashboard.signals import Signals
from hil.dashboard.window import SPAN
from hil.loop.solids import ArmPicture
from hil.messaging.base_messages import BaseReport
from hil.messaging.codec import Message
from hil.messaging.grasp_messages import PartnerWords
from hil.messaging.messages import Contact, Mode, SimState
from hil.recording.columns import Columns, Gatherer
from hil.recording.moments import Moments, Rows, decoded
from hil.recording.rows import Cycle, PortTruth, Truth
from hil.wrench.detector.thresholds import PushThresholds
from hil.wrench.noise_learning import noise_from_configuration

NEWEST = ("/mode", "/robot_state", "/sim_state")
CURVES = ("/cycle", "/truth", "/impulse", "/slice_times", "/times_sim", "/times_planner")
PORT, CONTACT, BASE, SECOND = "/port", "/contact", "/base_report", "/partner_words"
CHANNELS = (*NEWEST, *CURVES, PORT, CONTACT, BASE, SECOND)
OLD_NS = NS  # what was said longer ago is not shown as being so
PIECE_NS = 100_000_000  # of the curves, taken at once
STATES_NS = 24_000_000  # of which one state is compared with the arm: the page compares none oftener
SETTLED_S = 0.2  # after a cut, before the curves are drawn anew: a slider is being dragged
AHEAD_NS, AHEAD_POINTS = 2 * NS, 21  # of the object's way
REDRAWN_NS = 100_000_000  # after which it is drawn anew


@dataclass(frozen=True, eq=False)
class Ahead:
    """Where the object went: its centre, world [m], shape (n, 3)."""

    p_world_object: Array


class Projector:
    """Follows a player through a recording.

    Attributes:
        last: the newest of each kind at the instant that is shown.
        signals: its curves; None where no configuration tells how to make them.
        moved: what is shown has changed with the last turn.
    """

    def __init__(self, moments: Moments, configuration: Configuration | None, arm: ArmPicture | None) -> None:
        """Prepare; without a configuration and the arm's picture there are no curves."""
        self._moments, self._c, self._arm = moments, configuration, arm
        self.last, self.moved = Last(), True
        self._at_ns, self._filled_ns, self._ahead_ns = -1, 0, -REDRAWN_NS
        self._cuts, self._cut_s, self._stale = -1, 0.0, True
        self._state_cell = -1  # of `STATES_NS`, of the last state that was taken
        self.signals = self._fresh()

    def turn(self, now: float, at_ns: int, cuts: int) -> None:
        """Show an instant; `cuts` counts jumps, and `now` [s] says for how long none has come."""
        self.moved = at_ns != self._at_ns
        if cuts != self._cuts:
            first = self._cuts < 0
            self._cuts, self._cut_s, self._stale = cuts, now - SETTLED_S * first, True
        self._at_ns = at_ns
        if self.moved:
            self._look(at_ns)
        if self._stale:
            if now - self._cut_s < SETTLED_S:
                return
            self.signals, self._stale, self.moved = self._fresh(), False, True
            self._filled_ns = max(self._moments.begin_ns - 1, at_ns - round(NS * SPAN))
        self._fill(at_ns)

    def _fresh(self) -> Signals | None:
        return None if self._c is None or self._arm is None else Signals(self._c, self._arm)

    def _look(self, at_ns: int) -> None:
        """Take the newest of each kind, and the way that follows."""
        for name, attribute in zip(NEWEST, ("mode", "robot", "sim"), strict=True):
            setattr(self.last, attribute, self._moments.last(at_ns, name, OLD_NS))
        port = self._moments.last(at_ns, PORT, OLD_NS)
        if isinstance(port, PortTruth):
            self.last.port = port.p_world_port.astype(float)
        base = self._moments.last(at_ns, BASE, OLD_NS)
        self.last.base = base if isinstance(base, BaseReport) else None
        words = self._moments.last(at_ns, SECOND, OLD_NS)
        self.last.partner = words if isinstance(words, PartnerWords) else None
        contact = self._moments.last(at_ns, CONTACT, OLD_NS)
        self.last.contact = contact if isinstance(contact, Contact) else None
        if abs(at_ns - self._ahead_ns) >= REDRAWN_NS:
            self._ahead_ns = at_ns
            self.last.path = self._way(at_ns)

    def _way(self, at_ns: int) -> Ahead | None:
        """Return the object's way from an instant on, as far as it floats on in one piece."""
        rows = self._moments.between(at_ns, at_ns + AHEAD_NS, "/sim_state")["/sim_state"]
        if len(rows.data) < 2:
            return None
        some = np.unique(np.linspace(0, len(rows.data) - 1, AHEAD_POINTS).astype(int))
        states = [decoded("/sim_state", rows.data[k]) for k in some]
        now = self.last.sim
        same = [s for s in states if isinstance(s, SimState) and (now is None or s.epoch == now.epoch)]
        return Ahead(np.array([s.p_world_object for s in same])) if len(same) > 1 else None

    def _fill(self, at_ns: int) -> None:
        """Bring the curves to an instant, piece by piece."""
        if self.signals is None:
            return
        while self._filled_ns < at_ns:
            end_ns = min(at_ns, self._filled_ns + PIECE_NS)
            rows = self._moments.between(self._filled_ns, end_ns, *CHANNELS)
            for msg in self._messages(rows):
                if isinstance(msg, Mode):
                    self.signals.threshold = self._threshold(msg)
                else:
                    self.signals.take(msg)
            self.signals.turn(end_ns / NS)
            self._filled_ns = end_ns

    def _messages(self, rows: dict[str, Rows]) -> Iterator[Message]:
        """Yield the messages of a short stretch as the page hears them live: cycles and truth in blocks."""
        if rows["/mode"].data:
            yield decoded("/mode", rows["/mode"].data[-1])
        for t_ns, data in zip(rows["/sim_state"].t_ns, rows["/sim_state"].data, strict=True):
            if t_ns // STATES_NS != self._state_cell:
                self._state_cell = t_ns // STATES_NS
                yield decoded("/sim_state", data)
        if rows["/cycle"].data:
            yield cycle_block(_columns(Cycle, rows["/cycle"]))
        if rows["/truth"].data:
            yield truth_block(_columns(Truth, rows["/truth"]))
        for name in ("/impulse", "/slice_times", "/times_sim", "/times_planner", BASE):
            for data in rows[name].data:
                yield decoded(name, data)

    def _threshold(self, mode: Mode) -> float:
        """Return what the derivative's norm must pass by an order [N/s]."""
        assert self._c is not None
        c = self._c
        noise = noise_from_configuration(c.detector, c.filter, c.fri.sample_time).derivative
        return PushThresholds.from_order(mode.thresholds, c.detector).derivative(noise)


def _columns(kind: type[Message], rows: Rows) -> Columns:
    gatherer = Gatherer(kind)
    for data in rows.data:
        gatherer.add(data)
    return gatherer.columns()
