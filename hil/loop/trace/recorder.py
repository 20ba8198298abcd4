"""The recorder of a lock-step run: rows at the robot's pace, events as they come, a trace at the end."""

from typing import Any

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.judging.state_machine import MOVING, State
from hil.loop.trace.fields import Trace, trace_from
from hil.loop.trace.ideal_body import BodyPath, ideal_path, touching_stops
from hil.loop.trace.impulse_ledger import ImpulseLedger
from hil.loop.trace.plan_record import PlanRecord
from hil.loop.trace.run_end import NONE_UNDER_WAY, cut_from, told_after
from hil.messaging.messages import ImpulseSlice, Plan, SimState
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import load_arm_model
from sim.world.body import pack_body
from sim.world.stops import world_stops

__all__ = ["Trace", "TraceRecorder"]

RESET_BEFORE_PUSH = 0.05  # [s]
UNEXPLAINED = 1e-7  # [m/s] a velocity change per row that only a contact makes; rounding stays below

STATES = tuple(State)
STATE_CODES = {state.value: code for code, state in enumerate(STATES)}
ROW_SHAPES: dict[str, tuple[int, ...]] = {
    "t": (),
    "wrench_measured": (6,),
    "q_command": (7,),
    "q_measured": (7,),
    "p_world_object_sim": (3,),
    "quat_world_object_sim": (4,),
    "twist_world_object_sim": (6,),
    "p_world_object_arm": (3,),
    "quat_world_object_arm": (4,),
    "rate": (),
    "epoch": (),
    "state": (),
    "commanded": (),
    "pressed": (),
}


