"""The controller's estimate of the external wrench, with all that is wrong with it.

`w = w_true + swing + offset(p) - e (m (a - g), I alpha + omega x I omega) + motion noise + white noise`,
at the tcp, base axes, exerted by the environment on the tool:

* swing: after a push the arm swings back, `-c exp(-u / tau) sin(2 pi f u) w_peak` about the object's
  centre, `u` counting from the push's end;
* offset: linear in the tcp's displacement from the start, in directions drawn with the seed, cut to a
  largest force (and its torque in proportion);
* inertia: the share `e` of the held mock-up's inertia that load compensation misses, and, if asked for, of
  its weight;
* motion noise: grows with the tcp's speed up to its full size;
* drift: grows with time, in drawn directions;
* base: the controller knows of no base; what accelerates it looks like a force on links and mock-up.

All but the noise may come late: through a low-pass, and older than the joints of the same packet.
"""

import math

import numpy as np
from numba import njit

from drivers.emulation.arm.arm import EmulatedArm, grid_of
from drivers.emulation.arm.lateness import Lateness
from drivers.emulation.arm.motion_noise import motion_noise_step, process_constants
from drivers.robot.carried_links import carried_links, carried_wrench
from hil.common.arrays import Array
from hil.common.planar import carried_acceleration
from hil.common.triples import Triple, added, column, crossed, triple, turned, turned_back
from hil.configuration.frames import mockup_centre
from hil.configuration.schema import Configuration

BLOCK = 2048  # samples whose random numbers are drawn at one go
SWINGS = 8  # that can ring at the same time
SWING_LASTS = 7.0  # decay times, until it is below 0.1 % and forgotten
TORQUE_SHARE = 0.2  # m; motion noise in N m against that in N
SEED_STREAM, DRIFT_STREAM = 101, 103
GRAVITY = 9.81  # [m/s2]


