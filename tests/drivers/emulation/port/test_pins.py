"""Pins that really go into the holes of an emulated port: forces by hand, and the shipped pattern."""

from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.port.holed_port import HoledPort
from drivers.emulation.port.law import law_of
from drivers.emulation.port.pin_forces import BOTTOM, CREEPS, Held, pin_wrench_into
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration, load_configuration
from hil.configuration.frames import Frames
from hil.loop.real_port import port_of

DOCKING = Path(__file__).parents[4] / "configs/docking_real.toml"
K, D, MU = 2e3, 100.0, 0.05  # of that file
RADIUS, HOLE, HEIGHT, TIPS = (
    8e-3,
    8.15e-3,
    0.03,
    0.055,
)  # of its pins and holes [m]; tips from the pins' frame
SEAT = HEIGHT + HOLE - RADIUS


@pytest.fixture(scope="module")
def c() -> Configuration:
    """The shipped docking, its plate straight before the pins."""
    return load_configuration(DOCKING, ["port.point_mm=[1013, 0, 150]"])


def plate(c: Configuration) -> tuple[HoledPort, np.ndarray]:
    """Return the port, and the object's pose with the tips' centres in the plane of the face."""
    T = np.eye(4)
    T[:3, :3] = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
    T[:3, 3] = [0.79, 0.0, 0.15]
    port = port_of(c, Frames.from_configuration(c), T)
    assert isinstance(port, HoledPort)
    T[:3, 3] = [1.013 - 0.15 - TIPS, 0.0, 0.15]
    return port, T


def at(port: HoledPort, T: np.ndarray, way: tuple[float, float, float], v: tuple[float, ...] = (0.0,) * 6):
    """Put the object off its pose by a way in world [m], moving; return what it feels."""
    moved = T.copy()
    moved[:3, 3] += way
    port.step(0.0, 1e-3, moved, np.array(v))
    return port.wrench_world.copy()


def test_a_straight_pin_goes_in_free_to_the_bottom_and_is_held_there(c: Configuration) -> None:
    """No force down to the seat; beyond it four springs and dampers, that pull as well from then on."""
    port, T = plate(c)
    for depth in (0.0, 0.01, 0.02, SEAT - 1e-5):
        assert not at(port, T, (depth, 0.0, 0.0)).any() and not port.latched.any()
    assert at(port, T, (SEAT + 2e-4, 0.0, 0.0))[:3] == pytest.approx([-4 * K * 2e-4, 0.0, 0.0], abs=1e-6)
    assert port.latched.all() and port.depths == pytest.approx(np.full(4, 1.0 + 2e-4 / SEAT))
    felt = at(port, T, (SEAT - 3e-4, 0.0, 0.0), (-0.01, 0, 0, 0, 0, 0))
    assert felt[:3] == pytest.approx([4 * (K * 3e-4 + D * 0.01), 0.0, 0.0], abs=1e-6)
    assert port.told()[6] == pytest.approx(-3e-4, abs=1e-9)


def test_beside_its_hole_a_pin_is_pushed_back_by_the_wall(c: Configuration) -> None:
    """Each pin that is 0.4 mm off is 0.25 mm deep in its wall, by both ends of what lies in the hole."""
    port, T = plate(c)
    felt = at(port, T, (0.02, 4e-4, 0.0))
    assert felt[1] < -4 * K * 2e-4 and abs(felt[2]) < 1e-6 and not port.latched.any()
    back = at(port, T, (0.02, 1e-4, 0.0))
    assert not back.any()


def test_force_moment_friction_and_creep_by_hand(c: Configuration) -> None:
    """One contact: k x - d v.n along the normal, mu of that against the slip, less where it creeps."""
    law = law_of(c.port)
    row = np.zeros((1, 9))
    row[0] = -1e-3, 0.1, 0.2, 0.3, 0.0, 0.0, 1.0, 2.0, 0.0
    held = Held(np.zeros(1, np.bool_), np.zeros(3), np.array([0.0, 0.0, 1.0]), SEAT)
    tips, p, out = np.full((1, 3), 9.0), np.array([0.05, 0.1, 0.2]), np.empty(6)
    pins = np.zeros(1, np.int64)
    for slip in (0.2, 1e-4):
        twist = np.array([slip, 0.0, -0.002, 0.0, 0.0, 0.0])
        deepest = pin_wrench_into(out, row, pins, tips, law, held, p, twist)
        normal = K * 1e-3 + D * 0.002
        force = np.array([-min(MU * normal, CREEPS * slip), 0.0, normal])
        assert deepest == pytest.approx(1e-3)
        assert out == pytest.approx(np.concatenate((force, np.cross(row[0, 1:4] - p, force))))
    # turning moves the point: omega x r
    pin_wrench_into(out, row, pins, tips, law, held, p, np.array([0.0, 0.0, 0.0, 0.0, 0.1, 0.0]))
    assert out[2] == pytest.approx(K * 1e-3 + D * 0.1 * 0.05)
    # the bottom latches its pin, and its own contact is then that of the latch
    row[0, 7] = BOTTOM
    tips[0] = 0.0, 0.0, -SEAT - 1e-3
    pin_wrench_into(out, row, pins, tips, law, held, p, np.zeros(6))
    assert held.latched[0] and out[2] == pytest.approx(K * 1e-3)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (
            "port.point_mm=[990, 0, 150]",
            "port.interfaces: a pin of the mock-up begins in the plate or behind",
        ),
        ("port.mass_kg=100", "port.mass_kg is refused beside port.interfaces"),
        ("port.feet_mm=[[0, 0, 1]]", "port.feet_mm is refused beside port.interfaces"),
        ("port.plate_axis=[2, 0, 0]", r"port.plate_axis = \[2, 0, 0\] must not lie along port.normal"),
        (
            "port.interfaces='scenes/docking_snap.toml'",
            "has seals or snap latches, which no emulated port has",
        ),
        ("port.interfaces='scenes/missing.toml'", "missing.toml"),
    ],
)
def test_what_no_plate_can_be_is_refused_in_words(key: str, text: str) -> None:
    """Key, and remedy, before anything runs."""
    with pytest.raises(ConfigurationError, match=text):
        EmulatedController(load_configuration(DOCKING, [key]), None, port_of)


def test_pins_without_holes_are_refused() -> None:
    """Keys of pins mean nothing at a plain face."""
    file = DOCKING.with_name("port.toml")
    with pytest.raises(
        ConfigurationError, match=r"port\.pins_position_mm stands there without port.interfaces"
    ):
        load_configuration(file, ["port.pins_position_mm=[0, 0, 150]"])


def test_a_force_sensor_at_the_flange_feels_the_port(c: Configuration) -> None:
    """What it is told to measure is what operator and port exert together."""
    controller = EmulatedController(c, None, port_of)
    told = []

    class Sensor:
        def measure(self, t: float, wrench: np.ndarray, fault: str) -> list:
            told.append(wrench.copy())
            return []

    controller.sensor = Sensor()  # type: ignore[assignment]
    port = controller.port
    assert port is not None
    port.wrench_world[:] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    controller.sense()
    assert told[0] == pytest.approx([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