class TraceRecorder:
    """Collects what a run shows; `finish` turns it into a `Trace`, the ideal body included."""

    def __init__(self, configuration: Configuration, frames: Frames, rows_estimate: int) -> None:
        """Reserve room for about `rows_estimate` rows; more are taken as well."""
        self._c = configuration
        self._frames = frames
        self._rows = 0
        self._room = max(16, rows_estimate)
        self._columns = {name: np.zeros((self._room, *shape)) for name, shape in ROW_SHAPES.items()}
        self._pushes: list[tuple[int, int, Array]] = []
        self._under_way = NONE_UNDER_WAY
        self._impulses = ImpulseLedger(configuration.filter.length)
        self._plans = PlanRecord()
        self._port: list[Array] = []
        self._inside: list[tuple[float, ...]] = []

    def row(
        self,
        t_ns: int,
        wrench_true_world: Array,
        wrench_measured_object: Array,
        q_command: Array,
        q_measured: Array,
        sim_state: SimState,
        p_arm: Array,
        quat_arm: Array,
        state: str,
        rate: float,
        commanded: bool = True,
    ) -> None:
        """Add one row.

        Args:
            t_ns: instant of the row, end of the cycle that `wrench_true_world` belongs to.
            wrench_true_world: true push about the centre of mass, world axes [N, N m]; at `t_ns`, shape
                (6,), or at the ends of equal parts of the cycle that ends then, shape (parts, 6).
                A run keeps to one of these shapes.
            wrench_measured_object: estimate about the centre of mass, object axes, shape (6,).
            q_command: joint positions commanded now [rad], shape (7,).
            q_measured: joint positions measured now [rad], shape (7,).
            sim_state: what the simulation believes of `t_ns`.
            p_arm: centre of mass where the arm really holds it, world [m], shape (3,).
            quat_arm: its attitude, shape (4,).
            state: state of the machine.
            rate: pace of object time.
            commanded: whether the command is the driver's own (else it mirrors the robot).
        """
        k = self._rows
        if k == 0:
            parts = np.size(wrench_true_world) // 6
            self._columns["wrench_parts"] = np.zeros((self._room, parts, 6))
        if k == self._room:
            self._grow()
        c = self._columns
        c["t"][k] = t_ns * 1e-9
        c["wrench_parts"][k] = wrench_true_world
        c["wrench_measured"][k] = wrench_measured_object
        c["q_command"][k] = q_command
        c["q_measured"][k] = q_measured
        c["p_world_object_sim"][k] = sim_state.p_world_object
        c["quat_world_object_sim"][k] = sim_state.quat_world_object
        c["twist_world_object_sim"][k] = sim_state.twist_world_object
        c["p_world_object_arm"][k] = p_arm
        c["quat_world_object_arm"][k] = quat_arm
        c["rate"][k] = rate
        c["epoch"][k] = sim_state.epoch
        c["state"][k] = STATE_CODES[state]
        c["commanded"][k] = commanded
        c["pressed"][k] = sim_state.pressed
        self._rows = k + 1

    def port(self, told: Array) -> None:
        """Add a row of the emulated port, as `EmulatedPort.told` has it, shape (22,)."""
        self._port.append(told)

    def inside(self, t_ns: int, momentum: Array, energy: float, work: float) -> None:
        """Add what all bodies of an object with some inside have together; see `InsideState`."""
        self._inside.append((1e-9 * t_ns, *(float(x) for x in momentum), energy, work))

    def push(self, t_start_ns: int, t_end_ns: int, impulse_world: Array) -> None:
        """Add a push of the operator: its true impulse about the centre of mass, world axes (6,)."""
        self._pushes.append((t_start_ns, t_end_ns, np.array(impulse_world)))

    def under_way(self, start: float) -> None:
        """Take when the first push began that is not over at the end [s]; infinity if there is none."""
        self._under_way = start

    def slice(self, item: ImpulseSlice, R_world_object: Array) -> None:
        """Add a slice or a revision of one, with the attitude (3, 3) at its centroid."""
        self._impulses.add(item, R_world_object)

    def plan(self, plan: Plan) -> None:
        """Add a plan."""
        self._plans.add(plan)

    def finish(self) -> Trace:
        """Return the trace of what was collected."""
        rows = {name: column[: self._rows] for name, column in self._columns.items()}
        parts = rows.pop("wrench_parts", np.zeros((0, 1, 6)))
        arrays: dict[str, Any] = dict(rows)
        arrays["wrench_true"] = parts[:, -1]
        arrays["state"] = np.array(STATES, dtype="U11")[rows["state"].astype(np.int64)]
        arrays["quat_world_object_sim"] = _continuous(rows["quat_world_object_sim"])
        arrays["quat_world_object_arm"] = _continuous(rows["quat_world_object_arm"])
        arrays["cut_from"] = self._cut_from(rows["t"])
        arrays |= self._push_columns() | self._impulses.arrays() | self._plans.arrays() | self._constants()
        self._add_ideal(arrays, parts)
        arrays |= port_columns(self._port)
        if self._inside:
            arrays |= inside_columns(self._inside)
        return trace_from(arrays)

    def _grow(self) -> None:
        self._columns = {
            name: np.concatenate([column, np.zeros_like(column)]) for name, column in self._columns.items()
        }
        self._room *= 2

    def _cut_from(self, t: Array) -> float:
        pushes = [(1e-9 * start, 1e-9 * end) for start, end, _ in self._pushes]
        last_row = float(t[-1]) if len(t) else -np.inf
        return cut_from(last_row, self._under_way, pushes, told_after(self._c.detector))

    def _push_columns(self) -> dict[str, Array]:
        ordered = sorted(self._pushes, key=lambda push: push[0])
        return {
            "push_t_start": np.array([start * 1e-9 for start, _, _ in ordered]),
            "push_t_end": np.array([end * 1e-9 for _, end, _ in ordered]),
            "push_value": np.array([value for _, _, value in ordered]).reshape(-1, 6),
        }

    def _constants(self) -> dict[str, Any]:
        c = self._c
        limits = MotionLimits.from_configuration(load_arm_model(c.robot.model), c.limits)
        return {
            "mass_kg": c.object.mass,
            "inertia_object": np.diag(c.object.inertia),
            "T_tcp_object": self._frames.T_tcp_object,
            "T_world_base": self._frames.T_world_base,
            "limit_lower": limits.lower,
            "limit_upper": limits.upper,
            "limit_velocity": limits.velocity,
            "limit_acceleration": limits.acceleration,
            "limit_jerk": limits.jerk,
        }

    def _add_ideal(self, arrays: dict[str, Any], parts: Array) -> None:
        """Add the ideal body, and at which rows it and the simulated one are in contact."""
        stops = world_stops(self._c)
        sim = BodyPath(
            arrays["p_world_object_sim"], arrays["quat_world_object_sim"], arrays["twist_world_object_sim"]
        )
        reset = _reset_rows(arrays)
        if self._c.object.inside is not None:  # it is not rigid: nothing is claimed of an ideal body
            reset[:] = True
        ideal = ideal_path(arrays["t"], parts, arrays["rate"], reset, sim, pack_body(self._c.object), stops)
        pressed = arrays.pop("pressed").astype(bool)
        contact = touching_stops(sim.p, sim.quat, stops) | pressed
        if self._c.scene is not None:
            contact |= _unexplained_changes(arrays)
        arrays["ideal_reset"] = reset
        arrays["p_world_object_ideal"] = ideal.p
        arrays["quat_world_object_ideal"] = _continuous(ideal.quat)
        arrays["twist_world_object_ideal"] = ideal.twist
        arrays["contact_sim"], arrays["pressed_sim"] = contact, pressed
        arrays["contact_ideal"] = touching_stops(ideal.p, ideal.quat, stops)


