"""Restitution: ideal by integrating the contact, uncompensated by the sampled loop."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.restitution import ideal_restitution, late_restitution


@pytest.mark.parametrize("z", [0.0, 0.1, 0.5, 0.99, 1.0, 1.7])
def test_the_ideal_contact_integrated(z: float) -> None:
    """A unit mass at unit speed leaves spring and damper, when they would begin to pull, at this speed."""

    def pulls(t: float, y: np.ndarray) -> float:
        return 1.0 if t < 1e-3 else y[0] + 2.0 * z * y[1]

    pulls.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(
        lambda _, y: [y[1], -y[0] - 2.0 * z * y[1]],
        (0.0, 20.0),
        [0.0, 1.0],
        events=pulls,
        rtol=1e-10,
        atol=1e-12,
    )
    assert ideal_restitution(z) == pytest.approx(-found.y[1, -1], abs=1e-8)


@pytest.mark.parametrize("port_mass", [math.inf, 150.0, 25.0])
@pytest.mark.parametrize("lag", [0.0, 0.01])
def test_without_compensation_the_formula_is_within_its_tenth(port_mass: float, lag: float) -> None:
    """To w T = 1 and z = 0.5 it is within 10 % of the loop; without delay it is the ideal."""
    loop = LoopDelay(5e-4, 0.013 - lag - 2.5e-4, lag)
    contacts = [
        Contact.of_ratio(60.0, wT / loop.total, z, port_mass)
        for wT in (0.1, 0.4, 0.7, 1.0)
        for z in (0.0, 0.15, 0.3, 0.5)
    ]
    found = bounces(contacts, [loop] * len(contacts), [0.0] * len(contacts)).restitution
    told = np.array([late_restitution(contact, loop) for contact in contacts])
    np.testing.assert_allclose(told, found, rtol=0.1)
    slow = Contact.of_ratio(60.0, 1e-6, 0.3, port_mass)
    assert late_restitution(slow, loop) == pytest.approx(ideal_restitution(0.3), rel=1e-6)
