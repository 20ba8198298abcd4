"""A vehicle that stands in for a real one: dead time, lag, bounds, slip, restless wheels, late noisy poses.

theory: wheels follow the command of a dead time ago by `v' = (u - v) / lag`, cut to the largest acceleration.
What moves is `(1 + slip) v + n`; n is noise that went twice through a low-pass of `RESTLESS`, so that its
acceleration is finite. Odometry integrates `v`; a measurement from outside knows the true pose, with white
noise. Both come late. Pure: no socket, no clock.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.configuration import Configuration

GRID = 1e-3  # [s]
RESTLESS = 0.1  # [s]
BLOCK = 2048  # steps whose random numbers are drawn at one go
SEED_STREAM = 107
SLIPS = (1.0, -1.0, 0.5)  # shares of the slip on x, y and heading: wheels wear as they like


class EmulatedBase:
    """The vehicle on a grid of time.

    Attributes:
        motion: true pose x, y [m], heading [rad] in world, rate and acceleration, shape (3, 3), live.
        measured: the newest pose that was told, with its rate as the wheels have it, shape (2, 3), live.
        measured_age: how old that is [s].
        stuck: the wheels stand whatever they are told, for training and tests.
        silent: no pose comes any more, likewise.
    """

    def __init__(self, configuration: Configuration, seed: int) -> None:
        """Stand at the origin."""
        base = configuration.base
        errors = base.emulated
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM]))
        self._external = base.pose_source == "external"
        lag = base.lag if errors.lag is None else errors.lag
        delay = base.delay if errors.delay is None else errors.delay
        along = np.ones(3)
        if base.kind == "rail":
            along = np.array([np.cos(base.axis_yaw), np.sin(base.axis_yaw), 0.0])
        self._bounds = np.array([
            [base.max_acceleration] * 2 + [base.max_turn_acceleration], along,
            np.full(3, errors.slip) * SLIPS, np.full(3, errors.noise), np.full(3, max(lag, GRID)),
            [errors.pose_noise] * 2 + [errors.heading_noise],
        ])  # fmt: skip
        self._commands = np.zeros((round(delay / GRID) + 1, 3))
        self._poses = np.zeros((round(errors.pose_delay / GRID) + 1, 2, 3))
        self.motion, self.measured = np.zeros((3, 3)), np.zeros((2, 3))
        self.measured_age = errors.pose_delay
        self._wheels = np.zeros((4, 3))  # speed, way, noise before and behind the second low-pass
        self._count: IntArray = np.zeros(1, np.int64)
        self._normals, self._next = np.empty((0, 2, 3)), 0
        self.stuck = self.silent = False

    def stand_at(self, pose: Array) -> None:
        """Stand somewhere else, before the first step; `pose` as in `motion`, shape (3,)."""
        self.motion[0] = self.measured[0] = self._wheels[1] = pose
        self._poses[:, 0] = pose

    def step(self, command: Array) -> None:
        """Move on by `GRID` under a command of speeds x, y [m/s] and heading [rad/s], world axes, (3,)."""
        if self._next == len(self._normals):
            self._normals, self._next = self._rng.standard_normal((BLOCK, 2, 3)), 0
        _step_into(self.motion, self._wheels, self._commands, self._poses, self._count,
            np.zeros(3) if self.stuck else command, self._bounds, self._normals[self._next], self._external,
        )  # fmt: skip
        self._next += 1
        if self.silent:
            self.measured_age += GRID
        else:
            self.measured[:] = self._poses[self._count[0] % len(self._poses)]


@njit(cache=True)
def _step_into(
    motion: Array,
    wheels: Array,
    commands: Array,
    poses: Array,
    count: IntArray,
    command: Array,
    bounds: Array,
    normals: Array,
    external: bool,
) -> None:
    """Move the vehicle by a step of the grid; arrays as `EmulatedBase` has them."""
    now = count[0]
    n, m = commands.shape[0], poses.shape[0]
    straight = 0.0
    for i in range(3):
        commands[now % n, i] = command[i]
    told, acceleration = commands[(now + 1) % n], np.empty(3)
    for i in range(3):
        acceleration[i] = (told[i] - wheels[0, i]) / bounds[4, i]
        if i < 2:
            straight += acceleration[i] ** 2
    share = min(1.0, bounds[0, 0] / np.sqrt(straight)) if straight > 0.0 else 1.0
    fade = np.exp(-GRID / RESTLESS)
    for i in range(3):
        if i < 2:
            acceleration[i] *= share
        else:
            acceleration[i] = min(max(acceleration[i], -bounds[0, i]), bounds[0, i])
        wheels[0, i] += GRID * acceleration[i]
        wheels[1, i] += GRID * wheels[0, i]
        rate = (wheels[2, i] - wheels[3, i]) / RESTLESS
        size = np.sqrt(2.0 * (1.0 - fade * fade)) * bounds[3, i]
        moves = 1.0 if bounds[1, i] != 0.0 else 0.0
        wheels[2, i] = fade * wheels[2, i] + moves * size * normals[0, i]
        wheels[3, i] += GRID * rate
        motion[2, i] = (1.0 + bounds[2, i]) * acceleration[i] + rate
        motion[1, i] = (1.0 + bounds[2, i]) * wheels[0, i] + wheels[3, i]
        motion[0, i] += GRID * motion[1, i]
        pose = motion[0, i] + bounds[5, i] * normals[1, i] if external else wheels[1, i]
        poses[now % m, 0, i], poses[now % m, 1, i] = pose, wheels[0, i]
    count[0] = now + 1