def port_columns(told: list[Array]) -> dict[str, Array]:
    """Return the columns of the rows of an emulated port, each of shape (22,)."""
    rows = np.array(told).reshape(-1, 22)
    return {
        "port_wrench": rows[:, :6],
        "port_penetration": rows[:, 6],
        "p_world_port": rows[:, 7:10],
        "v_world_port": rows[:, 10:13],
        "port_deflection": rows[:, 13:16],
        "port_measured": rows[:, 16:],
    }


def inside_columns(told: list[tuple[float, ...]]) -> dict[str, Array]:
    """Return the columns of the states of bodies inside, each of nine numbers."""
    rows = np.array(told)
    return {
        "inside_t": rows[:, 0],
        "inside_momentum": rows[:, 1:7],
        "inside_energy": rows[:, 7],
        "inside_work": rows[:, 8],
    }


def _continuous(quat: Array) -> Array:
    """Return the attitudes (n, 4) with each sign chosen nearest to the row before."""
    flips = np.ones(len(quat))
    flips[1:] = np.where(np.sum(quat[1:] * quat[:-1], axis=1) < 0.0, -1.0, 1.0)
    return quat * np.cumprod(flips)[:, None]


def _reset_rows(arrays: dict[str, Any]) -> BoolArray:
    """Return where the ideal body is set to the simulated one: not floating, begun to, or before a push."""
    moving = np.isin(arrays["state"], MOVING)
    reset: BoolArray = ~moving
    if len(moving):
        reset[0] = True
    reset[1:] |= moving[1:] & ~moving[:-1]
    reset[1:] |= np.diff(arrays["epoch"]) != 0
    before = np.searchsorted(arrays["t"], arrays["push_t_start"] - RESET_BEFORE_PUSH)
    reset[before[before < len(reset)]] = True
    return reset


def _unexplained_changes(arrays: dict[str, Any]) -> BoolArray:
    """Return where the simulated velocity changed although no slice had come for 50 ms: a wall, then."""
    speed_change = np.abs(np.diff(arrays["twist_world_object_sim"][:, :3], axis=0)).max(axis=1, initial=0.0)
    changed = np.zeros(len(arrays["t"]), dtype=bool)
    changed[1:] = (speed_change > UNEXPLAINED) & (np.diff(arrays["epoch"]) == 0)
    newest = np.searchsorted(arrays["slice_t"], arrays["t"], side="right") - 1
    since = arrays["t"] - np.concatenate([arrays["slice_t"], [-np.inf]])[newest]
    return changed & (since > 0.05)
