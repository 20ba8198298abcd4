"""Does the robot do what it is told? Its echo, its joints and what it says of itself, judged. Pure.

The driver's core asks here with every packet; what is found is a fault, and the arm brakes along its own
commands.
"""

from drivers.fri.condition import drive_error, drive_warning, in_words, wrong_strategy
from drivers.fri.layout import ALL_DRIVES
from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.configuration.schema import Configuration
from hil.loop.driver.controller_echo import ControllerEcho
from hil.loop.driver.following_error import FollowingError
from hil.loop.driver.interface_delay import InterfaceDelay

NONE = -1  # no control strategy
SHOWN_NS = 3_000_000_000  # for so long a warning is shown after its last packet


class RobotWatch:
    """Watches one robot through its sessions."""

    def __init__(self, configuration: Configuration) -> None:
        c = configuration
        self._fri = c.fri
        self._echo = ControllerEcho(c.limits, c.fri)
        self._following = FollowingError(c.limits, c.fri.sample_time)
        self._newest = 0  # packet that was answered last
        self._commanding = False  # in the packet before
        self._strategy = NONE  # in which the session began
        self._right = NONE  # the same, if joint positions move the arm under it
        self._warning, self._warned_ns = "", 0

    def warm(self) -> None:
        """Compile what a cycle needs."""
        self._echo.warm()
        self._following.warm()

    def observe(self, sample: FriSample) -> str:
        """Take any packet, answered or not, and return what the controller says that ends motion."""
        before, self._commanding = self._commanding, sample.commanding
        calm = not sample.error and not sample.warning and sample.drives == ALL_DRIVES
        if calm and before and sample.commanding and sample.control == self._strategy == self._right:
            return ""
        error, strategy = drive_error(sample), wrong_strategy(sample, self._fri)
        # while nobody commands the arm, an error or a strategy ends nothing: it is shown
        shown = [] if sample.commanding else [error, strategy]
        if found := "; ".join(filter(None, [drive_warning(sample), *shown])):
            self._warning, self._warned_ns = found, sample.t_ns
        if not sample.commanding:
            return error if before else ""
        if not before or sample.new_session:
            self._strategy = sample.control
            self._right = NONE if strategy else sample.control
        if sample.control != self._strategy and not strategy:
            strategy = (
                f"the controller's strategy changed from {in_words(self._strategy)} to "
                f"{in_words(sample.control)} while it took commands: set it before friStart only"
            )
        return error or strategy

    def warning(self, t_ns: int) -> str:
        """Return what the controller warns of at `t_ns`, or warned of lately; empty if nothing."""
        return self._warning if t_ns - self._warned_ns < SHOWN_NS else ""

    def begin(self, count: int, q: Array) -> None:
        """A session begins with packet `count`: the controller stands at `q` [rad], (7,), its answer."""
        self._newest = count
        self._echo.begin(count, q)
        self._following.begin(q)

    def judge(self, sample: FriSample, delay: InterfaceDelay) -> str:
        """Return why a robot in a session does not do what it was told; empty if it does."""
        return self._echo.judge(sample) or self._following.judge(
            sample.q_measured, sample.count - self._newest, delay
        )

    def sent(self, sample: FriSample, q: Array) -> str:
        """Take what answers a packet [rad], (7,), and return why it must not be sent; empty if it may."""
        cycles, self._newest = sample.count - self._newest, sample.count
        self._echo.sent(sample.count, q)
        self._following.sent(q, cycles)
        return self._echo.withheld(q, sample.q_commanded, sample.count - sample.heard - 1)
