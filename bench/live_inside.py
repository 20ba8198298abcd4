"""Bodies that move inside, live: a push is answered as early as with a rigid object, in the same minutes.

    python -m bench.live_inside [--only gyrostat modes tree] [--minutes 2] [--json OUT.json]

All processes, FRI over UDP on loopback; of each kind its shipped configuration, and the same one without
`[object.inside]`, one after the other. What the arm should do is the mobility of the object at that instant
times the impulse that came so far, beyond a straight line through the motion before the push; how far the arm
is behind is the difference of the instants at which both pass a share of the push's whole, on the robot's own
clock. A starved machine shows in itself: for so long emulated time stood (it is patient).
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench.live_run import LiveRun
from bench.live_trial import START_PATIENCE_S, Ended, configuration, followed, parser_of, told, usual_rows
from bench.report import Row
from hil.analysis.figures.windows import TWIST_SCALE
from hil.analysis.latency.listener import Listener
from hil.analysis.latency.motion import Motion, PushTime, true_motion, true_pushes
from hil.common.arrays import Array, BoolArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration, load_configuration
from hil.loop.trace.ideal_body import touching_stops
from hil.messaging.inside_messages import InsideState
from hil.messaging.messages import TruthBlock
from sim.world.stops import world_stops

KINDS = {"gyrostat": "servicer", "modes": "panels", "tree": "hinged"}
SHARES = (0.1, 0.5)
BEFORE, AFTER = 0.1, 0.15  # [s] about a push in which nothing else may happen
LATER_MS = 1.0  # than without, by the medians
PUSHES = """
[operator.random]
count = 200
first_s = 3.0
gap_s = 2.2
gap_spread_s = 0.4
duration_min_ms = 30.0
duration_max_ms = 60.0
impulse_min_n_s = 0.5
impulse_max_n_s = 2.0
"""


@dataclass
class Outcome:
    """What a run came to: how far behind each push was at `SHARES` [s], shape (n, 2), and how it ended."""

    behind: Array = field(default_factory=lambda: np.empty((0, len(SHARES))))
    ended: Ended = field(default_factory=lambda: Ended({}, ""))
    violations: int = 0


def variant(folder: Path, kind: str, rigid: bool) -> Path:
    """Write a kind's configuration with this trial's pushes; `rigid`: without the bodies inside."""

    def changed(text: str) -> str:
        if rigid:
            text = text[: text.index("[object.inside]")] + text[text.index("[mockup]") :]
        return text[: text.index("[operator.random]")] + PUSHES + text[text.index("[detector]") :]

    return configuration(folder, KINDS[kind], changed)


def live(folder: Path, kind: str, rigid: bool, seconds: float) -> Outcome:
    """Let it float for so long [s], or until it faults or holds."""
    run = LiveRun(folder, configuration=variant(folder, kind, rigid))
    try:
        run.wait(lambda: "FLOATING" in run.text, START_PATIENCE_S)
        listener = Listener(run.bus)
        inside: list[InsideState] = []
        states = run.bus.subscriber("inside_state", InsideState, every=True)

        def listen() -> None:
            listener.poll()
            inside.extend(states.drain())

        ended = followed(run, seconds, listen)
        c = load_configuration(run.configuration)
        motion = true_motion(listener.recording(c))
        blocks = listener.of("truth", TruthBlock)
        return Outcome(behind(c, motion, inside), ended, max(block.violations for block in blocks))
    finally:
        run.close()


def behind(c: Configuration, motion: Motion, inside: list[InsideState]) -> Array:
    """Return how far the arm was behind at each push's `SHARES` [s], shape (n, 2)."""
    pushes = true_pushes(motion)
    starts = np.array([push.start for push in pushes])
    p, quat = np.ascontiguousarray(motion.p), np.ascontiguousarray(motion.quat)
    touches = touching_stops(p, quat, world_stops(c))
    found = []
    for push in pushes:
        near = (starts != push.start) & (np.abs(starts - push.start) < 2.0 * (BEFORE + AFTER))
        if not near.any() and (late := behind_push(c, motion, touches, push, inside)) is not None:
            found.append(late)
    return np.array(found).reshape(-1, len(SHARES))


