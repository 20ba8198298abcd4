"""The ideal touch beside an integrator of another make: restitution, peak, time; ports fixed and free."""

import math

import pytest
from scipy.integrate import solve_ivp

from hil.force.map.contact import Contact
from hil.force.map.ideal_touch import ideal_touch
from hil.force.map.restitution import damping_ratio, ideal_restitution

SPEED = 0.02


def integrated(contact: Contact, gate: float, k: float, d: float) -> tuple[float, float, float]:
    """Return restitution, peak of the force of `k` and `d`, and for how long it is above the gate."""
    m = contact.port_mass

    def whole(s):
        return contact.stiffness * s[0] + contact.damping * (s[1] - s[2])

    def rates(_, s):
        f = whole(s)
        return [s[1] - s[2], -f / contact.mass, 0.0 if math.isinf(m) else f / m]

    def over(t, s):
        return whole(s) if t > 1e-7 else 1.0

    over.terminal, over.direction = True, -1.0
    found = solve_ivp(
        rates, (0.0, 10.0), [0.0, SPEED, 0.0], rtol=1e-10, atol=1e-14, events=over, dense_output=True
    )
    end = float(found.t[-1])
    t = [end * i / 20000 for i in range(20001)]
    real = [k * x + d * (v - u) for x, v, u in zip(*found.sol(t), strict=True)]
    above = [at for at, f in zip(t, real, strict=True) if f > gate]
    return -float(found.y[1, -1]) / SPEED, max(real), above[-1] - above[0]


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.5, 1.0, 1.7])
@pytest.mark.parametrize("port_mass", [math.inf, 40.0])
@pytest.mark.parametrize("share", [1.0, 0.1])
def test_a_touch_is_the_integrators(ratio: float, port_mass: float, share: float) -> None:
    """Damping from none to beyond critical, ports fixed and free, all real or a tenth."""
    contact = Contact.of_ratio(60.0, 50.0, ratio, port_mass)
    k, d = share * contact.stiffness, share * contact.damping
    gate = 0.02 * SPEED * share * math.sqrt(contact.stiffness * contact.reduced_mass)
    found = ideal_touch(contact, SPEED, gate, (k, d))
    e, peak, lasts = integrated(contact, gate, k, d)
    assert found.restitution == pytest.approx(e, abs=1e-6)
    assert found.peak == pytest.approx(peak, rel=1e-5)
    assert found.lasts == pytest.approx(lasts, rel=2e-3)
    if share == 1.0:
        assert ideal_touch(contact, SPEED, gate) == found


def test_a_force_that_never_passes_the_gate_lasts_no_time() -> None:
    """Nothing is felt of it, and its peak is told all the same."""
    found = ideal_touch(Contact(60.0, 2e4), SPEED, 1e3)
    assert found.lasts == 0.0 and found.peak == pytest.approx(SPEED * math.sqrt(2e4 * 60.0), rel=1e-6)


@pytest.mark.parametrize("restitution", [1.0, 0.99, 0.8, 0.5, 0.135, 0.05, 0.01])
def test_a_restitution_has_its_damping(restitution: float) -> None:
    """There and back, to beyond critical damping."""
    assert ideal_restitution(damping_ratio(restitution)) == pytest.approx(restitution, abs=1e-9)
