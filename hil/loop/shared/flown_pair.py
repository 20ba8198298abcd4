"""What a run of two shared bodies came to: figures, and words for people. Pure."""

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from drivers.emulation.operator.virtual_operator import PushRecord
from hil.common.arrays import Array
from hil.configuration.shared_pair import Pair
from planner.base.moving_observer import rotation_of
from planner.base.split import reach, split_of

BEFORE, AFTER = 0.02, 0.2  # [s] from a touch's begin, and from its end: when the bodies' velocities are taken


class Body(NamedTuple):
    """A body's course, a row a cycle: places [m] (n, 3), orientations (n, 4), twists (n, 6)."""

    p: Array
    quat: Array
    twist: Array


class Bounce(NamedTuple):
    """A touch of both mock-ups, by the bodies' simulated motion.

    Attributes:
        t: when it began, since floating began [s].
        force: greatest [N].
        before: closing speed of the noses [m/s].
        after: speed with which they part [m/s]; nan: the run ended before.
        lost: what is gone of the common momentum, over the touch's true impulse; nan likewise.
    """

    t: float
    force: float
    before: float
    after: float
    lost: float


class FlownPair(NamedTuple):
    """A run.

    Attributes:
        pair: whose.
        rows: a row a cycle afloat, shape (n, 62): time since floating began [s]; of either arm the held
            mock-up's pose and twist in the room (13), the body's in inertial axes (13), its object time;
            wrench on the first mock-up, world axes (6); depth of the noses in each other [m].
        touches: of the noses, times by the emulation's clock.
        began: when floating began, by that clock [s].
        ended: why it ended before its time; empty if it did not.
    """

    pair: Pair
    rows: Array
    touches: tuple[PushRecord, ...]
    began: float
    ended: str

    @property
    def t(self) -> Array:
        """Times since floating began [s], shape (n,)."""
        return self.rows[:, 0]

    def held(self, index: int) -> Body:
        """Return a mock-up's course in the room."""
        return self._body(1 + 27 * index)

    def body(self, index: int) -> Body:
        """Return a body's course in inertial axes."""
        return self._body(14 + 27 * index)

    def _body(self, first: int) -> Body:
        part = self.rows[:, first : first + 13]
        return Body(part[:, :3], part[:, 3:7], part[:, 7:])

    @property
    def clocks_apart(self) -> float:
        """How far the bodies' object times were apart, at most [s]."""
        return float(np.abs(self.rows[:, 27] - self.rows[:, 54]).max())


def relative(first: Body, second: Body) -> tuple[Array, Rotation]:
    """Return the second body's places (n, 3) and orientations in the first one's axes."""
    R = rotation_of(first.quat)
    return R.apply(second.p - first.p, inverse=True), R.inv() * rotation_of(second.quat)


def relative_error(run: FlownPair) -> tuple[Array, Array]:
    """Return by what the mock-ups' relative pose is off the bodies' [m], [rad], shape (n,) each."""
    p, R = relative(run.held(0), run.held(1))
    p_true, R_true = relative(run.body(0), run.body(1))
    return np.linalg.norm(p - p_true, axis=1), (R_true.inv() * R).magnitude()


def bounces(run: FlownPair) -> list[Bounce]:
    """Return the touches that are over, in order."""
    found = []
    masses = [c.object.mass for c in run.pair.arms]
    for touch in run.touches:
        begin, end = touch.t_start - run.began, touch.t_end - run.began
        k, m = (int(np.searchsorted(run.t, t)) for t in (begin - BEFORE, end + AFTER))
        n = -touch.peak_world[:3] / np.linalg.norm(touch.peak_world[:3])
        inside = m < len(run.t)
        after = _parting(run, m, n) if inside else np.nan
        lost = np.nan
        if inside:
            change = sum(
                mass * (run.body(i).twist[m, :3] - run.body(i).twist[k, :3]) for i, mass in enumerate(masses)
            )
            lost = float(np.linalg.norm(change) / np.linalg.norm(touch.impulse_world[:3]))
        force = float(np.linalg.norm(touch.peak_world[:3]))
        found.append(Bounce(begin, force, -_parting(run, k, n), after, lost))
    return found


