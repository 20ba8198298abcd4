"""The world: a free body that takes impulses where they belong in time, and foresees its path.

The body moves in object time on a fixed grid; wall time is mapped to it (`sim.world.object_time`). The states
of the last second are kept. A new or revised slice makes the world go back to the grid point before the
slice and compute again from there, so that the result is the same as if it had come in time.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.inside_messages import InsideJoints, InsideState
from hil.messaging.messages import ImpulseSlice, Prediction, SimState
from sim.world.flight.choice import flight_of
from sim.world.motion import LAST_CAPPED, LAST_IMPULSE
from sim.world.object_time import ObjectTime
from sim.world.slice_book import Acting, SliceBook
from sim.world.slice_twists import SliceTwists

SLICES_KNOWN_NS = 2_000_000_000  # predictions name the slices of this long ago and younger


class World:
    """The emulated object from its start to now, and on into the future.

    Attributes:
        late_slices: how many slices came after their place had left the history; they act at its end.
        ignored_slices: how many were of a time before the start, or not finite.
        other_poses_at_start: where the scene's other moving bodies begin, position and attitude, (n, 7).
    """

    def __init__(self, configuration: Configuration) -> None:
        """Make the world of a configuration, its object at rest at the stops' centre.

        Raises:
            ConfigurationError: the prediction's step is no multiple of the grid's.
            SceneError: the scene is refused.
        """
        simulation = configuration.simulation
        self._configuration = configuration
        self._step = simulation.step
        self._ratio = round(simulation.prediction_step / simulation.step)
        if abs(self._ratio * self._step - simulation.prediction_step) > 1e-9:
            raise ConfigurationError(
                f"simulation.prediction_step_ms = {1e3 * simulation.prediction_step:g} must be a multiple "
                f"of simulation.step_ms = {1e3 * simulation.step:g}"
            )
        self._nodes = round(simulation.prediction / simulation.prediction_step) + 1
        self._flight = flight_of(configuration)
        self._number = 0  # of the newest prediction; goes on when the world begins anew
        self._ring = np.empty((math.ceil(simulation.history / self._step) + 2, self._flight.row_size))
        self.restart(0, 0, configuration.stops.centre, nominal_quat(configuration.stops), np.zeros(6))
        self.other_poses_at_start = self._flight.other_poses(self._ring[0])

    def restart(self, t_ns: int, epoch: int, p: Array, quat: Array, twist: Array, stand: float = 0.0) -> None:
        """Begin anew at `t_ns`, where object time is zero; what was known of impulses is forgotten.

        Args:
            t_ns: wall time of the start.
            epoch: number of the floating that begins.
            p: centre of mass in world [m], shape (3,).
            quat: orientation in world, w x y z, shape (4,).
            twist: linear and angular velocity, world axes [m/s, rad/s], shape (6,).
            stand: how long object time stands still before it gains pace [s]; 0 for full pace at once.
        """
        self._epoch = epoch
        self._time = ObjectTime(t_ns, stand)
        self._book = SliceBook(self._step)
        self._twists = SliceTwists(self._flight)
        self._head = 0  # newest grid point computed
        self._oldest = 0  # oldest grid point kept
        self._dirty: float | None = None  # object time from where on the states are out of date
        self._t_ns = t_ns
        self.late_slices = 0
        self.ignored_slices = 0
        self._flight.begin()
        self._flight.start_into(
            self._ring[0], np.asarray(p, float), np.asarray(quat, float), np.asarray(twist, float)
        )

    def apply(self, item: ImpulseSlice) -> None:
        """Take a slice; it acts at its centroid's object time when the world next moves or is read.

        Only a newer revision replaces a known one; one of zeros takes the slice back. Slices from
        before the start, or with values that are not finite, are ignored. One whose place has left the
        history acts at the oldest state.
        """
        if item.t_centroid_ns < self._time.t_start_ns or not np.isfinite(item.impulse_object).all():
            self.ignored_slices += 1
            return
        s, _ = self._time.at(item.t_centroid_ns)
        s_oldest = self._oldest * self._step
        self._book.settle(s_oldest)
        if s < s_oldest:
            self.late_slices += 1
            s = s_oldest
        self._spoil(self._book.add(item, s))

    def order(self, item: InsideJoints) -> None:
        """Take an order to joints inside; it acts at its instant's object time, at the latest now.

        One whose place has left the history acts at its end.
        """
        s, _ = self._time.at(min(item.t_ns, self._t_ns))
        self._spoil(self._flight.order(max(s, self._oldest * self._step), item.q, item.dq))

    def inside(self, t_ns: int) -> InsideState | None:
        """Return how an object with bodies inside answers a push at a wall time; None if it is rigid."""
        s, _ = self._time.at(t_ns)
        return self._flight.inside(t_ns, self._epoch, s, self._row_at(s)) if self._flight.has_inside else None

    def set_time_rate(self, t_ns: int, target: float) -> None:
        """Let object time slew to the rate `target` from `t_ns` on; what has been is left as it was."""
        t_ns = max(t_ns, self._t_ns)
        self._time.retarget(t_ns, target)
        self._spoil(self._book.replace_times(t_ns, lambda t: self._time.at(t)[0]))

    def advance(self, t_ns: int) -> None:
        """Compute all grid points up to `t_ns`, and again those that late slices have changed."""
        self._t_ns = max(t_ns, self._t_ns)
        s, _ = self._time.at(t_ns)
        self._compute(max(self._head, math.floor(s / self._step)))

    def state(self, t_ns: int) -> SimState:
        """Return the object's state at a wall time, the oldest kept if that is out of reach.

        The twist is per second of object time.
        """
        s, rate = self._time.at(t_ns)
        row = self._row_at(s)
        touched, docking = self._flight.contact_points(), self._flight.docking()
        return SimState(
            t_ns,
            self._epoch,
            s,
            rate,
            *self._flight.motion(row),
            bool(row[LAST_CAPPED] == row[LAST_IMPULSE]),
            self._flight.stored_energy(row),
            *self._twists.of(self._ring, self._oldest, s, self._book.acting),
            self._flight.contact_work(row),
            self._flight.other_poses(row),
            touched,
            self._flight.pressed(row, s),
            docking.outcome,
            docking.fastened,
            docking.latch_force,
            docking.insertion,
        )

    def predict(self, t_ns: int) -> Prediction:
        """Return the path from the last multiple of the prediction's step on.

        Slices that act between that first node and now are taken as if the object had always had the
        velocity they give, so that the path has no kink where it is followed.
        """
        s, _ = self._time.at(t_ns)
        first = math.floor(s / self._step) // self._ratio * self._ratio
        start, coming = self._start_of_prediction(first, s)
        p, quat, twist, bounces = self._flight.nodes(start, first, self._ratio, self._nodes, coming)
        self._number += 1
        return Prediction(
            t_ns,
            self._epoch,
            self._number,
            first * self._step,
            self._ratio * self._step,
            self._time.map_from(t_ns),
            p,
            quat,
            twist,
            bounces,
            self._book.known_since(t_ns - SLICES_KNOWN_NS),
        )

    def warm(self) -> None:
        """Compile, or load from the cache, all kernels; the world itself is left as it was."""
        other = World(self._configuration)
        t_ns = round(1e9 * 50 * self._step)
        push = np.array([0.1, 0.0, 0.0, 0.0, 0.0, 0.0])
        other.advance(t_ns)
        other.apply(
            ImpulseSlice(t_ns, 1, 0, 0, False, False, False, False, 0, t_ns, t_ns // 2, push, np.zeros(6))
        )
        other.predict(t_ns)
        other.state(t_ns)
        other._flight.warm()

    def _spoil(self, s: float | None) -> None:
        if s is not None:
            self._twists.spoil(s, self._oldest * self._step)
            self._dirty = s if self._dirty is None else min(s, self._dirty)

    def _compute(self, target: int) -> None:
        """Bring the ring up to date and to the grid point `target`."""
        first = self._head
        if self._dirty is not None:
            first = min(first, max(math.floor(self._dirty / self._step), self._oldest))
            self._dirty = None
        if first < target:
            self._flight.grid_into(self._ring, first, target, self._book.acting)
        self._head = target
        self._oldest = max(self._oldest, target + 1 - len(self._ring))

    def _row_at(self, s: float) -> Array:
        """Return the row at an object time, slices up to then included."""
        self._compute(max(self._head, math.floor(s / self._step)))
        index = max(math.floor(s / self._step), self._oldest)
        row = self._ring[index % len(self._ring)].copy()
        self._flight.cell_into(row, index, max(s - index * self._step, 0.0), self._book.acting)
        return row

    def _start_of_prediction(self, first: int, s: float) -> tuple[Array, Acting]:
        """Return the row at grid point `first`, and the slices that it does not contain."""
        now = self._row_at(s)
        acting = self._book.acting
        taken = int(np.searchsorted(acting.slices[:, 0], s, side="right"))
        row = self._ring[max(first, self._oldest) % len(self._ring)]
        if taken and acting.slices[taken - 1, 0] >= first * self._step:
            self._flight.backwards_into(now, s - first * self._step, row)
            return now, acting.after(taken)
        return row.copy(), acting.after(taken)
