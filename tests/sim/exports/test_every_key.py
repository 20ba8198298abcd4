"""Every number that a component may say is read by what comes of it, or is said to be data only."""

import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hil.common.arrays import Array
from hil.configuration.quantities import Section
from sim.assembly.chain import Chain
from sim.assembly.checks import check
from sim.assembly.component_schema import (
    Body,
    Brake,
    ComponentFile,
    Connector,
    Gear,
    Linear,
    Motor,
    Revolute,
    Shape,
    TorqueSensor,
)  # fmt: skip
from sim.assembly.database import Database
from sim.assembly.drive_solids import drive_mesh
from sim.assembly.figures import figures
from sim.assembly.manipulator import manipulator_of
from sim.assembly.shapes import mesh_of
from sim.drives.of_assembly import drives_of
from tests.sim.exports.arms import FLANGE, GEAR, MOTOR, component

TABLES = (Connector, Shape, Body, Revolute, Linear, Motor, Gear, Brake, TorqueSensor)
DATA_ONLY = {("TorqueSensor", "noise")}
COMPONENTS = Path(__file__).parents[3] / "docs" / "use" / "components.md"
BODY = {"mass_kg": 1.0, "inertia_kg_m2": [0.01, 0.01, 0.01, 0, 0, 0],
        "shapes": [{"solid": "box", "size_mm": [40.0, 50.0, 60.0]}]}  # fmt: skip
DRIVE = {"motor": "m", "gear": "g", "brake": "b", "torque_sensor": "s"}
TURNS = {"type": "revolute", "lower_deg": -90.0, "upper_deg": 90.0, "speed_deg_s": 90.0, "torque_n_m": 50.0,
         "axis": [0.0, 1.0, 0.0]}  # fmt: skip
SLIDES = {"type": "linear", "lower_mm": 0.0, "upper_mm": 500.0, "speed_mm_s": 200.0, "force_n": 800.0}


def numbers(table: type[Section]) -> Iterator[str]:
    """The keys of a table that are numbers."""
    for name, field in table.model_fields.items():
        kinds = (field.annotation, *typing.get_args(field.annotation))
        kinds += tuple(inner for kind in kinds for inner in typing.get_args(kind))
        if any(kind in (float, int) or kind == Array for kind in kinds):
            yield name


def joint(name: str, **table: object) -> ComponentFile:
    """A component of one joint."""
    return component(name, "joint", input=FLANGE, output=FLANGE, bodies=[BODY, BODY], joints=[table])


def arm() -> Chain:
    """Turning and sliding joints, each with its drive and without."""
    database = Database([
        component("base", "base", output=FLANGE, bodies=[BODY]), component("m", "motor", motor=MOTOR),
        component("g", "gear", gear=GEAR), component("b", "brake", brake={"torque_n_m": 1.0}),
        component("s", "torque_sensor", torque_sensor={"stiffness_n_m_per_rad": 2e5, "limit_n_m": 40.0}),
        joint("turns", **TURNS, **DRIVE), joint("turns-alone", **TURNS),
        joint("slides", **SLIDES, **DRIVE, pitch_mm=10.0), joint("slides-alone", **SLIDES),
    ])  # fmt: skip
    chain = Chain("all", database).add("base")
    for name in ("turns", "turns-alone", "slides", "slides-alone"):
        chain = chain.add(name)
    return chain


def test_every_number_is_read_or_said_to_be_data_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the mechanism, the drives, the figures, the checks, the pictures, or the rules of what fits."""
    chain, read = arm(), set()
    plain = Section.__getattribute__

    def traced(self: Any, name: str) -> Any:
        read.add((type(self).__name__, name))
        return plain(self, name)

    monkeypatch.setattr(Section, "__getattribute__", traced)
    chain.add("turns")
    made = manipulator_of(chain)
    drives_of(made, chain.database)
    figures(chain)
    check(chain)
    for unit in made.units:
        for placed in unit:
            mesh_of(placed.body)
    for name in ("m", "g", "b", "s"):
        drive_mesh(chain.database[name])
    monkeypatch.undo()
    asked = {(table.__name__, name) for table in TABLES for name in numbers(table)}
    assert len(asked) > 60 and {("Gear", "stick"), ("Gear", "stiffness"), ("Linear", "pitch")} <= asked
    assert asked - read == DATA_ONLY


def test_what_is_data_only_is_said() -> None:
    """On the page that says what a component's file says."""
    text = COMPONENTS.read_text(encoding="utf-8")
    assert all(f"`{name}_n_m` is data only" in text for _, name in DATA_ONLY)
