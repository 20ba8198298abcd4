"""Which failure a driver's fault names: the first; and the guard's verdict on what the limiter passes."""

from dataclasses import replace

import numpy as np
import pytest

from hil.configuration import Configuration
from planner.following.interpolator import Interpolator
from tests.hil.loop.driven import Driven


@pytest.fixture
def driven(cube: Configuration) -> Driven:
    """A driver with the default configuration."""
    return Driven(cube)


def test_the_first_failure_is_told(driven: Driven) -> None:
    """What fails while the arm brakes may be a consequence: the fault goes on to name the first."""
    driven.driver._failed(RuntimeError("the first"))
    driven.driver._failed(RuntimeError("the second"))
    assert driven.driver.fault == "driver: RuntimeError: the first"


def test_the_guards_verdict_is_a_fault(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that jumps is not sent: the arm brakes within its limits, and the fault names the violation."""
    driven.floated(120)
    step = Interpolator.step

    def jumping(self: Interpolator, *arguments, **keywords):
        command = step(self, *arguments, **keywords)
        return replace(command, q=command.q + 0.1 * (np.arange(7) == 1))

    with monkeypatch.context() as broken:
        broken.setattr(Interpolator, "step", jumping)
        driven.cycle()
    assert "A2" in driven.driver.fault
    while driven.driver.moving:
        driven.cycle()
    driven.assert_within_limits()
