"""Ports that are no good neighbours: the object gets no energy that they did not give, and limits hold."""

import math

import numpy as np
import pytest

from tests.hil.loop.ports import Exerts, OtherPort, exerting
from tests.hil.loop.touched import MASS, SPEED, STILL, Flown

STIFFNESS = 2e4  # [N/m]
OUTWARDS = -1.0  # world x, in which the port of the file looks


def flown(seconds: float, exerts: Exerts, *settings: str) -> tuple[Flown, OtherPort]:
    """Fly against a port that exerts something else; return the flight and the port."""
    flight = Flown(seconds, *settings, port=exerting(exerts))
    port = flight.loop._controller.port
    assert isinstance(port, OtherPort)
    return flight, port


def energy(v: np.ndarray) -> float:
    """Return the object's energy [J] at a velocity; it does not turn here."""
    return 0.5 * MASS * float(v @ v)


def test_a_port_that_breaks_away_lets_go() -> None:
    """At 15 N it is gone: what the spring has taken by then is lost, and the object flies on through."""
    broken = []

    def breaks(t: float, depth: float, inwards: float, own: float) -> float:
        if own > 15.0:
            broken.append(own)
        return 0.0 if broken else own

    flight, _ = flown(2.0, breaks)
    taken = 0.5 * broken[0] ** 2 / STIFFNESS
    left = math.sqrt(SPEED**2 - 2.0 * taken / MASS)  # 14.6 mm/s, less what its damper took
    assert flight.fault == "" and left - 2.5e-3 < flight.v[0] < left + 1e-3
    assert flight.ended  # nothing stays open


def test_a_port_that_yields_gives_back_what_it_gives_back() -> None:
    """A fifth of the force on the way out is a fifth of the energy; one stiffness is found for both ways."""
    turned = []

    def yields(t: float, depth: float, inwards: float, own: float) -> float:
        if inwards < 0.0 and depth > 0.0:
            turned.append(t)
        return 0.2 * own if turned else own

    flight, _ = flown(2.0, yields, "port.damping_n_s_per_m=0")
    assert flight.fault == "" and flight.v[0] == pytest.approx(-SPEED * math.sqrt(0.2), rel=0.2)


def test_a_hand_that_first_feels_like_a_spring_gives_its_own_work_and_no_more() -> None:
    """Identified as a port, it goes on to push behind the object: its work is granted, with a fifth more."""
    since = []

    def imitates(t: float, depth: float, inwards: float, own: float) -> float:
        if inwards < 0.0 and own > 0.0 and not since:
            since.append((t, own))
        if not since:
            return own
        return since[0][1] if t - since[0][0] < 0.25 else 0.0

    flight, port = flown(2.2, imitates)
    assert flight.fault == "" and port.work > 0.02
    gained = energy(flight.v) - energy(np.array([SPEED, 0.0, 0.0]))
    assert 0.5 * port.work < gained < 1.25 * port.work


def test_a_force_that_grows_while_nothing_moves_is_no_port_without_end() -> None:
    """A hand lies on an object at rest and presses more and more: it acts as a force, and no port is left."""
    flight, port = flown(1.9, lambda t, depth, inwards, own: 15.0 * min(max(0.0, t - 1.2), 1.0), STILL)
    assert flight.fault == "" and port.work > 0.5
    assert 0.9 * port.work < energy(flight.v) < 1.01 * port.work


@pytest.mark.parametrize(("rate", "least"), [(5.0, 0.8), (1.0, 0.5)])
def test_a_force_that_creeps_in_moves_the_object(rate: float, least: float) -> None:
    """No bias changes by so much in a second [N/s]: the gate opens, and of its work little is lost."""
    flight, port = flown(
        2.4 if rate > 1.0 else 8.0, lambda t, depth, inwards, own: min(8.0, rate * max(0.0, t - 1.0)), STILL
    )
    assert flight.fault == "" and port.work > 0.1
    assert least * port.work < energy(flight.v) < 1.01 * port.work


def test_a_hand_between_mock_up_and_port_is_felt_before_the_port() -> None:
    """15 mm of flesh: the object turns within it, and the port behind it is never reached."""

    def flesh(t: float, depth: float, inwards: float, own: float) -> float:
        squeezed = depth + 0.015
        if squeezed <= 0.0:
            return 0.0
        return max(0.0, 1500.0 * squeezed + 150.0 * inwards) + 5e4 * max(0.0, squeezed - 0.012)

    flight, port = flown(2.6, flesh)
    assert flight.fault == "" and port.most < 10.0
    assert -SPEED < flight.v[0] < 0.0


def test_a_port_that_drives_at_the_object_throws_it_as_far_as_it_pushes() -> None:
    """Off an elastic face of 20 mm/s the object comes back three times as fast; a fifth more is granted."""

    def drives(t: float, depth: float, inwards: float, own: float) -> float:
        gone = 0.02 * min(max(0.0, t - 1.0), 1.0)
        return STIFFNESS * max(0.0, depth + gone)

    flight, _ = flown(2.2, drives)
    assert flight.fault == "" and flight.v[0] * OUTWARDS > 2.5 * SPEED
    assert energy(flight.v) < 1.4 * energy(np.array([3.0 * SPEED, 0.0, 0.0]))


def test_a_clamp_with_play_gives_no_energy() -> None:
    """Two faces 3 mm apart, one after the other: half a per cent a touch at most, by the cap."""
    inside = []

    def clamps(t: float, depth: float, inwards: float, own: float) -> float:
        if depth > 5e-4:
            inside.append(t)
        back = STIFFNESS * max(0.0, -depth - 3e-3) if inside else 0.0
        return STIFFNESS * max(0.0, depth) - back

    flight, _ = flown(2.6, clamps)
    assert flight.fault == "" and len(flight.ended) >= 3
    assert energy(flight.v) <= energy(np.array([SPEED, 0.0, 0.0])) * 1.005 ** len(flight.ended) + 1e-6


def test_a_virtual_stop_behind_a_real_port_gives_no_energy() -> None:
    """Both springs are elastic, and the stop begins half a millimetre behind the face: 20 mm/s come back."""
    soft = ("port.stiffness_n_per_m=5000", "port.damping_n_s_per_m=0")
    flight = Flown(1.9, *soft, "stops.half_extent_mm=[20.6,130,130]")
    assert flight.fault == "" and flight.v[0] == pytest.approx(-SPEED, rel=0.05)


def test_a_stop_that_presses_on_a_real_port_presses_with_its_own_force() -> None:
    """The softest stop, 135 mm beyond its bound, presses 60 kg with 20 N; at rest so does the arm."""
    force, rate = 20.0, math.pi / 2.0
    port = 790.1  # [mm] 0.1 mm before the body's centre, where the foot is: else it would topple
    middle = port + 1e3 * force / (MASS * rate**2) + 80.0
    flight = Flown(
        1.6,
        "object.initial_velocity_mm_s=[-20,0,0]",
        "port.feet_mm=[[0,0,0]]",
        f"port.point_mm=[{port},0,150]",
        "port.stiffness_n_per_m=5e4",
        "port.damping_n_s_per_m=1000",
        f"stops.centre_mm=[{middle},0,150]",
        "stops.contact_time_ms=2000",
        "stops.max_speed_mm_s=300",
    )
    assert flight.loop.port is not None
    real = -flight.loop.port.wrench_world[0]
    assert flight.fault == "" and real == pytest.approx(force, rel=0.1)