class WrenchEstimate:
    """The estimate, sampled once a sample time; deterministic by seed."""

    def __init__(self, configuration: Configuration, arm: EmulatedArm, seed: int) -> None:
        """Begin at the arm's present pose, which is where the offset is zero."""
        errors = configuration.emulator.wrench
        mockup = configuration.mockup
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM]))
        self._gradient = self._drawn_gradient(errors.offset_gradient_force, errors.offset_gradient_torque)
        self._offset_max = errors.offset_max
        self._white = np.repeat([errors.noise_force, errors.noise_torque], 3)
        size = errors.motion_noise_force if errors.motion_noise else 0.0
        self._motion = size * np.repeat([1.0, TORQUE_SHARE], 3)
        self._motion_speed = errors.motion_noise_speed
        self._processes = self._rng.standard_normal((2, 6))
        self._constants = process_constants(errors.motion_noise_slow_fraction, configuration.fri.sample_time)
        self._block, self._next = np.empty((0, 3, 6)), 0
        self._swings = np.full((SWINGS, 7), -math.inf)  # time of the push's end, peak wrench
        self._swing_at = 0
        self._swing = np.array([errors.swing_fraction, errors.swing_frequency, errors.swing_decay])
        self._arm = arm
        self._T_flange_tcp = np.ascontiguousarray(arm.frames.T_flange_tcp)
        self._R_base_world = np.ascontiguousarray(arm.frames.T_world_base[:3, :3].T)
        self._p_tcp_object = np.ascontiguousarray(arm.frames.T_tcp_object[:3, 3])
        self._inertia = mockup.uncompensated * np.concatenate(([mockup.mass], mockup.inertia))
        self._p_tcp_mockup = mockup_centre(configuration)
        weighs = GRAVITY if errors.missed_weight else 0.0
        self._gravity: Array = self._R_base_world @ np.array([0.0, 0.0, -weighs])
        self._p_start = arm.T_base_tcp[:3, 3].copy()
        links = configuration.base.emulated.link_mass_error
        self._links = None if arm.base_motion is None else carried_links(configuration, links)
        self._drift = _drawn_drift(errors.drift, seed) if errors.drift else None
        self._late: Lateness | None = None
        if errors.lag or errors.skew:
            self._late = Lateness(errors.lag, errors.skew, grid_of(configuration.fri.sample_time)[0])

    def push_ended(self, t: float, peak_world: Array) -> None:
        """Let the arm swing back from time `t` [s] after a push.

        Args:
            t: the push's end, on the clock of `sample`.
            peak_world: its largest wrench about the object's centre, world axes [N, N m], shape (6,).
        """
        self._swings[self._swing_at, 0] = t
        self._swings[self._swing_at, 1:] = peak_world
        self._swing_at = (self._swing_at + 1) % SWINGS

    def sample(self, t: float, wrench_world: Array) -> Array:
        """Return the estimate at the tcp in base axes [N, N m], shape (6,).

        Args:
            t: time [s].
            wrench_world: true wrench on the mock-up about the object's centre, world axes, shape (6,).
        """
        out = self._sampled(t, wrench_world, self._normals(), self._processes)
        if self._late is not None:
            out += self._late.value - self._noiseless(t, wrench_world)
        if self._drift is not None:
            out += t * self._drift
        return out

    def follow(self, t: float, wrench_world: Array) -> None:
        """Take what truly acts at a grid step's end, arguments as in `sample`: a late sensor needs it."""
        if self._late is not None:
            self._late.take(self._noiseless(t, wrench_world))

    def _noiseless(self, t: float, wrench_world: Array) -> Array:
        return self._sampled(t, wrench_world, np.zeros((3, 6)), np.zeros((2, 6)))

    def _sampled(self, t: float, wrench_world: Array, normals: Array, processes: Array) -> Array:
        m = self._arm.motion
        if self._arm.base_motion is not None:
            self._R_base_world = np.ascontiguousarray(self._arm.T_world_base[:3, :3].T)
        sampled: Array = _sampled(
            *(t, wrench_world, self._swings, self._swing),
            *(m.T_base_flange, m.omega, m.v, m.alpha, m.a),
            *(self._T_flange_tcp, self._R_base_world, self._p_tcp_object, self._p_tcp_mockup),
            *(self._p_start, self._gradient, self._offset_max, self._inertia),
            self._gravity,
            *(normals, self._white, self._motion, self._motion_speed),
            *(processes, self._constants),
        )
        if self._links is not None and self._arm.base_motion is not None:
            mount = np.ascontiguousarray(self._arm.frames.T_world_base)
            moved = carried_acceleration(mount, self._arm.base_motion)
            sampled += carried_wrench(self._links, self._arm.q, self._arm.dq, moved)[1]
        return sampled

    def _drawn_gradient(self, force: float, torque: float) -> Array:
        """Return the offset's change with the tcp's position, shape (6, 3): random rotations, scaled."""
        rotations = [np.linalg.qr(self._rng.standard_normal((3, 3)))[0] for _ in range(2)]
        return np.vstack((force * rotations[0], torque * rotations[1]))

    def _normals(self) -> Array:
        if self._next == len(self._block):
            self._block, self._next = self._rng.standard_normal((BLOCK, 3, 6)), 0
        self._next += 1
        row: Array = self._block[self._next - 1]
        return row


def _drawn_drift(force: float, seed: int) -> Array:
    """Return the drift [N/s, N m/s], shape (6,), in directions of its own stream."""
    drawn = np.random.default_rng(np.random.SeedSequence([seed, DRIFT_STREAM])).standard_normal((2, 3))
    drawn /= np.linalg.norm(drawn, axis=1)[:, None]
    return force * np.concatenate((drawn[0], TORQUE_SHARE * drawn[1]))


