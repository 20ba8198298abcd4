"""The automated campaign: shifts, outcomes and files, against what a peg must do at each place."""

import csv
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.trials.validation.campaign import FACE, FREE, INSERTED, Trial, shifts, trials, write_trials
from hil.trials.validation.campaign_picture import campaign_picture
from hil.trials.validation.schema import Campaign
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate
from tests.hil.trials.validation.setups import rim, slide


def done(setup: Setup) -> list[Trial]:
    return list(trials(setup, 2, lambda commands, shift: simulate(setup, setup.parameters, commands, shift)))


def test_the_grid_of_shifts() -> None:
    """Every combination once, from minus to plus the reach, none where there is one point only."""
    campaign = Campaign.model_validate({"moves": 1, "reach_mm": [10, 6, 5], "points": [3, 2, 1]})
    expected = [[x, y, 0.0] for x in (-0.01, 0.0, 0.01) for y in (-0.006, 0.006)]
    np.testing.assert_allclose(shifts(campaign), expected, atol=1e-15)


def test_outcomes_are_those_of_the_place() -> None:
    """Beside the hole the peg stops at the face, near its axis it goes in, with the hole away it is free."""
    setup = rim("campaign.reach_mm=[40, 0, 0]", "campaign.points=[3, 1, 1]")
    left, middle, right = done(setup)
    assert (left.x_mm, middle.x_mm, right.x_mm) == (-40.0, 0.0, 40.0)
    assert left.outcome == right.outcome == FACE and middle.outcome == INSERTED
    e = setup.experiment
    # force on the face over its stiffness is the depth there; the tip tilts by less than a tenth of a mm
    assert left.depth_mm == pytest.approx(1e3 * left.max_force_n / e.contact.stiffness, abs=0.15)
    assert middle.depth_mm > 1e3 * e.peg.radius
    assert middle.max_force_n < left.max_force_n
    low = rim("campaign.reach_mm=[0, 0, 60]", "campaign.points=[1, 1, 2]", "plate.hole=[]")
    assert done(low)[0].outcome == FREE


def test_a_higher_table_is_pressed_harder() -> None:
    """The force grows with the way that the target lies below the table, in proportion."""
    found = done(slide("campaign.reach_mm=[0, 0, 10]", "campaign.points=[1, 1, 3]"))
    forces = np.array([trial.max_force_n for trial in found])
    np.testing.assert_allclose(forces / forces[1], [0.8, 1.0, 1.2], atol=0.05)


def test_table_and_picture(tmp_path: Path) -> None:
    """The table has a row a trial; a map and a curve are both drawn."""
    values = {"depth_mm": 1.0, "max_force_n": 2.0, "max_torque_n_m": 3.0}
    flat = [
        Trial(x, y, 0.0, FACE, **values, max_deviation_rad=0.1, contact_s=1.0)
        for x in (-1.0, 1.0)
        for y in (-1.0, 1.0)
    ]
    write_trials(tmp_path / "trials.csv", flat)
    with (tmp_path / "trials.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 and rows[1]["y_mm"] == "1.0" and rows[0]["outcome"] == FACE
    for found in (flat, flat[:2]):
        assert campaign_picture(found).startswith(b"\x89PNG")


def test_an_experiment_without_campaign_is_told() -> None:
    """The table is named."""
    setup = Setup.load("table-slide")
    e = setup.experiment.model_copy(update={"campaign": None})
    with pytest.raises(ConfigurationError, match=r"no table \[campaign\]"):
        list(trials(Setup("mine", e, setup.arm), 1, lambda commands, shift: None))  # type: ignore[arg-type]
