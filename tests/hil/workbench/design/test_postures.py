"""Chains as a task sees them, and the way of least travel through postures."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.workbench.design.loaded_chain import loaded, turning
from hil.workbench.design.postures import shortest_ways
from hil.workbench.design.task_file import Payload
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database
from sim.assembly.manipulator import manipulator_of
from sim.chain.kinematics import tip_pose
from tests.hil.workbench.design.planar_arms import FLANGE, components
from tests.sim.chain.chains import random_chain


def test_least_travel_is_that_of_all_ways() -> None:
    """Dynamic programming against every combination of postures."""
    rng = np.random.default_rng(3)
    speeds = np.array([1.0, 2.0, 0.5])
    layers = [[rng.normal(size=3) for _ in range(count)] for count in (3, 2, 4, 3)]
    ways = shortest_ways(layers, speeds)
    assert len(ways) == 3
    for way, end in zip(ways, layers[-1], strict=True):
        combinations = [(*picked, end) for picked in itertools.product(*layers[:-1])]
        travels = [float(np.square(np.diff(c, axis=0) / speeds).sum()) for c in combinations]
        np.testing.assert_array_equal(way, np.array(combinations[int(np.argmin(travels))]))


def test_a_payload_is_a_body_more_at_the_tip() -> None:
    """Mass, centre and inertia as of an assembly whose tool weighs the same, by the assembly's own sums."""
    payload = Payload.model_validate(
        {
            "mass_kg": 2.5,
            "centre_mm": [10.0, -30.0, 60.0],
            "inertia_kg_m2": [0.02, 0.03, 0.025, 0.001, 0.0, 0.002],
        }
    )
    body = {"mass_kg": 2.5, "centre_mm": [10.0, -30.0, 60.0],
            "inertia_kg_m2": [0.02, 0.03, 0.025, 0.001, 0.0, 0.002]}  # fmt: skip
    load = ComponentFile.model_validate(
        {
            "name": "load",
            "kind": "tool",
            "source": "made up",
            "bodies": [body],
            "input": FLANGE,
            "output": FLANGE,
        }
    )
    database = Database([*components("base", "hinge", "link-b"), load])
    arm = Chain("arm", database).add("base").add("hinge").add("link-b", 40.0)
    mine = loaded(manipulator_of(arm).chain, payload)
    theirs = manipulator_of(arm.add("load")).chain
    for one, other in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-15)


def test_a_turning_tip_turns_about_its_own_axis() -> None:
    """The further joint's angle is a turn about the tip's z; the other joints move as before."""
    chain = random_chain(np.random.default_rng(5), 3)
    q = np.array([0.4, -0.2, 0.9])
    expected = tip_pose(chain, q)
    expected[:3, :3] = expected[:3, :3] @ Rotation.from_rotvec([0.0, 0.0, 0.7]).as_matrix()
    np.testing.assert_allclose(tip_pose(turning(chain), np.append(q, 0.7)), expected, atol=1e-14)
    assert turning(chain).masses.sum() == pytest.approx(chain.masses.sum())