@njit(cache=True)
def _sampled(
    t: float,
    wrench_world: Array,
    swings: Array,
    swing: Array,
    T_base_flange: Array,
    omega: Array,
    v: Array,
    alpha: Array,
    a: Array,
    T_flange_tcp: Array,
    R_base_world: Array,
    p_tcp_object: Array,
    p_tcp_mockup: Array,
    p_start: Array,
    gradient: Array,
    offset_max: float,
    inertia: Array,
    gravity: Array,
    normals: Array,
    white: Array,
    motion: Array,
    motion_speed: float,
    processes: Array,
    constants: Array,
) -> Array:
    R = np.ascontiguousarray(T_base_flange[:3, :3]) @ np.ascontiguousarray(T_flange_tcp[:3, :3])
    lever = turned(T_base_flange, column(T_flange_tcp, 3))
    displacement = np.empty(3)
    for k in range(3):
        displacement[k] = T_base_flange[k, 3] + lever[k] - p_start[k]
    w, w_rate = triple(omega), triple(alpha)
    turning = crossed(w, lever)
    a_tcp = added(added(triple(a), crossed(w_rate, lever)), crossed(w, turning))
    out = _true_and_swing(t, wrench_world, swings, swing, R_base_world)
    _move_moment(out, turned(R, triple(p_tcp_object)))
    _add_offset(out, gradient, displacement, offset_max)
    r = turned(R, triple(p_tcp_mockup))
    a_mockup = added(added(a_tcp, crossed(w_rate, r)), crossed(w, crossed(w, r)))
    a_mockup = (a_mockup[0] - gravity[0], a_mockup[1] - gravity[1], a_mockup[2] - gravity[2])
    _take_held_inertia(out, inertia, R, r, a_mockup, w, w_rate)
    v_tcp = added(triple(v), turning)
    speed = np.sqrt(v_tcp[0] ** 2 + v_tcp[1] ** 2 + v_tcp[2] ** 2)
    full = min(1.0, speed / motion_speed)
    for i in range(6):
        out[i] += white[i] * normals[0, i]
        out[i] += full * motion[i] * motion_noise_step(processes, normals[1:], constants, i)
    return out


@njit(cache=True)
def _true_and_swing(t: float, wrench_world: Array, swings: Array, swing: Array, R_base_world: Array) -> Array:
    """Return the true wrench with all swings about the object's centre, base axes, shape (6,)."""
    out = wrench_world.copy()
    for i in range(swings.shape[0]):
        u = t - swings[i, 0]
        if 0.0 < u < SWING_LASTS * swing[2]:
            size = swing[0] * math.exp(-u / swing[2]) * math.sin(2.0 * math.pi * swing[1] * u)
            for k in range(6):
                out[k] -= size * swings[i, 1 + k]
    force = turned(R_base_world, (out[0], out[1], out[2]))
    torque = turned(R_base_world, (out[3], out[4], out[5]))
    for k in range(3):
        out[k], out[3 + k] = force[k], torque[k]
    return out


@njit(cache=True)
def _move_moment(wrench: Array, lever: Triple) -> None:
    """Move a wrench's moment point, in place; `lever`: the old point as seen from the new one [m]."""
    moment = crossed(lever, (wrench[0], wrench[1], wrench[2]))
    for k in range(3):
        wrench[3 + k] += moment[k]


@njit(cache=True)
def _add_offset(wrench: Array, gradient: Array, displacement: Array, largest: float) -> None:
    """Add the pose's offset: linear in the displacement, force cut to `largest` [N]."""
    offset = gradient @ displacement
    size = math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2)
    share = largest / size if size > largest else 1.0
    for k in range(6):
        wrench[k] += offset[k] * share


@njit(cache=True)
def _take_held_inertia(
    wrench: Array, inertia: Array, R: Array, r: Triple, a: Triple, omega: Triple, alpha: Triple
) -> None:
    """Take off the rate of momentum of the held body's missed share about the tcp, base axes.

    Args:
        wrench: estimate, written.
        inertia: mass [kg] and principal inertia in tcp axes [kg m2], shape (4,).
        R: tcp axes in base.
        r: the body's centre from the tcp, base axes [m].
        a: its acceleration, less gravity's where its weight is missed as well [m/s2].
        omega: angular velocity [rad/s].
        alpha: angular acceleration [rad/s2].
    """
    force = (inertia[0] * a[0], inertia[0] * a[1], inertia[0] * a[2])
    spin, spin_rate = turned_back(R, omega), turned_back(R, alpha)
    momentum = (inertia[1] * spin[0], inertia[2] * spin[1], inertia[3] * spin[2])
    rate = (inertia[1] * spin_rate[0], inertia[2] * spin_rate[1], inertia[3] * spin_rate[2])
    torque = added(crossed(r, force), turned(R, added(rate, crossed(spin, momentum))))
    for k in range(3):
        wrench[k] -= force[k]
        wrench[3 + k] -= torque[k]
