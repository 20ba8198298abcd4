"""A touch while object time still gains its pace: what is shown slowly comes back as fast as it came, too."""

import numpy as np
import pytest

from hil.force.contact_loop import ContactLoop
from hil.force.setup import ContactSetup, DriveModel
from hil.loop.lockstep import LockStep
from tests.hil.loop.touched import Flown

SPEED, STIFFNESS, MASS = 0.06, 2e4, 60.0  # [m/s], [N/m], [kg]
FACE = 940.0  # [mm] of the mock-up towards the port, at the start


@pytest.mark.parametrize("gap_mm", [3.0, 4.0, 6.0])
@pytest.mark.parametrize(("ratio", "back"), [(0.0, 1.0), (0.09, 0.76)])
def test_a_touch_in_the_first_moment_gives_back_what_it_took(
    gap_mm: float, ratio: float, back: float
) -> None:
    """Without damping all of it, whatever the pace at the touch; once a tenth or a half was left of it.

    A real damper feels the speed that is shown, so at a slower pace it takes less, never more; nothing is
    ever given.
    """
    damping = 2.0 * ratio * np.sqrt(STIFFNESS * MASS)
    flight = Flown(
        1.2,
        f"object.initial_velocity_mm_s=[{1e3 * SPEED},0,0]",
        f"port.point_mm=[{FACE + gap_mm},0,150]",
        f"port.damping_n_s_per_m={damping}",
    )
    assert flight.fault == "" and len(flight.ended) == 1
    assert back - 0.02 < -flight.v[0] / SPEED < 1.005
    assert all(told.energy_after < 1.006 * told.energy_before for told in flight.contacts)
    if ratio == 0.0:
        assert -flight.v[0] / SPEED > 0.99


def test_a_plan_of_an_absurd_pace_makes_no_light_body() -> None:
    """A plan whose object time runs a thousand times too fast: the body stays as heavy as it is."""

    def hurry(t: float, loop: LockStep) -> None:
        reference = loop._driver._interpolator._reference
        touching = loop._driver.touching
        assert touching is not None
        seen.append(touching._loop.pace)
        if t > 0.5 and reference is not None:
            reference.pace = lambda _: 1e3  # type: ignore[method-assign, assignment]

    seen: list[float] = []
    flight = Flown(1.0, order=hurry)
    assert max(seen) == 1.0 and flight.fault == ""


def test_a_slower_pace_is_a_heavier_body() -> None:
    """A force f on a body shown p times as fast gives it p^2 f dt / M, and its turn likewise."""
    inertia = np.diag([1.0, 2.0, 3.0])
    setup = ContactSetup(0.002, MASS, inertia, 0.0, DriveModel(0.0, 0.0), gate=1.0)
    pace, wrench = 0.4, np.array([3.0, 0.0, 0.0, 0.0, 0.3, 0.0])
    loop = ContactLoop(setup)
    loop.repace(pace)
    loop.begin(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(6))
    state = loop.step(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), True, wrench)
    expected = pace**2 * setup.step * wrench / np.array([MASS] * 3 + [1.0, 2.0, 3.0])
    np.testing.assert_allclose(state.twist, expected, rtol=1e-6, atol=1e-12)
