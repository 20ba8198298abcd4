"""The picture's things: what of the simulated object is in sight, and when."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hil.configuration.loading import load_configuration
from hil.dashboard.hearing import Last
from hil.dashboard.stage import Stage
from hil.dashboard.view import Drawing
from hil.loop.port_solids import PORT
from hil.loop.solids import OBJECT, ArmPicture
from hil.messaging.messages import PortBlock

CONFIGS = Path(__file__).parents[3] / "configs"
CUBE, PORT_RUN = CONFIGS / "cube.toml", CONFIGS / "port.toml"


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """A picture that nobody looks at."""
    c, drawing = load_configuration(CUBE), Drawing()
    yield Stage(drawing, c, ArmPicture(c))
    drawing.stop()


def test_object_is_in_sight_only_where_somebody_says_it_is(stage: Stage) -> None:
    """In a recording before the simulation's first word it must not stand where it was looked at last."""
    at, frame = np.array([0.8, 0.1, 0.2]), stage._frames[OBJECT]
    stage.place_object(at, np.array([1.0, 0.0, 0.0, 0.0]), np.zeros((0, 3), np.float32))
    assert frame.visible and np.allclose(frame.position, at)
    stage.hide_object()
    assert not frame.visible
    stage.place_object(at, np.array([1.0, 0.0, 0.0, 0.0]), np.zeros((0, 3), np.float32))
    assert frame.visible


def test_objects_faces_lie_within_those_of_the_mockup(stage: Stage) -> None:
    """Else they would hide them here and there, as the one or the other is drawn first; edges stay."""
    boxes = {name: node for name, node in stage._scene._handle_from_node_name.items() if "solid" in name}
    (held,) = (node for name, node in boxes.items() if name.startswith("/mockup/"))
    (simulated,) = (node for name, node in boxes.items() if name.startswith(f"/{OBJECT}/"))
    inset = 0.5 * (np.array(held.dimensions) - np.array(simulated.dimensions))
    assert (inset > 1e-3).all() and (inset < 3e-3).all()  # above the arm's distance, below what is seen [m]


def test_a_port_that_floats_is_drawn_where_it_is_told() -> None:
    """At first where its face begins, then where the emulation's truth of it has it; a fixed one stands."""
    table = ["port.mass_kg=20.0"]
    c, drawing = load_configuration(PORT_RUN, table), Drawing()
    try:
        arm = ArmPicture(c)
        stage = Stage(drawing, c, arm)
        assert np.allclose(stage._frames[PORT].position, c.port.point)
        drawn = [name for name in stage._scene._handle_from_node_name if name.startswith(f"/{PORT}/solid")]
        assert len(drawn) == 2  # a plate and its normal
        last = Last()
        row = np.array([[0.97, 0.01, 0.15]])
        last.take(
            PortBlock(
                1,
                *np.zeros((2, 1), int),
                np.zeros((1, 6)),
                np.zeros(1),
                row,
                *np.zeros((2, 1, 3)),
                np.zeros((1, 6)),
            )
        )
        stage.place_port(last.port)
        assert np.allclose(stage._frames[PORT].position, row[0])
    finally:
        drawing.stop()
