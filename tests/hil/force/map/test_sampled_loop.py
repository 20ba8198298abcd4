"""The sampled loop: its poles and its bounces are those of the loop stepped plainly."""

import math

import numpy as np
import pytest

from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import growth, least_ratio, onset
from hil.force.map.restitution import ideal_restitution
from tests.hil.force.map.plain_loop import run

LOOP = LoopDelay(cycle=0.002, dead=0.0027, lag=0.01)


@pytest.mark.parametrize(
    ("contact", "lead"),
    [
        (Contact(60.0, 1e5, 700.0), 0.0),
        (Contact(60.0, 3e5, 0.0), LOOP.interface),
        (Contact(60.0, 8e4, 300.0, port_mass=40.0), 0.0),
    ],
)
def test_a_bounce_is_that_of_the_plain_loop(contact: Contact, lead: float) -> None:
    """Speed after, peak force and work agree with Runge-Kutta steps, fixed port and free, bare and led."""
    found = bounces([contact], [LOOP], [lead], phase=0.5)
    rows = run(contact, LOOP, lead, 120, False, (-3.5 * LOOP.cycle + LOOP.interface - lead, 1.0))
    x, v, arm, speed, port, away = rows.T
    force = np.where(arm > port, contact.stiffness * (arm - port) + contact.damping * (speed - away), 0.0)
    force = np.maximum(force, 0.0)
    assert force.max() > 0.0 and force[-20:].max() == 0.0
    assert found.restitution[0] == pytest.approx(away[-1] - v[-1], abs=2e-3)
    impedance = math.sqrt(contact.stiffness * contact.reduced_mass)
    assert found.peak[0] * impedance == pytest.approx(force.max(), rel=5e-3)
    work = -(force[:-1] * np.diff(x)).sum()
    assert found.given[0] == pytest.approx(2.0 * work / contact.mass, abs=5e-3)


def test_only_the_held_forces_change_the_energy() -> None:
    """At a fixed port `e^2 = 1 + given`, to rounding, whatever the loop."""
    contacts = [Contact.of_ratio(60.0, rate, z) for rate in (10.0, 40.0, 80.0) for z in (0.0, 0.2)]
    for lead in (0.0, LOOP.interface):
        found = bounces(contacts, [LOOP] * 6, [lead] * 6)
        np.testing.assert_allclose(found.restitution**2, 1.0 + found.given, rtol=1e-9)


@pytest.mark.parametrize("z", [0.0, 0.2, 0.6])
@pytest.mark.parametrize("port_mass", [math.inf, 30.0])
def test_without_delay_a_bounce_is_ideal(z: float, port_mass: float) -> None:
    """A quick loop with no delay but its own short cycle gives the closed form."""
    contact = Contact.of_ratio(60.0, 50.0, z, port_mass)
    loop = LoopDelay(cycle=2e-6, dead=0.0)
    found = bounces([contact], [loop], [0.0])
    assert found.restitution[0] == pytest.approx(ideal_restitution(z), abs=2e-3)


@pytest.mark.parametrize(
    ("contact", "lead"),
    [
        (Contact(60.0, 4e4, 500.0), 0.0),
        (Contact(60.0, 3e5, 0.0), LOOP.interface),
        (Contact(60.0, 1e5, 100.0, port_mass=30.0), 0.0),
    ],
)
def test_poles_tell_how_fast_a_pressed_contact_grows(contact: Contact, lead: float) -> None:
    """The distance of body and port grows from one piece to the next as the largest pole says."""
    rows = run(contact, LOOP, lead, 500, True, (0.0, 1.0))
    apart = np.abs(rows[:, 0] - rows[:, 4])
    early, late = apart[150:250].max(), apart[400:500].max()
    assert math.log(late / early) / (250 * LOOP.cycle) == pytest.approx(growth(contact, LOOP, lead), abs=0.35)


def test_onset_is_where_the_growth_changes_sign() -> None:
    """A little less delay rests, a little more diverges; lags that are too much have no onset."""
    contact = Contact(60.0, 1e4, 300.0)
    loop = LoopDelay(0.002, 0.0, 0.005)
    T = onset(contact, loop, 0.1)
    for factor, rests in ((0.99, True), (1.01, False)):
        dead = factor * T - loop.lag - 0.5 * loop.cycle
        assert (growth(contact, LoopDelay(0.002, dead, 0.005)) < 0.0) == rests
    assert onset(Contact(60.0, 1e5), loop, 0.1) == 0.0
    assert onset(Contact.of_ratio(500.0, 30.0, 0.4, 100.0), loop, 0.1) == math.inf


def test_the_least_ratio_is_enough_and_no_less_is() -> None:
    """At it the pressed contact rests, a hundredth below it does not; none helps at w T = 1."""
    contact = Contact.of_ratio(60.0, 0.3 / LOOP.total, 0.0)
    z = least_ratio(contact, LOOP)
    assert growth(Contact.of_ratio(60.0, contact.rate, z), LOOP) <= 0.0
    assert growth(Contact.of_ratio(60.0, contact.rate, z - 0.011), LOOP) > 0.0
    assert least_ratio(Contact.of_ratio(60.0, 1.0 / LOOP.total, 0.0), LOOP) == math.inf


def test_coarser_cycles_keep_the_delay() -> None:
    """A coarsened loop has the same whole delay; one that is short already stays."""
    long = LoopDelay(0.001, 0.24, 0.01)
    assert long.coarsened(60).total == pytest.approx(long.total)
    assert long.coarsened(60).cycle == pytest.approx(long.total / 60)
    assert LOOP.coarsened(60) == LoopDelay(LOOP.cycle, LOOP.dead, pytest.approx(LOOP.lag))


@pytest.mark.parametrize(("interface", "lag"), [(0.030, 0.01), (0.004, 0.004)])
def test_another_interface_delay(interface: float, lag: float) -> None:
    """The whole delay is the interface's and half a cycle; the lag is a part of it at most."""
    other = LOOP.of_interface(interface)
    assert other.interface == pytest.approx(interface) and other.lag == lag
    assert other.total == pytest.approx(interface + 0.001)
