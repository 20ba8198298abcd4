"""What a contact gives the world and its record, cycle by cycle, as long as it lasts."""

from hil.force.contact_state import ContactState
from hil.loop.driver.contact_record import ContactRecord
from hil.loop.driver.contact_slices import ContactSlices
from hil.messaging.messages import Contact
from hil.wrench.detector.push_report import PushReport


class ContactReports:
    """Slices and record of one contact after another."""

    def __init__(self, step: float, length: float) -> None:
        """Report of cells of `step` [s]; reports have torques divided by `length` [m]."""
        self._cycle_ns = round(1e9 * step)
        self._slices = ContactSlices(step, length)
        self._record = ContactRecord(step)
        self._pace = 1.0

    def felt(self, t_ns: int, state: ContactState, begins: bool, pace: float) -> PushReport | None:
        """Return the slices of a contact that is open or has just ended, and keep its record.

        Args:
            t_ns: of the newest sample.
            state: of the loop after it.
            begins: the contact has opened with it.
            pace: of object time in this contact; an impulse is worth as much less to the object.
        """
        self._pace = pace
        if begins:
            first_ns = t_ns - (state.cycle - state.onset) * self._cycle_ns
            self._record.begin(self._slices.begin(first_ns), first_ns, state, pace)
        over = not state.in_contact
        report = self._report(t_ns, state, max(0, state.revision - state.onset), over)
        self._record.take(t_ns + self._cycle_ns, state, over)
        return report

    def cut_off(self, t_ns: int, state: ContactState) -> PushReport | None:
        """Return the slices of a contact that lasts and is followed no more, for good; end its record."""
        self._record.break_off(t_ns + self._cycle_ns, state)
        return self._report(t_ns, state, max(0, state.cycle - state.onset), True)

    def told(self) -> list[Contact]:
        """Return what is to be told of contacts since the last question."""
        return self._record.told()

    def _report(self, t_ns: int, state: ContactState, changed: int, over: bool) -> PushReport | None:
        frozen = state.start - state.onset
        first = self._slices.first_told(changed, frozen, over)
        impulses = self._pace * state.impulses_since(state.onset + first)
        return self._slices.report(t_ns, impulses, first, frozen, over)
