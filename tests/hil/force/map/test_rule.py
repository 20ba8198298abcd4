"""The operator's rule: its bounds hold one another, masses and springs come of first principles."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from hil.force.map.bounce import bounces
from hil.force.map.contact import Contact, linear_stiffness, mass_along_line
from hil.force.map.fields import Fields, border_wT, fields_of
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import growth
from hil.force.map.restitution import ideal_restitution
from hil.force.map.rule import ERROR_WANTED, Touch, advise, expected_error, own_error, peak_factor
from hil.force.map.words import accurate_speeds, divergence, excess, forces_in_words, schemes_in_words

LOOP = LoopDelay(0.002, 0.002, 0.01)
TOUCH = Touch(0.02, 150.0)
HARD = Contact(60.0, 4e5)


@pytest.fixture(scope="module")
def fields() -> Fields:
    return fields_of(HARD, LOOP, TOUCH)


def test_the_hard_port_of_the_documents() -> None:
    """60 kg on 4e5 N/m at 13 ms: w T 1.06, peak at most 104 N at 20 mm/s, a device of 8.9e4 N/m."""
    advice = advise(HARD, LOOP, TOUCH)
    assert advice.rate_delay == pytest.approx(1.061, abs=1e-3) and advice.needs_device
    assert advice.peak == pytest.approx(104.0, abs=1.5)
    assert advice.device == pytest.approx(8.9e4, rel=0.01)
    assert advice.bare == pytest.approx(3.8, abs=0.25) and advice.ideal == 1.0
    words = " ".join([*schemes_in_words(advice, TOUCH), *forces_in_words(HARD, advice, TOUCH)])
    assert "a device of 88.8 kN/m or softer" in words and "diverges" in words


def test_speeds_are_those_at_which_the_bounds_are_met() -> None:
    """At the slowest speed the error is the wanted one, at the fastest the peak is the force stop."""
    touch = Touch(0.02, 150.0, skew=1e-4)
    advice = advise(HARD, LOOP, touch)
    at = Touch(advice.slowest, 150.0, skew=1e-4)
    assert expected_error(HARD.rate, LOOP.total, at) == pytest.approx(ERROR_WANTED)
    fast = advise(HARD, LOOP, Touch(advice.fastest, 150.0))
    assert fast.peak == pytest.approx(150.0)
    assert not excess(fast, Touch(advice.fastest, 150.1), HARD)
    told = excess(fast, Touch(advice.fastest, 149.0), HARD)
    assert "above the force stop of 149 N" in told and "use a device of" in told
    assert advise(HARD, LOOP, Touch(0.02, 150.0, skew=1e-3)).slowest == math.inf
    assert own_error(1.0) == 0.01 and own_error(4.0) == pytest.approx(0.032) and math.isnan(own_error(4.1))


def test_no_speed_is_said_where_there_is_none() -> None:
    """A hopeless skew, and encoders that want a speed at which the force stop acts."""
    assert "at no speed" in accurate_speeds(advise(HARD, LOOP, Touch(0.02, 150.0, skew=1e-3)))
    assert "force stop" in accurate_speeds(advise(HARD, LOOP, Touch(0.02, 10.0)))


@pytest.mark.parametrize("z", [0.0, 0.3, 0.9])
def test_peaks_bound_the_loops(z: float) -> None:
    """No loop with lead exceeds the peak that is said of its contact; the bare one has its own."""
    for wT in (0.2, 0.7, 1.0, 2.0, 4.0):
        contact = Contact.of_ratio(60.0, wT / LOOP.total, z)
        advice = advise(contact, LOOP, TOUCH)
        unit = TOUCH.speed * math.sqrt(contact.stiffness * contact.mass)
        found = bounces([contact] * 2, [LOOP] * 2, [0.0, LOOP.interface])
        assert found.peak[1] * unit <= advice.peak * (1.0 + 1e-12)
        assert advice.peak >= unit * max(1.0, wT, 2.0 * z)
        assert peak_factor(contact, LOOP) == pytest.approx(max(1.0, wT, 2.0 * z))
        assert advice.bare_peak == pytest.approx(found.peak[0] * unit)


def test_what_must_diverge_is_refused_with_a_remedy_that_helps() -> None:
    """The damping ratio that is named makes the bare loop rest; scheme S is refused nowhere."""
    contact = Contact(60.0, 1e4, 100.0)
    advice = advise(contact, LOOP, TOUCH)
    told = divergence("none", contact, LOOP, advice)
    ratio = float(told.split("damping ratio ")[1].split()[0])
    assert growth(Contact.of_ratio(60.0, contact.rate, ratio), LOOP) <= 0.0 < advice.bare_growth
    assert "critical delay" in told and not divergence("S", contact, LOOP, advice)
    assert not divergence(
        "none", Contact(60.0, 1e4, 400.0), LOOP, advise(Contact(60.0, 1e4, 400.0), LOOP, TOUCH)
    )
    hard = Contact(60.0, 4e6, 100.0)
    stiff = Contact(60.0, 1e4, 1e5)
    assert "less damped" in divergence("none", stiff, LOOP, advise(stiff, LOOP, TOUCH))
    assert "'lead' diverges" in divergence("lead", hard, LOOP, advise(hard, LOOP, TOUCH))


def test_mass_along_a_line_is_the_impulse_over_the_speed_that_it_gives() -> None:
    """A unit impulse at the point moves the point along the line by 1 / M."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        A = rng.normal(size=(3, 3))
        inertia, lever, direction = A @ A.T + np.eye(3), rng.normal(size=3), rng.normal(size=3)
        n = direction / np.linalg.norm(direction)
        omega = np.linalg.inv(inertia) @ np.cross(lever, n)
        speed = n @ (n / 7.0 + np.cross(omega, lever))
        assert mass_along_line(7.0, inertia, direction, lever) == pytest.approx(1.0 / speed)


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.0])
def test_a_hardening_port_as_a_linear_one(exponent: float) -> None:
    """Both store the energy at the same depth; the force there is (n + 1) / 2 times the linear one."""
    k, energy = 3e4, 0.02
    linear = linear_stiffness(k, exponent, energy)
    depth = math.sqrt(2.0 * energy / linear)

    def force(x: float) -> float:
        return k * x * (x / 1e-3) ** (exponent - 1.0)

    assert quad(force, 0.0, depth)[0] == pytest.approx(energy, rel=1e-6)
    assert force(depth) == pytest.approx(0.5 * (exponent + 1.0) * linear * depth)


def test_fields_are_those_of_single_contacts(fields: Fields) -> None:
    """A cell of the map is the worse of two bounces; the border is where the poles change sides."""
    row, column = 12, 30
    z, wT = fields.ratio[row], fields.rate_delay[column]
    contact = Contact.of_ratio(60.0, wT / LOOP.total, z)
    errors = [
        bounces([contact], [LOOP], [0.0], p).restitution[0] - ideal_restitution(z) for p in (0.15, 0.65)
    ]
    assert fields.bare[row, column] == pytest.approx(max(errors, key=abs))
    assert np.isfinite(fields.bare).all() and np.isfinite(fields.lead).all()
    assert np.abs(fields.lead[:, :40]).max() < 0.1 < np.abs(fields.bare[:, 40]).min()
    for factor, grows in ((0.9, False), (1.1, True)):
        place = 30
        near = Contact.of_ratio(60.0, factor * fields.border[place] / LOOP.total, fields.border_ratio[place])
        assert (growth(near, LOOP) > 0.0) == grows
    assert border_wT(HARD, LOOP, 0.0) < 1e-3
