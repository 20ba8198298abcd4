"""A small database of made-up components, for tests that need no real ones."""

from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database

FLANGE = {"gender": "both", "type": "flange", "size_mm": 80.0}
UP = {**FLANGE, "position_mm": [0.0, 0.0, 100.0]}
PITCH = {"type": "revolute", "axis": [0.0, 1.0, 0.0], "position_mm": [0.0, 0.0, 50.0], "lower_deg": -120.0,
         "upper_deg": 120.0, "speed_deg_s": 90.0, "torque_n_m": 50.0}  # fmt: skip
SLIDE = {"type": "linear", "lower_mm": 0.0, "upper_mm": 200.0, "speed_mm_s": 100.0, "force_n": 500.0}
MOTOR = {"torque_constant_n_m_per_a": 0.1, "resistance_ohm": 0.5, "inductance_mh": 0.5,
         "rotor_inertia_kg_m2": 1e-4, "mass_kg": 0.3, "current_a": 5.0, "winding_resistance_k_per_w": 1.0,
         "housing_resistance_k_per_w": 2.0, "winding_capacity_j_per_k": 30.0,
         "housing_capacity_j_per_k": 200.0}  # fmt: skip


def component(name: str, kind: str, **more: object) -> ComponentFile:
    """A component of this name."""
    return ComponentFile.model_validate({"name": name, "kind": kind, "source": "made up", **more})


def body(mass: float, z_mm: float, radius_mm: float = 40.0) -> dict[str, object]:
    """A cylinder of 60 mm with its centre at a height."""
    shape = {
        "solid": "cylinder",
        "size_mm": [radius_mm, 60.0, 0.0],
        "position_mm": [0.0, 0.0, z_mm],
        "colour": [0.9, 0.5, 0.1],
    }
    inertia = [0.01, 0.01, 0.01, 0.0, 0.0, 0.0]
    return {"mass_kg": mass, "centre_mm": [0.0, 0.0, z_mm], "inertia_kg_m2": inertia, "shapes": [shape]}


def toy_database() -> Database:
    """A base, a pitch joint, a slide, two links, a tool, a link that does not fit, a motor."""
    return Database([
        component("base", "base", bodies=[body(5.0, 50.0)], output=UP),
        component("pitch", "joint", bodies=[body(1.0, 25.0), body(1.0, 25.0)], joints=[PITCH], input=FLANGE,
                  output={**FLANGE, "position_mm": [0.0, 0.0, 50.0]}),
        component("slide", "joint", bodies=[body(1.0, 0.0), body(1.0, 0.0)], joints=[SLIDE], input=FLANGE,
                  output=FLANGE),
        component("link", "link", bodies=[body(2.0, 50.0)], input=FLANGE, output=UP),
        component("long", "link", bodies=[body(4.0, 100.0)], input=FLANGE,
                  output={**FLANGE, "position_mm": [0.0, 0.0, 200.0]}),
        component("tool", "tool", bodies=[body(0.5, 10.0)], input=FLANGE, output=FLANGE),
        component("wide", "link", bodies=[body(2.0, 50.0)], input={**FLANGE, "size_mm": 120.0}, output=UP),
        component("motor", "motor", motor=MOTOR),
    ])  # fmt: skip
