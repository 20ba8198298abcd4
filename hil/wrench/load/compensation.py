"""What load data misses, taken out of every sample before detector or contact see it. No socket, no clock.

The arm's acceleration is that of its drives' model on what was commanded, at once and without noise, and
beside it the slope of what the measured velocity has more than the model's over the last `WINDOW`: never
second differences of the encoders. What the model does not know, as when a push moves the arm, is late by
half of that: of an impulse `E (a(end) - a(start)) WINDOW / 2` is left, with `a` of that alone
(docs/theory.md, equation 111).
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.force.setup import DriveModel
from hil.wrench.load.driven_motion import ACCELERATION, COMMANDED, MEAN, SPEED, DrivenMotion, drive_on
from hil.wrench.load.inertial import PARAMETERS
from hil.wrench.load.standing import StandingRead, add_standing
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose

WINDOW = 0.02  # [s]
FEWEST = 4  # samples in it
GAP = 0.05  # [s] between two samples: longer, and what was before tells nothing of now
POSE = 12  # numbers of a pose: the centre, then the attitude's rows
STANDS = DriveModel(0.0, 0.0)


class LoadCompensation:
    """Follows the arm and adds what its acceleration and its pose take from the wrench.

    Attributes:
        active: whether anything was found that is to be taken out.
    """

    def __init__(
        self,
        configuration: Configuration,
        model: ArmModel,
        missed: Array | None = None,
        drive: DriveModel = STANDS,
    ) -> None:
        """Take out what load data misses.

        Args:
            configuration: of the run.
            model: the arm's.
            missed: ten parameters, shape (10,); None: as the configuration has found them, and what it has
                found of weight and offset beside.
            drive: of the arm.
        """
        c = configuration
        self._standing = StandingRead.of(c, model) if missed is None else None
        if missed is None and c.mockup.found is not None:
            missed = c.mockup.found.parameters
        self.active = missed is not None
        self._missed = np.zeros(PARAMETERS) if missed is None else missed
        self._geometry, self._T_flange_object = model.geometry, Frames.from_configuration(c).T_flange_object
        count = max(FEWEST, round(WINDOW / c.fri.sample_time) + 1)
        self._times, self._poses = np.zeros(count), np.zeros((count, POSE))
        self._rates, self._commanded = np.zeros((count, 6)), np.zeros((2, POSE))
        self._filled: IntArray = np.zeros(1, np.int64)
        self._driven = DrivenMotion(c.fri.sample_time, drive)
        self._motion, self._T = np.zeros(9), np.eye(4)
        self._out = np.zeros(6)
        self._origin_ns: int | None = None

    def warm(self) -> None:
        """Compile or load the kernel."""
        if self.active:
            self.taken_out(0, np.zeros(7), np.zeros(6), np.zeros(7))
            self._filled[0], self._origin_ns = 0, None

    def retime(self, drive: DriveModel) -> None:
        """Take another model of the drives: their delay was identified anew."""
        if self.active:
            self._driven.retime(drive)

    def taken_out(self, t_ns: int, q: Array, wrench: Array, q_command: Array) -> Array:
        """Return the wrench without what load data misses [N, N m], shape (6,).

        Args:
            t_ns: when the sample was measured.
            q: measured joint positions [rad], shape (7,).
            wrench: about the object's centre of mass, object axes, shape (6,).
            q_command: the newest command before the sample's answer [rad], shape (7,).
        """
        if not self.active:
            return wrench
        if self._origin_ns is None:
            self._origin_ns = t_ns
        t = (t_ns - self._origin_ns) * 1e-9
        d = self._driven
        _follow(self._times, self._poses, self._rates, self._filled, self._motion, t, self._geometry, q,
                self._T_flange_object, self._T, q_command, self._commanded, d.state, d.commands, d.newest,
                d.transitions, d.dead[0], d.step)  # fmt: skip
        _add_rate_of_momentum(self._out, wrench, self._motion, self._missed)
        if self._standing is not None:
            add_standing(self._out, self._T, self._missed, *self._standing)
        return self._out.copy()


@njit(cache=True)
def _follow(
    times: Array,
    poses: Array,
    rates: Array,
    filled: IntArray,
    motion: Array,
    t: float,
    arm: Geometry,
    q: Array,
    T_flange_object: Array,
    T: Array,
    q_command: Array,
    commanded: Array,
    driven: Array,
    commands: Array,
    newest: IntArray,
    transitions: Array,
    dead: int,
    cycle: float,
) -> None:
    """Take a sample's joints; write the pose and acceleration, angular velocity and its derivative, (9,).

    Those are in object axes. Until the window is full again after a gap the motion stays as it was.
    """
    size, n = times.shape[0], filled[0]
    T[:, :] = flange_pose(arm, q) @ T_flange_object
    _write_pose(commanded[1], flange_pose(arm, q_command) @ T_flange_object)
    if n > 0 and not 0.0 < t - times[n - 1] <= GAP:
        n = 0
    if n == size:
        for k in range(size - 1):
            times[k] = times[k + 1]
            for i in range(POSE):
                poses[k, i] = poses[k + 1, i]
            for i in range(6):
                rates[k, i] = rates[k + 1, i]
        n -= 1
    times[n] = t
    _write_pose(poses[n], T)
    if n == 0:
        driven[:, :] = 0.0
        commands[:, :] = 0.0
    else:
        h = t - times[n - 1]
        cycles = max(1, round(h / cycle))
        _write_rate(driven[COMMANDED], commanded[0], commanded[1], cycles * cycle)
        drive_on(driven, commands, newest, transitions, dead, cycle, cycles)
        _write_rate(rates[n], poses[n - 1], poses[n], h)
        for i in range(6):
            rates[n, i] -= driven[MEAN, i]
    commanded[0] = commanded[1]
    filled[0] = n + 1
    if n + 1 == size:
        _write_motion(motion, times, rates, driven, T)


@njit(cache=True)
def _write_pose(row: Array, T: Array) -> None:
    for i in range(3):
        row[i] = T[i, 3]
        for j in range(3):
            row[3 + 3 * i + j] = T[i, j]


@njit(cache=True)
def _write_rate(rate: Array, before: Array, after: Array, h: float) -> None:
    """Write the velocity of a step between two poses: base axes, then turning in object axes."""
    for i in range(3):
        rate[i] = (after[i] - before[i]) / h
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        twice = 0.0
        for row in range(3, POSE, 3):
            twice += before[row + k] * after[row + j] - after[row + k] * before[row + j]
        rate[3 + i] = 0.5 * twice / h


@njit(cache=True)
def _write_motion(motion: Array, times: Array, rates: Array, driven: Array, T: Array) -> None:
    """Write the model's motion and what the window has beside it; rates are those of the middle of a step."""
    size = times.shape[0]
    mean = 0.0
    for k in range(1, size):
        mean += 0.5 * (times[k - 1] + times[k])
    mean /= size - 1
    spread = 0.0
    slope = np.zeros(6)
    turning = np.zeros(3)
    for k in range(1, size):
        u = 0.5 * (times[k - 1] + times[k]) - mean
        spread += u * u
        for i in range(6):
            slope[i] += u * rates[k, i]
        for i in range(3):
            turning[i] += rates[k, 3 + i]
    for i in range(6):
        slope[i] = slope[i] / spread + driven[ACCELERATION, i]
    for i in range(3):
        motion[i] = T[0, i] * slope[0] + T[1, i] * slope[1] + T[2, i] * slope[2]
        motion[3 + i] = turning[i] / (size - 1) + driven[SPEED, 3 + i]
        motion[6 + i] = slope[3 + i]


@njit(cache=True)
def _add_rate_of_momentum(out: Array, wrench: Array, motion: Array, missed: Array) -> None:
    """Write the wrench and what the missed body's momentum changes by: the equation of `inertial`."""
    a, w, b = motion[:3], motion[3:6], motion[6:]
    m, h = missed[0], missed[1:4]
    spun, sped = _inertia_times(missed, w), _inertia_times(missed, b)
    wh = w[0] * h[0] + w[1] * h[1] + w[2] * h[2]
    ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] = wrench[i] + m * a[i] + b[j] * h[k] - b[k] * h[j] + w[i] * wh - h[i] * ww
        out[3 + i] = wrench[3 + i] + h[j] * a[k] - h[k] * a[j] + sped[i] + w[j] * spun[k] - w[k] * spun[j]


@njit(cache=True)
def _inertia_times(missed: Array, v: Array) -> tuple[float, float, float]:
    xx, yy, zz, xy, xz, yz = missed[4], missed[5], missed[6], missed[7], missed[8], missed[9]
    return (
        xx * v[0] + xy * v[1] + xz * v[2],
        xy * v[0] + yy * v[1] + yz * v[2],
        xz * v[0] + yz * v[1] + zz * v[2],
    )
