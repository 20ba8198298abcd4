"""The closed-form critical delay: it solves the characteristic equation, and the loop's poles agree."""

import cmath
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from hil.force.map.contact import Contact
from hil.force.map.critical_delay import critical_dead_time, critical_delay, pure_critical_delay
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.pressed_loop import growth


def characteristic(contact: Contact, loop: LoopDelay, W: float, dead: float) -> float:
    """The size of the characteristic function at `s = j W`, over the sum of its terms' sizes."""
    s, M, m = 1j * W, contact.mass, contact.port_mass
    spring = contact.damping * s + contact.stiffness
    late = spring * loop.drive(s) * cmath.exp(-s * dead)
    if math.isinf(m):
        terms = (M * s * s, late)
    else:
        terms = (M * m * s * s, M * spring, m * late)
    return abs(sum(terms)) / sum(abs(term) for term in terms)


CASES = [
    (M, rate, z, m, lag)
    for M in (20.0, 500.0)
    for rate in (10.0, 40.0)
    for z in (0.05, 0.3)
    for m in (math.inf, 100.0)
    for lag in (0.0, 0.01)
]


@pytest.mark.parametrize(("M", "rate", "z", "m", "lag"), CASES)
def test_the_border_solves_the_characteristic_equation(
    M: float, rate: float, z: float, m: float, lag: float
) -> None:
    """Some frequency makes the function zero there; poles of a quick loop are on either side."""
    contact = Contact.of_ratio(M, rate, z, m)
    cycle = 0.02 / rate
    loop = LoopDelay(cycle, 0.0, lag)
    dead = critical_dead_time(contact, loop)
    if dead in (0.0, math.inf):
        grows = growth(contact, LoopDelay(cycle, 0.0 if dead == 0.0 else 2.0 / rate, lag)) > 0.0
        assert grows == (dead == 0.0)
        return
    W = rate * np.linspace(0.3, 2.0, 400)
    best = W[np.argmin([characteristic(contact, loop, w, dead) for w in W])]
    least = minimize_scalar(
        lambda w: characteristic(contact, loop, w, dead), bounds=(0.98 * best, 1.02 * best), method="bounded",
        options={"xatol": 1e-9 * best},
    )  # fmt: skip
    assert least.fun < 1e-6
    for factor, grows in ((0.97, False), (1.03, True)):
        sampled = LoopDelay(cycle, factor * dead - 0.5 * cycle, lag)
        assert (growth(contact, sampled) > 0.0) == grows


def test_a_pure_delay_at_a_fixed_port() -> None:
    """The closed form is that of a loop without lag, small z bears `w T = 2 z`, none more than 0.7415."""
    for z in (0.02, 0.2, 0.65):
        dead = critical_dead_time(Contact.of_ratio(60.0, 25.0, z), LoopDelay(0.002, 0.0))
        assert 25.0 * dead == pytest.approx(pure_critical_delay(z), rel=1e-9)
    assert pure_critical_delay(1e-3) == pytest.approx(2e-3, rel=1e-5)
    ratios = np.linspace(0.1, 2.0, 1901)
    values = [pure_critical_delay(z) for z in ratios]
    assert max(values) == pytest.approx(0.7415, abs=1e-4)
    assert ratios[int(np.argmax(values))] == pytest.approx(0.639, abs=0.002)


def test_a_heavy_port_is_a_fixed_one_and_a_light_one_bears_more() -> None:
    """Ports of growing mass tend to the fixed one; to first order a free one bears `d = share k T`."""
    loop = LoopDelay(0.002, 0.0)
    fixed = critical_dead_time(Contact(60.0, 1e4, 300.0), loop)
    assert critical_dead_time(Contact(60.0, 1e4, 300.0, 1e7), loop) == pytest.approx(fixed, rel=1e-4)
    free = Contact.of_ratio(60.0, 30.0, 0.01, 20.0)
    expected = free.damping / (free.port_share * free.stiffness)
    assert critical_dead_time(free, loop) == pytest.approx(expected, rel=0.01)


def test_where_the_lag_alone_is_too_much() -> None:
    """The critical delay then is that of drives so fast that they are just not; it goes on without a jump."""
    loop = LoopDelay(0.002, 0.0, 0.01)
    contact = Contact.of_ratio(60.0, 40.0, 0.1)
    T = critical_delay(contact, loop)
    assert critical_dead_time(contact, loop) == 0.0 and 0.0 < T < loop.lag
    assert (
        growth(contact, LoopDelay(1e-4, 0.0, 0.97 * T))
        < 0.0
        < growth(contact, LoopDelay(1e-4, 0.0, 1.03 * T))
    )
    below, above = (critical_delay(Contact.of_ratio(60.0, 40.0, z), loop) for z in (0.212, 0.217))
    assert below < loop.lag < above and above - below < 5e-4


@pytest.mark.parametrize("port_mass", [math.inf, 20.0])
@pytest.mark.parametrize("lag", [0.0, 0.01])
def test_an_undamped_contact_bears_no_delay(port_mass: float, lag: float) -> None:
    """Whatever its rate: any delay feeds it."""
    for rate in np.linspace(3.0, 90.0, 30):
        assert critical_delay(Contact.of_ratio(60.0, rate, 0.0, port_mass), LoopDelay(0.002, 0.0, lag)) == 0.0
