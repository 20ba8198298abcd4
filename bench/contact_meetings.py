"""Meetings flown: in the loop by an arm with dead time and lag, and without any delay by scipy."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from bench.contact_bodies import Meeting, Swing, both_rates, matrix_of, met, moved, pose_of
from bench.contact_plant import SUBSTEPS, PoseLagPlant, law_of
from bench.contact_trials import INERTIA, LAG, MASS, STEP, Flown, Rig, fly_trial
from hil.common.arrays import Array
from hil.force.contact_loop import ContactLoop

Parts = tuple[Array, Array, Array, Array, Array, Array]  # centre, feet, points, normals, law, clamp


class TwoBodyPlant(PoseLagPlant):
    """The arm of `PoseLagPlant`, with the port of a meeting."""

    def __init__(self, rig: Rig, meeting: Meeting, seed: int, swing: Swing | None = None) -> None:
        """Prepare; `start` puts it on its way."""
        super().__init__(
            meeting.port, STEP, STEP + rig.interface, LAG, noise=rig.noise, seed=seed, lost=rig.lost,
            bias=rig.bias,
        )  # fmt: skip
        self._parts = parts_of(meeting)
        self._place = np.concatenate((meeting.centre, meeting.port_twist))
        self._turn = np.array([0.0, 0.0, 0.0, 1.0])
        self._weights = np.array([1.0 / meeting.port_mass, 1.0 / meeting.port_inertia])
        self._told = np.zeros(3)
        self._swing = np.zeros(9)
        if swing is not None:
            w = 2.0 * np.pi * swing.frequency
            self._swing[:3] = w * w, 2.0 * swing.damping * w, 1.0 / swing.mass

    @property
    def twist_peak(self) -> float:
        """The greatest torque so far [N m]."""
        return float(self._told[1])

    def wrench(self) -> Array:
        """Return the contact's wrench at the present poses of both."""
        mock = np.empty(9)
        state = np.concatenate((self._x, self._v))
        R = pose_of(state, self._R0.as_matrix(), self._swing, mock)
        return met(R, mock, matrix_of(self._turn), self._place, *self._parts)

    def _move(self, first: Array, u: Array) -> None:
        """Move along to a pose over one cycle."""
        for j in range(1, SUBSTEPS + 1):
            self._path.append(first + (u - first) * (j / SUBSTEPS))
        path = np.array([self._path[i] for i in range(-1 - SUBSTEPS - self._delay, -self._delay)])
        state = np.concatenate((self._x, self._v))
        moved(
            state, path, self._lag, self._R0.as_matrix(), self._place, self._turn, self._weights,
            *self._parts, self._dt, self._told, self._swing,
        )  # fmt: skip
        self._x, self._v = state[:6], state[6:]
        self.peak, self.contact_time = float(self._told[0]), float(self._told[2])


def parts_of(meeting: Meeting) -> Parts:
    """Return what `met` needs of a meeting: centre, feet, points, normals, law, clamp."""
    port = meeting.port
    return meeting.centre, port.feet, port.points, port.normals, law_of(port), meeting.clamp.packed()


class Ideal(NamedTuple):
    """A meeting without any delay: the mock-up at its end, and the greatest force and torque [N, N m]."""

    p: Array
    quat: Array
    twist: Array
    force: float
    torque: float


def ideal_meeting(meeting: Meeting, seconds: float, count: int = 0) -> Ideal:
    """Return a meeting without delay, by an integrator of scipy.

    `count` samples are looked at for the greatest force and torque, none with 0.
    """
    inertia = INERTIA * meeting.mass / MASS
    weights = 1.0 / np.array([meeting.mass, inertia, meeting.port_mass, meeting.port_inertia])
    parts = parts_of(meeting)
    start = np.concatenate(
        (
            meeting.p, np.roll(meeting.quat, -1), meeting.twist, meeting.centre, [0.0, 0.0, 0.0, 1.0],
            meeting.port_twist,
        )
    )  # fmt: skip
    at = np.linspace(0.0, seconds, max(2, count))
    y = solve_ivp(
        lambda _, y: both_rates(y, weights, *parts)[0], (0.0, seconds), start, "DOP853", at, rtol=1e-8,
        atol=1e-10, max_step=1e-3,
    ).y  # fmt: skip
    wrenches = [both_rates(np.ascontiguousarray(c), weights, *parts)[1] for c in y.T] if count else []
    force = max((float(np.linalg.norm(w[:3])) for w in wrenches), default=0.0)
    torque = max((float(np.linalg.norm(w[3:])) for w in wrenches), default=0.0)
    return Ideal(y[:3, -1], np.roll(y[3:7, -1], 1), y[7:13, -1], force, torque)


@dataclass
class Met:
    """A meeting flown: errors of velocity and spin (at 0.2 m) over the speed before, of the peak; flight."""

    velocity: float
    spin: float
    peak: float
    flown: Flown


def fly_meeting(
    rig: Rig, meeting: Meeting, seconds: float, seed: int, peaks: bool = False, swing: Swing | None = None,
    meant: Meeting | None = None, loop: ContactLoop | None = None,
) -> Met:  # fmt: skip
    """Fly a meeting in the loop and beside it without delay.

    Args:
        rig: on which; its mass is the meeting's.
        meeting: who meet.
        seconds: how long.
        seed: of the noise.
        peaks: whether to compare the greatest force (torque, where there is no force) as well.
        swing: of what the arm holds; None: it is rigid.
        meant: what it is compared with, where that is not the meeting itself.
        loop: that flies; None: a new one.
    """
    rig = replace(rig, mass=meeting.mass)
    plant = TwoBodyPlant(rig, meeting, seed, swing)
    plant.start(meeting.p, meeting.quat, meeting.twist)
    flown = fly_trial(loop or rig.loop(), plant, meeting.p, meeting.quat, meeting.twist, seconds)
    ideal = ideal_meeting(meant or meeting, seconds, 2000 if peaks else 0)
    speed = max(float(np.linalg.norm(meeting.twist[:3])), 0.2 * float(np.linalg.norm(meeting.twist[3:])))
    peak = np.nan
    if peaks:
        still = ideal.force < 1e-6
        peak = plant.twist_peak / ideal.torque - 1.0 if still else plant.peak / ideal.force - 1.0
    off = flown.twist - ideal.twist
    return Met(
        float(np.linalg.norm(off[:3])) / speed, 0.2 * float(np.linalg.norm(off[3:])) / speed, peak, flown
    )  # fmt: skip
