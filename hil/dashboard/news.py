"""What the page is told, twenty times a second."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hil.common.freshness import is_fresh
from hil.configuration import Configuration
from hil.dashboard.signals import Signals
from hil.dashboard.state_words import REFUSED, no_connection, words
from hil.loop.judging.state_machine import MODE_TIMEOUT_NS, Machine, State
from hil.loop.solids import ArmPicture
from hil.messaging.messages import Mode, RobotState, SimState
from hil.processes.supervisor.asked import MAX_PUSH_N

COUNTED = (
    "pushes",
    "holds",
    "faults",
    "floated_s",
    "missed",
    "capped",
    "docking",
    "fastened",
    "force_acts",
    "touch",
    "drives",
    "base",
    "base_error_mm",
    "base_error_deg",
    "grasp",
    "grasp_told",
    "grasp_why",
    "waited_s",
    "pace",
)
TIMED = ("sample_to_command_p50_us", "ring_p50_us")
IN_FORCE = ("thresholds", "derivative_threshold_n_per_s")


def fixed_facts(c: Configuration, arm: ArmPicture) -> dict[str, Any]:
    """Return what the page must know once: `mockup` is what can be grabbed, on the object's axes [m]."""
    return {
        "emulated": c.robot.kind == "emulated",
        "max_speed_mm_s": 1e3 * c.stops.max_speed,
        "max_spin_deg_s": float(np.degrees(c.stops.max_spin)),
        "max_push_n": MAX_PUSH_N,
        "mockup": [
            {"shape": s.shape, "size": s.size.tolist(), "p": s.p.tolist(), "quat": s.quat.tolist()}
            for s in arm.ghost()
        ],
    }


def news(
    now_ns: int,
    mode: Mode | None,
    robot: RobotState | None,
    sim: SimState | None,
    status: Mapping[str, Any],
    signals: Signals,
    emulated: bool,
) -> dict[str, Any]:
    """Return the state and its figures as plain values, units in the names.

    Args:
        now_ns: on the clock of the run.
        mode: the supervisor's newest order; one that is too old, or yet to come, is no news.
        robot: the driver's newest state.
        sim: the simulation's newest state.
        status: the daemon's newest, or empty.
        signals: the curves.
        emulated: whether the robot is.
    """
    if mode is None or not is_fresh(now_ns, mode.t_ns, MODE_TIMEOUT_NS):
        return {"t_ms": 1e-6 * now_ns, "live": False} | no_connection()
    needs_reset = bool(status.get("needs_reset", False))
    machine = Machine(State(mode.state), mode.epoch, mode.reason, needs_reset)
    refused = {name: str(status.get(f"{name}_refused", "")) for name in REFUSED}
    told = words(
        machine,
        emulated,
        str(status.get("stops_words", "")),
        refused,
        status.get("lacking", ()),
        status.get("overridden", ()),
    )
    if robot is not None and robot.braking_reason and machine.moving and not told["reason"]:
        told["reason"] = robot.braking_reason
    velocity = np.zeros(6) if sim is None else sim.twist_world_object
    return (
        {"t_ms": 1e-6 * now_ns, "live": True}
        | told
        | {name: status.get(name) for name in (*COUNTED, *TIMED, *IN_FORCE)}
        | {
            "object": None if sim is None else _pose(sim),
            "rate": None if sim is None else sim.time_rate,
            "speed_mm_s": 1e3 * float(np.linalg.norm(velocity[:3])),
            "spin_deg_s": float(np.degrees(np.linalg.norm(velocity[3:]))),
            "quality": None if robot is None else robot.quality,
            "warning": "" if robot is None else robot.warning,
            "lost_packets": signals.lost_packets,
            "gap_mm": float(signals.last_gap[0]),
        }
    )


def _pose(sim: SimState) -> dict[str, list[float]]:
    """Return where the object is [m], and its attitude w x y z."""
    return {"p": sim.p_world_object.tolist(), "quat": sim.quat_world_object.tolist()}
