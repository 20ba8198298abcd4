"""What a drive comes to, gathered command by command: errors, loads, heat, reaction."""

from typing import Any

import numpy as np

from hil.workbench.driving.rigid import halves, way
from hil.workbench.driving.session import DriveSession


class Tally:
    """Largest values and means of a drive."""

    def __init__(self, session: DriveSession) -> None:
        """Begin with nothing."""
        manipulator = session.arm.manipulator
        n, self._efforts, self._speeds = len(manipulator.axes), manipulator.efforts, manipulator.speeds
        self._session, self._momentum = session, session.momentum()
        self._commands = self._far = 0
        self._squares, self._most = [0.0, 0.0], [0.0, 0.0]
        self._torque, self._speed, self._winding = np.zeros(n), np.zeros(n), np.zeros(n)
        self._power, self._energy, self._drift = 0.0, 0.0, 0.0
        self._force = self._moment = self._touch = 0.0

    def take(self) -> None:
        """Look at the session after a command."""
        s, arm = self._session, self._session.arm
        left = halves(way(arm.T_base_tip, s.follower.T))
        self._commands += 1
        self._far += not s.solved.reachable
        self._squares = [sum_ + half**2 for sum_, half in zip(self._squares, left, strict=True)]
        self._most = [max(pair) for pair in zip(self._most, left, strict=True)]
        self._torque = np.maximum(self._torque, np.abs(arm.torque) / self._efforts)
        self._speed = np.maximum(self._speed, np.abs(arm.dq) / self._speeds)
        self._winding = np.maximum(self._winding, arm.winding_k)
        power = float(np.sum(arm.power))
        self._power, self._energy = max(self._power, power), self._energy + power * s.period
        force, moment = halves(arm.base_wrench)
        self._force, self._moment = max(self._force, force), max(self._moment, moment)
        self._touch = max(self._touch, halves(s.wrench)[0])
        if arm.floats:  # what stands gives its momentum to the ground
            self._drift = max(self._drift, float(np.abs(s.momentum() - self._momentum).max()))

    def figures(self) -> dict[str, Any]:
        """Return the figures by name, units in the names."""
        s, names = self._session, [axis.name for axis in self._session.arm.manipulator.axes]
        rms = np.sqrt(np.array(self._squares) / max(1, self._commands))
        return {
            "simulated_s": s.t,
            "commands": self._commands,
            "tip_error_rms_mm": 1e3 * float(rms[0]),
            "tip_error_most_mm": 1e3 * float(self._most[0]),
            "tip_error_most_deg": float(np.degrees(self._most[1])),
            "out_of_reach": self._far,
            "slowed": s.slowed,
            "torque_share": dict(zip(names, self._torque.tolist(), strict=True)),
            "speed_share": dict(zip(names, self._speed.tolist(), strict=True)),
            "winding_k": dict(zip(names, self._winding.tolist(), strict=True)),
            "power_most_w": self._power,
            "energy_j": self._energy,
            "base_force_most_n": self._force,
            "base_moment_most_n_m": self._moment,
            "tip_force_most_n": self._touch,
            "momentum_drift": self._drift,
            "source_lost": s.lost,
        }
