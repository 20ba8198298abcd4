"""A measured log: joints and torques of a real arm over time, and what it must be to be compared."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.errors import RecordingError
from hil.trials.validation.sensor_told import SensorTold

SLOWEST = 0.05  # [s] from sample to sample: a contact that begins and ends within would not be seen
GAP = 0.25  # [s] without a sample
BEGIN = 0.1  # [rad] by which a log's first joints may be off the sequence's


@dataclass(frozen=True, eq=False)
class ArmLog:
    """What an arm measured.

    Attributes:
        source: file, or what else it is from, in words.
        t: from the start of the sequence, rising [s], shape (n,).
        q: joints [rad], shape (n, 7).
        torque: of the joints [N m], shape (n, 7).
        external: the torques are those of the environment on the joints, gravity taken off; otherwise those
            of the joints' sensors.
        command: joints commanded [rad], shape (n, 7), or None where the log does not have them.
        notes: what was done to it when it was read, in words.
        wrench: of the tool's sensor, as `ArmRun.wrench`, its bias included, shape (n, 6), NaN where it has no
            reading; None without such a sensor.
        told: of the sensor's clock and losses; None where the log does not say.
    """

    source: str
    t: Array
    q: Array
    torque: Array
    external: bool = False
    command: Array | None = None
    notes: tuple[str, ...] = ()
    wrench: Array | None = None
    told: SensorTold | None = None

    @property
    def period(self) -> float:
        """Median time from sample to sample [s]."""
        return float(np.median(np.diff(self.t)))

    def within(self, begin: float, end: float) -> "ArmLog":
        """Return the samples from `begin` to `end` [s]."""
        rows = (self.t >= begin - 1e-9) & (self.t <= end + 1e-9)
        t, q, torque = (frozen_array(values[rows]) for values in (self.t, self.q, self.torque))
        command = None if self.command is None else frozen_array(self.command[rows])
        wrench = None if self.wrench is None else frozen_array(self.wrench[rows])
        return replace(self, t=t, q=q, torque=torque, command=command, wrench=wrench)


def check_rate(path: Path, t: Array) -> None:
    """Refuse a log with too few samples to show a contact.

    Args:
        path: names it.
        t: rising [s], shape (n,).

    Raises:
        RecordingError: it is too slow, or has gaps.
    """
    if len(t) < 3:
        raise RecordingError(f"{path}: has {len(t)} samples at different times; needed are at least 3")
    steps = np.diff(t)
    period = float(np.median(steps))
    if period > SLOWEST:
        raise RecordingError(
            f"{path}: has {1.0 / period:.3g} samples a second, needed are {1.0 / SLOWEST:g} or more: between "
            "two of them a contact may come and go unseen; other rates from there on are taken as they are"
        )
    if steps.max() > GAP:
        at = int(np.argmax(steps))
        raise RecordingError(
            f"{path}: has no sample from t_s = {t[at]:g} to {t[at + 1]:g}, at most {GAP:g} s may be missing: "
            "cut the log, or measure again"
        )


def check_span(log: ArmLog, end: float, start: Array) -> None:
    """Refuse a log that is not of this sequence.

    Args:
        log: as read.
        end: of the sequence [s].
        start: the sequence's first joints [rad], shape (7,).

    Raises:
        RecordingError: it begins late, ends early, or begins with other joints.
    """
    if log.t[0] > SLOWEST or log.t[-1] < end - GAP:
        raise RecordingError(
            f"{log.source}: is of t_s = {log.t[0]:g} to {log.t[-1]:g}, the sequence of 0 to {end:g}: "
            "all of it is needed, and t_s = 0 is where it begins"
        )
    off = np.abs(log.q[0] - start)
    if off.max() > BEGIN:
        joint = int(np.argmax(off))
        raise RecordingError(
            f"{log.source}: begins with A{joint + 1} = {np.degrees(log.q[0, joint]):.2f} deg, the sequence "
            f"with {np.degrees(start[joint]):.2f}: joints are in rad, and arm.start_deg must be the log's"
        )
