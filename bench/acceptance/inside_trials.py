"""Trials of objects with bodies inside.

Conservation, MuJoCo, the generalised Jacobian and closed forms judge.
"""

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from bench.acceptance.inside_oracle import jacobian_twist, judge_of, mass_matrix, momenta, place
from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration, load_configuration
from hil.configuration.tables.inside import Inside, Panel
from hil.messaging.messages import ImpulseSlice
from sim.world.flight.inside import InsideFlight
from sim.world.flight.inside_setting import inside_flight
from sim.world.slice_book import Acting
from sim.world.world import World

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
NOTHING = Acting(np.empty((0, 8)), np.empty(0, np.int64), np.empty((0, 3), np.int64))
START = np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.5, -0.5, 0.5])
TUMBLE = np.array([0.03, 0.04, -0.02, *np.deg2rad([6.0, -8.0, 5.0])])  # [m/s, rad/s], 11 deg/s


def shipped(name: str) -> Configuration:
    """Return a shipped configuration without stops, undamped as far as panels and tanks go."""
    c = load_configuration(CONFIGS / f"{name}.toml", ["stops.enabled=false"])
    inside = c.object.inside
    assert inside is not None
    still: dict[str, Any] = {
        key: tuple(part.model_copy(update={"damping": 0.0}) for part in getattr(inside, key))
        for key in ("panel", "tank", "mode")
    }
    body = c.object.model_copy(update={"inside": inside.model_copy(update=still)})
    return c.model_copy(update={"object": body})


@dataclass(frozen=True)
class Drift:
    """Largest relative changes of the whole's P, L, and of its energy while no motor works."""

    linear: float
    angular: float
    energy: float


def drift(name: str, seconds: float) -> Drift:
    """Return how far a tumbling object drifts; its momenta are the judge's, of where bodies are and go."""
    c = shipped(name)
    flight = inside_flight(c)
    steps = round(1.0 / c.simulation.step)
    ring = np.zeros((steps + 1, flight.row_size))
    flight.start_into(ring[0], *START, TUMBLE)
    first, worst = _held(flight, c, ring[0]), np.zeros(3)
    path = getattr(flight, "path", None)
    rests = 0.0 if path is None else float(path.breaks[-1])  # [s] motors work until then
    scales = np.array([np.linalg.norm(first[0:3]), np.linalg.norm(first[3:6]), abs(first[6])])
    for second in range(round(seconds)):
        flight.grid_into(ring, second * steps, (second + 1) * steps, NOTHING)
        now = _held(flight, c, ring[(second + 1) * steps % len(ring)])
        if (second + 1) * steps * c.simulation.step <= rests:
            first[6] = now[6]
        change = np.abs(now - first)
        sizes = np.array([np.linalg.norm(change[0:3]), np.linalg.norm(change[3:6]), change[6]]) / scales
        worst = np.maximum(worst, sizes)
    return Drift(*(float(x) for x in worst))


def _held(flight: InsideFlight, c: Configuration, row: Array) -> Array:
    """Return P, L and energy, shape (7,)."""
    inside = c.object.inside
    assert inside is not None
    energy = flight.energy(row)
    if inside.kind == "modes":
        return np.array([*_modal_momenta(flight, row), energy])
    model = judge_of(c, c.simulation.step)
    data = mujoco.MjData(model)
    q, dq = joints_of(flight, row)
    place(model, data, flight.motion(row), q, dq)
    return np.array([*momenta(model, data)[1], energy])


def joints_of(flight: InsideFlight, row: Array) -> tuple[Array, Array]:
    """Return joints [rad] and their speeds at a row, by central differences of what the flight says."""
    told: Any = flight
    if hasattr(told, "path"):
        q, dq = told.path.at(float(row[15]))
        return q, dq
    return flight.joints(row), row[-(len(flight.joints(row))) :].copy()


def _modal_momenta(flight: InsideFlight, row: Array) -> Array:
    """Return P and L of an object with modes, rebuilt from its twist and modal speeds by definition."""
    told: Any = flight
    modes, (_, quat, twist) = told.modes, flight.motion(row)
    R = matrix_from_quat(quat)
    spin, n = R.T @ twist[3:], len(modes.omega)
    eta, speeds = row[15 : 15 + n], told.speeds(row)
    off, going = -modes.translation @ eta / modes.mass, -modes.translation @ speeds / modes.mass
    centre = twist[:3] - R @ (going + np.cross(spin, off))
    return np.concatenate((modes.mass * centre, R @ (modes.inertia * spin + modes.rotation @ speeds)))


