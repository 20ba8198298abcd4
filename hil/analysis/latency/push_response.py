"""From a push to the arm's motion, beside an ideal free body under the same force.

The ideal body starts from the arm's own state just before the push and is bounded by the same stops.
What is looked at is the velocity along the change that the push makes of the ideal body's, less that
of a body which is not pushed. The arm reaches a share of the change when its velocity passes it; how
far it is *behind the ideal body* is the difference of the instants at which both do, so that a slow
push is not the loop's fault.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from scipy.interpolate import PchipInterpolator

from hil.analysis.figures.velocity import LATE, LEAD_IN, LONG, SWUNG
from hil.analysis.figures.velocity_response import overshoot, time_shift
from hil.analysis.figures.windows import BEFORE, FIT, TWIST_SCALE, fitted_twists
from hil.analysis.latency.motion import Motion, PushTime, less_offset
from hil.analysis.latency.recording import WAKE, LatencyRecording
from hil.common.arrays import Array, BoolArray
from hil.configuration import Configuration
from hil.loop.trace.ideal_body import BodyPath, ideal_path, touching_stops
from sim.world.body import pack_body
from sim.world.stops import world_stops

PARTS = 4  # of a row, between which the wrench is taken as linear
LEAST_SHARE = 0.01  # of the change that is motion at all,
NOISE_LEVEL = 5.0  # and standard deviations of the velocity before the push
LONGEST_HOLE = 0.01  # [s] between rows of a window
LEAST_CHANGE = 1e-3  # [m/s]; a push that changes less has no response to be measured
CURVE = np.arange(-0.05, 0.5, 0.002)  # [s] from the onset, at which responses are kept for a picture


@dataclass(frozen=True, eq=False)
class PushResponses:
    """One value a push that was used; NaN where the arm did not get there within the window.

    Attributes:
        duration: of the force [s].
        first_motion: from the onset of the force to the arm's first motion [s].
        to_10: the same to a tenth of the ideal body's change of velocity [s].
        to_50: to half of it [s].
        behind_ideal_first: of these, what the arm is behind the ideal body [s].
        behind_ideal_10: the same for a tenth [s].
        behind_ideal_50: for half [s].
        time_shift: that lines the arm's velocity up best with the ideal body's [s].
        overshoot: of the arm's velocity beyond the new one, over the change.
        arm: velocity of the arm over the change at `CURVE` from the onset, shape (pushes, points).
        ideal: the same of the ideal body.
        left_out: reasons for which pushes were left out, with their numbers.
    """

    duration: Array
    first_motion: Array
    to_10: Array
    to_50: Array
    behind_ideal_first: Array
    behind_ideal_10: Array
    behind_ideal_50: Array
    time_shift: Array
    overshoot: Array
    arm: Array
    ideal: Array
    left_out: dict[str, int]


@dataclass(frozen=True, eq=False)
class _Window:
    """Rows about one push; `paths` are seen as the arm is: exact, or fitted to poses."""

    push: PushTime
    t: Array
    arm: Array  # twists (n, 6)
    ideal: Array
    free: Array  # of a body that is not pushed
    exact: Array  # of the ideal body, as computed
    touches: BoolArray

    @property
    def change(self) -> Array:
        """The change of the ideal body's twist that the push makes, shape (6,)."""
        row = min(int(np.searchsorted(self.t, self.push.end)), len(self.t) - 1)
        change: Array = self.exact[row] - self.free[row]
        return change

    def rise(self, twist: Array) -> Array:
        """Return velocities along the change, over it, without what is there unpushed, shape (n,)."""
        change = self.change * TWIST_SCALE
        risen: Array = ((twist - self.free) * TWIST_SCALE) @ change / (change @ change)
        return risen


