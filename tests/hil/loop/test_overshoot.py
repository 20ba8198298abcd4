"""An arm that runs deeper than the body into a surface that grows harder with depth."""

import pytest

from bench.acceptance.joint_trials import Case, flown


@pytest.mark.parametrize("wT", [0.5, 1.0])
def test_a_hertz_contact_gives_back_what_it_took(wT: float) -> None:
    """Through joints it is twice as deep as the body, which must not feel that; no cap hides anything."""
    came = flown(Case(wT, 0.0, 0, law="hertz", settings=("force.energy_cap=false",)))
    assert came.fault == ""
    assert abs(came.gain) < 0.05
