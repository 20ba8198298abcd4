"""For whom emulated time waits: for who owes an answer, a turn, a plan or an order. Pure.

A process tells how far it has come (`hil.common.run_clock.Mark`); what is owed for longer than is usual on a
quiet machine is waited for. What is allowed lies far below what the driver and the daemon bear before they
brake, so that on a busy machine nobody ever sees anything late. No process waits for emulated time before it
tells how far it is: nobody waits in a circle. Patience has an end, after which nothing is waited for until
all has been paid: a process that hangs is a fault, only later.
"""

from collections.abc import Sequence

from hil.common.run_clock import PATIENCE_NS, Mark

MS = 1_000_000
# what each mark may lag behind before time waits, and for whom
ALLOWED = {
    Mark.TURNED: (40 * MS, "sim"),  # it turns every 5 ms
    Mark.ORDERED: (100 * MS, "daemon"),  # every 20 ms; the driver bears 500 ms
    Mark.HEARD: (300 * MS, "daemon"),  # heartbeats come every 100 ms; the daemon bears 500 ms and 1 s
    Mark.CARRIED: (20 * MS, "vehicle"),  # every 4 ms; the driver bears 100 ms
}
PLAN_NS = 80 * MS  # from a prediction to its plan in the driver, which bears 300 ms


class Patience:
    """Decides whether emulated time may go on."""

    def __init__(self) -> None:
        self._since_ns = 0  # host time from which on something was owed at every look
        self._planned, self._plan_owed_ns = 0, 0

    def waits_for(self, host_ns: int, t_ns: int, marks: Sequence[int], unanswered: bool) -> str:
        """Return the process that emulated time waits for; empty if it may go on.

        Args:
            host_ns: monotonic time, which goes on meanwhile.
            t_ns: emulated time.
            marks: how far the processes have come, in the order of `Mark`.
            unanswered: a packet has left and no answer to it has come.
        """
        owing = self._owing(t_ns, marks, unanswered)
        if not owing:
            self._since_ns = 0
            return ""
        self._since_ns = self._since_ns or host_ns
        return owing if host_ns - self._since_ns < PATIENCE_NS else ""

    def _owing(self, t_ns: int, marks: Sequence[int], unanswered: bool) -> str:
        if unanswered and marks[Mark.ORDERED]:  # a driver is there, and at work
            return "driver"
        for mark, (allowed_ns, process) in ALLOWED.items():
            if marks[mark] and t_ns - marks[mark] > allowed_ns:
                return process
        return "planner" if self._plan_is_late(t_ns, marks) else ""

    def _plan_is_late(self, t_ns: int, marks: Sequence[int]) -> bool:
        """Return whether a prediction has waited too long for its plan, or for a plan after it."""
        owed = marks[Mark.PREDICTED] > marks[Mark.PLANNED]
        if not owed or not self._plan_owed_ns or marks[Mark.PLANNED] != self._planned:
            self._planned = marks[Mark.PLANNED]
            self._plan_owed_ns = t_ns if owed else 0
        return owed and t_ns - self._plan_owed_ns > PLAN_NS