def reaction(seconds: float) -> tuple[float, float, float]:
    """Return how far base twist [m/s, rad/s] and mobility [1/kg] miss the judge's, and the attitude [rad].

    The judge of the twist is the generalised Jacobian; that of the attitude MuJoCo itself, whose joints are
    driven
    by computed torques along the same script.
    """
    c = shipped("servicer")
    flight, step = inside_flight(c), c.simulation.step
    count = round(seconds / step)
    ring = np.zeros((count + 1, flight.row_size))
    flight.start_into(ring[0], *START, TUMBLE)
    flight.grid_into(ring, 0, count, NOTHING)
    model = judge_of(c, step)
    data = mujoco.MjData(model)
    twist_error = mobility_error = 0.0
    for row in ring[:: max(1, count // 40)]:
        q, dq = joints_of(flight, row)
        place(model, data, flight.motion(row), q, dq)
        found = jacobian_twist(model, data, flight.momentum(row)[1])
        twist_error = max(twist_error, float(np.abs(found - data.qvel[:6]).max()))
        turn = np.kron(np.eye(2), np.eye(3))
        turn[:3, :3] = matrix_from_quat(row[3:7])
        known = np.linalg.inv(mass_matrix(model, data)[:6, :6])
        mobility_error = max(
            mobility_error, float(np.abs(turn @ flight.mobility(row) @ turn.T - known).max())
        )
    quat = _driven(model, data, flight, ring[0], count, step)
    ours = ring[count % len(ring), 3:7]
    apart = min(float(np.linalg.norm(quat - ours)), float(np.linalg.norm(quat + ours)))
    return twist_error, mobility_error, 2.0 * apart


def _driven(
    model: mujoco.MjModel, data: mujoco.MjData, flight: InsideFlight, row: Array, count: int, step: float
) -> Array:
    """Return the attitude to which computed torques on the joints bring MuJoCo's own object."""
    told: Any = flight
    q, dq = told.path.at(0.0)
    place(model, data, flight.motion(row), q, dq)
    for k in range(count):
        t = k * step
        mujoco.mj_forward(model, data)
        M, (q, dq) = mass_matrix(model, data), told.path.at(t)
        ahead = (told.path.at(t + 1e-5)[1] - told.path.at(max(t - 1e-5, 0.0))[1]) / (2e-5 if t else 1e-5)
        wanted = ahead + 400.0 * (q - data.qpos[7:]) + 40.0 * (dq - data.qvel[6:])
        bias = data.qfrc_bias
        base = np.linalg.solve(M[:6, :6], -(bias[:6] + M[:6, 6:] @ wanted))
        data.qfrc_applied[6:] = M[6:, :6] @ base + M[6:, 6:] @ wanted + bias[6:]
        mujoco.mj_step(model, data)
    return data.qpos[3:7].copy()


def one_panel(kind: str, frequency: float, damping: float) -> tuple[Configuration, float, float]:
    """Return an object with one panel, and the free frequency [Hz] and damping ratio by the closed form.

    theory: `f / sqrt(Mr)` and `z / sqrt(Mr)`, Mr the share of the modal mass that the free object leaves.
    """
    base, moments = 60.0, np.array([3.0, 3.5, 2.5])
    mass, own, arm, lever = 4.0, np.array([0.5, 0.05, 0.5]), 0.3, 0.7
    whole, centre = base + mass, mass * (arm + lever) / (base + mass)
    along, away = np.array([1.0, 0.0, 1.0]), arm + lever - centre
    total = moments + base * centre**2 * along + own + mass * away**2 * along
    hinge = own[0] + mass * lever**2
    dt, dr = mass * lever / math.sqrt(hinge), (own[0] + away * mass * lever) / math.sqrt(hinge)
    left = 1.0 - dt * dt / whole - dr * dr / total[0]
    offset = centre if kind == "modes" else 0.0
    panel = {
        "hinge_mm": [0.0, 1e3 * (arm - offset), 0.0], "axis": [1.0, 0.0, 0.0], "mass_kg": mass,
        "centre_mm": [0.0, 1e3 * lever, 0.0], "inertia_kg_m2": own.tolist(), "frequency_hz": frequency,
        "damping": damping, "start_deg": 0.2,
    }  # fmt: skip
    inside = Inside.model_validate({"kind": kind, "panel": [panel]})
    assert isinstance(inside.panel[0], Panel)
    c = load_configuration(CONFIGS / "cube.toml", ["stops.enabled=false"])
    body = {"inside": inside, "mass": whole, "inertia": total}
    if kind == "tree":
        body = {"inside": inside, "mass": base, "inertia": moments}
    c = c.model_copy(update={"object": c.object.model_copy(update=body)})
    return c, frequency / math.sqrt(left), damping / math.sqrt(left)


def ringing(kind: str, frequency: float, damping: float) -> tuple[float, float]:
    """Return by what shares frequency and damping of a free object miss the closed form's."""
    c, known, ratio = one_panel(kind, frequency, damping)
    flight, step = inside_flight(c), c.simulation.step
    count = round(40.0 / known / step)
    ring = np.zeros((count + 1, flight.row_size))
    flight.start_into(ring[0], np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    flight.grid_into(ring, 0, count, NOTHING)
    bent = ring[:, 15] if kind == "modes" else np.array([flight.joints(row)[0] for row in ring])
    falls = np.flatnonzero((bent[:-1] > 0.0) & (bent[1:] <= 0.0))
    times = (falls + bent[falls] / (bent[falls] - bent[falls + 1])) * step
    found = (len(times) - 1) / (times[-1] - times[0])
    error = abs(found / known - 1.0)
    if not damping:
        return error, 0.0
    period = round(1.0 / known / step)
    peaks = np.array([np.abs(bent[k * period : (k + 1) * period]).max() for k in (1, 31)])
    rate = math.log(peaks[0] / peaks[1]) / (30 * period * step)
    return error, abs(rate / (2.0 * np.pi * found) / ratio - 1.0)


def late_push(name: str) -> float:
    """Return the largest difference that a push told late makes to states and prediction; 0: to the bit."""
    c = load_configuration(CONFIGS / f"{name}.toml")
    p, quat = np.array(c.stops.centre), np.array([math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0])
    worlds = [World(c), World(c)]
    impulse = np.array([0.6, -0.4, 0.9, 0.05, -0.08, 0.03])
    push = ImpulseSlice(
        1_300_000_000, 1, 0, 0, True, True, False, False, 1_000_000_000, 1_050_000_000, 1_023_456_789,
        impulse, np.zeros(6),
    )  # fmt: skip
    for world, told in zip(worlds, (1, 9), strict=True):
        world.restart(0, 1, p, quat, np.array([0.01, 0.02, -0.01, 0.02, 0.01, -0.03]))
        for k in range(1, 21):
            if k == 10 + told:
                world.apply(push)
            world.advance(k * 100_000_000)
    states = [world.state(2_000_000_000) for world in worlds]
    paths = [world.predict(2_000_000_000) for world in worlds]
    pairs = [(getattr(states[0], n), getattr(states[1], n)) for n in ("p_world_object", "twist_world_object")]
    pairs.append((paths[0].p_world_object, paths[1].p_world_object))
    moved = float(np.abs(states[0].twist_world_object).max())
    return math.nan if not moved else max(float(np.abs(a - b).max()) for a, b in pairs)


def step_time(name: str, count: int = 1000) -> float:
    """Return what a step of the grid takes [us], tables made before; the median of 15 runs."""
    c = shipped(name)
    flight = inside_flight(c)
    ring = np.zeros((count + 1, flight.row_size))
    flight.start_into(ring[0], *START, TUMBLE)
    flight.grid_into(ring, 0, count, NOTHING)
    return _median(lambda: flight.grid_into(ring, 0, count, NOTHING), 15) * 1e6 / count


def prediction_time(name: str, streamed: bool = False) -> float:
    """Return what a prediction of 2 s takes [ms].

    Median of 15 while object time goes on; told anew if streamed.
    """
    c = load_configuration(CONFIGS / f"{name}.toml")
    if streamed:
        inside = Inside.model_validate(
            {"kind": "gyrostat", "arm": CONFIGS / "robots/lwr4.urdf", "motion": "stream",
             "start_deg": [0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0], "arm_position_mm": [0.0, 0.0, 200.0]}
        )  # fmt: skip
        c = c.model_copy(update={"object": c.object.model_copy(update={"inside": inside})})
    world, p, quat = World(c), np.array(c.stops.centre), np.array([math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0])
    world.restart(0, 1, p, quat, np.zeros(6))
    times, told = [], np.deg2rad([0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0])
    for k in range(1, 17):
        t_ns = k * 40_000_000
        if streamed:
            from hil.messaging.inside_messages import InsideJoints

            world.order(InsideJoints(t_ns, told + 0.004 * k, np.full(7, 0.1)))
        world.advance(t_ns)
        begin = time.perf_counter()
        world.predict(t_ns)
        times.append(time.perf_counter() - begin)
    return float(np.median(times[1:])) * 1e3


def _median(call: Any, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return float(np.median(times))
