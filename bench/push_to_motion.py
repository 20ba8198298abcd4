"""Where the time from a push to the arm's motion goes, and how far it can be led at all.

    python -m bench.push_to_motion [--seconds 120] [--sample-time-ms 2] [--json OUT.json]

First the push trial in lock-step, again and again with one part less: the lead, the drives' lag, the
sensor's errors. What the arm is behind the ideal body at half the velocity changes each time by what that
part costs. Then the lead alone: what the sensor's noise, and the curve of half-sine pushes of 1 N s, make it
err by, without any loop: what noise would allow, and what nobody can know before it comes.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from drivers.emulation.arm.motion_noise import motion_noise_step, process_constants
from hil.analysis.figures.velocity import SWUNG, overshoots
from hil.analysis.figures.windows import FIT, TWIST_SCALE, fitted_twists, free_pushes
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.loop.driver.push_lead import GROWTH, add_to_come, grow
from hil.loop.lockstep import LockStep
from hil.loop.trace.fields import Trace

PUSHES = Path(__file__).resolve().parents[1] / "configs" / "pushes.toml"
LEAD_IN = 0.02  # [s] before a push
LEADS = (0.004, 0.008, 0.012)  # [s]
DURATIONS = (0.03, 0.1, 0.2)  # [s]
TRIALS, SAMPLES = 400, 40
SETTLED = slice(10, 20)  # samples whose lead has a full window behind it and the force before it
ROWS = "| {} | {:.1f} ms | {:.1f} ms | {} | {:.3f} | {} |"
NO_LEAD = ["interpolation.push_lead_ms=0"]
NO_LAG = [*NO_LEAD, 'emulator.control="kinematic"']
NO_ERRORS = [
    *NO_LAG,
    *(
        f"emulator.wrench.{key}=0"
        for key in ("noise_force_n", "noise_torque_n_m", "offset_gradient_force_n_per_m")
    ),
    *("emulator.wrench.offset_gradient_torque_n_m_per_m=0", "emulator.wrench.swing_fraction=0"),
    "mockup.uncompensated=0",
]
PARTS = {
    "all of it": [],
    "without lead": NO_LEAD,
    "and without the drives' lag": NO_LAG,
    "and without the sensor's errors": NO_ERRORS,
}


def crossing(t: Array, share: Array, level: float) -> float:
    """Return when a share of the velocity change first passes a level [s]; NaN if it does not."""
    i = int(np.argmax(share >= level))
    if i == 0 or share[i] < level:
        return float("nan")
    return float(t[i - 1] + (level - share[i - 1]) / (share[i] - share[i - 1]) * (t[i] - t[i - 1]))


def behind(trace: Trace, level: float) -> Array:
    """Return how far the arm is behind the ideal body at a share of the velocity change, a push each [s]."""
    found = []
    for push in free_pushes(trace, SWUNG):
        start, end = trace.push_t_start[push], trace.push_t_end[push]
        first, last = np.searchsorted(trace.t, [start - LEAD_IN, end + SWUNG])
        before, after = np.searchsorted(trace.t, [start, end])
        ideal = trace.twist_world_object_ideal
        change = (ideal[after] - ideal[before - 1]) * TWIST_SCALE
        quiet = int(np.searchsorted(trace.t[first:last], start - FIT)) or 1
        instants = []
        for name in ("arm", "ideal"):
            p, quat = (getattr(trace, f"{what}_world_object_{name}") for what in ("p", "quat"))
            twists = fitted_twists(trace.t, p, quat, first, last) * TWIST_SCALE
            share = (twists - twists[:quiet].mean(axis=0)) @ change / (change @ change)
            instants.append(crossing(trace.t[first:last], share, level))
        found.append(instants[0] - instants[1])
    return np.array(found)


def run(settings: list[str], seconds: float) -> tuple[float, float, float, int]:
    """Return lateness [s] at 10 and 50 %, p95 of the overshoot, and the pushes of a run."""
    trace = LockStep(load_configuration(PUSHES, settings)).run(seconds)
    late = [float(np.nanmedian(behind(trace, level))) for level in (0.1, 0.5)]
    swung = overshoots(trace)
    return late[0], late[1], float(np.percentile(swung, 95)), len(swung)


def noise_of(c: Configuration, samples: int, rng: np.random.Generator) -> Array:
    """Return what white and motion noise make of a force axis, the arm at full speed [N], (samples,)."""
    errors = c.emulator.wrench
    constants = process_constants(errors.motion_noise_slow_fraction, c.fri.sample_time)
    processes, normals = rng.standard_normal((2, 6)), rng.standard_normal((samples, 2, 6))
    motion = [motion_noise_step(processes, normals[k], constants, 0) for k in range(samples)]
    return errors.noise_force * rng.standard_normal(samples) + errors.motion_noise_force * np.array(motion)


def led_error(c: Configuration, force: Array, lead: float) -> Array:
    """Return led less true impulse to come of a force's samples, at every sample of its growth [N s]."""
    dt, masses = c.fri.sample_time, np.array([c.object.mass] * 3 + [*c.object.inertia])
    growth = np.zeros(1, GROWTH)
    growth["impulse_id"] = -1
    total = np.concatenate(([0.0], np.cumsum(force) * dt))
    t = dt * np.arange(len(total))
    errors = []
    for k in range(1, len(total)):
        t_ns = round(1e9 * t[k])
        grow(growth[0], 1, 0, False, t_ns, np.array([total[k] + 1e-12, 0, 0, 0, 0, 0]))
        ahead = np.zeros(6)
        add_to_come(ahead, growth[0], t_ns, lead, masses)
        errors.append(ahead[0] - (np.interp(t[k] + lead, t, total) - total[k]))
    return np.array(errors)


