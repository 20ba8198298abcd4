"""The figures that docs/theory.md gives beside its equations, each computed from first principles.

    python -m bench.theory_figures [NAME …] [--seconds 60]

NAME: final_moment, forces, delayed_contact, witness, half_sine, impulse_bound; all without.

final_moment: the push trial in lock-step for `--seconds`. The true wrench of each push is seen from the tcp
and moved to the centre of mass at every sample, or its integral once, at the push's end.
forces: bounces at the shipped stops, their springs as forces in the classical Runge-Kutta method: the centre
for many phases of entry, the attitude of an asymmetric body for many spins; beside the latter the split (15).
delayed_contact: a mass at a spring and damper whose force comes back late, against equation (21).
witness: share of a reversed wrench that the damped least squares of equation (47) do not see.
half_sine: trapezoid rule over the samples of a half-sine push, for many phases.
impulse_bound: the closed form (76) of the least error of an impulse beside the exact expression (75).
"""

import argparse
import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hil.analysis.configured_noise import force_noise
from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_multiply
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace
from hil.wrench.witness.kernel import LEAST_LEVER
from hil.wrench.worth.bound import AROUND, Swing, impulse_deviation
from hil.wrench.worth.noise_model import NoiseModel
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import jacobian
from sim.world.body import step_body_into
from sim.world.stops import RATE, pack_stops, stop_torque

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
SPEED = 0.12  # [m/s] into the stop
SPIN, SPINS = 0.3, 20  # [rad/s] of a tumbling body, and how many directions
STEPS_S = (0.001, 0.005, 0.02)
PHASES = 200
FINE = 20_000  # steps of a contact whose force comes late
BOUND_DURATIONS = (0.03, 0.05, 0.075, 0.1, 0.15, 0.2)  # [s] of pushes
PUSH_S, CYCLE_S = 0.030, 0.002  # shortest push, and the FRI cycle
SpinStep = Callable[[Array, float, Array, Array], Array]


def moment_error(trace: Trace, start: float, end: float) -> float:
    """Return what moving only the final moment of a push costs, as a share of its true moment."""
    rows = np.flatnonzero((trace.t >= start - CYCLE_S) & (trace.t <= end + CYCLE_S))
    force, moment = trace.wrench_true[rows, :3], trace.wrench_true[rows, 3:]
    # from the centre of mass to the tcp, world axes
    lever = np.array(
        [matrix_from_quat(quat) @ -_p_object_tcp(trace) for quat in trace.quat_world_object_arm[rows]]
    )
    at_tcp = moment - np.cross(lever, force)
    t = trace.t[rows]
    true = np.trapezoid(moment, t, axis=0)
    once = np.trapezoid(at_tcp, t, axis=0) + np.cross(lever[-1], np.trapezoid(force, t, axis=0))
    return float(np.linalg.norm(once - true) / np.linalg.norm(true))


def _p_object_tcp(trace: Trace) -> Array:
    """Return the centre of mass as seen from the tcp, object axes [m]."""
    T_tcp_object = trace.T_tcp_object
    return T_tcp_object[:3, :3].T @ T_tcp_object[:3, 3]


def final_moment(seconds: float) -> None:
    """Print what moving only the final moment costs."""
    trace = LockStep(load_configuration(CONFIGS / "pushes.toml")).run(seconds)
    pushes = zip(trace.push_t_start, trace.push_t_end, strict=True)
    errors = 100.0 * np.array([moment_error(trace, start, end) for start, end in pushes])
    low, middle, high = np.quantile(errors, [0.05, 0.5, 0.95])
    print(
        f"only the final moment moved: {middle:.2f} % of the moment (median of {len(errors)} pushes; "
        f"5th and 95th percentile {low:.2f} % and {high:.2f} %)"
    )


