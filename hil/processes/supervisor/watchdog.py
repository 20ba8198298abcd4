"""When systemd's watchdog is fed: as long as commands go out to a robot, not as long as a loop turns.

The driver reports (`RobotState`, its heartbeat) after it has replied to a packet. A driver that hangs, or a
daemon that hangs, therefore both end the feed. Without a robot there are no commands; then the daemon's
own turn feeds.
"""

from dataclasses import dataclass

from hil.common.freshness import AHEAD_NS
from hil.loop.judging.liveness import Liveness

FEED_NS = 100_000_000  # not oftener: systemd waits for seconds
ROBOT_SILENT_NS = 300_000_000  # the driver's heartbeat goes on, its reports on packets do not


@dataclass
class Watchdog:
    """Decides whether the watchdog may be fed."""

    fed_ns: int = 0
    replied_ns: int = -1  # arrival of the packet whose reply was the last that was known of at the last feed

    def due(self, now_ns: int, seen: Liveness) -> bool:
        """Return whether to feed now, and take note of it."""
        if now_ns - self.fed_ns < FEED_NS:
            return False
        if robot_connected(seen):
            assert seen.robot is not None
            arrival_ns = seen.robot.arrival_ns
            if arrival_ns == self.replied_ns or arrival_ns - now_ns > AHEAD_NS:
                return False
            self.replied_ns = arrival_ns
        self.fed_ns = now_ns
        return True


def robot_connected(seen: Liveness) -> bool:
    """Return whether, by the driver's last words, packets come from a robot.

    A driver that hangs falls silent with all its reports at once: then its last word stands.
    """
    beat, robot = seen.beat("driver"), seen.robot
    return robot is not None and beat is not None and beat.t_ns - robot.arrival_ns < ROBOT_SILENT_NS