def push_responses(recording: LatencyRecording, motion: Motion, pushes: Sequence[PushTime]) -> PushResponses:
    """Return how the arm answered each push.

    Args:
        recording: tells when the arm floated at full pace.
        motion: of the arm, and the force on it.
        pushes: when the force acted.
    """
    rows, left_out = [], dict[str, int]()
    for number, push in enumerate(pushes):
        after, reason = _free_time(recording, motion, pushes, number)
        window = None if reason else _window(recording.configuration, motion, push, after)
        if window is not None:
            reason = _disturbed(window, after)
            if reason == "a stop" and after > SWUNG:
                after = SWUNG
                reason = _disturbed(window, after)
        if reason or window is None:
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        rows.append(_response(window, after))
    names = [item.name for item in fields(PushResponses) if item.name != "left_out"]
    shapes = {"arm": (0, len(CURVE)), "ideal": (0, len(CURVE))}
    columns = {
        name: np.array([row[name] for row in rows]) if rows else np.empty(shapes.get(name, (0,)))
        for name in names
    }
    return PushResponses(**columns, left_out=left_out)


def _free_time(
    recording: LatencyRecording, motion: Motion, pushes: Sequence[PushTime], number: int
) -> tuple[float, str]:
    """Return for how long after a push nothing disturbs [s], and why that is too short, if it is."""
    push = pushes[number]
    for after in (LONG, SWUNG):
        reason = _why_not(recording, motion, pushes, number, push.start - BEFORE, push.end + after)
        if not reason:
            return after, ""
    return 0.0, reason


def _why_not(
    recording: LatencyRecording,
    motion: Motion,
    pushes: Sequence[PushTime],
    number: int,
    start: float,
    end: float,
) -> str:
    t = motion.t
    others = [push for i, push in enumerate(pushes) if i != number]
    if any(push.start - BEFORE < end and push.end > start for push in others):
        return "another push"
    if start < t[0] or end + FIT > t[-1]:
        return "the recording's edge"
    first, last = int(np.searchsorted(t, start)) - 1, int(np.searchsorted(t, end)) + 1
    if first < 0 or np.diff(t[first : last + 1]).max() > LONGEST_HOLE:
        return "a hole in the recording"
    start_ns, end_ns = motion.stamp_ns[first], motion.stamp_ns[min(last, len(t) - 1)]
    low, high = np.searchsorted(recording.cycles.stamps[:, WAKE], [start_ns, end_ns])
    if low == high or not recording.following[low:high].all():
        return "the arm did not follow a plan"
    low, high = np.searchsorted(recording.pace_ns, [start_ns, end_ns])
    if (recording.pace[low:high] < 1.0 - 1e-9).any():
        return "object time was slowed"
    return ""


def _window(c: Configuration, motion: Motion, push: PushTime, after: float) -> _Window:
    """Compute the ideal and the unpushed body over a push's window."""
    first = max(0, int(np.searchsorted(motion.t, push.start - BEFORE)) - 1)
    last = int(np.searchsorted(motion.t, push.end + after, side="right")) + 1
    rows = slice(first, min(last, len(motion.t)))
    t = motion.t[rows]
    # a velocity fitted later than this would have the push in it
    start = max(0, int(np.searchsorted(t, push.start - FIT, side="right")) - 1)
    arm = BodyPath(*(np.ascontiguousarray(part[rows]) for part in (motion.p, motion.quat, motion.twist)))
    reset = np.arange(len(t)) <= start
    body, stops = pack_body(c.object), world_stops(c)
    rate = np.ones(len(t))
    wrench = _parts(t, less_offset(motion, push.start)[rows], push)
    ideal = ideal_path(t, wrench, rate, reset, arm, body, stops)
    free = ideal_path(t, np.zeros_like(wrench), rate, reset, arm, body, stops)
    seen = ideal.twist if motion.exact else fitted_twists(t, ideal.p, ideal.quat, 0, len(t))
    touches = touching_stops(ideal.p, ideal.quat, stops) | touching_stops(arm.p, arm.quat, stops)
    return _Window(push, t, arm.twist, seen, free.twist, ideal.twist, touches)


