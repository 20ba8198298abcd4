"""Bodies bounce off an emulated port as closed forms and an integrator of another make have it."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.drivers.emulation.port.bodies import bounced, moved, port_below

MASS, V, K = 60.0, 0.02, 2e4
GAP = 1e-4
STEP = 5e-5


def integrated(force, v: float, mass: float, other: float = math.inf) -> tuple[float, float]:
    """Return the speeds after a contact of two bodies, the second at rest, by scipy at a tight tolerance.

    `force(x, rate)` of penetration and its rate; over when it has fallen to nothing.
    """

    def rates(_, s):
        f = max(0.0, force(s[0], s[1] - s[2]))
        return [s[1] - s[2], -f / mass, f / other]

    def over(t, s):
        return force(s[0], s[1] - s[2]) if t > 1e-6 else 1.0

    over.terminal, over.direction = True, -1.0
    found = solve_ivp(rates, (0.0, 10.0), [1e-12, v, 0.0], rtol=1e-10, atol=1e-13, events=over, max_step=1e-3)
    return float(found.y[1, -1]), float(found.y[2, -1])


def test_an_undamped_touch_is_half_a_sine():
    """`v sqrt(k M) sin(w t)` for pi / w; then the body has its speed again."""
    rows = bounced(port_below(GAP, stiffness_n_per_m=K), MASS, V, STEP)
    w = math.sqrt(K / MASS)
    t, force = rows[:, 0] + STEP - GAP / V, rows[:, 3]
    within = (t > 0.0) & (t < math.pi / w)
    assert force[within] == pytest.approx(V * math.sqrt(K * MASS) * np.sin(w * t[within]), abs=2e-3)
    assert within.sum() * STEP == pytest.approx(math.pi / w, abs=2 * STEP)
    assert np.count_nonzero(force) == pytest.approx(within.sum(), abs=1)
    assert rows[-1, 2] == pytest.approx(V, rel=1e-5)


def test_a_touch_after_hertz_is_as_deep_as_its_energy_says():
    """`f = k x (x / 1 mm)^(1/2)` takes up `2/5 k x^(5/2) / sqrt(1 mm)`: all of `M v^2 / 2` at the deepest."""
    port = port_below(GAP, stiffness_n_per_m=K, exponent=1.5)
    rows = bounced(port, MASS, V, STEP)
    deepest = (1.25 * MASS * V**2 * math.sqrt(1e-3) / K) ** 0.4
    assert -rows[:, 1].min() - GAP == pytest.approx(deepest, rel=1e-5)
    assert rows[:, 3].max() == pytest.approx(K * deepest * math.sqrt(deepest / 1e-3), rel=1e-4)
    assert rows[-1, 2] == pytest.approx(V, rel=1e-5)


def test_a_bump_stop_takes_up_the_rest_of_the_energy():
    """Four times as stiff from 0.5 mm on: `k x^2 / 2 + 3 k (x - b)^2 / 2` is `M v^2 / 2` at the deepest."""
    b = 5e-4
    rows = bounced(
        port_below(GAP, stiffness_n_per_m=K, bump_mm=1e3 * b, bump_stiffness_n_per_m=3.0 * K), MASS, V, STEP
    )
    deepest = (3.0 * b + math.sqrt(9.0 * b**2 - 4.0 * (3.0 * b**2 - MASS * V**2 / K))) / 4.0
    assert deepest > 1.3 * b
    assert -rows[:, 1].min() - GAP == pytest.approx(deepest, rel=1e-4)
    assert rows[:, 3].max() == pytest.approx(K * deepest + 3.0 * K * (deepest - b), rel=1e-4)
    assert rows[-1, 2] == pytest.approx(V, rel=1e-4)


@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("mass", [None, 40.0])
def test_a_damped_touch_leaves_the_speeds_of_the_integrator(exponent, mass):
    """Damping ratio 0.2, fixed and with mass, linear and after Hertz; the port only pushes."""
    d = 0.4 * math.sqrt(K * MASS)
    table = {} if mass is None else {"mass_kg": mass}
    port = port_below(GAP, stiffness_n_per_m=K, damping_n_s_per_m=d, exponent=exponent, **table)
    rows = bounced(port, MASS, V, STEP)

    def force(x, rate):
        return (K * x + d * rate) * (max(x, 0.0) / 1e-3) ** (exponent - 1.0)

    body, other = integrated(force, V, MASS, mass or math.inf)
    assert rows[:, 3].min() >= 0.0
    assert -rows[-1, 2] == pytest.approx(body, abs=2e-3 * V)
    assert -rows[-1, 4] == pytest.approx(other, abs=2e-3 * V)
    assert abs(body) < 0.8 * V  # the damping bites


def test_two_free_bodies_keep_momentum_and_energy():
    """60 kg on 100 kg at rest, no damping: `(m - M) / (m + M)` and `2 m / (m + M)` of the speed."""
    port = port_below(GAP, stiffness_n_per_m=K, mass_kg=100.0)
    rows = bounced(port, MASS, V, STEP)
    assert rows[-1, 2] == pytest.approx(V * 0.25, abs=5e-4 * V)
    assert rows[-1, 4] == pytest.approx(-V * 0.75, abs=5e-4 * V)
    momentum = MASS * rows[:, 2] + 100.0 * rows[:, 4]
    assert momentum == pytest.approx(-MASS * V, rel=2e-3)
    z = port.p[2]
    for k in range(10):  # and the port goes on alone
        port.step(k, k + 1.0, np.eye(4), np.zeros(6))
    assert port.p[2] - z == pytest.approx(10.0 * rows[-1, 4], rel=1e-12)


@pytest.mark.parametrize(("stiffness", "mass"), [(1e6, 10.0), (1e4, 30.0), (1e6, 0.5)])
@pytest.mark.parametrize("ratio", [0.0, 0.1])
def test_a_port_with_mass_is_right_at_the_emulations_own_steps(stiffness, mass, ratio):
    """Hit by an arm that does not yield, in steps of 1 ms at any phase: `1 + e` of the arm's speed.

    The substeps' own bound is 2e-4 without and 4e-3 with damping; a half-millisecond one ends far off.
    """
    d = 2.0 * ratio * math.sqrt(stiffness * mass)
    _, expected = integrated(lambda x, rate: stiffness * x + d * rate, V, math.inf, mass)
    assert ratio or expected == pytest.approx(2.0 * V, rel=1e-6)
    for phase in np.linspace(0.1, 1.0, 5):
        port = port_below(phase * 1e-3 * V, stiffness_n_per_m=stiffness, damping_n_s_per_m=d, mass_kg=mass)
        moved(port, lambda t: [0.0, 0.0, -V * t], 0.03 if stiffness > 1e5 else 0.3)
        assert -port.v[2] == pytest.approx(expected, abs=(5e-3 if ratio else 5e-4) * V)


@pytest.mark.parametrize("device", [1e3, 2e4])
def test_an_elasticity_in_series_is_softer_and_bends(device):
    """`1/k = 1/k_port + 1/k_device + 1/k_arm`; the mock-up gives way by what its own springs take."""
    arm = 3e4
    port = port_below(GAP, stiffness_n_per_m=K, device_stiffness_n_per_m=device, arm_stiffness_n_per_m=arm)
    rows = moved(port, lambda t: [0.0, 0.0, -0.05 * t], 0.04)
    x = np.maximum(0.0, -rows[:, 3] - GAP)
    force = x / (1.0 / K + 1.0 / device + 1.0 / arm)
    assert rows[:, 6] == pytest.approx(force, abs=1e-9)
    assert rows[:, 19] == pytest.approx(force * (1.0 / device + 1.0 / arm), abs=1e-12)
    deep = rows[:, 10]
    assert deep[x > 0.0] == pytest.approx(force[x > 0.0] / K, abs=1e-12)
    assert deep[0] == pytest.approx(-GAP + 0.05 * 1e-3, abs=1e-12)  # a gap before


def test_a_damper_behind_an_elasticity_goes_as_the_integrator_has_it():
    """`k_s (y - x) = k x + d x'` for a smooth way `y` in and out: a state of its own, in a fixed port."""
    k_s, d = 3e4, 300.0
    port = port_below(GAP, stiffness_n_per_m=K, damping_n_s_per_m=d, device_stiffness_n_per_m=k_s)

    def way(t):
        return 2e-3 * math.sin(10.0 * t) ** 2

    rows = moved(port, lambda t: [0.0, 0.0, -way(t)], 0.3)
    first = math.asin(math.sqrt(GAP / 2e-3)) / 10.0
    found = solve_ivp(
        lambda t, x: [(k_s * (way(t) - GAP - x[0]) - K * x[0]) / d], (first, 0.3), [0.0],
        rtol=1e-9, atol=1e-12, dense_output=True,
    )  # fmt: skip
    t = rows[(rows[:, 0] > first) & (rows[:, 0] < 0.25), 0]
    force = k_s * (np.array([way(s) for s in t]) - GAP - found.sol(t)[0])
    measured = np.interp(t, rows[:, 0], rows[:, 6])
    pressing = force > 0.5
    assert pressing.sum() > 100
    assert measured[pressing] == pytest.approx(force[pressing], abs=0.01 * force.max())


@pytest.mark.parametrize("arm", [None, 3e5])
def test_a_damped_device_on_a_hard_port_leaves_the_speed_of_the_integrator(arm):
    """Spring and damper side by side, in series with port and arm; scipy has the device's deflection."""
    k, c, hard = K, 0.2 * math.sqrt(K * MASS), 1e6
    more = {} if arm is None else {"arm_stiffness_n_per_m": arm}
    port = port_below(
        GAP, stiffness_n_per_m=hard, device_stiffness_n_per_m=k, device_damping_n_s_per_m=c, **more
    )
    rows = bounced(port, MASS, V, STEP)
    series = 1.0 / (1.0 / hard + (0.0 if arm is None else 1.0 / arm))

    def force(s):
        return series * (s[0] - s[2])

    def rates(_, s):
        f = max(0.0, force(s))
        return [s[1], -f / MASS, (f - k * s[2]) / c]

    def over(t, s):
        return force(s) if t > 1e-3 else 1.0

    over.terminal, over.direction = True, -1.0
    found = solve_ivp(rates, (0.0, 1.0), [0.0, V, 0.0], "LSODA", rtol=1e-9, atol=1e-13, events=over)
    assert found.y[1, -1] < -0.5 * V
    assert rows[-1, 2] == pytest.approx(-found.y[1, -1], abs=3e-3 * V)
    left = port.bent[2]
    assert left == pytest.approx(found.y[2, -1], rel=0.02) and left > 0.0, "it springs back behind the touch"
    for n in range(100):
        port.step(1.0 + n * 1e-3, 1.001 + n * 1e-3, np.eye(4), np.zeros(6))
    assert abs(port.bent[2]) < 1e-2 * left
