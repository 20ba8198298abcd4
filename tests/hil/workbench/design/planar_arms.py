"""A small database whose arms are known by hand: hinges in one plane, links of three lengths.

The base's output leads along the task's x, the hinges turn about its y: so all move in the plane of x and z.
"""

from pathlib import Path
from typing import Any

from hil.workbench.design.study import Study
from hil.workbench.design.task_file import TaskFile
from sim.assembly.component_schema import ComponentFile

LENGTHS = {"link-a": 200.0, "link-b": 300.0, "link-c": 420.0}  # [mm]
KG_M = 5.0  # of a link by its length
HINGE_KG = 2.0  # half of it on either side, at its axis
FLANGE = {"gender": "both", "type": "flange", "size_mm": 80.0}
NOTHING = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def point(mass: float, z_mm: float = 0.0) -> dict[str, Any]:
    """A mass without extent."""
    return {"mass_kg": mass, "centre_mm": [0.0, 0.0, z_mm], "inertia_kg_m2": NOTHING}


def hinge(name: str, axis: list[float], **more: Any) -> dict[str, Any]:
    """A joint that turns about an axis through its flanges."""
    joint = {"type": "revolute", "axis": axis, "lower_deg": -170.0, "upper_deg": 170.0,
             "speed_deg_s": 90.0, "torque_n_m": 100.0, **more}  # fmt: skip
    return {"name": name, "kind": "joint", "source": "made up", "input": FLANGE, "output": FLANGE,
            "bodies": [point(HINGE_KG / 2), point(HINGE_KG / 2)], "joints": [joint]}  # fmt: skip


def tables() -> list[dict[str, Any]]:
    """Base, hinge, roll joint, three links and a tool of 100 mm with another flange in front."""
    out = {**FLANGE, "rotvec_deg": [0.0, 90.0, 0.0]}
    base = {"name": "base", "kind": "base", "source": "made up", "bodies": [point(4.0)], "output": out}
    links = [
        {"name": name, "kind": "link", "source": "made up", "bodies": [point(KG_M * mm / 1e3, mm / 2)],
         "input": FLANGE, "output": {**FLANGE, "position_mm": [0.0, 0.0, mm]}}
        for name, mm in LENGTHS.items()
    ]  # fmt: skip
    tool = {"name": "tool", "kind": "tool", "source": "made up", "bodies": [point(0.5)], "input": FLANGE,
            "output": {**FLANGE, "type": "tip", "position_mm": [0.0, 0.0, 100.0]}}  # fmt: skip
    return [base, hinge("hinge", [0.0, 1.0, 0.0]), hinge("roll", [0.0, 0.0, 1.0]), *links, tool]


def components(*names: str) -> tuple[ComponentFile, ...]:
    """Those of the database with these names."""
    return tuple(ComponentFile.model_validate(t) for t in tables() if t["name"] in names)


def planar_study(table: dict[str, Any], *names: str, seed: int = 1) -> Study:
    """A study of a task over some of the components."""
    task = TaskFile.model_validate({"name": "planar", **table})
    return Study(task, Path("planar.toml"), str(table), components(*names), (), seed)


def written(folder: Path) -> Path:
    """The folder of the database's files."""
    folder.mkdir()
    for table in tables():
        (folder / f"{table['name']}.toml").write_text(toml_of(table), encoding="utf-8")
    return folder


def toml_of(table: dict[str, Any]) -> str:
    """A table as TOML: tables inside it as inline ones."""
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)
