"""Arms for the tests of exports: drawn ones, with every kind of solid, drive and joint; the shipped ones."""

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import SHIPPED, Database, load_database
from tests.sim.chain.chains import random_inertia

ASSEMBLIES = SHIPPED.parent / "assemblies"
FLANGE = {"gender": "both", "type": "flange", "size_mm": 80.0}
DRAWN = ("drawn-1", "drawn-4", "drawn-6", "drawn-7", "square-7")

MOTOR = {"torque_constant_n_m_per_a": 0.11, "resistance_ohm": 0.48, "inductance_mh": 0.27,
         "rotor_inertia_kg_m2": 1.2e-4, "mass_kg": 0.33, "current_a": 8.4, "winding_resistance_k_per_w": 0.9,
         "housing_resistance_k_per_w": 1.0, "winding_capacity_j_per_k": 50.0,
         "housing_capacity_j_per_k": 300.0, "coulomb_n_m": 0.02, "viscous_n_m_s_per_rad": 1e-4}  # fmt: skip
GEAR = {"ratio": 100.0, "stiffness_n_m_per_rad": [3.1e4, 5.0e4, 5.7e4], "torque_limits_n_m": [14.0, 48.0],
        "damping_n_m_s_per_rad": 20.0, "efficiency": 0.8, "coulomb_n_m": 2.0, "viscous_n_m_s_per_rad": 3.0,
        "inertia_kg_m2": 1e-5, "torque_peak_n_m": 150.0}  # fmt: skip
BACKLASH = {6: 0.02}  # of the drawn arm with so many joints


def component(name: str, kind: str, **more: object) -> ComponentFile:
    """A component of this name."""
    return ComponentFile.model_validate({"name": name, "kind": kind, "source": "made up", **more})


def connector(rng: np.random.Generator, square: bool) -> dict[str, object]:
    """A marker anywhere, or turned by quarters."""
    turn = Rotation.random(rng=rng).as_rotvec(degrees=True)
    if square:
        turn = 90.0 * np.eye(3)[rng.integers(3)] * rng.integers(-1, 2)
    return {**FLANGE, "position_mm": rng.uniform(-150.0, 150.0, 3).tolist(), "rotvec_deg": turn.tolist()}


def body(rng: np.random.Generator) -> dict[str, object]:
    """A body of any shape."""
    mass = float(rng.uniform(0.3, 4.0))
    I = random_inertia(rng, mass)  # noqa: E741
    place = {"position_mm": rng.uniform(-50.0, 50.0, 3).tolist(), "rotvec_deg": [30.0, 40.0, 50.0]}
    sizes = {"box": [40.0, 50.0, 60.0], "cylinder": [40.0, 100.0, 0.0], "sphere": [45.0, 0.0, 0.0],
             "capsule": [30.0, 80.0, 0.0]}  # fmt: skip
    return {
        "mass_kg": mass,
        "centre_mm": rng.uniform(-80.0, 80.0, 3).tolist(),
        "inertia_kg_m2": [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]],
        "shapes": [{"solid": solid, "size_mm": size, **place} for solid, size in sizes.items()],
    }


def joint(rng: np.random.Generator, linear: bool, square: bool, driven: bool) -> dict[str, object]:
    """A joint with or without a drive."""
    axis = rng.normal(size=3)
    axis = np.eye(3)[rng.integers(3)] if square else axis / np.linalg.norm(axis)
    place = {k: v for k, v in connector(rng, square).items() if k not in FLANGE}
    drive = {"motor": "motor", "gear": "gear"} if driven else {}
    if linear:
        limits = {"lower_mm": -200.0, "upper_mm": 300.0, "speed_mm_s": 500.0, "force_n": 800.0}
        more = {"pitch_mm": 600.0} if driven else {"armature_kg": 1.5}
        return {"type": "linear", "axis": axis.tolist(), **place, **limits, **more, **drive}
    limits = {"lower_deg": -170.0, "upper_deg": 170.0, "speed_deg_s": 120.0, "torque_n_m": 150.0}
    more = {} if driven else {"armature_kg_m2": 0.2}
    return {"type": "revolute", "axis": axis.tolist(), **place, **limits, **more, **drive}


def drawn_arm(joints: int, square: bool = False) -> Chain:
    """An arm of components that are drawn; one of four joints slides, every second one has a drive."""
    rng = np.random.default_rng(500 + joints)
    parts = [
        component("motor", "motor", motor=MOTOR),
        component("gear", "gear", gear={**GEAR, "backlash_arcmin": BACKLASH.get(joints, 0.0)}),
        component("base", "base", bodies=[body(rng)], output=connector(rng, square)),
        component("tool", "tool", bodies=[body(rng)], input=connector(rng, square),
                  output=connector(rng, square)),
    ]  # fmt: skip
    for i in range(joints):
        parts.append(
            component(
                f"joint-{i}",
                "joint",
                bodies=[body(rng), body(rng)],
                joints=[joint(rng, i % 4 == 2, square, i % 2 == 0)],
                input=connector(rng, square),
                output=connector(rng, square),
            )
        )
        parts.append(
            component(f"link-{i}", "link", bodies=[body(rng)], input=connector(rng, square),
                      output=connector(rng, square))
        )  # fmt: skip
    chain = Chain(f"arm-{joints}", Database(parts), gravity=(0.3, -0.2, -9.81)).add("base")
    for i in range(joints):
        chain = chain.add(f"joint-{i}", turn_deg=90.0 * i, name=f"A{i + 1}").add(f"link-{i}", turn_deg=180.0)
    return chain.add("tool")


def shipped() -> list[Path]:
    """The assemblies that come with the product."""
    return sorted(ASSEMBLIES.glob("*.toml"))


def arm_named(name: str) -> Chain:
    """A drawn arm, or a shipped one by its file's name."""
    kind, _, joints = name.rpartition("-")
    if kind in ("drawn", "square"):
        return drawn_arm(int(joints), kind == "square")
    return load_assembly(ASSEMBLIES / f"{name}.toml", load_database())


ARMS = (*DRAWN, *(path.stem for path in shipped()))
