"""What the planner's benchmarks share: arm and run, random tumbles, machine, figures in a file."""

import json
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.configuration.frames import Frames
from hil.configuration.loading import load_configuration
from hil.configuration.schema import Configuration
from hil.messaging.messages import Prediction
from planner.branches.bounds import Bounds
from planner.kinematics.arm_model import ArmModel, load_arm_model
from planner.kinematics.inverse import solve_grid

ROOT = Path(__file__).parents[1]
CENTRE = np.array([0.52, 0.0, 0.42])  # [m] of the flange's box, base
HALF_EXTENT = np.array([0.12, 0.15, 0.12])  # [m]
STEP, DURATION, FORESIGHT = 0.02, 7.98, 2.0  # [s]
FIRST_SEED, SEEDS = 50, 400


def model_and_configuration(name: str = "cube.toml") -> tuple[ArmModel, Configuration]:
    """Return the arm and run of a shipped configuration."""
    configuration = load_configuration(ROOT / "configs" / name)
    return load_arm_model(configuration.robot.model), configuration


def machine() -> str:
    """Return a line that says where the figures were measured."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if "model name" in line
        ]
        cpu = f"{len(names)} x {names[0]}" if names else cpu
    return f"{cpu}, {platform.system()} {platform.release()}, Python {platform.python_version()}"


def write_json(path: str | None, figures: dict[str, object]) -> None:
    """Write the figures to a file if one is wanted."""
    if path is not None:
        Path(path).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


@dataclass(frozen=True, eq=False)
class Tumble:
    """A flange path that tumbles, and the object path that leads to it."""

    seed: int
    T: Array  # T_base_flange (n, 4, 4), longer than the case by the foresight
    q_start: Array
    p_world_object: Array
    quat_world_object: Array
    twist_world_object: Array
    bounces: Array
    step: float = STEP
    duration: float = DURATION

    @property
    def count(self) -> int:
        """Number of poses of the case itself."""
        return round(self.duration / self.step) + 1

    def prediction(self, k: int) -> Prediction:
        """Return what would be predicted at pose `k`."""
        rows = slice(k, k + round(FORESIGHT / self.step) + 1)
        s = k * self.step
        return Prediction(
            t_ns=round(1e9 * s), epoch=self.seed, number=k, object_time_0=s, step=self.step,
            time_map=np.array([0.0, s, 1.0, 1.0]), p_world_object=self.p_world_object[rows],
            quat_world_object=self.quat_world_object[rows], twist_world_object=self.twist_world_object[rows],
            bounces=self.bounces[(self.bounces >= s) & (self.bounces < s + FORESIGHT)],
            slices=np.zeros((0, 3), dtype=np.int64),
        )  # fmt: skip


def tumbles(
    model: ArmModel, configuration: Configuration, bounds: Bounds, cases: int, first_seed: int = FIRST_SEED
) -> Iterator[Tumble]:
    """Yield random cases whose first pose can be taken within the bounds."""
    found = 0
    for seed in range(first_seed, first_seed + SEEDS):
        if found == cases:
            return
        tumble = _tumble(model, configuration, bounds, seed)
        if tumble is not None:
            found += 1
            yield tumble


def _tumble(model: ArmModel, configuration: Configuration, bounds: Bounds, seed: int) -> Tumble | None:
    rng = np.random.default_rng(seed)
    spin = rng.uniform(0.15, 0.8)
    x = rng.uniform(-1.0, 1.0, 3) * HALF_EXTENT
    v = rng.normal(size=3)
    v *= rng.uniform(0.05, 0.25) / np.linalg.norm(v)
    w = rng.normal(size=3)
    w *= spin / np.linalg.norm(w)
    tilt = Rotation.from_rotvec(rng.normal(size=3) * 0.25)
    R_0 = (
        tilt * Rotation.from_euler("y", np.pi / 2) * Rotation.from_rotvec([0.0, 0.0, rng.uniform(-1.5, 1.5)])
    )
    t = np.arange(round((DURATION + FORESIGHT) / STEP) + 2) * STEP
    p, velocity, bounces = _bouncing(x, v, t)
    T = np.zeros((len(t), 4, 4))
    T[:, :3, :3] = (Rotation.from_rotvec(t[:, None] * w) * R_0).as_matrix()
    T[:, :3, 3] = p + CENTRE
    T[:, 3, 3] = 1.0
    q_start = _best_margin(model, bounds, T[0])
    if q_start is None:
        return None
    frames = Frames.from_configuration(configuration)
    T_world_object = frames.T_world_base @ T @ frames.T_flange_object
    R_world_base = frames.T_world_base[:3, :3]
    lever = (T[:, :3, :3] @ frames.T_flange_object[:3, 3]) @ R_world_base.T
    omega = np.tile(R_world_base @ w, (len(t), 1))
    twist = np.hstack([velocity @ R_world_base.T + np.cross(omega, lever), omega])
    quat = Rotation.from_matrix(T_world_object[:, :3, :3]).as_quat(scalar_first=True)
    return Tumble(seed, T, q_start, np.ascontiguousarray(T_world_object[:, :3, 3]), quat, twist, bounces)


def _bouncing(x: Array, v: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return places (n, 3), velocities (n, 3) and bounce times of a point between elastic walls."""
    length = 2.0 * HALF_EXTENT
    phase = np.mod(x + v * t[:, None] + HALF_EXTENT, 2.0 * length)
    back = phase > length
    p = np.where(back, 2.0 * length - phase, phase) - HALF_EXTENT
    times = []
    for axis in range(3):
        hits = np.abs(v[axis]) * t[-1] / length[axis] + 2
        walls = np.arange(-int(hits), int(hits) + 1) * length[axis]
        instants = (walls - x[axis] - HALF_EXTENT[axis]) / v[axis]
        times.append(instants[(instants > 0.0) & (instants < t[-1])])
    return p, np.where(back, -v, v), np.sort(np.concatenate(times))


def _best_margin(model: ArmModel, bounds: Bounds, T: Array) -> Array | None:
    """Return the joints for a pose that are furthest from limits and singularities, None without any."""
    angles = np.arange(72) * (2.0 * np.pi / 72)
    q = np.empty((1, 72, 8, 7))
    valid = np.empty((1, 72, 8), dtype=np.bool_)
    solve_grid(q, valid, model.lengths, model.signs, bounds.lower, bounds.upper, T[None], angles, np.zeros(7))
    margin = np.minimum(
        np.min(1.0 - np.abs(q) / bounds.upper, axis=-1), np.min(np.abs(q[..., 1::2]), axis=-1)
    )
    margin[~valid] = -1.0
    index = np.unravel_index(np.argmax(margin), margin.shape)
    return q[index].copy() if margin[index] > 0.0 else None
