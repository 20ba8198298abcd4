"""A base in the soak: faults of its own, arm and vehicle within their bounds whatever comes, and findings."""

from pathlib import Path

import numpy as np
import pytest

from drivers.base.command import BaseCommand
from hil.common.arrays import Array
from hil.trials.soak import loop
from hil.trials.soak.campaign import configured
from hil.trials.soak.faults import BASE_KINDS, KINDS, kinds_of
from hil.trials.soak.ledger import Ledger
from hil.trials.soak.loop import SoakLoop
from planner.kinematics.arm_model import load_arm_model

PLATFORM = Path(__file__).resolve().parents[4] / "configs" / "platform.toml"


def soaked(monkeypatch: pytest.MonkeyPatch, cycles: int) -> Ledger:
    """What comes of faults of the base alone."""
    monkeypatch.setattr(loop, "kinds_of", lambda c: BASE_KINDS)
    c, ledger = configured(PLATFORM, []), Ledger()
    model = load_arm_model(c.robot.model)
    while ledger.cycles < cycles:
        SoakLoop(c, model, 7, ledger).run(cycles - ledger.cycles)
    return ledger


def test_faults_of_a_base_are_drawn_where_there_is_one() -> None:
    """Beside all others; an arm that stands has none of them."""
    carried, fixed = configured(PLATFORM, []), configured(PLATFORM.parent / "cube.toml", [])
    assert set(kinds_of(carried)) == set(KINDS) | set(BASE_KINDS)
    assert not set(kinds_of(fixed)) & set(BASE_KINDS)


def test_faults_of_a_base_break_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Link, poses, wheels and plans of a base, in overlap: no violation of arm or vehicle, all settles."""
    ledger = soaked(monkeypatch, 8000)
    assert (ledger.violations, ledger.unsettled, ledger.died) == (0, 0, 0), ledger.findings
    assert ledger.scenarios > 4 and ledger.commands > 4000 and ledger.states["HOLDING"] > 2


def test_a_vehicle_that_is_told_to_jump_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that change at once are violations, with seed and cycle."""

    def at_once(self: BaseCommand, change: Array, dt: float) -> Array:
        return np.array(change)

    monkeypatch.setattr(BaseCommand, "_changed", at_once)
    ledger = soaked(monkeypatch, 3000)
    assert ledger.violations > 0 and "the vehicle is told" in ledger.findings[0]
