"""The co-simulation unit, run by FMPy, steps as our simulation."""

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.drives.arm_simulation import ArmSimulation
from sim.exports.exporting import export
from tests.documents import ROOT
from tests.sim.exports.arms import ARMS, arm_named

pytest.importorskip("fmpy", reason="FMPy runs the unit")
pytest.importorskip("pythonfmu", reason="pythonfmu builds the unit")
CLOSE = 1e-6
WRENCH = np.array([3.0, -2.0, 1.0, 0.1, 0.2, -0.1])
PUSHES = ("force_x_n", "force_y_n", "force_z_n", "moment_x_n_m", "moment_y_n_m", "moment_z_n_m")
STEPS, EACH = 60, 5
COMMANDED = "drawn-5"  # in no other unit: pythonfmu takes a copy from another folder for the same


def references(simulation: ArmSimulation, made: Manipulator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Positions and speeds that are told, one a communication step of 5 ms."""
    start, rates, t = simulation.q, 0.2 * made.speeds, 0.005 * np.arange(STEPS)
    return [(start + rates * (1 - np.cos(6 * s)) / 6, rates * np.sin(6 * s)) for s in t]


def moving_script(simulation: ArmSimulation, made: Manipulator) -> list[list[Any]]:
    """References that change, with a push at the tip."""
    script: list[list[Any]] = [
        ["set", f"tip.{push}", v] for push, v in zip(PUSHES, WRENCH.tolist(), strict=True)
    ]
    for q, dq in references(simulation, made):
        for i, axis in enumerate(made.axes):
            unit = "m" if axis.linear else "rad"
            script.append(["set", f"joint_{i + 1}.reference_{unit}", float(q[i])])
            script.append(["set", f"joint_{i + 1}.reference_speed_{unit}_s", float(dq[i])])
        script.append(["step", 0.001 * EACH])
    return [*script, ["get"]]


def commanding_script(simulation: ArmSimulation) -> list[list[Any]]:
    """The tip is told to rise by 2 cm; a parameter is changed; a step that is none is asked for."""
    up = float(simulation.T_base_tip[2, 3] + 0.02)
    return [["get"], ["set", "tip.command_z_m", up], ["set", "tip.commanded", True], ["step", 1.0],
            ["set", "joint_1.resistance_ohm", 0.9], ["get"], ["step", 0.0005]]  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What the units of all arms answered, from one master."""
    folder, names = tmp_path_factory.mktemp("units"), []
    for name in (*ARMS, "commanded"):
        chain = arm_named(COMMANDED if name == "commanded" else name)
        made = manipulator_of(chain)
        (path,) = export(made, chain, folder / name, ["fmu"])
        path.rename(folder / f"{name}.fmu")
        simulation = ArmSimulation(made, chain.database)
        script = commanding_script(simulation) if name == "commanded" else moving_script(simulation, made)
        (folder / f"{name}.json").write_text(json.dumps(script), encoding="utf-8")
        names.append(name)
    command = [sys.executable, "-m", "tests.sim.exports.fmu_master", str(folder), *names]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    return {name: json.loads((folder / f"{name}.out.json").read_text(encoding="utf-8")) for name in names}


@pytest.mark.parametrize("name", ARMS)
def test_fmpy_steps_it_as_our_simulation(name: str, answers: dict[str, list[Any]]) -> None:
    """All variables after 0.3 s of references that change each 5 ms, with a push at the tip."""
    chain = arm_named(name)
    made = manipulator_of(chain)
    simulation = ArmSimulation(made, chain.database)
    start = simulation.q
    for q, dq in references(simulation, made):
        for _ in range(EACH):
            simulation.step(q, dq, WRENCH)
    (found,) = answers[name]
    assert set(simulation.parameters()) | set(simulation.variables()) == set(found)
    for variable, value in simulation.variables().items():
        assert found[variable] == pytest.approx(value, rel=CLOSE, abs=CLOSE), variable
    assert np.abs(simulation.q - start).max() > 0.005


def test_its_tip_follows_and_its_parameters_change(answers: dict[str, list[Any]]) -> None:
    """A command at the tip moves it there; a parameter is written; half a step is refused."""
    before, after, refused = answers["commanded"]
    assert 0.01 < after["tip.z_m"] - before["tip.z_m"] < 0.03
    assert before["joint_1.resistance_ohm"] != after["joint_1.resistance_ohm"] == 0.9
    assert refused == "refused"
