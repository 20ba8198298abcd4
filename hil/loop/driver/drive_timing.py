"""Whether the model of the drives is in time with the arm, as a flight under continuous force shows it."""

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.force.setup import DriveModel
from hil.force.timing.watch import DriveWatch
from hil.messaging.timing_messages import DriveTiming

PERIOD_NS = 200_000_000  # between two words on it
MOST_MISSED = 25  # cycles without a sample over which the path is taken to be straight


class TimedDrives:
    """Follows commands and measured places, packet by packet.

    Attributes:
        warning: in words, that the model is wrong by more than contacts bear; empty if it is not.
    """

    def __init__(self, step: float, drive: DriveModel) -> None:
        """Begin with a model, on a cycle of `step` [s]."""
        self._step, self._watch = step, DriveWatch(step, drive)
        self._taken_ns = self._told_ns = 0
        self.warning = ""

    def warm(self) -> None:
        """Compile or load what a sample needs."""
        self._watch.warm()

    def retime(self, drive: DriveModel) -> None:
        """Take another model."""
        self._watch.retime(drive)

    def take(self, sample: FriSample, commanded: Array, measured: Array, free: bool) -> None:
        """Take a sample.

        Args:
            sample: the packet's.
            commanded: where the last command puts the object's centre, world [m], shape (3,).
            measured: where it is measured, world [m], shape (3,).
            free: whether nothing touches.
        """
        cycles = round(1e-9 * (sample.t_ns - self._taken_ns) / self._step)
        self._taken_ns = sample.t_ns
        if sample.new_session or not sample.commanding or not 0 < cycles <= MOST_MISSED:
            self._watch.begin()
            cycles = 1
        self._watch.take(commanded, measured, cycles, free)

    def told(self, t_ns: int) -> list[DriveTiming]:
        """Return what is to be told at `t_ns`: now and then, once enough has moved."""
        if t_ns - self._told_ns < PERIOD_NS:
            return []
        self._told_ns = t_ns
        found = self._watch.lateness()
        if found is None:
            return []
        self.warning = lateness_words(found.late) if found.wrong else ""
        return [DriveTiming(t_ns, found.late, found.interval, found.wrong)]


def lateness_words(late: float) -> str:
    """Return in words that a model is wrong by `late` [s], and what helps."""
    side = "later" if late > 0.0 else "earlier"
    return (
        f"the arm is {1e3 * abs(late):.1f} ms {side} than the model of its drives: damped contacts come back "
        "wrong; run `zerog calibrate timing`"
    )
