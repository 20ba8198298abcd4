"""The grammar of arms: each that fits once, found by its number; the lot of them by seed."""

import itertools
import math
import random

import numpy as np
import pytest

from hil.common.errors import AssemblyError
from hil.workbench.design.grammar import Grammar, Turned, chain_of
from hil.workbench.design.lot import candidates_of
from sim.assembly.chain import Chain
from sim.assembly.database import Database
from sim.assembly.manipulator import manipulator_of
from sim.chain.kinematics import tip_pose
from tests.hil.workbench.design.planar_arms import components

NAMES = ("base", "hinge", "roll", "link-a", "link-b", "tool")
GRAVITY = np.array([0.0, 0.0, -9.81])


def arms_by_hand(joints: int, tool: bool) -> set[tuple[str, ...]]:
    """All sequences with at most one link before each joint and at the end: hinges, rolls, two links.

    Of the rolls each has a hinge between it and the next: a straight link does not part them.
    """
    gaps = [(), ("link-a",), ("link-b",)]
    found = set()
    for kinds in itertools.product(("hinge", "roll"), repeat=joints):
        if ("roll", "roll") in itertools.pairwise(kinds):
            continue
        for links in itertools.product(gaps, repeat=joints + 1):
            middle = itertools.chain.from_iterable(
                (*gap, kind) for gap, kind in zip(links[:-1], kinds, strict=True)
            )
            found.add(("base", *middle, *links[-1], *(("tool",) if tool else ())))
    return found


@pytest.mark.parametrize("tool", [False, True])
def test_the_arms_are_those_by_hand(tool: bool) -> None:
    """Each sequence once, under its number; every one is put together without complaint."""
    chosen = components(*(NAMES if tool else NAMES[:-1]))
    grammar, database = Grammar(chosen, [0.0], 1), Database(chosen)
    for joints in (1, 2, 3):
        arms = [grammar.arm(joints, number) for number in range(grammar.count(joints))]
        assert {tuple(part.component for part in arm) for arm in arms} == arms_by_hand(joints, tool)
        assert len(arms) == len(arms_by_hand(joints, tool))
    assert all(len(chain_of("arm", arm, database, GRAVITY)) == len(arm) for arm in arms)


def test_turns_are_tried_where_they_make_another_arm() -> None:
    """By hand, for two joints and no link: hinges and what follows; a roll takes up the turns beside it."""
    grammar = Grammar(components("base", "hinge", "roll", "tool"), [0.0, 90.0], 0)
    turned = {
        " ".join(f"{name}{turn:g}" for name, turn in grammar.arm(2, number))
        for number in range(grammar.count(2))
    }
    assert turned == {
        *(f"base0 hinge{a} hinge{b} tool{c}" for a in (0, 90) for b in (0, 90) for c in (0, 90)),
        *(f"base0 hinge{a} roll0 tool0" for a in (0, 90)),
        *(f"base0 roll0 hinge0 tool{c}" for c in (0, 90)),
    }


def test_a_turn_beside_a_roll_is_a_turn_of_the_roll() -> None:
    """What the grammar leaves out is the same mechanism: the turned part's pose is that of a turned joint."""
    database = Database(components("base", "hinge", "roll", "link-a", "tool"))
    q, shift = np.array([0.3, -0.7, 1.1]), np.array([0.0, math.pi / 2, 0.0])
    plain = ("base", "hinge", "roll", "link-a", "hinge", "tool")
    poses = []
    for turned in (None, 2, 3, 4):
        arm = tuple(Turned(name, 90.0 if k == turned else 0.0) for k, name in enumerate(plain))
        made = manipulator_of(chain_of("arm", arm, database, GRAVITY)).chain
        poses.append(tip_pose(made, q + (0.0 if turned else 1.0) * shift))
    for pose in poses[1:]:
        np.testing.assert_allclose(pose, poses[0], atol=1e-14)


def test_the_end_has_the_connector_that_is_asked_for() -> None:
    """With `end` a tool is not needed, and only a tip of that type ends an arm."""
    chosen = components("base", "hinge", "link-a", "tool")
    last = [Grammar(chosen, [0.0], 1, end).arm(1, 0)[-1].component for end in ("tip", "")]
    assert last == ["tool", "tool"]
    flanges = Grammar(chosen, [0.0], 1, "flange")
    assert {flanges.arm(1, k)[-1].component for k in range(flanges.count(1))} == {"hinge", "link-a"}
    assert Grammar(chosen, [0.0], 1, "welded").count(1) == 0


def test_what_does_not_fit_never_follows() -> None:
    """A misfit that the chain refuses is not in the grammar."""
    link = components("link-a")[0]
    assert link.input is not None
    wide = link.model_copy(update={"name": "wide", "input": link.input.model_copy(update={"size": 0.12})})
    chosen = (*components("base", "hinge"), wide)
    grammar = Grammar(chosen, [0.0], 1)
    assert grammar.count(1) == 1 and grammar.arm(1, 0) == (Turned("base", 0.0), Turned("hinge", 0.0))
    with pytest.raises(AssemblyError, match="do not fit"):
        Chain("arm", Database(chosen)).add("base").add("wide")


def test_the_same_seed_gives_the_same_list() -> None:
    """Other seeds give other lists; each number of joints has its share; none comes twice."""
    grammar = Grammar(components(*NAMES), [0.0, 90.0], 1)
    one, same, other = (candidates_of(grammar, range(1, 6), 300, seed) for seed in (7, 7, 8))
    assert one == same and one != other
    assert [c.number for c in one] == list(range(1, 301)) and len({c.arm for c in one}) == 300
    joints = [sum(p.component in ("hinge", "roll") for p in c.arm) for c in one]
    small = grammar.count(1)
    assert small < 60
    assert [joints.count(n) for n in range(1, 6)] == [small, *((300 - small + k) // 4 for k in range(4))]


def test_a_small_space_is_judged_whole() -> None:
    """As many candidates as arms, in the lot's order."""
    grammar = Grammar(components(*NAMES), [0.0], 1)
    found = candidates_of(grammar, range(2, 3), 10_000, 1)
    assert {tuple(p.component for p in c.arm) for c in found} == arms_by_hand(2, tool=True)
    assert len(found) == grammar.count(2)


def test_a_vast_space_is_drawn_from_evenly() -> None:
    """24 joints: far more arms than a machine's integers; the second part has its known shares."""
    grammar = Grammar(components(*NAMES), [0.0, 90.0], 1)
    assert grammar.count(24) > 2**64
    found = candidates_of(grammar, range(24, 25), 600, 3)
    starts = [c.arm[1].component for c in found]
    ways = {name: 0 for name in ("hinge", "roll", "link-a", "link-b")}
    lot = random.Random(5)
    for _ in range(4000):  # the same by another way: numbers with repetition
        ways[grammar.arm(24, lot.randrange(grammar.count(24)))[1].component] += 1
    for name, count in ways.items():
        share = count / 4000
        assert abs(starts.count(name) - 600 * share) < 5.0 * math.sqrt(600 * share), name