def behind_push(
    c: Configuration, motion: Motion, touches: BoolArray, push: PushTime, inside: list[InsideState]
) -> Array | None:
    """Return how far the arm was behind at `SHARES` of one push [s]; None where more happened than that."""
    first, last = np.searchsorted(motion.t, [push.start - BEFORE, push.end + AFTER])
    t = motion.t[first:last]
    if first == 0 or last == len(motion.t) or touches[first:last].any() or np.diff(t).max() > 0.01:
        return None
    W = mobility_world(c, motion, int(np.searchsorted(motion.t, push.start)), inside)
    impulse = np.concatenate([np.zeros((1, 6)), np.cumsum(motion.wrench[first : last - 1], axis=0)])
    ideal = impulse * c.fri.sample_time @ W.T
    quiet = t < push.start
    line = np.polynomial.polynomial.polyfit(t[quiet] - t[0], motion.twist[first:last][quiet], 1)
    arm = motion.twist[first:last] - line[0] - np.outer(t - t[0], line[1])
    change = ideal[-1] * TWIST_SCALE
    rises = [(twist * TWIST_SCALE) @ change / (change @ change) for twist in (arm, ideal)]
    late = [crossing(t, rises[0], share) - crossing(t, rises[1], share) for share in SHARES]
    return np.array(late)


def mobility_world(c: Configuration, motion: Motion, row: int, inside: list[InsideState]) -> Array:
    """Return the object's twist per impulse at a row, world axes, (6, 6); a rigid one has its masses'."""
    W = np.diag(1.0 / np.array([c.object.mass] * 3 + [*c.object.inertia]))
    if inside:
        stamps = np.array([state.t_ns for state in inside])
        newest = max(int(np.searchsorted(stamps, motion.stamp_ns[row])) - 1, 0)
        W = np.array(inside[newest].mobility)
    turn = np.kron(np.eye(2), matrix_from_quat(motion.quat[row]))
    turned: Array = turn @ W @ turn.T
    return turned


def crossing(t: Array, rise: Array, share: float) -> float:
    """Return when a rise first passes a share, between rows [s]; NaN if never."""
    k = int(np.argmax(rise >= share))
    if k == 0 or rise[k] < share:
        return float("nan")
    return float(t[k - 1] + (t[k] - t[k - 1]) * (share - rise[k - 1]) / (rise[k] - rise[k - 1]))


def rows_of(kind: str, with_bodies: Outcome, rigid: Outcome, seconds: float) -> list[Row]:
    """Return a kind's rows."""
    rows = []
    for name, outcome in ((kind, with_bodies), (f"{kind}, rigid beside it", rigid)):
        first, last = usual_rows(outcome.ended, seconds, outcome.violations)
        usual = [*first, Row("pushes measured", len(outcome.behind), 5.0, "", least=True), *last]
        rows += [Row(f"{name}: {row.name}", row.value, row.goal, row.unit, row.least) for row in usual]
    for i, share in enumerate(SHARES):
        here, beside = (1e3 * float(np.nanmedian(out.behind[:, i])) for out in (with_bodies, rigid))
        at = f"{kind}: behind at {100 * share:.0f} % of a push"
        rows += [
            Row(f"{at}, median", here, None, "ms"),
            Row(f"{at}, rigid beside it", beside, None, "ms"),
            Row(f"{at}, later than rigid", here - beside, LATER_MS, "ms"),
        ]
    rings = [out.ended.status["ring_p50_us"] for out in (with_bodies, rigid)]
    rows.append(Row(f"{kind}: round the ring, over rigid", rings[0] / rings[1], None, ""))
    return rows


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__, 2.0)
    parser.add_argument("--only", nargs="+", choices=sorted(KINDS), default=list(KINDS), metavar="KIND")
    options = parser.parse_args()
    seconds = 60.0 * options.minutes

    def measured(folder: Path) -> tuple[list[Row], str, Any]:
        rows, faults = [], []
        for kind in options.only:
            moving = live(folder / f"{kind}-inside", kind, False, seconds)
            rigid = live(folder / f"{kind}-rigid", kind, True, seconds)
            rows += rows_of(kind, moving, rigid, seconds)
            faults += [f"{kind}: {out.ended.fault}" for out in (moving, rigid) if out.ended.fault]
        return rows, "\n".join(faults), None

    return told(measured, options.json)


if __name__ == "__main__":
    raise SystemExit(main())
