"""The jamming diagram by the contact solver, against the statics of peg and hole."""

import numpy as np
import pytest

from hil.common.errors import InsertionError
from sim.insertion.jamming import jamming_diagram


@pytest.mark.parametrize(("mu", "slenderness"), [(0.1, 12.0), (0.3, 2.0), (0.5, 0.4)])
def test_the_boundary_is_the_published_parallelogram(mu: float, slenderness: float) -> None:
    """Both slanted lines and both upright ones to 1e-9, corner to corner (Simunovic, Whitney)."""
    made = jamming_diagram(mu, slenderness, 7)
    for k, side in enumerate((-1.0, 1.0)):
        X, Y = made.loads[k].T
        assert Y + mu * (1.0 + slenderness) * X == pytest.approx(np.full(7, side * slenderness), abs=1e-9)
        assert made.loads[2 + k][:, 0] == pytest.approx(np.full(7, side / mu), abs=1e-9)
    ends = sorted(made.loads[3][[0, -1], 1].tolist())
    assert ends == pytest.approx([-2.0 * slenderness - 1.0, -1.0], abs=1e-4)
    assert made.wedges is (slenderness < 1.0)


def test_outline_goes_round_once() -> None:
    """Its area is that of the parallelogram."""
    mu, lam = 0.3, 2.0
    x, y = jamming_diagram(mu, lam, 5).outline.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area == pytest.approx(2.0 / mu * 2.0 * lam, rel=1e-4)


def test_no_friction_no_diagram() -> None:
    """Refused in one line."""
    with pytest.raises(InsertionError, match="mu = 0"):
        jamming_diagram(0.0, 2.0)
