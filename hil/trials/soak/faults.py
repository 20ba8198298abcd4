"""What goes wrong in a soak: kinds of faults, how long they last, and their drawing by seed."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from drivers.emulation.disturbances import (
    ARM_FAULTS,
    CALM,
    DIRECTIONS,
    SENSOR_FAULTS,
    STRATEGIES,
    WRENCH_FAULTS,
)
from drivers.fri.layout import JOINTS, Quality
from hil.configuration import Configuration
from hil.configuration.sensor import has_own_sensor
from hil.messaging.messages import Disturbance, ImpulseSlice, Plan

MOST_AT_A_TIME = 3
SPREAD = 0.3  # [s] within which the faults of a scenario begin
LINK = {  # field of the disturbance, and its range
    "packets lost": ("loss", 0.01, 0.6),
    "packets doubled": ("duplicates", 0.05, 0.9),
    "packets reordered": ("reorder", 0.001, 0.02),
    "packets delayed in bursts": ("delay", 0.001, 0.05),
}
KINDS = {  # how long each lasts [s]
    **dict.fromkeys(LINK, (0.02, 1.5)),
    "controller silent": (0.005, 0.3),
    "quality falls": (0.01, 0.5),
    "drives off": (0.005, 0.3),
    **{f"wrench {kind}": (0.01, 1.5) for kind in WRENCH_FAULTS},
    **{f"arm {kind}": (0.05, 1.5) for kind in ARM_FAULTS},
    "controller commands otherwise": (0.002, 0.5),
    "drive error": (0.002, 0.3),
    "drive warning": (0.002, 0.5),
    "control strategy changes": (0.002, 0.5),
    "controller restarts": (0.002, 0.01),
    "driver frozen": (0.004, 0.25),
    "exception in a cycle": (0.002, 0.02),
    "arrivals step in time": (0.004, 0.5),
    "clocks drift": (0.5, 4.0),
    "controller pauses": (0.002, 0.01),
    "planner frozen": (0.05, 1.5),
    "planner slow": (0.1, 2.0),
    "simulation frozen": (0.05, 1.5),
    "simulation slow": (0.1, 2.0),
    "orders stale": (0.05, 1.2),
    "orders flip": (0.05, 1.5),
    "plans jump": (0.05, 0.8),
    "plans not finite": (0.05, 0.8),
    "plans of an old epoch": (0.05, 0.8),
    "plans with an absurd time map": (0.05, 0.8),
    "plans too fast": (0.3, 1.5),
    "plans leave the set": (2.0, 6.0),
    "slices absurdly large": (0.05, 0.5),
    "slices not finite": (0.05, 0.5),
}

SENSOR_KINDS = {f"wrench {kind}": (0.01, 1.5) for kind in SENSOR_FAULTS}  # of a force sensor alone

GRASP_KINDS = {  # of a second arm
    "partner frozen": (0.01, 1.5),
    "partner ends": (0.1, 1.5),
    "partner's words lost": (0.01, 1.5),
    "partner's words not finite": (0.01, 1.0),
    "partner does not hear the run": (0.01, 2.0),
    "second arm's link lost": (0.01, 1.5),
    "second arm's packets lost": (0.02, 1.5),
    "second arm's drives off": (0.005, 0.5),
    "gripper lost": (0.02, 1.5),
}

BASE_KINDS = {  # of a base and its link
    "vehicle silent": (0.02, 1.5),
    "vehicle frozen": (0.02, 1.5),
    "vehicle's pose unknown": (0.01, 1.5),
    "vehicle stopped by hand": (0.05, 2.0),
    "vehicle stuck": (0.05, 2.5),
    "wheels slip": (0.1, 2.0),
    "commands to the vehicle lost": (0.02, 1.5),
    "poses late": (0.02, 1.5),
    "poses jump": (0.004, 1.0),
    "poses not finite": (0.004, 0.5),
    "base plans jump": (0.05, 0.8),
    "base plans not finite": (0.05, 0.8),
}

HAND_KINDS = {  # the same, of a hand that holds on
    "hand lets go": (0.1, 1.0),
    "heartbeats late": (0.1, 1.0),
    "heartbeats repeated": (0.1, 1.0),
    "heartbeats of another session": (0.1, 1.0),
}


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong from cycle `begin` up to `end`."""

    kind: str
    begin: int
    end: int
    size: float  # in [0, 1]; what it means is the kind's matter
    direction: str  # of the link's packets


Kinds = dict[str, tuple[float, float]]


def kinds_of(c: Configuration) -> Kinds:
    """Return the kinds of faults that a configuration's parts can have, with how long each lasts [s]."""
    kinds = KINDS if c.grasp is None else KINDS | GRASP_KINDS
    kinds = kinds | SENSOR_KINDS if has_own_sensor(c) else kinds
    return kinds if c.base.kind == "none" else kinds | BASE_KINDS


def scenario(rng: np.random.Generator, cycle: int, sample_time: float, kinds: Kinds = KINDS) -> list[Fault]:
    """Return the faults of one scenario, which may overlap, the first beginning at `cycle`."""
    return _drawn(rng, cycle, sample_time, kinds, int(rng.integers(1, MOST_AT_A_TIME + 1)))


