"""What is drawn of an emulated port lies where it is touched."""

import numpy as np
import pytest

from drivers.emulation.port.geometry import planes_of
from hil.loop.port_solids import LONG, PORT, port_frames, port_solids
from hil.loop.solid import CORNERS, WORLD, turned
from hil.loop.solids import surroundings_of
from tests.drivers.emulation.loops import configured

PLACE = np.array([0.5, 0.2, 0.3])


def port_with(**table):
    given = {"stiffness_n_per_m": 1e4, "point_mm": (1e3 * PLACE).tolist(), "normal": [-1.0, 0.5, 0.2]}
    return configured(port={**given, **table})


def corners_of(solid):
    return solid.p + np.array([turned(solid.quat, 0.5 * solid.size * corner) for corner in CORNERS])


@pytest.mark.parametrize("table", [{}, {"groove_deg": 35.0}])
def test_plates_lie_behind_the_planes_and_the_normal_stands_out_of_them(table):
    """Each plate's front is its plane, none reaches out of the port; it is there beside any scene."""
    c = port_with(**table)
    *plates, normal = port_solids(c)
    planes = planes_of(c.port)
    assert len(plates) == len(planes) and {solid.frame for solid in (*plates, normal)} == {WORLD}
    for plate, plane in zip(plates, planes, strict=True):
        heights = (corners_of(plate) - plane[:3]) @ plane[3:]
        assert heights.max() == pytest.approx(0.0, abs=1e-9) and heights.min() == pytest.approx(
            -plate.size[2]
        )
    tip = corners_of(normal) @ c.port.normal_unit
    assert tip.max() - PLACE @ c.port.normal_unit == pytest.approx(LONG)
    if table:  # the flanks rise from the bottom to either side
        middles = np.array([(plate.p - PLACE) @ c.port.normal_unit for plate in plates])
        assert middles.min() > 0.0
    assert len(surroundings_of(c)) == len(plates) + 1


def test_a_port_that_floats_is_drawn_on_a_frame_of_its_own():
    """The same, about the point of its face; a fixed one has no frame, and no port no solids."""
    c = port_with(mass_kg=20.0)
    fixed, floating = port_solids(port_with()), port_solids(c)
    assert port_frames(c) == [PORT] and port_frames(port_with()) == []
    for a, b in zip(fixed, floating, strict=True):
        assert b.frame == PORT and b.p + PLACE == pytest.approx(a.p)
    assert port_solids(configured()) == [] and surroundings_of(configured()) == []
