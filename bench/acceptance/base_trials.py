"""Trials of an arm that a base carries: drifts that are followed, and the whole loop in lock-step."""

import math
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.configuration.base_rules import object_caps
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.lockstep import LockStep
from hil.messaging.messages import Prediction
from planner.base.base_path import BasePath
from planner.branches.path_planner import PathPlanner
from planner.branches.policy import HOLD
from planner.kinematics.arm_model import load_arm_model

PLATFORM = Path("configs/platform.toml")
STEP, NODES, PERIOD = 0.02, 101, 0.2  # of predictions, and between them
SPEED, SPIN = 0.1, math.radians(10.0)
SETTLED = 1000  # rows after which an error counts
STILL = "object={initial_velocity_mm_s=[0,0,0],initial_spin_deg_s=[0,0,0]}"
ALLOWED = 0.95  # of the caps, that a drift begins with
HALL = ("base.floor_mm=[[-9000,-9000],[9000,9000]]",)  # a drift of 60 s needs more than 4 m


class Drift(NamedTuple):
    """What came of a drift: how long it was followed [s], and the sectors of 10 deg not seen."""

    survived: float
    lost: float
    unseen: float


class Carried(NamedTuple):
    """Errors of the held object in a run [mm], and why it ended."""

    rms: float
    most: float
    fault: str = ""


@cache
def configured(settings: tuple[str, ...]) -> Configuration:
    """Return the shipped platform with other settings."""
    return load_configuration(PLATFORM, list(settings))


def drifting(s_0: float, seed: int) -> Prediction:
    """Return the prediction of a planar drift that the seed draws, from object time `s_0` on."""
    rng = np.random.default_rng(seed)
    way, turn = rng.uniform(0.0, 2.0 * math.pi), rng.choice([-SPIN, SPIN])
    v = SPEED * np.array([math.cos(way), math.sin(way), 0.0])
    s = s_0 + STEP * np.arange(NODES)
    turned = Rotation.from_euler("z", (turn * s)[:, None]) * Rotation.from_euler("y", 0.5 * math.pi)
    return Prediction(
        t_ns=round(1e9 * s_0), epoch=1, number=0, object_time_0=s_0, step=STEP,
        time_map=np.array([0.0, s_0, 1.0, 1.0]),
        p_world_object=np.array([0.79, 0.0, 0.15]) + s[:, None] * v,
        quat_world_object=turned.as_quat(scalar_first=True),
        twist_world_object=np.tile([*v, 0.0, 0.0, turn], (NODES, 1)),
        bounces=np.empty(0), slices=np.zeros((0, 3), np.int64),
    )  # fmt: skip


def drifted(kind: str, seed: int, duration: float = 60.0) -> Drift:
    """Follow a drift with a base of a kind until the plan is held; the base is where it is planned to be."""
    c = configured((*HALL, f'base.kind="{kind}"') if kind == "platform" else (f'base.kind="{kind}"',))
    model, q = load_arm_model(c.robot.model), np.array(c.robot.start)
    carried = CarriedPlanner(model, c) if kind != "none" else None
    fixed = PathPlanner(model, c)
    seen, s = set(), 0.0
    while s < duration - 1e-9:
        prediction = drifting(s, seed)
        if carried is None:
            plan = fixed.step(prediction, q)
        else:
            plan = carried.step(prediction, q, np.zeros(3), "")[0]
        if plan.policy == HOLD:
            break
        R = Rotation.from_quat(prediction.quat_world_object[0], scalar_first=True).as_matrix()
        seen.add(math.floor(math.degrees(math.atan2(R[1, 2], R[0, 2])) / 10.0))
        s += PERIOD
    return Drift(s, float(s < duration - 1e-9), 36.0 - len(seen))