def _parts(t: Array, wrench: Array, push: PushTime) -> Array:
    """Return the wrench at the ends of equal parts of the rows, zero outside the push, (n, PARTS, 6)."""
    inside = (t > push.start) & (t < push.end)
    nodes = np.concatenate([[push.start], t[inside], [push.end]])
    values = np.concatenate([np.zeros((1, 6)), wrench[inside], np.zeros((1, 6))])
    before = np.concatenate([t[:1], t[:-1]])
    instants = before[:, None] + (t - before)[:, None] * np.arange(1, PARTS + 1) / PARTS
    found: Array = np.nan_to_num(PchipInterpolator(nodes, values, extrapolate=False)(instants))
    return found


def _disturbed(window: _Window, after: float) -> str:
    within = window.t <= window.push.end + after
    if window.touches[within].any():
        return "a stop"
    if np.linalg.norm(window.change * TWIST_SCALE) < LEAST_CHANGE:
        return "too weak"
    return ""


def _response(window: _Window, after: float) -> dict[str, Array | float]:
    """Return the row of one push."""
    t, push = window.t, window.push
    shift = _shift(window, SWUNG)
    if shift > LATE and after >= LONG:
        shift = _shift(window, LONG)
    within = t <= push.end + after
    arm, ideal = window.rise(window.arm)[within], window.rise(window.ideal)[within]
    exact, t_in = window.rise(window.exact)[within], t[within]
    noise = float(np.std(_detrended(t_in, arm, t_in < push.start - FIT)))
    least = max(LEAST_SHARE, NOISE_LEVEL * noise)
    found: dict[str, Array | float] = {"duration": push.end - push.start, "time_shift": shift}
    for name, to, share in (
        ("first", "first_motion", least),
        ("10", "to_10", 0.1),
        ("50", "to_50", 0.5),
    ):
        # arm and ideal body are seen alike; the instant itself is the exact one's
        behind = _crossing(t_in, arm, share, push) - _crossing(t_in, ideal, share, push)
        found[f"behind_ideal_{name}"] = behind
        found[to] = _crossing(t_in, exact, share, push) - push.start + behind
    found["overshoot"] = _overshoot(window)
    found["arm"] = np.interp(CURVE, t_in - push.start, arm, right=np.nan)
    found["ideal"] = np.interp(CURVE, t_in - push.start, ideal, right=np.nan)
    return found


def _shift(window: _Window, after: float) -> float:
    t, push = window.t, window.push
    rows = (t >= push.start - LEAD_IN) & (t <= push.end + after)
    quiet = max(1, int(np.sum(t[rows] < push.start - FIT)))
    return time_shift(t[rows], window.arm[rows], window.ideal[rows], quiet)


def _overshoot(window: _Window) -> float:
    t, push = window.t, window.push
    rows = np.flatnonzero((t >= push.start - LEAD_IN) & (t <= push.end + SWUNG))
    ended = int(np.searchsorted(t, push.end))
    return overshoot(window.arm[rows], window.exact[np.maximum(rows, ended)], window.change)


def _crossing(t: Array, rise: Array, share: float, push: PushTime) -> float:
    """Return when a rise first passes a share after the push began, between rows; NaN if never [s]."""
    begin = max(1, int(np.searchsorted(t, push.start - FIT)))
    above = np.flatnonzero(rise[begin:] >= share)
    if not len(above):
        return float("nan")
    k = begin + int(above[0])
    before, at = rise[k - 1], rise[k]
    if before >= share:
        return float(t[k])
    return float(t[k - 1] + (t[k] - t[k - 1]) * (share - before) / (at - before))


def _detrended(t: Array, values: Array, rows: BoolArray) -> Array:
    """Return what of `values` in `rows` lies beside a straight line, shape (n,)."""
    if rows.sum() < 3:
        return np.zeros(1)
    line = np.polynomial.Polynomial.fit(t[rows], values[rows], 1)
    beside: Array = values[rows] - line(t[rows])
    return beside