def _parting(run: FlownPair, k: int, n: Array) -> float:
    """Return with which speed the bodies' noses part in a row, along a normal in the room [m/s]."""
    speeds = []
    for index, arm in enumerate((run.pair.shared.first, run.pair.shared.second)):
        body, R = run.body(index), rotation_of(run.body(index).quat[k][None])
        speeds.append(body.twist[k, :3] + np.cross(body.twist[k, 3:], R.apply(np.array(arm.nose))[0]))
    R_observer = rotation_of(run.body(0).quat[k][None]) * rotation_of(run.held(0).quat[k][None]).inv()
    return float(R_observer.apply(n)[0] @ (speeds[1] - speeds[0]))


def reaches(pair: Pair) -> tuple[Array, Array]:
    """Return how far the bodies may move against each other along each axis of the room [m], (3,) each.

    As both arms share it, and where one alone does it, the one with the larger set.
    """
    first, second = (c.stops.half_extent for c in pair.arms)
    split = split_of(*pair.arms, pair.shared.observer.sharing)
    return 2.0 * reach(split, first, second), 2.0 * np.maximum(first, second)


def figures(run: FlownPair) -> dict[str, Any]:
    """Return the figures of a run, units in the names."""
    off, turned = relative_error(run)
    ways = [1e3 * np.ptp(run.held(i).p, axis=0) for i in (0, 1)]
    own = [1e3 * float(np.linalg.norm(run.body(i).p[-1] - run.body(i).p[0])) for i in (0, 1)]
    against = 1e3 * np.ptp(run.held(1).p - run.held(0).p, axis=0)
    shared, alone = (1e3 * way for way in reaches(run.pair))
    axis = int(np.argmax(against))
    return {
        "floated_s": float(run.t[-1]),
        "ended": run.ended,
        "relative_error_mm_rms": 1e3 * float(np.sqrt(np.mean(off**2))),
        "relative_error_mm_max": 1e3 * float(off.max()),
        "relative_error_deg_max": float(np.degrees(turned.max())),
        "bodies_travelled_mm": own,
        "mockups_moved_mm": [way.tolist() for way in ways],
        "relative_travel_mm": against.tolist(),
        "relative_reach_mm": shared.tolist(),
        "relative_reach_of_one_mm": alone.tolist(),
        "reach_gained": float(shared[axis] / alone[axis]),
        "object_times_apart_ms": 1e3 * run.clocks_apart,
        "touches": [
            {
                "time_s": b.t,
                "peak_n": b.force,
                "closing_mm_s": 1e3 * b.before,
                "parting_mm_s": None if np.isnan(b.after) else 1e3 * b.after,
                "momentum_lost": None if np.isnan(b.lost) else b.lost,
            }
            for b in bounces(run)
        ],
    }


def in_words(run: FlownPair) -> list[str]:
    """Return what came of a run, a line each."""
    told = figures(run)
    axis = int(np.argmax(told["relative_travel_mm"]))
    name, ways = "xyz"[axis], told["mockups_moved_mm"]
    shared, alone = told["relative_reach_mm"][axis], told["relative_reach_of_one_mm"][axis]
    first, second = told["bodies_travelled_mm"]
    lines = [
        f"floated {told['floated_s']:.2f} s" + (f"; both held: {run.ended}" if run.ended else ""),
        f"relative pose of the mock-ups off that of the bodies: {told['relative_error_mm_rms']:.2f} mm rms, "
        f"{told['relative_error_mm_max']:.2f} mm and {told['relative_error_deg_max']:.3f} deg at most",
        f"the bodies travelled {first:.0f} and {second:.0f} mm, against each other "
        f"{told['relative_travel_mm'][axis]:.0f} mm along {name}; of that the first arm did "
        f"{ways[0][axis]:.0f} mm, the second {ways[1][axis]:.0f} mm",
        f"reach of relative travel along {name}: {shared:.0f} mm as it is shared, {alone:.0f} mm by one arm "
        f"alone: {told['reach_gained']:.2f} times",
    ]
    for touch in told["touches"]:
        parting = touch["parting_mm_s"]
        after = ""
        if parting is not None:
            lost = 100.0 * touch["momentum_lost"]
            after = f", parting with {parting:.2f} mm/s; {lost:.1f} % of the impulse got lost between them"
        lines.append(
            f"  {touch['time_s']:7.2f} s  touch: {touch['peak_n']:.1f} N at most, closing with "
            f"{touch['closing_mm_s']:.2f} mm/s{after}"
        )
    return lines