def planned_in(count: int, seed: int) -> float:
    """Return the 99th percentile of the processor time of the base's plan [ms], pushed anew now and then."""
    path, times = BasePath(configured(())), []
    for k in range(count):
        p = drifting(0.1 * k, seed + k // 20)
        arrays = p.p_world_object, p.quat_world_object, p.twist_world_object
        begin = time.thread_time()
        path.plan(p.object_time_0, p.step, *arrays)
        times.append(1e3 * (time.thread_time() - begin))
    return float(np.percentile(times[count // 10 :], 99))


def carried(reaction: float, known: float, seed: int, duration: float) -> Carried:
    """Run the loop on a base whose dead time and lag are `known` times what they really are.

    Args:
        reaction: real dead time [s]; the lag is that of the shipped configuration.
        known: share of both that the configuration knows.
        seed: of noise and drift.
        duration: [s].
    """
    rng = np.random.default_rng(seed)
    way, turn = rng.uniform(0.0, 2.0 * math.pi), rng.choice([-1.0, 1.0])
    committed = max(300.0, 1e3 * (reaction + 0.08) * max(known, 1.0) + 50.0)
    base = (
        f"base.delay_ms={1e3 * known * reaction:.3f}", f"base.lag_ms={80.0 * known:.3f}",
        f"base.committed_ms={committed:.1f}",
    )  # fmt: skip
    caps = object_caps(configured((*base, STILL)))  # a late base allows less
    v = min(70.0, 1e3 * ALLOWED * caps[0]) * np.array([math.cos(way), math.sin(way)])
    turn *= min(7.0, math.degrees(ALLOWED * caps[1]))
    c = configured((
        *base, f"run.seed={seed + 1}", f"object.initial_velocity_mm_s=[{v[0]:.3f},{v[1]:.3f},0.0]",
        f"object.initial_spin_deg_s=[0.0,0.0,{turn:.3f}]",
        f"base.emulated.delay_ms={1e3 * reaction:.3f}", "base.emulated.lag_ms=80.0",
        "operator.random={count=20,first_s=4.0,gap_s=4.0,gap_spread_s=1.0,impulse_max_n_s=3.0}",
    ))  # fmt: skip
    loop = LockStep(c)
    trace = loop.run(duration)
    wrong = 1e3 * np.linalg.norm(trace.p_world_object_arm - trace.p_world_object_sim, axis=1)[SETTLED:]
    return Carried(float(np.sqrt(np.mean(wrong**2))), float(wrong.max()), loop.fault)


def pushed_late(seed: int) -> float:
    """Return by how much later the arm on a platform answers a push than one that stands [ms].

    The platform is one without wobble, which would be taken for a part of the answer.
    """
    settings = (
        "object.initial_velocity_mm_s=[0.0,0.0,0.0]", "object.initial_spin_deg_s=[0.0,0.0,0.0]",
        "base.emulated={slip=0.0,noise_mm_s=0.0,pose_noise_mm=0.0,heading_noise_deg=0.0}",
        "operator.push=[{time_s=2.0,force_n=[0.0,50.0,0.0],duration_ms=50.0}]", f"run.seed={seed + 1}",
    )  # fmt: skip
    answers = []
    for kind in ("platform", "none"):
        trace = LockStep(configured((*settings, f'base.kind="{kind}"'))).run(3.0)
        half = 0.5 * trace.push_value[0, 1] / trace.mass_kg
        answers.append(_answer(trace.t, trace.p_world_object_arm[:, 1], trace.push_t_start[0], half))
    return answers[0] - answers[1]


def _answer(t: Array, y: Array, begin: float, half: float) -> float:
    """Return when after a push the speed along it has reached a half of what it gives [m/s], in [ms]."""
    behind = (t > begin) & (t < begin + 0.25)
    v = np.gradient(np.convolve(y, np.ones(5) / 5.0, "same"), t)[behind]
    k = int(np.argmax(v > half))
    step = float(np.median(np.diff(t)))
    return 1e3 * (float(t[behind][k]) - begin - step * (v[k] - half) / (v[k] - v[k - 1]))


def felt_of_nothing(seed: int, duration: float) -> float:
    """Return the impulses that are found where nobody pushes, on an arm whose links are 5 % heavier."""
    trace = LockStep(configured((f"run.seed={seed + 1}", "base.emulated.link_mass_error=0.05"))).run(duration)
    return float(len(trace.slice_t))
