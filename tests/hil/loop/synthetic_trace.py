"""Traces with known answers: closed-form motions of a body that is pushed, on the rows of a run."""

import numpy as np

from hil.loop.trace.fields import Trace, trace_from

DT = 0.002
MASS = 60.0
INERTIA = np.diag([3.0, 3.0, 3.0])


def quiet_arrays(duration: float = 1.0, dt: float = DT) -> dict:
    """Arrays of a run in which nothing happens: a body at rest, afloat."""
    n = round(duration / dt)
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
    arrays = {
        "t": np.arange(n) * dt,
        "wrench_true": np.zeros((n, 6)),
        "wrench_measured": np.zeros((n, 6)),
        "q_command": np.tile([0.0, 1.0, 0.0, -1.5, 0.0, -1.0, 0.0], (n, 1)),
        "q_measured": np.zeros((n, 7)),
        "commanded": np.ones(n, bool),
        "state": np.array(["FLOATING"] * n),
        "rate": np.ones(n),
        "epoch": np.ones(n, int),
        "ideal_reset": np.zeros(n, bool),
        "contact_sim": np.zeros(n, bool),
        "pressed_sim": np.zeros(n, bool),
        "contact_ideal": np.zeros(n, bool),
        "mass_kg": MASS,
        "inertia_object": INERTIA,
        "T_tcp_object": np.eye(4),
        "T_world_base": np.eye(4),
        "limit_lower": np.full(7, -2.0),
        "limit_upper": np.full(7, 2.0),
        "limit_velocity": np.full(7, 2.0),
        "limit_acceleration": np.full(7, 10.0),
        "limit_jerk": np.full(7, 200.0),
        "push_t_start": np.empty(0),
        "push_t_end": np.empty(0),
        "push_value": np.empty((0, 6)),
        "impulse_id": np.empty(0, int),
        "impulse_t_start": np.empty(0),
        "impulse_t_end": np.empty(0),
        "impulse_t_centroid": np.empty(0),
        "impulse_value": np.empty((0, 6)),
        "impulse_deviation": np.empty(0),
        "impulse_sustained": np.empty(0, bool),
        "impulse_ended": np.empty(0, bool),
        "cut_from": np.inf,
        "slice_t": np.empty(0),
        "plan_t": np.empty(0),
        "plan_epoch": np.empty(0, int),
        "plan_number": np.empty(0, int),
        "plan_object_time_0": np.empty(0),
        "plan_step": np.empty(0),
        "plan_time_map": np.empty((0, 4)),
        "plan_branch": np.empty(0, int),
        "plan_policy": np.empty(0, "U4"),
        "plan_arm_angle": np.empty(0),
        "plan_arm_angle_end": np.empty(0, int),
        "plan_slices": np.empty((0, 3), int),
        "plan_slices_end": np.empty(0, int),
    }
    for who in ("sim", "arm", "ideal"):
        arrays[f"p_world_object_{who}"] = np.zeros((n, 3))
        arrays[f"quat_world_object_{who}"] = identity.copy()
        arrays[f"twist_world_object_{who}"] = np.zeros((n, 6))
    del arrays["twist_world_object_arm"]
    return arrays


def half_sine_step(t: np.ndarray, start: float, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of a body after a half-sine force with unit impulse over mass, and its integral."""
    u = np.clip((t - start) / (end - start), 0.0, 1.0)
    velocity = 0.5 * (1.0 - np.cos(np.pi * u))
    position = (end - start) * 0.5 * (u - np.sin(np.pi * u) / np.pi) + np.maximum(t - end, 0.0)
    return velocity, position


class PushedRun:
    """A body pushed along one line and turned about one axis; sim and arm follow as the test says."""

    def __init__(self, starts, ends, change=0.05, spin=0.1, duration=None) -> None:
        self.starts, self.ends = np.asarray(starts, float), np.asarray(ends, float)
        self.direction = np.array([0.6, 0.0, 0.8])
        self.axis = np.array([0.0, 1.0, 0.0])
        self.change, self.spin = change, spin
        self.arrays = quiet_arrays(duration or self.ends.max() + 1.5)
        value = np.r_[MASS * change * self.direction, 3.0 * spin * self.axis]
        self.arrays["push_t_start"], self.arrays["push_t_end"] = self.starts, self.ends
        self.arrays["push_value"] = np.tile(value, (len(self.starts), 1))
        self.set("ideal")
        self.set("sim")
        self.set("arm")

    def set(self, who: str, delay: float = 0.0, gain: float = 1.0, extra=None) -> None:
        """Let `who` move as the ideal body, later by `delay`, with changes times `gain`.

        `extra(t)` returns further changes, velocity and position, as shares of the true one.
        """
        t = self.arrays["t"] - delay
        velocity, position = 0.4 + np.zeros_like(t), 0.4 * t  # some motion before the first push
        for start, end in zip(self.starts, self.ends, strict=True):
            v, p = half_sine_step(t, start, end)
            velocity, position = velocity + gain * v, position + gain * p
        if extra is not None:
            v, p = extra(self.arrays["t"])
            velocity, position = velocity + v, position + p
        angle = self.spin * position
        self.arrays[f"p_world_object_{who}"] = self.change * position[:, None] * self.direction
        self.arrays[f"quat_world_object_{who}"] = np.c_[
            np.cos(angle / 2), np.sin(angle / 2)[:, None] * self.axis
        ]
        if who != "arm":
            self.arrays[f"twist_world_object_{who}"] = (
                velocity[:, None] * np.r_[self.change * self.direction, self.spin * self.axis]
            )

    def trace(self) -> Trace:
        return trace_from(self.arrays)
