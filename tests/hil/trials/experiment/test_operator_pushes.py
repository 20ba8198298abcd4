"""When a person is told to push: not before the loop can feel it."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from hil.configuration import load_configuration
from hil.trials.experiment import operator_pushes
from hil.trials.experiment.operator_pushes import wait_for_pushes
from hil.trials.experiment.plan import OperatorPushes
from tests.hil.trials.experiment.plans import CUBE

WANTED = {"pushes": 1, "within_s": 5.0, "after_s": 0.5, "say": "from the left"}


def run_of(rates: list[float], pushes_from: int) -> SimpleNamespace:
    """A run whose status walks through the rates of object time; a push is counted from one look on."""
    looks = iter(range(10**6))

    def status() -> dict[str, object]:
        look = next(looks)
        rate = rates[min(look, len(rates) - 1)]
        return {"state": "FLOATING", "rate": rate, "pushes": int(look >= pushes_from), "reason": ""}

    return SimpleNamespace(
        configuration=load_configuration(CUBE),
        directory=Path("bus"),
        check=lambda: None,
        bus=SimpleNamespace(status=status),
    )


@pytest.mark.parametrize(("rates", "waits"), [([0.0, 0.02, 0.6, 1.0], 3), ([1.0], 0)])
def test_a_person_is_asked_once_object_time_runs(
    rates: list[float], waits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is felt while the arm sets off is no push: nobody is told to push then."""
    monkeypatch.setattr(operator_pushes, "POLL_S", 0.001)
    told: list[tuple[str, str]] = []
    wanted = OperatorPushes.model_validate(WANTED)
    run = run_of(rates, pushes_from=len(rates) + 1)
    assert (
        wait_for_pushes(
            run,  # type: ignore[arg-type]
            wanted,
            lambda text: told.append(("doing", text)),
            lambda text: told.append(("say", text)),
        )
        is None
    )
    asked = next(k for k, (_, text) in enumerate(told) if "from the left" in text)
    assert sum(text == "object time comes up to its pace" for _, text in told[:asked]) == waits
    assert all("comes up" not in text for _, text in told[asked:])


def test_an_arm_that_cannot_follow_does_not_keep_a_person_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Object time that stays slow is no reason never to ask."""
    monkeypatch.setattr(operator_pushes, "POLL_S", 0.001)
    monkeypatch.setattr(operator_pushes, "UP_WITHIN_S", 0.02)
    said: list[str] = []
    wanted = OperatorPushes.model_validate(WANTED)
    run = run_of([0.4], pushes_from=40)
    wait_for_pushes(run, wanted, lambda _: None, said.append)  # type: ignore[arg-type]
    assert said[-1] == "push 1 of 1: detected"
