"""What the simulation costs: advance 5 ms, rewind 50 ms, predict 2 s, with and without contacts.

The peer, in the same run, is plain MuJoCo: `mj_step` of the shipped room with its free cube (RK4, without
stops and history), as many steps as the three calls cover. Where the product runs without contacts, the peer
has the cube alone, without walls to collide with. Each ratio is the peer's time over ours.

    python -m bench.sim_speed [--cycles N] [--json OUT.json]
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

from bench.sim_restitution import CONFIGS, ROOM, configuration
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import ImpulseSlice
from sim.world.free_joint import qvel_from_twist
from sim.world.world import World

CYCLE_NS = 5_000_000
LATE_NS = 50_000_000
STEPS = 5 + 50 + 2000  # of 1 ms in a cycle
GOALS_MS = {"stops": 1.5, "contacts": 10.0}
WARM_UP = 60  # cycles


def slice_at(t_ns: int, number: int) -> ImpulseSlice:
    """Return a small push at `t_ns`, to and fro so that the object stays slow."""
    sign = 1.0 if number % 2 else -1.0
    impulse = sign * np.array([0.3, 0.2, -0.2, 0.01, -0.02, 0.01])
    return ImpulseSlice(t_ns, number, 0, 0, True, True, False, False, t_ns, t_ns, t_ns, impulse, np.zeros(6))


def timed(call: Callable[[], object]) -> float:
    """Return how long a call takes [us]."""
    start = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start) * 1e-3


def world_times(configuration: Configuration, twist: Array, cycles: int) -> tuple[dict[str, Array], int]:
    """Return the times [us] of every call, and in how many predictions there were contacts."""
    world = World(configuration)
    world.warm()
    world.restart(0, 1, np.array([0.8, 0.0, 0.2]), nominal_quat(configuration.stops), twist)
    times: dict[str, list[float]] = {"advance": [], "rewind": [], "predict": []}
    bouncing = 0
    for n in range(1, cycles + WARM_UP):
        t_ns = n * CYCLE_NS
        advance = timed(lambda t_ns=t_ns: world.advance(t_ns))
        if n < WARM_UP:
            continue
        world.apply(slice_at(t_ns - LATE_NS, n))
        times["advance"].append(advance)
        times["rewind"].append(timed(lambda t_ns=t_ns: world.advance(t_ns)))
        times["predict"].append(timed(lambda t_ns=t_ns: world.predict(t_ns)))
        bouncing += len(world.predict(t_ns).bounces) > 0
    arrays = {name: np.array(values) for name, values in times.items()}
    arrays["together"] = arrays["advance"] + arrays["rewind"] + arrays["predict"]
    return arrays, bouncing


def peer_times(twist: Array, cycles: int, walls: bool) -> Array:
    """Return the times [us] of as many plain `mj_step`s as one cycle covers, in the room or without walls."""
    spec = mujoco.MjSpec.from_file(str(ROOM))
    if not walls:
        for geom in list(spec.worldbody.geoms):
            spec.delete(geom)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qvel[:] = qvel_from_twist(twist, data.qpos[3:].copy())
    return np.array([timed(lambda: mujoco.mj_step(model, data, nstep=STEPS)) for _ in range(cycles)])


def quantiles(times: Array) -> dict[str, float]:
    """Return median and 99th percentile [us]."""
    return {"median_us": float(np.median(times)), "p99_us": float(np.percentile(times, 99))}


def main() -> None:
    """Print the times of advance, rewind and prediction."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cycles", type=int, default=1000)
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    twists = {
        "stops": np.array([0.1, 0.05, -0.04, 0.2, 0.1, -0.2]),
        "contacts": np.array([0.25, -0.3, 0.2, 0.3, 0.2, -0.4]),  # a bounce every second or so
    }
    cases = {"stops": load_configuration(CONFIGS / "cube.toml"), "contacts": configuration(0.95, 0.3)}
    report: dict[str, dict[str, dict[str, float]]] = {}
    for case, run in cases.items():
        times, bouncing = world_times(run, twists[case], arguments.cycles)
        report[case] = {name: quantiles(values) for name, values in times.items()}
        for name, figures in report[case].items():
            print(
                f"{case:>9} {name:>9}: median {figures['median_us']:8.1f} us, p99 {figures['p99_us']:8.1f} us"
            )
        print(f"{case:>9} goal together {GOALS_MS[case]} ms; {bouncing} predictions with scene contacts")
        peer = quantiles(peer_times(twists[case], max(arguments.cycles // 5, 5), walls=case == "contacts"))
        report[case]["mj_step"] = peer
        ours, where = report[case]["together"], "in the room" if case == "contacts" else "without walls"
        print(
            f"{case:>9}   mj_step: median {peer['median_us']:8.1f} us, p99 {peer['p99_us']:8.1f} us for "
            f"{STEPS} steps {where}; ratio to ours: median {peer['median_us'] / ours['median_us']:.1f}, "
            f"p99 {peer['p99_us'] / ours['p99_us']:.1f}"
        )
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
