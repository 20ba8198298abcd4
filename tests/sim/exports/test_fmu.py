"""The co-simulation unit, run by FMPy, steps as our simulation."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.drives.arm_simulation import ArmSimulation
from sim.exports.exporting import export
from tests.sim.exports.arms import ARMS, arm_named

fmpy = pytest.importorskip("fmpy", reason="FMPy runs the unit")
fmi2 = pytest.importorskip("fmpy.fmi2")
pytest.importorskip("pythonfmu", reason="pythonfmu builds the unit")
CLOSE = 1e-6


class Unit:
    """A unit as a co-simulation master sees it."""

    def __init__(self, path: Path, folder: Path) -> None:
        description = fmpy.read_model_description(str(path))
        self.variables = {v.name: v for v in description.modelVariables}
        self._slave = fmi2.FMU2Slave(
            guid=description.guid,
            unzipDirectory=fmpy.extract(str(path), str(folder)),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="arm",
        )
        self._slave.instantiate()
        self._slave.setupExperiment(startTime=0.0)
        self._slave.enterInitializationMode()
        self._slave.exitInitializationMode()
        self.t = 0.0

    def write(self, **values: Any) -> None:
        """Set inputs; a dot in a name is written as two underscores."""
        for name, value in values.items():
            self.write_named(name.replace("__", "."), value)

    def write_named(self, name: str, value: Any) -> None:
        """Set an input or a parameter."""
        reference = [self.variables[name].valueReference]
        if self.variables[name].type == "Boolean":
            self._slave.setBoolean(reference, [value])
        else:
            self._slave.setReal(reference, [float(value)])

    def read(self, name: str) -> float:
        """Read a variable."""
        return float(self._slave.getReal([self.variables[name].valueReference])[0])

    def step(self, seconds: float) -> None:
        """Let time pass."""
        self._slave.doStep(self.t, seconds)
        self.t += seconds

    def close(self) -> None:
        """End it."""
        self._slave.terminate()
        self._slave.freeInstance()


def unit_of(name: str, folder: Path) -> tuple[Unit, ArmSimulation, Manipulator]:
    """The exported unit of an arm, running, and our simulation."""
    chain = arm_named(name)
    made = manipulator_of(chain)
    (path,) = export(made, chain, folder, ["fmu"])
    return Unit(path, folder / "unpacked"), ArmSimulation(made, chain.database), made


@pytest.mark.parametrize("name", ARMS)
def test_fmpy_steps_it_as_our_simulation(name: str, tmp_path: Path) -> None:
    """All variables, over 0.3 s of references that change each 5 ms, with a push at the tip."""
    unit, simulation, made = unit_of(name, tmp_path)
    outputs = {n for n, v in unit.variables.items() if v.causality == "output"}
    assert outputs == set(simulation.variables())
    start, rates = simulation.q, 0.2 * made.speeds
    wrench = np.array([3.0, -2.0, 1.0, 0.1, 0.2, -0.1])
    for push, value in zip(("force_x_n", "force_y_n", "force_z_n"), wrench, strict=False):
        unit.write_named(f"tip.{push}", value)
    for push, value in zip(("x", "y", "z"), wrench[3:], strict=True):
        unit.write_named(f"tip.moment_{push}_n_m", value)
    for step in range(60):
        t = 0.005 * step
        q, dq = start + rates * (1.0 - np.cos(6.0 * t)) / 6.0, rates * np.sin(6.0 * t)
        for i, axis in enumerate(made.axes):
            unit_name = "m" if axis.linear else "rad"
            unit.write_named(f"joint_{i + 1}.reference_{unit_name}", q[i])
            unit.write_named(f"joint_{i + 1}.reference_speed_{unit_name}_s", dq[i])
        unit.step(0.005)
        for _ in range(5):
            simulation.step(q, dq, wrench)
    for variable, value in simulation.variables().items():
        assert unit.read(variable) == pytest.approx(value, rel=CLOSE, abs=CLOSE), variable
    assert np.abs(simulation.q - start).max() > 0.005
    unit.close()


def test_its_tip_follows_and_its_parameters_change(tmp_path: Path) -> None:
    """A command at the tip moves the joints that way; a parameter is written into the running model."""
    unit, simulation, _ = unit_of("drawn-4", tmp_path)
    before = unit.read("tip.z_m")
    command = simulation.T_base_tip[:3, 3] + np.array([0.0, 0.0, 0.02])
    unit.write(tip__command_z_m=command[2], tip__commanded=True)
    unit.step(1.0)
    assert unit.read("tip.z_m") - before > 0.005
    unit.write(joint_1__resistance_ohm=0.9)
    assert unit.read("joint_1.resistance_ohm") == 0.9
    with pytest.raises(Exception, match="(?i)dostep"):  # no whole number of milliseconds
        unit.step(0.0005)
    unit.close()
