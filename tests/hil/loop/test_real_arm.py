"""A real arm moves only on a checked configuration: what lacks, what is set aside, and who is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hil.common.errors import ConfigurationError, OperatorError
from hil.configuration import Configuration
from hil.configuration.loading import configuration_from, table_of, text_of
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.real_arm import CHECKED, FORGETS, PASSED, RealArm, lacks, overrides
from hil.loop.judging.state_machine import State
from tests.hil.robot_states import standing

WHY = "looked at by two of us on the stand"
REAL = Path(__file__).resolve().parents[3] / "configs" / "lwr_fri.toml"


def changed(change: Callable[[dict[str, Any]], object]) -> Configuration:
    """The real arm's configuration with a change of its table."""
    data = table_of(text_of(REAL), REAL)
    change(data)
    return configuration_from(data, REAL)


def without_sign(data: dict[str, Any]) -> None:
    del data["fri"]["wrench_sign"]


def without_frame(data: dict[str, Any]) -> None:
    del data["fri"]["wrench_frame"]


def moved(data: dict[str, Any]) -> None:
    data["stops"]["centre_mm"][0] += 1.0


def unbounded(data: dict[str, Any]) -> None:
    data["stops"]["enabled"] = False


def badly_loaded(data: dict[str, Any]) -> None:
    data["mockup"]["uncompensated"] = 0.25  # of 5 kg, beside 60 kg: 0.0208


LACKING = [
    (unbounded, "stops", "stops.enabled = false"),
    (moved, "certificate", "not certified"),
    (badly_loaded, "force_path", "0.021 is above 0.02"),
    (without_sign, "wrench_reading", "fri.wrench_sign not written down"),
    (without_frame, "wrench_reading", "fri.wrench_frame not written down"),
]


def test_a_checked_configuration_lacks_nothing(real_arm: Configuration) -> None:
    """The shipped one lacks the check of the wrench alone, which no file can have."""
    assert lacks(real_arm, wrench_checked=True) == ()
    assert [lack.key for lack in lacks(real_arm, wrench_checked=False)] == ["wrench_check"]


@pytest.mark.parametrize(("change", "key", "words"), LACKING)
def test_each_lack_is_named_with_a_remedy(change: Callable[..., object], key: str, words: str) -> None:
    """One thing is lacking: one is named, and one only; every sentence has a remedy in brackets."""
    (lack,) = lacks(changed(change), wrench_checked=True)
    assert (lack.key, lack.reason) == (key, "") and words in lack.what
    assert lack.what.endswith(")")


def test_just_within_the_force_paths_bound_nothing_lacks() -> None:
    """A share of 0.24 of 5 kg, beside 60 kg, is a ratio of 0.02."""
    c = changed(lambda data: data["mockup"].update(uncompensated=0.2399))
    assert lacks(c, wrench_checked=True) == ()


def test_all_that_lacks_is_told_at_once() -> None:
    """Nobody mends one thing to learn of the next."""

    def all_of_it(data: dict[str, Any]) -> None:
        for change in (moved, badly_loaded, without_sign, without_frame):
            change(data)

    refusal = RealArm(changed(all_of_it)).refusal
    for words in (
        "not certified",
        "0.021",
        "fri.wrench_frame and fri.wrench_sign not written",
        "check-wrench",
    ):
        assert words in refusal


def test_an_emulated_arm_needs_nothing(cube: Configuration) -> None:
    """Whatever lacks, it may move."""
    c = cube.model_copy(update={"stops": cube.stops.model_copy(update={"enabled": False})})
    assert lacks(c, wrench_checked=False) == () and RealArm(c).refusal == "" and overrides(c) == []


@pytest.mark.parametrize(("change", "key", "words"), LACKING)
def test_what_is_set_aside_no_longer_bars_but_shows(
    change: Callable[..., object], key: str, words: str
) -> None:
    """With its reason it stands in the status; another key's reason does not help."""

    def aside(which: str) -> Configuration:
        def both(data: dict[str, Any]) -> None:
            change(data)
            data["fri"]["override"] = {which: WHY}

        return changed(both)

    arm = RealArm(aside(key))
    arm.heard(True)
    assert arm.refusal == "" and arm.status() == {"lacking": [], "overridden": [f"{key} ({WHY})"]}
    assert overrides(aside(key)) == [f"fri.override.{key}: {WHY}"]
    other = RealArm(aside("wrench_check"))
    other.heard(True)
    assert words in other.refusal and other.status()["overridden"] == []


