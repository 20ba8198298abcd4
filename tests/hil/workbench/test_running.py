"""The simulation as pages drive it, without a page: inputs that go, limits that act, noise refused."""

import math
from typing import Any

import numpy as np
import pytest

from hil.common.errors import SourceLost, ZeroGError
from hil.workbench.driving.pace import Pace
from hil.workbench.editor import empty_editor
from hil.workbench.edits import Refusal
from hil.workbench.page import running
from hil.workbench.page.jog import SILENT_S
from hil.workbench.page.running import Running, _answer
from hil.workbench.page.terms import Choice, Input, Setting, Terms
from hil.workbench.page.theatre import ASKED, understood
from tests.hil.workbench.toy_parts import toy_database

BOOM = empty_editor(toy_database()).chain.add("base").add("pitch").add("link").add("slide")
AHEAD = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


@pytest.fixture
def boom() -> Running:
    """A boom of a hinge and a slide, bent so that the tip moves both ways."""
    return Running(BOOM, Terms(q=(0.6, 0.1)))


def steps(run: Running, count: int, axes: list[float] | None = None) -> None:
    """Go on, a page's hand at work all the while if axes are given."""
    for _ in range(count):
        if axes is not None:
            run.jog(axes)
        run.step()


def pace() -> Pace:
    return Pace(0.004, False, lambda: 0, lambda s: None)


