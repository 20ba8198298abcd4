"""A soak with the scenarios of a test, and no others."""

from collections.abc import Callable

import numpy as np
import pytest

from hil.trials.soak.faults import Fault
from hil.trials.soak.hand import SoakHand


def only(
    monkeypatch: pytest.MonkeyPatch, scenario: Callable[[np.random.Generator, int, float], list[Fault]]
) -> None:
    """Let scenarios be drawn by `scenario`; no hand brings the arm home between them."""
    monkeypatch.setattr(
        "hil.trials.soak.loop.scenario",
        lambda rng, cycle, sample_time, kinds: scenario(rng, cycle, sample_time),
    )
    monkeypatch.setattr(SoakHand, "takes_hold", lambda *_: False)