def rk4(rates: Callable[[Array], Array], y: Array, dt: float) -> Array:
    """Return `y` after a step of the classical Runge-Kutta method."""
    k1 = rates(y)
    k2 = rates(y + dt / 2 * k1)
    k3 = rates(y + dt / 2 * k2)
    k4 = rates(y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def box_rebound(rate: float, dt: float, phase: float) -> float:
    """Return the speed after a stop of the box over that before, by Runge-Kutta.

    Args:
        rate: of the spring [rad/s].
        dt: step [s].
        phase: part of a step that is left to the bound when the last free step begins.
    """
    y = np.array([-SPEED * dt * phase, SPEED])
    while y[1] > 0.0 or y[0] > 0.0:
        y = rk4(lambda y: np.array([y[1], -(rate**2) * max(y[0], 0.0)]), y, dt)
    return float(-y[1] / SPEED)


def spin_rates(y: Array, body: Array, stops: Array) -> Array:
    """Return the rates of quaternion and angular momentum (world axes) of a body in its stops, shape (7,)."""
    quat = y[:4] / np.linalg.norm(y[:4])
    omega_body = matrix_from_quat(quat).T @ y[4:] / body[1:]
    turn = 0.5 * quat_multiply(quat, np.array([0.0, *omega_body]))
    return np.concatenate([turn, stop_torque(*quat, stops)])


def by_runge_kutta(y: Array, dt: float, body: Array, stops: Array) -> Array:
    """Return quaternion and angular momentum after a step, the stops' torque a force within it."""
    return rk4(lambda z: spin_rates(z, body, stops), y, dt)


def by_split(y: Array, dt: float, body: Array, stops: Array) -> Array:
    """Return quaternion and angular momentum after a step of the product, equation (15)."""
    state = np.concatenate([stops[:3], y[:4], np.zeros(3), y[4:]])
    step_body_into(state, state, body, stops, np.zeros(6), dt)
    return np.concatenate([state[3:7], state[10:]])


def spin_rebound(step: SpinStep, dt: float, spin: Array, body: Array, stops: Array) -> float:
    """Return the spin after the first bounce over that before, as the root of the energies."""
    y = np.concatenate([stops[6:10], matrix_from_quat(stops[6:10]) @ (body[1:] * spin)])
    touched = touching = False
    while touching or not touched:
        y = step(y, dt, body, stops)
        touching = any(stop_torque(*y[:4], stops))
        touched = touched or touching
    omega = matrix_from_quat(y[:4] / np.linalg.norm(y[:4])).T @ y[4:] / body[1:]
    return math.sqrt(omega @ (body[1:] * omega) / (spin @ (body[1:] * spin)))


def forces(_: float) -> None:
    """Print what a stop as a force in a Runge-Kutta step adds to the speed, and what the split adds."""
    c = load_configuration(CONFIGS / "cube.toml")
    tumble = load_configuration(CONFIGS / "tumble.toml").object
    body = np.array([tumble.mass, *tumble.inertia])
    stops = pack_stops(c.stops, tumble.inertia)
    spins = SPIN * unit_rows(np.random.default_rng(1).normal(size=(SPINS, 3)))
    for dt in STEPS_S:
        box = [box_rebound(stops[RATE], dt, (n + 0.5) / PHASES) for n in range(PHASES)]
        report_gain(dt, "box, RK4", box)
        for name, step in (("RK4", by_runge_kutta), ("(15)", by_split)):
            rebounds = [spin_rebound(step, dt, spin, body, stops) for spin in spins]
            report_gain(dt, f"swing and twist, {name}", rebounds)


def report_gain(dt: float, name: str, rebounds: list[float]) -> None:
    """Print what bounces in steps of `dt` [s] change the speed by."""
    gain = 100.0 * (np.array(rebounds) - 1.0)
    print(
        f"stops as forces, steps of {1e3 * dt:g} ms, {name}: mean {gain.mean():+.5f} %, "
        f"largest {np.abs(gain).max():.5f} % of speed a bounce"
    )


def unit_rows(rows: Array) -> Array:
    """Return the rows, each with norm 1."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def late_rebound(damping: float, delay: float) -> float:
    """Return the restitution of a contact whose force comes back late; frequency and mass are 1.

    Args:
        damping: ratio.
        delay: of the force, frequency times time.
    """
    dt = 2.0 * math.pi / FINE
    late = round(delay / dt)
    depths, speeds = np.zeros(2 * FINE), np.zeros(2 * FINE)
    x, v = 0.0, 1.0
    for n in range(2 * FINE):
        depths[n], speeds[n] = x, v
        force = 0.0
        if n >= late and depths[n - late] >= 0.0:
            force = max(0.0, depths[n - late] + 2.0 * damping * speeds[n - late])
        elif n >= late and n > late + 1:
            break  # what the late sensor says is over
        v -= dt * force
        x += dt * v
    return -v


def delayed_contact(_: float) -> None:
    """Print how good equation (21) is."""
    cases = itertools.product(np.linspace(0.0, 0.1, 6), np.linspace(0.0, 0.4, 9))
    errors = [
        late_rebound(z, wT) / math.exp(math.pi * (wT - 2.0 * z) / 2.0) - 1.0 for z, wT in cases
    ]  # of the formula, relative
    print(
        f"restitution with delay: formula off by {100 * np.median(np.abs(errors)):.1f} % (median), "
        f"{100 * np.abs(errors).max():.1f} % (most), damping ratios to 0.1, w T to 0.4"
    )


def witness(_: float) -> None:
    """Print the largest share of a wrench that the witness does not see, at the start pose."""
    c = load_configuration(CONFIGS / "cube.toml")
    model, frames = load_arm_model(c.robot.model), Frames.from_configuration(c)
    J = jacobian(model.geometry, c.robot.start, frames.T_flange_object)
    least = np.linalg.svd(J, compute_uv=False)[-1]
    share = LEAST_LEVER**2 / (least**2 + LEAST_LEVER**2)
    print(f"witness: at most {100 * share:.2f} % of a reversed wrench unseen (middle of the stops)")


def half_sine(_: float) -> None:
    """Print the error of the trapezoid rule over a half-sine push."""
    errors = []
    for phase in np.linspace(0.0, 1.0, PHASES, endpoint=False):
        t = np.arange(-1, PUSH_S / CYCLE_S + 2) * CYCLE_S + phase * CYCLE_S
        force = np.where((t > 0.0) & (t < PUSH_S), np.sin(math.pi * t / PUSH_S), 0.0)
        errors.append(np.trapezoid(force, t) / (2.0 * PUSH_S / math.pi) - 1.0)
    print(
        f"trapezoid rule, half-sine of {1e3 * PUSH_S:.0f} ms at {1e3 * CYCLE_S:.0f} ms: "
        f"off by {100 * np.abs(errors).max():.2f} % at most"
    )


def closed_bound(noise: NoiseModel, duration: float, step: float) -> float:
    """Return the least standard deviation of an impulse on one axis [N s], by the closed form (76)."""
    around = 2.0 * AROUND
    variance = noise.white * step * duration * (1.0 + duration / around)
    for size, time in zip(noise.variances, noise.times, strict=True):
        left = duration - 2.0 * time * math.tanh(duration / (2.0 * time))
        slow = time > around / 4.0  # what is known of it outside tells of it inside
        variance += 2.0 * size * time * left * (1.0 if slow else 1.0 + left / around)
    return math.sqrt(variance)


def impulse_bound(_: float) -> None:
    """Print the exact bound in the default run's noise, and how far the closed form is off."""
    c = load_configuration(CONFIGS / "cube.toml")
    noise, swing = force_noise(c.emulator.wrench), Swing.of(c.detector)
    exact = np.array([impulse_deviation(noise, d, CYCLE_S, swing) for d in BOUND_DURATIONS])
    closed = np.array([closed_bound(noise, d, CYCLE_S) for d in BOUND_DURATIONS])
    for duration, value in zip(BOUND_DURATIONS, exact, strict=True):
        print(f"push of {1e3 * duration:.0f} ms: {1e3 * value:.1f} mN s on each axis of force at best")
    print(f"closed form: off by {100 * np.abs(closed / exact - 1.0).max():.0f} % at most")


FIGURES: dict[str, Callable[[float], None]] = {
    "final_moment": final_moment,
    "forces": forces,
    "delayed_contact": delayed_contact,
    "witness": witness,
    "half_sine": half_sine,
    "impulse_bound": impulse_bound,
}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *FIGURES])
    parser.add_argument("--seconds", type=float, default=60.0, help="of the push trial, virtual")
    options = parser.parse_args()
    for name in options.names or FIGURES:
        FIGURES[name](options.seconds)


if __name__ == "__main__":
    main()
