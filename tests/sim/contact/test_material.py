"""The law of two materials that touch."""

import numpy as np
import pytest

from bench.contact_scenes import restitution_material, spring_material
from hil.common.errors import SimulationError
from sim.contact.contact_laws import COEFFICIENT, DAMPING, RATE, RATIOS, STIFFNESS
from sim.contact.interface_schema import Material
from sim.contact.material import pair_law
from sim.contact.restitution import damping_ratios, spring_rate


def test_springs_in_series() -> None:
    """Two springs in series, and two dampers; friction is the geometric mean."""
    law = pair_law(spring_material(3e5, 100.0, 0.2), spring_material(6e5, 300.0, 0.8))
    assert law[STIFFNESS] == pytest.approx(2e5)
    assert law[DAMPING] == pytest.approx(75.0)
    assert law[COEFFICIENT] == pytest.approx(0.4)
    assert law[RATE] == 0.0


def test_the_less_elastic_and_the_softer_decide() -> None:
    """Restitution is the smaller one, contact time the longer one, in either order."""
    first, second = restitution_material(0.8, 0.01), restitution_material(0.3, 0.002)
    for law in (pair_law(first, second), pair_law(second, first)):
        assert law[RATE] == pytest.approx(spring_rate(0.3, 0.01))
        np.testing.assert_array_equal(law[RATIOS:], damping_ratios(0.3))
        assert law[STIFFNESS] == law[DAMPING] == 0.0


def test_one_of_each_kind_is_refused() -> None:
    """There is no rule for a pair of both kinds."""
    with pytest.raises(SimulationError, match="must be given the same way"):
        pair_law(restitution_material(0.5, 0.02), spring_material(1e5, 10.0))


@pytest.mark.parametrize(
    "keys",
    [
        {"restitution": 0.5, "contact_time_ms": 20.0, "stiffness_n_per_m": 1e5, "damping_n_s_per_m": 1.0},
        {"restitution": 0.5, "stiffness_n_per_m": 1e5},
        {"restitution": 0.5},
        {},
    ],
)
def test_both_or_halves_are_refused(keys: dict[str, float]) -> None:
    """A material that says too much or too little is no material."""
    material = Material.model_validate({"friction": 0.3, **keys})
    with pytest.raises(SimulationError, match="either restitution and contact_time, or stiffness"):
        pair_law(material, material)
