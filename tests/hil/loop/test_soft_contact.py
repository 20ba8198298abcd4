"""A port so soft that its force comes slowly, with an arm that is still in it when the body is out."""

import pytest

from bench.acceptance.joint_trials import Case, flown

SPEED, INTERFACE = 0.06, 0.25  # [m/s], [s]: 217 N/m, 7 N at most, gate 2 N


@pytest.mark.parametrize("seed", [0, 15])
def test_it_gives_back_what_it_took(seed: int) -> None:
    """Once a fit that saw no spring yet ended it, once its last newton was taken for bias."""
    came = flown(Case(0.5, 0.0, seed, SPEED, INTERFACE))
    assert came.fault == ""
    assert came.error < 0.05
