"""What the tests of following share: limits, plans made of functions, and finite differences."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hil.configuration.schema import Limits
from hil.messaging.messages import Plan
from planner.kinematics.arm_model import model_of_ours

DT = 0.002
LIMITS = Limits.model_validate(
    {
        "velocity_deg_s": [108.9, 108.9, 112.5, 112.5, 128.9, 112.5, 112.5],
        "acceleration_rad_s2": [8.0, 8.0, 10.0, 10.0, 12.0, 15.0, 15.0],
        "jerk_rad_s3": [160.0, 160.0, 200.0, 200.0, 240.0, 300.0, 300.0],
    }
)
REACH = np.radians([170.0, 120.0, 170.0, 120.0, 170.0, 120.0, 170.0])
MODEL = model_of_ours(
    names=tuple(f"A{i}" for i in range(1, 8)),
    lengths=np.array([0.31, 0.4, 0.39, 0.078]),
    signs=np.ones(7),
    lower=-REACH,
    upper=REACH,
    velocity=np.full(7, 10.0),
)
HOME = np.array([0.0, 1.0, 0.0, -1.5, 0.0, -1.0, 0.0])
URDF = Path(__file__).parents[3] / "configs" / "robots" / "lwr4.urdf"
Motion = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]


def plan_of(
    motion: Motion,
    t: float,
    begin: float = -0.1,
    end: float = 2.0,
    step: float = 0.02,
    time_map=None,
    number=1,
) -> Plan:
    """A plan that rests on the instant `t` and samples `motion(s)`, s = wall time at rate 1."""
    s = t + np.arange(begin, end + 1e-9, step)[:, None]
    q, dq, ddq = motion(s)
    return Plan(
        t_ns=round(t * 1e9), epoch=0, number=number, object_time_0=t + begin, step=step,
        time_map=np.array([0.0, t, 1.0, 1.0] if time_map is None else time_map),
        q=q, dq=dq, ddq=ddq, arm_angle=np.zeros(len(s)), branch=0, slices=np.zeros((0, 3), np.int64),
        policy="RUN", reason="", time_rate=1.0, depth=end,
    )  # fmt: skip


def line(velocity: np.ndarray, start: np.ndarray = HOME, since: float = 0.0) -> Motion:
    """Constant velocity through `start` at `since`."""
    return lambda s: (start + velocity * (s - since), np.tile(velocity, (len(s), 1)), np.zeros((len(s), 7)))


def swing(amplitude: np.ndarray, omega: float) -> Motion:
    """HOME + amplitude sin^4(omega s): begins at s = 0 from rest with three derivatives zero."""

    def motion(s):
        x, y = np.sin(omega * s), np.cos(omega * s)
        q = HOME + amplitude * x**4
        dq = amplitude * omega * 4 * x**3 * y
        ddq = amplitude * omega**2 * (12 * x**2 * y**2 - 4 * x**4)
        return q, dq, ddq

    return motion


def divided_differences(t: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Velocity, acceleration and jerk of samples (N, 7), however spaced: 1!, 2!, 3! times differences."""
    first = np.diff(q, axis=0) / np.diff(t)[:, None]
    second = np.diff(first, axis=0) / (t[2:] - t[:-2])[:, None]
    third = np.diff(second, axis=0) / (t[3:] - t[:-3])[:, None]
    return first, 2 * second, 6 * third


def worst_ratios(t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Largest velocity, acceleration and jerk over their limits, (3,); `q` begins at rest."""
    lead_in = t[0] - DT * np.arange(3, 0, -1)
    t, q = np.concatenate([lead_in, t]), np.concatenate([np.repeat(q[:1], 3, axis=0), q])
    limits = (LIMITS.velocity, LIMITS.acceleration, LIMITS.jerk)
    return np.array(
        [np.abs(x / limit).max() for x, limit in zip(divided_differences(t, q), limits, strict=True)]
    )
