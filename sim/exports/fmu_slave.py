"""What runs inside an exported FMU: the workbench's simulation behind FMI's variables.

Imported by the unit's script, and only where pythonfmu is there.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pythonfmu import Boolean, Fmi2Causality, Fmi2Slave, Fmi2Variability, Real

from hil.common.arrays import Array
from hil.common.errors import ZeroGError
from sim.drives.driven_arm import DrivenArm
from sim.exports.stored import stored_arm
from sim.exports.tip_follower import follow_tip, pose_of_vector, pose_vector

DT = 0.001  # s
WHOLE = 1e-6  # how near a communication step must be to a whole number of steps
WAYS = ("x_m", "y_m", "z_m", "rx_rad", "ry_rad", "rz_rad")
PUSHES = ("force_x_n", "force_y_n", "force_z_n", "moment_x_n_m", "moment_y_n_m", "moment_z_n_m")


class ArmSlave(Fmi2Slave):  # type: ignore[misc]
    """An arm as a co-simulation unit.

    Inputs: references of the joints; pose of the tip (position, rotation vector, base axes), followed while
    `tip.commanded` is true; a wrench at the tip. Outputs: all variables of the simulation. Parameters: those
    of the running model. References hold during a communication step, of whole milliseconds.
    """

    def __init__(self, **kwargs: Any) -> None:
        """Read the arm from the unit's resources and register its variables."""
        super().__init__(**kwargs)
        text = (Path(self.resources) / "arm.json").read_text(encoding="utf-8")
        self._stored = stored_arm(text)
        self.description = f"{self._stored.name}: bodies, drives and joint controllers"
        self._arm = DrivenArm(
            self._stored.chain, self._stored.drives, self._stored.gravity, DT, q_start=self._stored.start
        )
        n = self._arm.joints
        self._q, self._dq = self._arm.q, np.zeros(n)
        self._by_tip, self._wrench = False, np.zeros(6)
        self._tip = pose_vector(self._arm.T_base_tip)
        self._shown = self._arm.variables()
        for i in range(n):
            unit = "m" if self._stored.chain.linear[i] else "rad"
            self._add_input(f"joint_{i + 1}.reference_{unit}", self._q, i)
            self._add_input(f"joint_{i + 1}.reference_speed_{unit}_s", self._dq, i)
        for i, way in enumerate(WAYS):
            self._add_input(f"tip.command_{way}", self._tip, i)
        for i, push in enumerate(PUSHES):
            self._add_input(f"tip.{push}", self._wrench, i)
        self._register(
            Boolean, "tip.commanded", Fmi2Causality.input, lambda: self._by_tip, self._set_by_tip,
            Fmi2Variability.discrete,
        )  # fmt: skip
        for name in self._shown:
            self._register(Real, name, Fmi2Causality.output, self._watched(name), None)
        for name in self._arm.parameters():
            self._add_parameter(name)

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Carry the arm on; false, with the reason in the log, if that cannot be."""
        steps = round(step_size / DT)
        if steps < 1 or abs(step_size / DT - steps) > WHOLE * steps:
            self.log(f"a communication step of {step_size} s is no whole number of steps of {DT} s")
            return False
        try:
            for _ in range(steps):
                self._step()
        except ZeroGError as error:
            self.log(str(error))
            return False
        self._shown = self._arm.variables()
        return True

    def _step(self) -> None:
        if not self._by_tip:
            self._arm.step(self._q, self._dq, self._wrench)
            return
        limits = self._stored.lower, self._stored.upper, self._stored.speeds
        after, dq = follow_tip(self._stored.chain, self._q.copy(), pose_of_vector(self._tip), *limits, DT)
        self._arm.step(0.5 * (self._q + after), dq, self._wrench)
        self._q[:], self._dq[:] = after, 0.0

    def _set_by_tip(self, value: bool) -> None:
        self._by_tip = bool(value)

    def _watched(self, name: str) -> Callable[[], float]:
        return lambda: self._shown[name]

    def _add_input(self, name: str, values: Array, i: int) -> None:
        def write(value: float) -> None:
            values[i] = value

        self._register(Real, name, Fmi2Causality.input, lambda: values[i], write)

    def _add_parameter(self, name: str) -> None:
        self._register(
            Real, name, Fmi2Causality.parameter, lambda: self._arm.parameters()[name],
            lambda value: self._arm.set_parameter(name, value), Fmi2Variability.tunable,
        )  # fmt: skip

    def _register(
        self, kind: Any, name: str, causality: Any, getter: Any, setter: Any, variability: Any = None
    ) -> None:
        variable = kind(name, causality=causality, variability=variability, getter=getter, setter=setter)
        self.register_variable(variable, nested=False)
