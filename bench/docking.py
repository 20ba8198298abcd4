"""Docking: outcomes of the shipped scenario and its variants, drift in orbit against the closed form, speed.

    python -m bench.docking [--quick]

The drift is that of two free boxes in the compiled contact scene over one orbit, in steps of several lengths;
the error is the distance from the closed form then.
"""

import argparse
import math
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

from hil.configuration.loading import configuration_from, table_of, text_of
from hil.configuration.overrides import overridden
from hil.configuration.schema import Configuration
from hil.trials.docking.trial import docking_trial
from sim.contact.contact_scene import ContactScene
from sim.contact.force_tables import no_forces
from sim.contact.interface_schema import Material
from sim.docking.scenario import DockingScenario
from sim.orbit.clohessy_wiltshire import mean_motion, transition

FILE = Path(__file__).parents[1] / "configs/docking.toml"
TWENTY = 'docking.interfaces = "scenes/docking20.toml"'
JOINT = "docking.joint_impedance.stiffness_n_m_per_rad = [400.0, 400.0, 300.0, 300.0, 100.0, 60.0, 40.0]"
REACH = 'docking.approach.by = "reach"'
FIXED = "docking.servicer.base_fixed = true"
BEYOND = "docking.approach.beyond_mm = 60.0"
LATCH = "docking.latch = true"
NO_PUSH = "docking.push.force_n = 0.0"
HEAVY = [
    "docking.servicer.base_mass_kg = 1000.0",
    "docking.servicer.base_inertia_kg_m2 = [200.0, 200.0, 200.0]",
]
FAR = ["docking.approach.distance_mm = 2000.0", "docking.outcome.time_limit_s = 200.0"]
VARIANTS: dict[str, list[str]] = {
    "4 pins, Cartesian": [],
    "20 pins, Cartesian": [TWENTY],
    "4 pins, joints": [JOINT],
    "20 pins, joints": [TWENTY, JOINT],
    "reach, Cartesian": [REACH],
    "reach, joints": [REACH, JOINT],
    "base 1000 kg": HEAVY,
    "latch, no push": [LATCH, NO_PUSH],
    "no push, no latch": [NO_PUSH],
    "fixed base, latch": [REACH, FIXED, BEYOND, LATCH],
    "fixed base, no latch": [REACH, FIXED, BEYOND],
    "2 m away, 400 km": ["docking.orbit.altitude_km = 400.0", *FAR],
    "2 m away, geostationary": ["docking.orbit.altitude_km = 35786.0", *FAR],
    "9 mm beside": ["docking.approach.lateral_mm = [9.0, 0.0]"],
    "step 2 ms": ["simulation.step_ms = 2.0"],
}
BOX = """<body name="{}"><freejoint/><inertial pos="0 0 0" mass="{}" diaginertia="{}"/>
<geom size="0.1" contype="0" conaffinity="0"/></body>"""
BOXES = (
    f"<mujoco><worldbody>{BOX.format('a', 120, '6 7 8')}{BOX.format('b', 115, '9 8 7')}</worldbody></mujoco>"
)
NOWHERE = Material(friction=0.0, restitution=0.0, contact_time_ms=1e4)  # nothing touches, whatever the step
STARTS = np.array([[1.0, -3.0, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2e-4, -1e-4, 3e-4]])


def configured(settings: list[str]) -> Configuration:
    """Return the shipped configuration with other values; joint impedance stands in for Cartesian."""
    data = table_of(text_of(FILE), FILE)
    if JOINT in settings:
        del data["docking"]["cartesian_impedance"]
    return configuration_from(overridden(data, settings), FILE)


def outcomes() -> None:
    """Print the table of variants."""
    heads = ("outcome", "time s", "seated s", "force N", "moment N m", "depth mm")
    print(f"{'variant':24} " + " ".join(f"{head:>10}" for head in heads))
    for name, settings in VARIANTS.items():
        found = docking_trial(configured(settings))
        seated = "-" if found.seated is None else f"{found.seated:.2f}"
        print(
            f"{name:24} {found.word:>10} {found.time:10.2f} {seated:>10} {found.max_force:10.1f} "
            f"{found.max_torque:10.2f} {1e3 * found.penetration:10.3f}"
        )


def drifts(quick: bool) -> None:
    """Print how far two free boxes are from the closed form after one orbit."""
    heads = ("step s", "steps", "drift m", "error m", "of it", "wall s")
    print(f"\n{'orbit':14} " + " ".join(f"{head:>9}" for head in heads))
    for name, altitude, steps in (
        ("400 km", 400e3, (0.05, 0.02, 0.005)),
        ("geostationary", 35_786e3, (1.0, 0.5, 0.1)),
    ):
        n = mean_motion(altitude)
        period = 2.0 * math.pi / n
        exact = STARTS @ transition(n, period).T
        for step in steps[: 2 if quick else 3]:
            model = mujoco.MjModel.from_xml_string(BOXES)
            model.opt.gravity[:] = 0.0
            scene = ContactScene(
                model, [], step=step, default=NOWHERE, forces=no_forces(model)._replace(rate=n)
            )
            scene.data.qpos.reshape(2, 7)[:, :3] = STARTS[:, :3]
            scene.data.qvel.reshape(2, 6)[:, :3] = STARTS[:, 3:]
            count, rest = divmod(period, step)
            began = time.perf_counter()
            scene.run(int(count))
            wall = time.perf_counter() - began
            ends = np.hstack([scene.data.qpos.reshape(2, 7)[:, :3], scene.data.qvel.reshape(2, 6)[:, :3]])
            ends = ends @ transition(n, rest).T
            error = np.linalg.norm(ends[:, :3] - exact[:, :3], axis=1)
            drift = np.linalg.norm(exact[:, :3] - STARTS[:, :3], axis=1)
            worst = int(np.argmax(error / drift))
            print(
                f"{name:14} {step:9.3f} {int(count):9} {drift[worst]:9.3f} {error[worst]:9.1e} "
                f"{error[worst] / drift[worst]:9.1e} {wall:9.1f}"
            )


def speed() -> None:
    """Print the time of a step."""
    print("\npins: us a step in one call, us a step when each is looked at, real-time factor of one call")
    for settings in ([], [TWENTY]):
        scenario = DockingScenario(configured(settings))
        times = []
        for run in (scenario.scene.run, scenario.run):
            scenario.run(10)
            best = math.inf
            for _ in range(3):
                scenario.place()
                began = time.perf_counter()
                run(4000)
                best = min(best, time.perf_counter() - began)
            times.append(best / 4000)
        factor = scenario.scene.step / times[0]
        print(f"{len(scenario.mating.tips):4}: {1e6 * times[0]:.1f}, {1e6 * times[1]:.1f}, {factor:.1f}")


def main() -> int:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="without the shortest steps")
    options = parser.parse_args()
    outcomes()
    drifts(options.quick)
    speed()
    return 0


if __name__ == "__main__":
    sys.exit(main())
