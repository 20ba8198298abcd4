"""A fingerprint covers parts, drives, turns and gravity of an assembly; words and pictures not."""

import dataclasses

import pytest

from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import SHIPPED, load_database
from sim.assembly.stamp import stamp_of


@pytest.fixture(scope="module")
def arm() -> Chain:
    """The light-weight arm."""
    return load_assembly(SHIPPED.parent / "assemblies" / "lwr4.toml", load_database())


def changed(chain: Chain, name: str, **update: object) -> Chain:
    """The arm with another component of that name, as if its file had changed."""
    other: ComponentFile = chain.database[name].model_copy(update=update)
    parts = tuple(
        dataclasses.replace(part, component=other) if part.component.name == name else part
        for part in chain.parts
    )
    return dataclasses.replace(chain, database=chain.database.with_more([other]), parts=parts)


def test_every_number_counts(arm: Chain) -> None:
    """A link's mass, a motor's and a gear's constants, a turn, gravity, the order's names."""
    before = stamp_of(arm)
    assert stamp_of(dataclasses.replace(arm)) == before
    link = arm.database["link-short-l"]
    heavier = (link.bodies[0].model_copy(update={"mass": 9.0}),)
    motor, gear = arm.database["allied-mf0095020"].motor, arm.database["hd-25-160"].gear
    assert motor is not None and gear is not None
    others = [
        changed(arm, "link-short-l", bodies=heavier),
        changed(arm, "allied-mf0095020", motor=motor.model_copy(update={"torque_constant": 0.2})),
        changed(arm, "hd-25-160", gear=gear.model_copy(update={"backlash": 0.001})),
        dataclasses.replace(arm, gravity=(0.0, 0.0, -1.62)),
        dataclasses.replace(arm, parts=(*arm.parts[:-1], dataclasses.replace(arm.parts[-1], turn=0.1))),
        arm.without_last(),
    ]
    stamps = {stamp_of(other) for other in others}
    assert len(stamps) == len(others) and before not in stamps


def test_words_and_pictures_do_not_count(arm: Chain) -> None:
    """A new text, source or solid makes no other mechanism."""
    link = arm.database["link-short-l"]
    plain = (link.bodies[0].model_copy(update={"shapes": ()}),)
    other = changed(arm, "link-short-l", text="renamed", source="elsewhere", assumed=(), bodies=plain)
    assert stamp_of(other) == stamp_of(arm)
