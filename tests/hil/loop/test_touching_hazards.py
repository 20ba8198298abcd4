"""Hazards of real contact: whatever is felt, the arm stays within its limits, and stops where it must."""

import numpy as np
import pytest

from tests.hil.loop.touched import FAR, STILL, TOUCHED, Flown


def pushed(force: list[float], milliseconds: int) -> str:
    """Return the setting of a push 0.3 s after floating begins."""
    return f"operator.push=[{{time_s=0.3, force_n={force}, duration_ms={milliseconds}}}]"


@pytest.mark.parametrize(
    ("settings", "force", "milliseconds"),
    [((STILL,), [0.0, 40.0, 0.0], 60), ((STILL,), [0.0, 40.0, 0.0], 120), ((), [20.0, 0.0, 0.0], 120)],
    ids=["short, at rest", "at rest", "from behind"],
)
def test_a_persons_push_acts_in_contact_mode(
    settings: tuple[str, ...], force: list[float], milliseconds: int
) -> None:
    """The cap on the energy is for ports: of what a hand gives it takes a twentieth at most."""
    push = pushed(force, milliseconds)
    flights = [Flown(0.7, FAR, push, *settings, f"force.energy_cap={cap}") for cap in ("true", "false")]
    began = np.array([0.0 if STILL in settings else 0.02, 0.0, 0.0])
    capped, free = (flight.v - began for flight in flights)
    assert np.linalg.norm(free) > 0.015
    assert np.linalg.norm(capped - free) < 0.05 * np.linalg.norm(free)


def test_a_hand_that_presses_against_the_port_gains_little() -> None:
    """15 N towards a port for seconds: hand and port are one force to the loop; without a cap 148 mm/s."""
    port = ("port.stiffness_n_per_m=3.2e4", "port.damping_n_s_per_m=800")
    pressed = Flown(4.5, *port, "operator.push=[{time_s=1.5, force_n=[15,0,0], duration_ms=3000}]")
    assert pressed.fault == "" and np.linalg.norm(pressed.v) < 0.02


def test_the_force_stop_acts_without_the_short_cut() -> None:
    """Nothing but the mode decides whether it is looked at."""
    stopped = Flown(1.6, "interpolation.short_cut=false", "force.stop_force_n=10")
    assert "force.stop_force_n = 10" in stopped.fault
    assert stopped.contacts[-1].ended  # the record does not stay open for ever


def test_a_wrench_of_wrong_sign_ends_in_a_stop() -> None:
    """The port seems to pull: energy that no push gave is found before the force stop, and the arm rests."""
    stopped = Flown(2.2, felt=lambda t, wrench: -wrench)
    assert "energy that no push gave" in stopped.reason and stopped.at_rest


@pytest.mark.parametrize(
    ("value", "said"), [(np.nan, "wrench has been nan"), (500.0, "force.stop_force_n")], ids=["nan", "end"]
)
def test_a_wrench_that_cannot_be_stops_a_contact(value: float, said: str) -> None:
    """No number, or the sensor at its end, from the middle of a contact on."""
    assert said in Flown(1.7, felt=lambda t, wrench: np.full(6, value) if t > TOUCHED else wrench).fault


def test_a_few_samples_that_are_no_numbers_are_flown_over() -> None:
    """10 ms in the middle of a contact: the body goes on under what is known of it (ideal: 17.4 mm/s)."""
    gap = Flown(1.5, felt=lambda t, wrench: np.full(6, np.nan) if 0.0 < t - TOUCHED < 0.01 else wrench)
    assert gap.fault == "" and -0.0185 < gap.v[0] < -0.0165


@pytest.mark.parametrize("delay", [0, 50])
def test_a_port_too_hard_ends_at_the_force_stop(delay: int) -> None:
    """10^6 N/m at 100 mm/s: no drive can give way in time."""
    fast = "object.initial_velocity_mm_s=[100,0,0]"
    hard = Flown(1.0, fast, "port.stiffness_n_per_m=1e6", f"emulator.delay_ms={delay}")
    assert "force.stop_force_n" in hard.fault


def test_the_arms_own_motion_opens_no_contact() -> None:
    """Set-off, turns at the stops and the noise of motion at full speed are no force."""
    moving = ("object.initial_velocity_mm_s=[60,50,30]", "object.initial_spin_deg_s=[5,5,5]")
    assert Flown(8.0, FAR, *moving).slices == []
