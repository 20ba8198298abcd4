"""One fault in a live run: what was decided, after how long, and how far the arm went meanwhile.

Decisions are what driver and daemon say on the bus; how the arm moved is what the emulation says of it,
not the driver. All instants are of one monotonic clock.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.live_run import LiveRun
from hil.common.arrays import Array
from hil.configuration import load_configuration
from hil.messaging.bus import Bus
from hil.messaging.messages import CYCLE_FOLLOWING, CycleBlock, Mode, RobotState, TruthBlock

PUSH_N, PUSH_MS = 60.0, 100.0
COASTS_S = 0.35  # after the push, until the fault
STANDS = 1e-4  # [rad]; the arm stands when no joint will be farther from its end
Undo = Callable[[], object]


@dataclass(frozen=True)
class Outcome:
    """What a fault led to; durations from the fault on [s], None: it did not happen."""

    hazard: str
    speed: float  # of the object when the fault came [m/s]
    state: str
    reason: str
    decided: float | None
    stopped: float | None
    joint: float | None  # largest way of a joint until the arm stood [rad]
    centre: float | None  # way of the object's centre [m]
    violations: int
    violation: str


class FaultTrial:
    """Listens to a run and brings faults about in it."""

    def __init__(self, run: LiveRun) -> None:
        self._run = run
        self._centre = load_configuration(run.configuration).stops.centre
        self._bus = Bus(run.directory)
        self._modes = self._bus.subscriber("mode", Mode)
        self._robots = self._bus.subscriber("robot_state", RobotState)
        self._cycles = self._bus.subscriber("cycles", CycleBlock)
        self._truths = self._bus.subscriber("truth", TruthBlock)
        self._violations = 0

    def close(self) -> None:
        """Stop listening."""
        self._bus.close()

    def outcome(self, hazard: str, fault: Callable[[LiveRun], Undo], lasts: float, watch: float) -> Outcome:
        """Push the object, let a fault begin, undo it after `lasts` [s], and listen for `watch` [s]."""
        self._run.float_again()
        self._push()
        for reader in (self._truths, self._cycles, self._modes, self._robots):
            reader.drain()
        begin_ns = time.monotonic_ns()
        undo = fault(self._run)
        modes: list[Mode] = []
        robots: list[RobotState] = []
        cycles: list[CycleBlock] = []
        blocks: list[TruthBlock] = []
        undone = False
        while (now := time.monotonic_ns()) < begin_ns + (lasts + watch) * 1e9:
            if not undone and now >= begin_ns + lasts * 1e9:
                undo()
                undone = True
            modes += self._modes.drain()
            robots += self._robots.drain()
            cycles += self._cycles.drain()
            blocks += self._truths.drain()
            time.sleep(0.002)
        return self._judged(hazard, begin_ns, modes, robots, cycles, blocks)

    def _push(self) -> None:
        """Push the object towards the middle of its stops, and let it coast."""
        way = self._centre - 1e-3 * np.array(self._run.status()["position_mm"])
        distance = float(np.linalg.norm(way))
        force = PUSH_N * way / distance if distance > 0.0 else np.array([PUSH_N, 0.0, 0.0])
        self._run.ask("push", force_n=force.tolist(), duration_ms=PUSH_MS, at_mm=[0.0, 0.0, 0.0])
        time.sleep(1e-3 * PUSH_MS + COASTS_S)

    def _judged(
        self,
        hazard: str,
        begin_ns: int,
        modes: list[Mode],
        robots: list[RobotState],
        cycles: list[CycleBlock],
        blocks: list[TruthBlock],
    ) -> Outcome:
        decisions = [m.t_ns for m in modes if m.state != "FLOATING"] + _brakes(cycles)
        decisions = sorted(t_ns for t_ns in decisions if t_ns >= begin_ns)
        last = modes[-1] if modes else None
        reason = last.reason if last is not None else ""
        said = [r.fault or r.braking_reason for r in robots if not r.following and r.t_ns >= begin_ns]
        reason = reason or next((words for words in said if words), "")
        moved = _arm(blocks, begin_ns, stood=bool(decisions) and not (robots and robots[-1].following))
        found = 0
        for block in blocks:
            found += max(0, block.violations - self._violations)
            self._violations = block.violations
        return Outcome(
            hazard,
            _speed(blocks, begin_ns),
            "gone" if last is None else last.state,
            reason,
            1e-9 * (decisions[0] - begin_ns) if decisions else None,
            *moved,
            found,
            next((block.violation for block in reversed(blocks) if found), ""),
        )


def _brakes(cycles: list[CycleBlock]) -> list[int]:
    """Return when the driver decided on commands that follow nothing [ns]."""
    found: list[int] = []
    for block in cycles:
        idle = (block.counts[:, 4] & CYCLE_FOLLOWING) == 0
        found += block.stamps[idle, 4].tolist()
    return found


def _rows(blocks: list[TruthBlock]) -> tuple[Array, Array, Array, Array]:
    """Return instants [ns] (N,), joints (N, 7), the object's centre (N, 3) and velocity (N, 3)."""
    if not blocks:
        return np.zeros(0), np.zeros((0, 7)), np.zeros((0, 3)), np.zeros((0, 3))
    return (
        np.concatenate([block.stamps[:, 0] for block in blocks]),
        np.concatenate([block.q for block in blocks]),
        np.concatenate([block.p_world_object for block in blocks]),
        np.concatenate([block.twist_world_object[:, :3] for block in blocks]),
    )


def _speed(blocks: list[TruthBlock], begin_ns: int) -> float:
    """Return the object's speed when the fault came [m/s]."""
    t_ns, _, _, v = _rows(blocks)
    return float(np.linalg.norm(v[np.searchsorted(t_ns, begin_ns) - 1])) if len(t_ns) else float("nan")


def _arm(blocks: list[TruthBlock], begin_ns: int, stood: bool) -> tuple[Any, Any, Any]:
    """Return when the arm stood [s], and how far joints [rad] and the object's centre [m] went until then."""
    t_ns, q, p, _ = _rows(blocks)
    after = np.flatnonzero(t_ns >= begin_ns)
    if not stood or len(after) < 2:
        return None, None, None
    q, p, t_ns = q[after], p[after], t_ns[after]
    moving = np.flatnonzero(np.abs(q - q[-1]).max(axis=1) > STANDS)
    stand = int(moving[-1]) + 1 if len(moving) else 0
    if stand >= len(q) - 1:
        return None, None, None  # it moved to the end
    way = (
        float(np.abs(q[: stand + 1] - q[0]).max()),
        float(np.linalg.norm(p[: stand + 1] - p[0], axis=1).max()),
    )
    return 1e-9 * float(t_ns[stand] - begin_ns), *way
