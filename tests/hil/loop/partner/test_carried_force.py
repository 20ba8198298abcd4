"""What a force that grows will have done, beside its integrals, and how far its slope is believed."""

from pathlib import Path

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from hil.configuration import load_configuration
from hil.configuration.grasp_rules import mass_at_bar
from hil.loop.driver.carried_force import ADVANCE, PADS, PLACE, SLOPE, CarriedForce, shares

C = load_configuration(Path("configs/two_arms.toml"))
MASSES = np.array([60.0] * 3 + [3.0] * 3)
FORCE, SLOPE_OF = np.array([1.0, -12.0, 0.3, 0.5, -2.0, 0.1]), np.array([90.0, -800.0, 0.0, 20.0, 5.0, -60.0])


def test_a_force_that_grows_is_carried_on_by_its_integrals():
    """f + f' t over T, once and twice integrated: speed, place, acceleration; as far as all of it counts."""
    carried, T = CarriedForce(C), 0.006
    more = carried.until(FORCE, SLOPE_OF, T - ADVANCE * C.fri.sample_time)
    for i in range(6):
        f = Polynomial([FORCE[i], SLOPE_OF[i]])
        assert more[2, i] == pytest.approx(f(T) / MASSES[i])
        assert more[0, i] == pytest.approx(f.integ()(T) / MASSES[i])
        assert more[1, i] == pytest.approx(f.integ(2)(T) / MASSES[i])


def test_what_is_added_to_the_place_grows_no_further_than_the_pads_bear():
    """Beyond K T^2 = PLACE M, and SLOPE M for the slope, it is what it is there."""
    carried, nothing = CarriedForce(C), np.zeros(6)
    stiffness = PADS * C.grasp.pad_stiffness / mass_at_bar(C, C.grasp)
    for T in (0.04, 0.1):
        ahead = T - ADVANCE * C.fri.sample_time
        place = carried.until(FORCE, nothing, ahead)[1]
        np.testing.assert_allclose(place, FORCE * PLACE / stiffness / 2.0 / MASSES, rtol=1e-9)
        place = carried.until(nothing, SLOPE_OF, ahead)[1]
        np.testing.assert_allclose(place, SLOPE_OF * (SLOPE / stiffness) ** 1.5 / 6.0 / MASSES, rtol=1e-9)
    assert shares(0.5 * SLOPE) == (1.0, 1.0)


def test_a_force_that_is_not_carried_on_has_its_acceleration_alone():
    """`closing` leaves speed and place to what has been given."""
    more = CarriedForce(C).now(FORCE)
    np.testing.assert_allclose(more[2], FORCE / MASSES)
    assert not more[:2].any()
