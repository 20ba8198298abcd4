"""What the emulation's tests share: configurations and a client that answers in lock-step."""

from pathlib import Path

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.session import FriSample, FriSession
from hil.configuration.loading import configuration_from
from hil.configuration.schema import Configuration

CONFIGS = Path(__file__).parents[3] / "configs"
QUIET = {  # a wrench estimate without any error
    "noise_force_n": 0.0,
    "noise_torque_n_m": 0.0,
    "offset_gradient_force_n_per_m": 0.0,
    "offset_gradient_torque_n_m_per_m": 0.0,
    "swing_fraction": 0.0,
    "motion_noise": False,
}


def configured(**tables) -> Configuration:
    """Return a small configuration; nested dictionaries replace or extend whole tables."""
    data = {
        "run": {"seed": 5},
        "robot": {
            "kind": "emulated",
            "model": "robots/lwr4.urdf",
            "mount_position_mm": [0.0, 0.0, 0.0],
            "mount_rotvec_deg": [0.0, 0.0, 0.0],
            "tcp_position_mm": [0.0, 0.0, 0.0],
            "tcp_rotvec_deg": [0.0, 0.0, 0.0],
            "start_deg": [10.0, 60.0, -20.0, -90.0, 15.0, -60.0, 30.0],
        },
        "limits": {
            "velocity_deg_s": [108.9, 108.9, 112.5, 112.5, 128.9, 112.5, 112.5],
            "acceleration_rad_s2": [8.0, 8.0, 10.0, 10.0, 12.0, 15.0, 15.0],
            "jerk_rad_s3": [160.0, 160.0, 200.0, 200.0, 240.0, 300.0, 300.0],
        },
        "object": {
            "mass_kg": 60.0,
            "inertia_kg_m2": [3.0, 3.0, 3.0],
            "position_mm": [0.0, 0.0, 150.0],
        },
        "mockup": {"mass_kg": 5.0, "inertia_kg_m2": [0.075, 0.06, 0.05], "edge_mm": 300.0},
        "stops": {"centre_mm": [800.0, 0.0, 200.0]},
    }
    for name, table in tables.items():
        data[name] = {**data.get(name, {}), **table}
    return configuration_from(data, CONFIGS / "test.toml")


class LockStepClient:
    """Answers every packet of a controller at once; `command` maps a sample to joint positions."""

    def __init__(self, configuration: Configuration, controller: EmulatedController) -> None:
        self.controller = controller
        self.session = FriSession(configuration.fri)
        self.address = configuration.fri.controller_address

    def cycle(self, command=None, answer: bool = True) -> FriSample:
        data = self.controller.send()
        sample = self.session.receive(data, self.address, round(self.controller.t * 1e9))
        reply = self.session.answer(sample, None if command is None else command(sample))
        if answer:
            self.controller.receive(reply)
        self.controller.advance()
        return sample

    def until_command(self, limit: int = 1000) -> None:
        for _ in range(limit):
            if self.controller.state == 2:
                return
            self.cycle(lambda sample: sample.q_commanded)
        raise AssertionError("the controller never entered command state")


def sine_pose(start: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions, speeds and accelerations (7,) of a smooth test motion from rest at `start`."""
    size = np.array([0.1, -0.08, 0.06, 0.1, -0.12, 0.09, 0.15])
    w = 2.0 * np.pi * np.array([0.5, 0.7, 0.6, 0.4, 0.8, 0.9, 0.3])
    return (
        start + size * (1.0 - np.cos(w * t)),
        size * w * np.sin(w * t),
        size * w * w * np.cos(w * t),
    )
