"""Parts joined marker to marker: what fits, what the whole weighs and where its tip is, by hand."""

import math

import numpy as np
import pytest

from hil.common.errors import AssemblyError
from sim.assembly.assembly_file import assembly_text, load_assembly
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database
from sim.assembly.manipulator import manipulator_of
from sim.chain.kinematics import tip_pose

FLANGE = {"gender": "both", "type": "flange", "size_mm": 80.0}


def component(name: str, kind: str, **more: object) -> ComponentFile:
    """A component of this name."""
    return ComponentFile.model_validate({"name": name, "kind": kind, "source": "made up", **more})


def body(mass: float, z_mm: float) -> dict[str, object]:
    """A small body at a height."""
    return {"mass_kg": mass, "centre_mm": [0.0, 0.0, z_mm], "inertia_kg_m2": [0.01, 0.01, 0.01, 0, 0, 0]}


PITCH = {"type": "revolute", "axis": [0.0, 1.0, 0.0], "position_mm": [0.0, 0.0, 50.0], "lower_deg": -120.0,
         "upper_deg": 120.0, "speed_deg_s": 90.0, "torque_n_m": 50.0}  # fmt: skip
SLIDE = {"type": "linear", "position_mm": [0.0, 0.0, 0.0], "lower_mm": 0.0, "upper_mm": 200.0,
         "speed_mm_s": 100.0, "force_n": 500.0}  # fmt: skip
UP = {**FLANGE, "position_mm": [0.0, 0.0, 100.0]}


@pytest.fixture
def database() -> Database:
    """A base, a pitch joint, a slide, a link, a tool, and a link that does not fit."""
    return Database([
        component("base", "base", bodies=[body(5.0, 50.0)], output=UP),
        component("pitch", "joint", bodies=[body(1.0, 25.0), body(1.0, 25.0)], joints=[PITCH], input=FLANGE,
                  output={**FLANGE, "position_mm": [0.0, 0.0, 50.0]}),
        component("slide", "joint", bodies=[body(1.0, 0.0), body(1.0, 0.0)], joints=[SLIDE], input=FLANGE,
                  output=FLANGE),
        component("link", "link", bodies=[body(2.0, 50.0)], input=FLANGE, output=UP),
        component("tool", "tool", bodies=[body(0.5, 10.0)], input=FLANGE, output=FLANGE),
        component("wide", "link", bodies=[body(2.0, 50.0)], input={**FLANGE, "size_mm": 120.0}, output=UP),
    ])  # fmt: skip


@pytest.fixture
def arm(database: Database) -> Chain:
    """Base, pitch, link turned by 90 degrees, pitch, slide, tool."""
    chain = Chain("arm", database).add("base").add("pitch").add("link", turn_deg=90.0)
    return chain.add("pitch").add("slide").add("tool")


def test_the_tip_is_where_the_markers_say(arm: Chain) -> None:
    """At zero straight up; bent by hand: first joint about y, second about the turned y, then the slide."""
    made = manipulator_of(arm)
    up = tip_pose(made.chain, np.zeros(3))
    np.testing.assert_allclose(up[:3, 3], [0.0, 0.0, 0.1 + 0.1 + 0.1 + 0.1], atol=1e-15)
    bent = tip_pose(made.chain, np.array([math.pi / 2, math.pi / 2, 0.2]))
    # behind the first joint all lies along x; by the link's turn the second then turns about the base's z
    np.testing.assert_allclose(bent[:3, 3], [0.05 + 0.1 + 0.05, 0.05 + 0.2, 0.15], atol=1e-12)


def test_bodies_between_joints_are_one(arm: Chain) -> None:
    """Mass and centre of each link unit by hand; the names of its bodies say where they come from."""
    made = manipulator_of(arm)
    assert made.chain.masses.tolist() == [6.0, 4.0, 2.0, 1.5] and made.mass == 13.5
    assert [placed.name for placed in made.units[1]] == ["pitch_1", "link", "pitch_2"]
    np.testing.assert_allclose(made.chain.centres[1], [0, 0, (1 * 0.025 + 2 * 0.1 + 1 * 0.175) / 4])
    assert [axis.name for axis in made.axes] == ["pitch", "pitch_2", "slide"]


def test_what_does_not_fit_is_refused_with_both_sides(arm: Chain, database: Database) -> None:
    """Another size, a second base, something behind a tool, a link to stand on, a name that nobody has."""
    chain = Chain("arm", database).add("base")
    for wrong, words in (
        ("wide", "'base'.*80 mm.*'wide'.*120 mm.*size"),
        ("base", "has one"),
        ("lnk", "near: link"),
    ):
        with pytest.raises(AssemblyError, match=words):
            chain.add(wrong)
    with pytest.raises(AssemblyError, match="behind the tool"):
        arm.add("link")
    with pytest.raises(AssemblyError, match="is no base"):
        Chain("arm", database).add("link")


def test_a_wrong_part_is_not_counted_as_lacking(database: Database, tmp_path) -> None:
    """Its own fault is the only one that is told."""
    path = tmp_path / "arm.toml"
    path.write_text('name = "x"\n[[parts]]\ncomponent = 5\n', encoding="utf-8")
    with pytest.raises(AssemblyError) as refused:
        load_assembly(path, database)
    assert "parts[0].component = 5" in str(refused.value) and "\n" not in str(refused.value)


def test_an_assembly_is_read_as_it_was_written(arm: Chain, database: Database, tmp_path) -> None:
    """Parts, names and turns come back."""
    path = tmp_path / "arm.toml"
    path.write_text(assembly_text(arm), encoding="utf-8")
    again = load_assembly(path, database)
    assert [(p.name, p.component.name, p.turn) for p in again] == [
        (p.name, p.component.name, p.turn) for p in arm
    ]
