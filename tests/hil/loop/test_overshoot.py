"""An arm that runs deeper than the body into a surface that grows harder with depth."""

import pytest

from bench.acceptance.joint_trials import Case, flown


@pytest.mark.parametrize("wT", [0.5, 1.0])
def test_a_hertz_contact_gives_back_what_it_took(wT: float) -> None:
    """Through joints it is twice as deep as the body: fitted there, the contact gave 6 % more speed."""
    came = flown(Case(wT, 0.0, 0, law="hertz"))
    assert came.fault == ""
    assert came.error < 0.03
