"""The emulated cell: rack, tool changer, and the tool's sensor, each with what can go wrong.

The cell is the world: it remembers what hangs at the flange when the program that used it was cut off.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from drivers.emulation.sensor.measuring import MeasuringSensor
from drivers.sensor.rdt import decode_record
from drivers.sensor.stream import RecordStream
from drivers.sensor.watch import SensorWatch
from hil.common.arrays import Array
from hil.common.errors import LinkError
from hil.configuration.frames import pose_of
from hil.trials.validation.rack.loading import RackPlan
from hil.trials.validation.rack.schema import RackPeg
from hil.trials.validation.rack.weighing import gravities

SEED = 1
STEP = 0.02  # [s] between two looks at the sensor
SETTLING = 1.5  # [s] of its stream before it is read first
SWING = 0.2  # [s] in each attitude before it is read: what was there before is not averaged in
HEAVIER, FARTHER = (
    1.3,
    0.012,
)  # the other peg that may lie in a slot: times the mass, and by how much lower [m]
LOST_AT = 0.4  # share of a trial at which a tool comes off


class ToolLoss(LinkError):
    """The tool's sensor cannot be believed."""


@dataclass(frozen=True, eq=False)
class Reading:
    """A mean in one attitude: wrench [N, N m], shape (6,), and its standard deviation, shape (6,)."""

    wrench: Array
    noise: Array


class Cell:
    """One cell.

    Attributes:
        flange: the peg that is locked at the flange as the changer's signal has it; None: none.
    """

    def __init__(self, plan: RackPlan, flange: RackPeg | None = None) -> None:
        """Begin with all pegs in their slots, but `flange` at the arm."""
        e = plan.setups[0].experiment
        self._plan, self._gravities = plan, gravities(plan)
        self._T_flange_sensor = pose_of(e.sensor.rotvec, e.sensor.position)
        self._sensor = MeasuringSensor(e.sensor, e.sensor_errors, SEED)
        self._stream = RecordStream(e.sensor.rate)
        self._watch = SensorWatch(e.sensor, self._stream)
        self._scale = e.sensor.sign / np.repeat([e.sensor.force_counts, e.sensor.torque_counts], 3)
        self._t = 0.0
        self.flange = flange
        self._hangs = flange is not None and flange.fault != "missing"
        self._dumb = False  # the sensor has fallen silent

    def pick(self, peg: RackPeg) -> bool:
        """Lock a peg's slot to the flange; return whether the changer says that it is locked."""
        if peg.fault == "pick":
            return False
        self.flange, self._hangs = peg, peg.fault != "missing"
        self._dumb = self._dumb or peg.fault == "sensor"
        return True

    def place(self) -> bool:
        """Put what is locked back into its slot; return whether the changer says that it is free."""
        if self.flange is not None and self.flange.fault == "place":
            return False
        self.flange, self._hangs = None, False
        return True

    def lost_during(self, trial: int, duration: float) -> float | None:
        """Return when the changer's signal fell during a trial [s]; None: it holds.

        Args:
            trial: which of the peg's, from 0.
            duration: of the trial [s].
        """
        peg = self.flange
        if peg is None or trial != 0 or peg.fault not in ("lost", "lost unseen"):
            return None
        self._hangs = False
        if peg.fault == "lost unseen":  # the signal is stuck: the weight tells it
            return None
        self.flange = None
        return LOST_AT * duration

    def read(self, attitude: int, seconds: float) -> Reading:
        """Return the sensor's mean over a time at rest.

        Raises:
            ToolLoss: it cannot be believed.
        """
        if self._t == 0.0:
            self._listen(attitude, SETTLING)
        self._listen(attitude, SWING)
        rows = self._listen(attitude, seconds)
        if len(rows) < 2:
            raise ToolLoss("the tool's sensor: no records came")
        wrench = rows * self._scale
        return Reading(wrench.mean(axis=0), wrench.std(axis=0, ddof=1) / np.sqrt(len(wrench)))

    def _listen(self, attitude: int, seconds: float) -> Array:
        """Return the counts that are measured meanwhile, shape (n, 6)."""
        truth, counts = self._truth(attitude), []
        for _ in range(round(seconds / STEP)):
            self._t += STEP
            for measured in self._sensor.take(self._t, truth, "silent" if self._dumb else ""):
                record = decode_record(measured.data, round(1e9 * measured.t))
                stamped = self._stream.take(record, steady=False)
                if stamped is not None:
                    self._watch.take(stamped)
                    counts.append(record.counts)
            if trouble := self._watch.trouble(round(1e9 * self._t)):
                raise ToolLoss(trouble)
        return np.array(counts, float).reshape(-1, 6)

    def _truth(self, attitude: int) -> Array:
        """Return the true load: the weight of what hangs, about the sensor's origin, its axes, (6,)."""
        if not self._hangs or self.flange is None:
            return np.zeros(6)
        other = self.flange.fault == "other"
        mass = self.flange.mass * (HEAVIER if other else 1.0)
        centre = self.flange.centre + (np.array([0.0, 0.0, FARTHER]) if other else 0.0)
        T = self._T_flange_sensor
        weight = mass * self._gravities[attitude]
        return np.concatenate((weight, np.cross(T[:3, :3].T @ (centre - T[:3, 3]), weight)))


def read_all(cell: Cell, plan: RackPlan) -> tuple[Array, Array]:
    """Return readings in all attitudes, shape (n, 6), and the largest noise of each component, shape (6,)."""
    readings: Sequence[Reading] = [
        cell.read(k, plan.rack.changer.weigh_time) for k in range(len(plan.attitudes))
    ]
    return np.array([r.wrench for r in readings]), np.max([r.noise for r in readings], axis=0)
