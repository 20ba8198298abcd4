"""The watchdog is fed by commands that go out, not by a loop that turns."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from hil.common.freshness import AHEAD_NS
from hil.loop.judging.liveness import Liveness
from hil.loop.sim_core import _standing_robot
from hil.messaging.messages import Heartbeat
from hil.processes.supervisor.watchdog import FEED_NS, ROBOT_SILENT_NS, Watchdog

TURN_NS = 20_000_000
REPORT_NS = 10_000_000
BEAT_NS = 100_000_000
LAG_NS = 500_000_000  # of the stamps


def feeds(seconds: float, answers_until: float, beats_until: float, ahead_ns: int = 0) -> list[float]:
    """When the watchdog is fed [s], in turns of 20 ms.

    Args:
        seconds: how long the daemon's loop turns.
        answers_until: the robot's last packet is answered [s].
        beats_until: the driver's last heartbeat [s].
        ahead_ns: by which the packets seem to lie in the future; their stamps lag by half a second.
    """
    watchdog, seen = Watchdog(), Liveness(["driver"])
    robot, found = _standing_robot(np.zeros(7)), []
    for now_ns in range(TURN_NS, round(seconds * 1e9), TURN_NS):
        beat_ns = min(now_ns, round(beats_until * 1e9)) // BEAT_NS * BEAT_NS
        answered_ns = min(now_ns, round(answers_until * 1e9)) // REPORT_NS * REPORT_NS
        if beats_until > 0.0:
            seen.hear(now_ns, Heartbeat(beat_ns, "driver", "ready", "", 1, ""))
        if answers_until > 0.0:
            arrival_ns = answered_ns + ahead_ns
            seen.hear(now_ns, replace(robot, t_ns=answered_ns - LAG_NS, arrival_ns=arrival_ns))
        if watchdog.due(now_ns, seen):
            found.append(now_ns * 1e-9)
    return found


def test_commands_feed_it() -> None:
    """While packets are answered it is fed about ten times a second."""
    assert 15 <= len(feeds(2.0, 2.0, 2.0)) <= 20


def test_a_driver_that_hangs_ends_the_feed() -> None:
    """After its last word there is at most one more feed, although the daemon's loop turns."""
    assert max(feeds(5.0, 2.0, 2.0)) <= 2.0 + 1e-9 * (FEED_NS + TURN_NS)


def test_a_silent_robot_does_not() -> None:
    """No packets, but the driver's heartbeat goes on: the robot is not there, the loop feeds."""
    found = feeds(5.0, 2.0, 5.0)
    assert max(found) > 4.8
    longest = max(b - a for a, b in pairwise(found))
    assert longest <= 1e-9 * (ROBOT_SILENT_NS + 2 * FEED_NS)


def test_packets_of_the_future_feed_nothing() -> None:
    """What seems yet to come proves no command."""
    assert len(feeds(2.0, 2.0, 2.0, AHEAD_NS)) >= 15
    assert feeds(2.0, 2.0, 2.0, AHEAD_NS + REPORT_NS) == []


def test_without_a_robot_the_loop_feeds() -> None:
    """Before the first packet, and while the driver starts."""
    assert len(feeds(2.0, 0.0, 2.0)) >= 15
    assert len(feeds(2.0, 0.0, 0.0)) >= 15
