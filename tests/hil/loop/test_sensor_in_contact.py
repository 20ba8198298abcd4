"""A force sensor that fails while real contact acts: the arm brakes within its limits, no force goes on."""

from dataclasses import replace

import numpy as np
import pytest

from bench.acceptance.joint_trials import SENSOR
from drivers.emulation.disturbances import CALM
from hil.loop.lockstep import LockStep
from tests.hil.loop.touched import MASS, SPEED, TOUCHED, Flown


@pytest.mark.parametrize(
    ("wrench", "words"),
    [
        ("silent", "has sent nothing"),
        ("idle", "measured nothing new"),
        ("nan", "no data on the serial link"),
        ("saturated", "transducer saturated"),
        ("restarted", "its clock is being learned"),
    ],
)
def test_a_sensor_that_is_lost_in_contact_brakes_the_arm(wrench: str, words: str) -> None:
    """In words, along limits; the contact is told as ended, and gives nothing from then on."""
    failed: list[float] = []

    def fail(t: float, loop: LockStep) -> None:
        if t >= TOUCHED and not failed:
            failed.append(t)
            assert loop._sample is not None
            loop.ask(replace(CALM, t_ns=loop._sample.t_ns, duration=1.0, wrench=wrench))

    flight = Flown(1.9, *SENSOR, order=fail)
    assert failed and words in flight.fault and flight.at_rest
    assert flight.contacts[-1].ended and len(flight.ended) == 1
    newest = {(told.impulse_id, told.slice_index): told.impulse_object[:3] for told in flight.slices}
    assert 0.1 < np.linalg.norm(sum(newest.values())) / (MASS * SPEED) < 1.5