def lead_errors(c: Configuration, lead: float) -> list[float]:
    """Return rms errors of a lead [N s]: by noise, and by half-sine pushes of 1 N s of each duration."""
    rng, dt = np.random.default_rng(1), c.fri.sample_time
    noisy = [led_error(c, 10.0 + noise_of(c, SAMPLES, rng), lead)[SETTLED] for _ in range(TRIALS)]
    errors = [float(np.sqrt(np.mean(np.square(noisy))))]
    for duration in DURATIONS:
        t = dt * (np.arange(round((duration + 0.02) / dt)) + 0.5)
        half_sine = np.sin(np.pi * np.minimum(t, duration) / duration) * np.pi / (2.0 * duration)
        wrong = led_error(c, half_sine, lead)[: round(duration / dt)]
        errors.append(float(np.sqrt(np.mean(np.square(wrong)))))
    return errors


def main() -> None:
    """Run, print both tables, and write them if asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--sample-time-ms", type=float, default=2.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cycle = f"fri.sample_time_ms={options.sample_time_ms:g}"
    results: dict[str, list[float]] = {}
    print(f"FRI cycle {options.sample_time_ms:g} ms, {options.seconds:g} s a row\n")
    print("| the loop | behind at 10 % | behind at 50 % | this part | overshoot p95 | pushes |")
    print("|---|---|---|---|---|---|")
    before = None
    for name, settings in PARTS.items():
        at_10, at_50, swung, count = run([cycle, *settings], options.seconds)
        results[name] = [at_10, at_50, swung, count]
        part = "" if before is None else f"{1e3 * (before - at_50):.1f} ms"
        print(ROWS.format(name, 1e3 * at_10, 1e3 * at_50, part, swung, count))
        before = at_50
    c = load_configuration(PUSHES, [cycle])
    print("\n| lead | by noise | " + " | ".join(f"half-sine of {1e3 * d:.0f} ms" for d in DURATIONS) + " |")
    print("|---" * (2 + len(DURATIONS)) + "|")
    for lead in LEADS:
        errors = lead_errors(c, lead)
        results[f"lead {1e3 * lead:g} ms"] = errors
        print(f"| {1e3 * lead:g} ms | " + " | ".join(f"{1e3 * error:.1f} mN s" for error in errors) + " |")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
