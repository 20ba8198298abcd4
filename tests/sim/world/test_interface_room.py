"""A room with pins and plates: the object's pins meet a plate that stands still."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError, InterfaceError
from hil.configuration import Configuration, load_configuration
from sim.world.world import World

ROOT = Path(__file__).parents[3]
MS = 1_000_000
SETTINGS = [
    'scene.file="scenes/port.xml"',
    'scene.interfaces="scenes/port.toml"',
    "scene.restitution=0.3",
    "stops.enabled=false",
]
FACE, REACH = 1.02, 0.193  # [m] of the plate, and from the cube's centre to the tips
DEPTH = 0.0385  # of the holes
RESTITUTION = 0.3  # of pins and plate, in their file
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


@pytest.fixture(scope="module")
def port() -> Configuration:
    """The cube before the port."""
    return load_configuration(ROOT / "configs" / "cube.toml", SETTINGS)


def begun(c: Configuration, beside: float, before: float = 0.002, speed: float = 0.04) -> World:
    """The cube some way `before` the plate [m], `beside` its holes [m], coming with a `speed` [m/s]."""
    world = World(c)
    p = np.array([FACE - REACH - before, beside, 0.15])
    world.restart(0, 1, p, LEVEL, np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0]))
    return world


@pytest.mark.parametrize(("beside", "goes_in"), [(0.0003, True), (0.0015, True), (0.02, False)])
def test_pins_go_into_holes_and_not_through_the_plate(
    port: Configuration, beside: float, goes_in: bool
) -> None:
    """Before or at the rim of their holes the pins go in, to the bottom at most; beside them they bounce.

    Whatever happens, the object's energy never grows: nothing moves but the object.
    """
    world = begun(port, beside)
    start = 0.5 * port.object.mass * 0.04**2
    deepest = -1.0
    for t_ms in range(5, 2500, 5):
        world.advance(t_ms * MS)
        state = world.state(t_ms * MS)
        v, w = state.twist_world_object[:3], state.twist_world_object[3:]
        energy = 0.5 * port.object.mass * v @ v + 0.5 * port.object.inertia[0] * w @ w
        assert energy <= start * (1.0 + 1e-9)
        assert state.contact_work == 0.0 and len(state.other_poses) == 0 and state.outcome == ""
        deepest = max(deepest, state.p_world_object[0] + REACH - FACE)
    assert deepest < DEPTH + 0.001
    assert bool(deepest > 0.5 * DEPTH) is goes_in
    assert energy < 0.9 * start


@pytest.mark.parametrize("speed", [0.02, 0.08])
def test_pins_beside_their_holes_come_back_with_the_restitution(port: Configuration, speed: float) -> None:
    """Four pins on the face at once: the speed returned is `restitution` times the speed that came.

    The mean over the phases of entry, to 2e-3: what the steps of ten a contact keep of it (one phase alone
    may be off by five times that).
    """
    phases, returned = 8, []
    for phase in range(phases):
        way = speed * port.simulation.step * (phase + 0.5) / phases
        world = begun(port, 0.02, before=0.0005 + way, speed=speed)
        world.advance(150 * MS)
        returned.append(-world.state(150 * MS).twist_world_object[0] / speed)
    assert np.mean(returned) == pytest.approx(RESTITUTION, abs=2e-3)
    assert np.ptp(returned) < 2e-2


def test_far_from_the_port_the_cube_flies_as_ever(port: Configuration) -> None:
    """Going away from the plate, turning: the same as in a world without a scene, to 1e-12."""
    twist = np.array([-0.03, 0.02, 0.01, 0.1, -0.2, 0.05])
    ends = []
    for c in (port, port.model_copy(update={"scene": None})):
        world = World(c)
        world.restart(0, 1, np.array([0.7, 0.0, 0.15]), LEVEL, twist)
        world.advance(1500 * MS)
        ends.append(world.state(1500 * MS))
    assert np.abs(ends[0].p_world_object - ends[1].p_world_object).max() < 1e-12
    assert np.abs(ends[0].quat_world_object - ends[1].quat_world_object).max() < 1e-12
    assert np.abs(ends[0].twist_world_object - ends[1].twist_world_object).max() < 1e-12


def test_mistakes_are_told(port: Configuration, tmp_path: Path) -> None:
    """A file that is none, and a body that the scene does not have."""
    other = [*SETTINGS, f'scene.interfaces="{tmp_path}/none.toml"']
    with pytest.raises(ConfigurationError, match=r"scene.interfaces = .*none.toml.* is no file"):
        load_configuration(ROOT / "configs" / "cube.toml", other)
    text = (ROOT / "configs" / "scenes" / "port.toml").read_text().replace('body = "port"', 'body = "part"')
    (tmp_path / "port.toml").write_text(text)
    c = load_configuration(
        ROOT / "configs" / "cube.toml", [*SETTINGS, f'scene.interfaces="{tmp_path}/port.toml"']
    )
    with pytest.raises(InterfaceError, match="no body 'part'"):
        World(c)
    latched = ROOT / "configs" / "scenes" / "docking_snap.toml"
    c = load_configuration(ROOT / "configs" / "cube.toml", [*SETTINGS, f'scene.interfaces="{latched}"'])
    with pytest.raises(InterfaceError, match=r"has seals or latches .* which a room has not: use a docking"):
        World(c)