def test_a_pages_hand_moves_the_tip_at_the_limits_and_lets_go(boom: Running) -> None:
    """Full deflection is the speed that is allowed, a changed one at once; silence is rest."""
    said = boom.set_parameter("tip_limits.speed_m_s", 0.05)
    assert said == "tip_limits.speed_m_s = 0.05"
    steps(boom, 60, AHEAD)
    assert boom.session.follower.twist[0] == pytest.approx(0.05)
    boom.set_parameter("tip_limits.speed_m_s", 0.1)
    steps(boom, 60, [0.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert boom.session.follower.twist[0] == pytest.approx(0.05), "half of what is allowed now"
    steps(boom, math.ceil((SILENT_S + 0.1 + 0.05) / 0.004))
    assert not boom.session.follower.twist.any()


def test_an_input_that_is_pulled_out_leaves_the_page_its_hand(
    boom: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told once; the page is the input again, and its hand moves the tip."""

    class Mouse:
        def twist(self, t: float) -> Any:
            if boom.session.t > 0.1:
                raise SourceLost("the mouse is pulled out")
            return np.array([0.0, 0.0, 0.02, 0.0, 0.0, 0.0])

    monkeypatch.setattr(running, "source_of", lambda *_: Mouse())
    assert boom.listen("spacemouse") == "the tip follows: spacemouse"
    steps(boom, 5)
    assert boom.facts()["input"] == "spacemouse" and boom.drain(pace())["input"] == "spacemouse"
    steps(boom, 40)
    told = boom.drain(pace())
    assert [text for text in told["events"] if "pulled out" in text] == told["events"][:1]
    assert told["input"] == boom.facts()["input"] == "page"
    assert boom.drain(pace())["events"] == [], "nothing is told twice"
    steps(boom, 40, AHEAD)
    assert boom.session.follower.twist[0] > 0.1


def test_an_input_that_is_not_there_changes_nothing(boom: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """No space mouse, no such path, no file of this machine: the page keeps its hand."""
    for name in ("spiral", "/etc/hosts.csv", "keyboard", "tour"):
        with pytest.raises(ZeroGError, match="the tip cannot follow"):
            boom.listen(name)

    def none(*_: object) -> None:
        raise SourceLost("space mouse: none can be opened")

    monkeypatch.setattr(running, "source_of", none)
    with pytest.raises(SourceLost):
        boom.listen("spacemouse")
    assert boom.facts()["input"] == "page"
    steps(boom, 40, AHEAD)
    assert boom.session.follower.twist[0] > 0.1


def test_a_path_that_is_chosen_late_begins_then(boom: Running) -> None:
    """It goes as one that is chosen at once, however old the simulation is."""
    at_once = Running(BOOM, Terms(q=(0.6, 0.1)))
    steps(boom, 250)
    assert boom.session.t == pytest.approx(1.0) and boom.session.source_t == pytest.approx(1.0)
    for run in (boom, at_once):
        run.listen("circle")
        assert run.session.source_t == 0.0
        steps(run, 200)
    np.testing.assert_allclose(boom.session.follower.T, at_once.session.follower.T, atol=1e-6)
    assert (
        abs(at_once.session.follower.T - Running(BOOM, Terms(q=(0.6, 0.1))).session.follower.T).max() > 1e-3
    )


NOISE: list[tuple[str, tuple[Any, ...]]] = [
    ("jog", ({},)), ("jog", ([10**400] * 6,)), ("jog", (["a"] * 6,)), ("jog", ([1.0],)),
    ("listen", ("spiral",)), ("set_parameter", ("tip_limits.speed_m_s", math.nan)),
    ("set_parameter", ("tip_limits.speed_m_s", -1.0)), ("set_parameter", ("speed", 1.0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), NOISE, ids=[f"{n} {a}"[:40] for n, a in NOISE])
def test_what_cannot_be_done_is_answered(boom: Running, name: str, arguments: tuple[Any, ...]) -> None:
    """In a line; the simulation goes on, and as before."""
    before = boom.facts()
    done, said = _answer(boom, pace(), name, arguments)
    assert not done and isinstance(said, str) and "\n" not in said
    assert boom.facts() == before
    boom.step()
    assert not boom.session.follower.twist.any()


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("input", {}), ("input", {"name": 5}), ("set", {"name": ["a"], "value": 1.0}), ("set", {"name": "a"}),
    ("set", {"name": "a", "value": "fast"}), ("set", {"name": "a", "value": None}),
    ("choose", {"names": 5}), ("choose", {"names": [[]]}), ("choose", {"names": ["a"], "also": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("deed", "more"), WRONG, ids=[f"{deed} {more}" for deed, more in WRONG])
def test_deeds_that_are_none_never_come_to_the_simulation(deed: str, more: dict[str, Any]) -> None:
    """Refused where they come in, in a line."""
    with pytest.raises(Refusal) as caught:
        understood(ASKED[deed][1], {"do": deed, **more})
    assert caught.value.spot == "simulate" and "\n" not in str(caught.value)


def test_deeds_come_as_the_simulation_takes_them() -> None:
    """Values in the order of its arguments."""
    assert understood(Input, {"do": "input", "name": "circle"}).name == "circle"
    assert [value for _, value in understood(Setting, {"do": "set", "value": 2, "name": "a"})] == ["a", 2.0]
    assert understood(Choice, {"do": "choose", "names": ["b", "a"]}).names == ("b", "a")


def test_terms_are_those_of_the_arm() -> None:
    """It begins where it is said; a base that floats is without weight; a fixed one carries it."""
    free, heavy = Running(BOOM, Terms(q=(0.3, 0.05), free=True)), Running(BOOM, Terms(q=(0.3, 0.05)))
    light = Running(BOOM, Terms(q=(0.3, 0.05), weightless=True))
    for run in (free, heavy, light):
        np.testing.assert_allclose(run.session.arm.q, [0.3, 0.05])
        steps(run, 50)
    assert free.session.arm.floats and not heavy.session.arm.floats
    assert abs(free.session.arm.torque[0]) < 1e-6 and abs(light.session.arm.torque[0]) < 1e-6
    np.testing.assert_allclose(free.session.arm.T_world_base, np.eye(4), atol=1e-6)  # it does not fall
    assert not light.session.arm.floats
    # behind the hinge: 1 kg at 25 mm, 2 kg at 100 mm, the slide's two at 150 and 200 mm; it leans by 0.3 rad
    weight = 9.81 * math.sin(0.3) * (0.025 + 2.0 * 0.1 + 0.15 + 0.2)
    assert abs(heavy.session.arm.torque[0]) == pytest.approx(weight, rel=0.02)


def test_what_pages_see_is_how_the_arm_stands(boom: Running) -> None:
    """Its bodies and the commanded tip in the world, torques, and lateness in milliseconds."""
    steps(boom, 30, AHEAD)
    late = pace()
    late.late_s, late.worst_s, late.missed = 0.002, 0.005, 3
    told = boom.drain(late)
    assert len(told["poses"]) == 3 and told["t"] == pytest.approx(0.12)
    np.testing.assert_allclose(np.reshape(told["tip"], (4, 4)), boom.session.arm.T_base_tip, atol=1e-12)
    np.testing.assert_allclose(np.reshape(told["goal"], (4, 4)), boom.session.follower.T, atol=1e-12)
    assert (told["late_ms"], told["worst_ms"], told["missed"]) == (2.0, 5.0, 3)
    assert told["names"] == ["tip.error_m", "joint_1.torque_n_m", "joint_2.force_n"]
    boom.choose(["time_s", "nothing"])
    steps(boom, 10)
    told = boom.drain(late)
    assert told["names"] == ["time_s"] and all(row == [row[0], row[0]] for row in told["samples"])
