"""Assemblies for tests of drives: a light-weight arm of seven joints from components made up here."""

from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database

FLANGE = {"gender": "both", "type": "flange", "size_mm": 100.0}


def component(name: str, kind: str, **more: object) -> ComponentFile:
    """A component of this name."""
    return ComponentFile.model_validate({"name": name, "kind": kind, "source": "made up", **more})


def _body(mass: float, z_mm: float, inertia: float) -> dict[str, object]:
    return {
        "mass_kg": mass,
        "centre_mm": [0.0, 0.0, z_mm],
        "inertia_kg_m2": [inertia, inertia, 0.4 * inertia, 0, 0, 0],
        "shapes": [{"solid": "cylinder", "size_mm": [45.0, 120.0, 0.0], "position_mm": [0.0, 0.0, z_mm]}],
    }


def _joint(name: str, axis: list[float], torque: float, speed: float, stage: str) -> ComponentFile:
    return component(
        name, "joint", input=FLANGE, output={**FLANGE, "position_mm": [0.0, 0.0, 100.0]},
        bodies=[_body(1.2, 40.0, 0.006), _body(1.2, 50.0, 0.006)],
        joints=[{
            "type": "revolute", "axis": axis, "position_mm": [0.0, 0.0, 100.0], "lower_deg": -170.0,
            "upper_deg": 170.0, "speed_deg_s": speed, "torque_n_m": torque, "motor": f"motor-{stage}",
            "gear": f"gear-{stage}", "torque_sensor": f"sensor-{stage}", "brake": f"brake-{stage}",
        }],
    )  # fmt: skip


def _drive(stage: str, k: float, resistance: float, rotor: float, lines: list[float], turns: list[float],
           peak: float) -> list[ComponentFile]:  # fmt: skip
    return [
        component(f"motor-{stage}", "motor", motor={
            "torque_constant_n_m_per_a": k, "resistance_ohm": resistance, "inductance_mh": 0.3,
            "rotor_inertia_kg_m2": rotor, "mass_kg": 0.4, "current_a": 8.0, "winding_resistance_k_per_w": 0.8,
            "housing_resistance_k_per_w": 1.2, "winding_capacity_j_per_k": 60.0,
            "housing_capacity_j_per_k": 500.0, "coulomb_n_m": 0.01, "viscous_n_m_s_per_rad": 1e-5,
        }),
        component(f"gear-{stage}", "gear", gear={
            "ratio": 100.0, "stiffness_n_m_per_rad": lines, "torque_limits_n_m": turns,
            "damping_n_m_s_per_rad": 20.0, "efficiency": 0.8, "torque_peak_n_m": peak, "coulomb_n_m": 2.0,
        }),
        component(f"brake-{stage}", "brake", brake={"torque_n_m": 2.0}),
        component(f"sensor-{stage}", "torque_sensor",
                  torque_sensor={"stiffness_n_m_per_rad": 4.0 * lines[1], "limit_n_m": 2.0 * peak}),
    ]  # fmt: skip


DATABASE = Database([
    component("base", "base", bodies=[_body(4.0, 50.0, 0.02)],
              output={**FLANGE, "position_mm": [0.0, 0.0, 110.0]}),
    _joint("roll-l", [0.0, 0.0, 1.0], 180.0, 110.0, "l"),
    _joint("pitch-l", [0.0, 1.0, 0.0], 180.0, 110.0, "l"),
    _joint("roll-s", [0.0, 0.0, 1.0], 90.0, 180.0, "s"),
    _joint("pitch-s", [0.0, 1.0, 0.0], 90.0, 180.0, "s"),
    component("tool", "tool", bodies=[_body(2.0, 60.0, 0.008)], input=FLANGE,
              output={**FLANGE, "position_mm": [0.0, 0.0, 80.0]}),
    *_drive("l", 0.12, 0.4, 1.6e-4, [31000.0, 50000.0, 57000.0], [14.0, 48.0], 200.0),
    *_drive("s", 0.10, 0.8, 6e-5, [10000.0, 14000.0, 16000.0], [3.9, 12.0], 100.0),
])  # fmt: skip


def light_weight_arm() -> Chain:
    """Seven joints, roll and pitch by turns, with a tool."""
    chain = Chain("light", DATABASE).add("base")
    for name in ("roll-l", "pitch-l", "roll-l", "pitch-l", "roll-s", "pitch-s", "roll-s"):
        chain = chain.add(name)
    return chain.add("tool")
