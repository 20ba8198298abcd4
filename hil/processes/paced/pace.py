"""Virtual time held to the wall clock. Pure: both times are handed in.

Who is ahead waits. Who is behind makes up for short hiccups; what is more than that is given up: virtual time
then goes slower than the wall's, and no cycle is left out.
"""

from collections import deque

HICCUP_NS = 50_000_000  # that is made up for
REST_NS = 4_000_000  # a wait that is worth it: shorter ones add up to it
WINDOW_NS = 2_000_000_000  # of wall time, over which the rate is told
STEP_NS = 100_000_000  # between two of its points
NEWS = 0.1  # by which a rate must change to be told anew
NEWS_NS = 10_000_000_000  # of wall time between two lines about it
KEPT = 0.95  # a rate above this is real time to the eye


class Pace:
    """How far virtual time may go, and how fast it goes.

    Attributes:
        given_up_ns: wall time that was not made up for.
        offset_ns: wall time less virtual time, as long as the pace is kept.
    """

    def __init__(self, wall_ns: int, t_ns: int) -> None:
        """Begin: at `wall_ns` it is `t_ns`."""
        self.offset_ns, self.given_up_ns = wall_ns - t_ns, 0
        self._begin = (wall_ns, t_ns)
        self._points: deque[tuple[int, int]] = deque([self._begin])

    def wait_ns(self, wall_ns: int, t_ns: int) -> int:
        """Return for how long to wait before the cycle of `t_ns`, at `wall_ns` of the wall clock."""
        if wall_ns - self._points[-1][0] >= STEP_NS:
            self._points.append((wall_ns, t_ns))
            while wall_ns - self._points[0][0] > WINDOW_NS and len(self._points) > 2:
                self._points.popleft()
        ahead_ns = t_ns + self.offset_ns - wall_ns
        if (late_ns := -ahead_ns - HICCUP_NS) > 0:
            self.offset_ns += late_ns
            self.given_up_ns += late_ns
        return ahead_ns if ahead_ns >= REST_NS else 0

    @property
    def rate(self) -> float:
        """Virtual time over wall time, lately; 1 where the pace is kept, or nothing is known yet."""
        return _rate(self._points[0], self._points[-1])

    def overall(self, wall_ns: int, t_ns: int) -> float:
        """Return the same since the beginning."""
        return _rate(self._begin, (wall_ns, t_ns))


def _rate(begin: tuple[int, int], end: tuple[int, int]) -> float:
    wall_ns, t_ns = end[0] - begin[0], end[1] - begin[1]
    return 1.0 if wall_ns <= 0 else min(1.0, t_ns / wall_ns)


def in_words(rate: float) -> str:
    """Return in a few words that the machine cannot keep the pace; empty if it can."""
    return "" if rate >= KEPT else f"the machine keeps {rate:.2f} of real time"


class RateNews:
    """Says when the rate that a machine keeps has become another one; rates are restless: now and then."""

    def __init__(self) -> None:
        self._told, self._told_ns = 1.0, -NEWS_NS

    def take(self, wall_ns: int, rate: float) -> str:
        """Return a line for the operator at an instant of the wall clock; empty where nothing is new."""
        words = in_words(rate)
        same = abs(rate - self._told) < NEWS and bool(words) == (self._told < KEPT)
        if same or wall_ns - self._told_ns < NEWS_NS:
            return ""
        self._told, self._told_ns = rate, wall_ns
        if not words:
            return "the machine keeps real time again"
        return f"{words}: the run is that much slower, no cycle is left out"
