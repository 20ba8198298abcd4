"""The gap between pads and bar as the run knows it, beside what the emulated pads find."""

import numpy as np
import pytest

from drivers.emulation.grasp.pads import press_into, untouched
from hil.common.poses import pose_moved
from hil.loop.grasp.gap import BarGap
from tests.drivers.emulation.grasp.test_pads import GRASP, LAW, T_OBJECT, tool


def test_it_is_what_the_pads_find():
    """At 300 poses around the bar, every other turned by half a turn, and openings from closed to open."""
    rng, bar = np.random.default_rng(7), BarGap(GRASP)
    for n in range(300):
        T = pose_moved(tool(np.zeros(3)), rng.uniform(-0.08, 0.08, 3), rng.uniform(-0.5, 0.5, 3))
        if n % 2:
            T[:3, :2] *= -1.0
        opening = float(rng.uniform(0.0, GRASP.opening))
        pads = untouched()
        fingers = np.array([opening, 0.0])
        press_into(pads, LAW, T_OBJECT, np.zeros(6), T, np.zeros(6), fingers, 0.0)
        assert bar.between(T_OBJECT, T, opening) == pytest.approx(-float(pads.deepest[0]), abs=1e-12), n
