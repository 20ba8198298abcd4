"""What a run is counted by: pushes, holds, faults, floated time; and its status as plain values."""

import math
from typing import Any

import numpy as np

from hil.loop.judging.liveness import Liveness
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.link_messages import LinkState
from hil.messaging.messages import ImpulseSlice, RobotState, SimState


class Tally:
    """Counts over a run."""

    def __init__(self) -> None:
        self._pushes: set[int] = set()
        self.holds = 0
        self.faults = 0
        self.floated_ns = 0

    def impulse(self, item: ImpulseSlice, floating: bool) -> None:
        """Count a push on the floating object once; a retracted one not at all."""
        if np.any(item.impulse_object):
            if floating:
                self._pushes.add(item.impulse_id)
        elif item.slice_index == 0:
            self._pushes.discard(item.impulse_id)

    def transition(self, before: Machine, after: Machine) -> None:
        """Count what changes of state mean."""
        if after.state is not before.state:
            self.holds += after.state is State.HOLDING
            self.faults += after.state is State.FAULT

    def status(self, machine: Machine, seen: Liveness) -> dict[str, Any]:
        """Return the state of the run as plain values, units in the names."""
        robot, sim = seen.robot, seen.sim
        velocity = None if sim is None else sim.twist_world_object
        return {
            "state": machine.state.value,
            "needs_reset": machine.state is State.FAULT or machine.stopped_by_operator,
            "reason": machine.reason
            or ("" if robot is None else robot.unsent_reason or robot.braking_reason),
            "epoch": machine.epoch,
            "rate": 0.0 if sim is None else sim.time_rate,
            "pushes": len(self._pushes),
            "holds": self.holds,
            "faults": self.faults,
            "floated_s": self.floated_ns * 1e-9,
            "position_mm": None if sim is None else [round(1e3 * x, 2) for x in sim.p_world_object],
            "speed_mm_s": 0.0 if velocity is None else 1e3 * float(np.linalg.norm(velocity[:3])),
            "spin_deg_s": 0.0 if velocity is None else math.degrees(float(np.linalg.norm(velocity[3:]))),
            "docking": "" if sim is None else sim.outcome,
            "fastened": "" if sim is None else fastened_words(sim),
            "capped": sim is not None and sim.capped,
            "session": "" if robot is None else robot.session,
            "quality": None if robot is None else robot.quality,
            "warning": "" if robot is None else robot.warning,
            "commanded_speed": 0.0 if robot is None else float(np.abs(robot.dq_command).max()),
            "following": robot is not None and robot.following,
            "force_n": _norm(robot, slice(0, 3)),
            "torque_n_m": _norm(robot, slice(3, 6)),
            "interface_delay_ms": 0.0 if robot is None else 1e3 * robot.delay,
            "cycles": 0 if robot is None else robot.cycles,
            "missed": 0 if robot is None else robot.missed,
            "unsent": 0 if robot is None else robot.unsent,
            "cycle_p50_us": 0.0 if robot is None else 1e6 * robot.cycle_p50,
            "sample_to_command_p50_us": 0.0 if robot is None else 1e6 * robot.sample_to_command_p50,
            "ring_p50_us": 0.0 if robot is None else 1e6 * robot.ring_p50,
        } | link_status(seen.link)


def fastened_words(sim: SimState) -> str:
    """Return how many seals and latches of a docking hold, and the latches' force; empty without any."""
    sealed, seals, closed, latches = sim.fastened.tolist()
    said = [f"{sealed} of {seals} seals"] if seals else []
    said += [f"{closed} of {latches} latches, {sim.latch_force:.1f} N"] if latches else []
    return ", ".join(said)


def _norm(robot: RobotState | None, part: slice) -> float | None:
    """Return how large the newest measured force or torque is, about the object's centre; None: not known."""
    if robot is None:
        return None
    size = float(np.linalg.norm(robot.wrench_object[part]))
    return round(size, 3) if math.isfinite(size) else None


def link_status(link: LinkState | None) -> dict[str, Any]:
    """Return the link to the other host as plain values; None where there is none, or nothing is known."""
    known = link is not None and link.uncertainty >= 0.0
    return {
        "link": None if link is None else "live" if link.live else link.reason,
        "link_refused": 0 if link is None else link.refused,
        "link_round_trip_us": 1e6 * link.round_trip if link is not None and known else None,
        "clock_offset_us": 1e6 * link.offset if link is not None and known else None,
        "clock_uncertainty_us": 1e6 * link.uncertainty if link is not None and known else None,
    }