def hand_scenario(
    rng: np.random.Generator, cycle: int, sample_time: float, kinds: Kinds = KINDS
) -> list[Fault]:
    """Return the same while a hand holds on: one fault of its own, and up to two others."""
    own = _drawn(rng, cycle, sample_time, HAND_KINDS, 1)
    return own + _drawn(rng, cycle, sample_time, kinds, int(rng.integers(MOST_AT_A_TIME)))


def _drawn(
    rng: np.random.Generator,
    cycle: int,
    sample_time: float,
    kinds: Kinds,
    count: int,
) -> list[Fault]:
    faults = []
    for kind in rng.choice(list(kinds), count, replace=False):
        begin = cycle + int(rng.uniform(0.0, SPREAD) / sample_time)
        shortest, longest = kinds[kind]
        duration = np.exp(rng.uniform(np.log(shortest), np.log(longest)))
        end = begin + max(1, round(duration / sample_time))
        faults.append(Fault(str(kind), begin, end, rng.random(), str(rng.choice(list(DIRECTIONS)))))
    return faults


def disturbance(active: list[Fault]) -> Disturbance:
    """Return what is wrong with link, drives, quality and wrench while these faults are active."""
    result = CALM
    directions = set()
    for fault in active:
        if fault.kind in LINK:
            name, least, most = LINK[fault.kind]
            change: dict[str, Any] = {name: least + fault.size * (most - least)}
            result = replace(result, **change)
            directions.add(fault.direction)
        elif fault.kind == "controller silent":
            result = replace(result, silence=True)
        elif fault.kind == "quality falls":
            result = replace(result, quality=int(fault.size * int(Quality.PERFECT)))
        elif fault.kind == "drives off":
            result = replace(result, drives_off=True)
        elif fault.kind.startswith("wrench "):
            result = replace(result, wrench=fault.kind.removeprefix("wrench "))
        else:
            result = replace(result, **_of_the_robot(fault))
    if result is CALM:
        return CALM
    return replace(result, direction=directions.pop() if len(directions) == 1 else "both", duration=1e9)


def _of_the_robot(fault: Fault) -> dict[str, Any]:
    """Return the fields of a disturbance of arm, drives or controller; none if the fault is another's."""
    drive = 1 << min(int(fault.size * JOINTS), JOINTS - 1)
    strategy = list(STRATEGIES)[min(int(fault.size * len(STRATEGIES)), len(STRATEGIES) - 1)]
    if fault.kind.startswith("arm "):
        return {"arm": fault.kind.removeprefix("arm ")}
    return {
        "controller commands otherwise": {"astray": 10.0 ** (-5.0 + 2.5 * fault.size)},
        "drive error": {"drive_error": drive},
        "drive warning": {"drive_warning": drive},
        "control strategy changes": {"strategy": strategy},
    }.get(fault.kind, {})


def spoiled_plan(plan: Plan, active: dict[str, Fault], rng: np.random.Generator) -> Plan:
    """Return the plan with whatever is wrong with plans at present."""
    if fault := active.get("plans jump"):
        jump = 10.0 ** (-4.0 + 5.0 * fault.size) * rng.standard_normal(7)
        plan = replace(plan, q=plan.q + jump)
        if rng.random() < 0.5:
            plan = replace(plan, dq=plan.dq + 10.0 * jump, ddq=plan.ddq - 100.0 * jump)
    if "plans not finite" in active:
        name = str(rng.choice(["q", "dq", "ddq", "time_map"]))
        values = np.array(getattr(plan, name))
        values.flat[rng.integers(values.size)] = rng.choice([np.nan, np.inf, -np.inf])
        change: dict[str, Any] = {name: values}
        plan = replace(plan, **change)
    if "plans of an old epoch" in active:
        plan = replace(plan, epoch=plan.epoch - int(rng.integers(1, 3)))
    if "plans with an absurd time map" in active:
        values = np.array(plan.time_map)
        values[rng.integers(4)] += 10.0 ** rng.uniform(-2.0, 6.0) * rng.choice([-1.0, 1.0])
        plan = replace(plan, time_map=values, step=plan.step * float(rng.choice([1.0, 1.0, -1.0, 1e-6, 1e3])))
    return plan


def made_up_slice(t_ns: int, active: dict[str, Fault], rng: np.random.Generator) -> ImpulseSlice | None:
    """Return a slice that nobody pushed, if there are such at present."""
    impulse = rng.standard_normal(6)
    if fault := active.get("slices absurdly large"):
        impulse *= 10.0 ** (8.0 * fault.size)
    elif "slices not finite" in active:
        impulse[rng.integers(6)] = rng.choice([np.nan, np.inf])
    else:
        return None
    number = int(rng.integers(1_000_000, 2_000_000))
    return ImpulseSlice(t_ns, number, 0, 0, True, True, False, True, t_ns, t_ns, t_ns, impulse, np.zeros(6))
