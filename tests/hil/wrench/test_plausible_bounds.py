"""The bounds of a plausible wrench that ship for a real arm fit what docs/use/commissioning.md derives."""

import math

import numpy as np

from hil.configuration import Configuration

GRAVITY = 9.81
PUSH_S = 0.1  # of the push that is to be borne
RATED_KG = 7.0  # of the arm
WRIST_N_M = 38.0  # greatest torque of A6 and A7, as published


def test_a_push_that_uses_up_the_certified_motion_is_plausible(real_arm: Configuration) -> None:
    """A half-sine of 0.1 s from rest to the certified speed stays below; so does the rated load's weight."""
    c = real_arm
    peak = math.pi / 2.0 * c.object.mass * c.stops.max_speed / PUSH_S
    assert 65.0 < peak < 67.0 and peak < c.detector.plausible_force
    assert RATED_KG * GRAVITY < c.detector.plausible_force < 1.25 * RATED_KG * GRAVITY


def test_the_torque_is_that_force_at_the_far_edge_of_the_mock_up(real_arm: Configuration) -> None:
    """Its lever from the tcp: the far face, half an edge aside; the wrist can bear it."""
    c = real_arm
    far = float(c.object.position[2]) + 0.5 * c.mockup.edge
    lever = math.hypot(far, 0.5 * c.mockup.edge)
    torque = c.detector.plausible_torque
    assert np.isclose(torque, c.detector.plausible_force * lever, rtol=0.01) and torque < WRIST_N_M