@pytest.mark.parametrize("reason", ["", "  ", "later", "         x"])
def test_a_reason_must_say_something(reason: str) -> None:
    """An empty word, or a short one, is refused at loading."""
    with pytest.raises(ConfigurationError, match=r"fri\.override\.stops = .* must say why"):
        changed(lambda data: data["fri"].update(override={"stops": reason}))


def test_the_judge_refuses_a_real_arm_that_is_not_checked(real_arm: Configuration) -> None:
    """From READY, with a motion or without; told of a checked wrench it floats, and on from HOLDING."""
    judge = Judge(real_arm)
    judge.step(0, Evidence(robot=standing(real_arm.robot.start)))
    for argument in ("", json.dumps([0.0] * 6)):
        with pytest.raises(OperatorError, match="float is refused: a real arm moves only on a checked"):
            judge.order("float", argument)
    status = judge.status()
    assert "check-wrench" in status["float_refused"] and status["float_refused"] == status["motion_refused"]
    assert judge.machine.state is State.READY and judge.machine.epoch == 0
    judge.order(CHECKED, PASSED)
    assert judge.status()["float_refused"] == "" and judge.status()["lacking"] == []
    assert judge.order("float").state is State.FLOATING
    judge.order("hold")
    assert judge.order("float").state is State.FLOATING


def test_an_unchecked_arm_outside_its_stops_is_told_both(real_arm: Configuration) -> None:
    """Where the object is held, and what lacks: in the refusal and in the status."""
    judge = Judge(real_arm)
    judge.step(0, Evidence(robot=standing(real_arm.robot.start + 0.3)))
    with pytest.raises(OperatorError, match=r"held outside the stops.*check-wrench"):
        judge.order("float")
    for key in ("float_refused", "motion_refused"):
        assert "outside the stops" in judge.status()[key] and "check-wrench" in judge.status()[key]


def test_a_check_that_fails_bars_again(real_arm: Configuration) -> None:
    """The newest check counts, and another configuration begins without one."""
    judge = Judge(real_arm)
    judge.step(0, Evidence(robot=standing(real_arm.robot.start)))
    judge.order(CHECKED, PASSED)
    judge.order(CHECKED)
    with pytest.raises(OperatorError, match="check-wrench"):
        judge.order("float")
    judge.order(CHECKED, PASSED)
    judge.configured(real_arm)
    with pytest.raises(OperatorError, match="check-wrench"):
        judge.order("float")


def test_floating_on_a_check_is_judged_alike_again(real_arm: Configuration) -> None:
    """What was noted of the turn in which it floated is enough for another judge to float as well."""
    judge, again = Judge(real_arm), Judge(real_arm)
    seen = Evidence(robot=standing(real_arm.robot.start))
    judge.step(0, seen)
    judge.order(CHECKED, PASSED)
    judge.taken()  # what was noted before is not known to who begins to listen now
    judge.order("float")
    again.step(0, seen)
    for verb, argument in json.loads(judge.taken()):
        if verb != "held":
            again.order(verb, argument)
    assert again.machine.state is State.FLOATING


def test_an_arm_whose_state_may_be_lost_does_not_float(real_arm: Configuration, cube: Configuration) -> None:
    """What was checked and how the last run ended must be known the next time; nobody can set that aside."""
    for c, refused in ((real_arm, True), (cube, False)):
        judge = Judge(c)
        judge.order(CHECKED, PASSED)
        judge.order(FORGETS, "this account has no home")
        assert ("run.state_directory (this account has no home)" in judge.real_arm.refusal) == refused
        assert bool(judge.status()["lacking"]) == refused
        judge.order(FORGETS, "")
        assert judge.real_arm.refusal == ""
