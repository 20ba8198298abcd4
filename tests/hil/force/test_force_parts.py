"""The parts of continuous force beside what other libraries and closed forms give."""

import math

import numpy as np
import pytest
from scipy.signal import StateSpace, lsim

from hil.force.body import Body, kinetic_energy
from hil.force.contact_fit import fit, take_sample
from hil.force.contact_loop import ContactLoop
from hil.force.energy import granted_to_drive, momentum_kept, watch_port
from hil.force.rows import ROW, STATE
from hil.force.setup import ContactSetup, DriveModel, lag_of_velocity, packed

INERTIA = np.diag([2.0, 3.0, 4.0])
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])


def setup(**more: object) -> ContactSetup:
    settings = {"lead": 0.012, "drive": DriveModel(0.005, 0.010), **more}
    return ContactSetup(step=0.002, mass=60.0, inertia=INERTIA, **settings)  # type: ignore[arg-type]


def test_the_observer_follows_the_drive() -> None:
    """Dead time of 2.5 cycles and a lag, on any commands: its twist beside scipy's drive."""
    rng, h, fine = np.random.default_rng(3), 0.002, 20
    commands = np.cumsum(0.002 * rng.standard_normal((120, 6)), 0)
    t = np.arange(120 * fine + 1) * h / fine
    held = np.repeat(commands, fine, 0)
    w, z, delay = 160.0, 0.8, round(0.005 / h * fine)
    driven = np.concatenate((np.zeros((delay, 6)), held))[: len(t)]
    system = StateSpace([[0.0, 1.0], [-w * w, -2 * z * w]], [[0.0], [w * w]], [[1.0, 0.0]], [[0.0]])
    speeds = np.column_stack(
        [lsim(system, driven[:, i], t, interp=False)[1] for i in range(6)]
    )  # fmt: skip
    contact = ContactLoop(setup(scheme="none"))
    contact.begin(np.zeros(3), LEVEL, np.zeros(6), np.zeros(6))
    for n in range(120):  # no pose is usable after the first: the model alone
        state = contact.step(np.zeros(3), LEVEL, np.zeros(6), n == 0)
        assert state.arm_twist == pytest.approx(speeds[n * fine], abs=1e-9)
        contact.command(commands[n])


def test_the_observer_is_put_right_by_the_position() -> None:
    """An arm that moves though nothing was commanded is seen to move, and no noise is added when at rest."""
    contact = ContactLoop(setup(scheme="none"))
    contact.begin(np.zeros(3), LEVEL, np.zeros(6), np.zeros(6))
    v, w = np.array([0.02, 0.0, -0.01]), np.array([0.0, 0.05, 0.0])
    for n in range(200):
        angle = 0.05 * n * 0.002
        quat = np.array([math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0])
        state = contact.step(v * n * 0.002, quat, np.zeros(6))
        contact.command(0.9 * np.concatenate((v, w)))
    assert state.arm_twist == pytest.approx(np.concatenate((v, w)), rel=0.1, abs=1e-9)
    assert abs(state.arm_twist[0] - 0.02) < abs(0.018 - 0.02)


def test_the_drive_in_two_parts_is_the_drive_in_one() -> None:
    drive = DriveModel(0.0, 0.010, 0.8)

    def square(m: np.ndarray) -> np.ndarray:
        return np.vstack((m, [0.0, 0.0, 0.0, 1.0]))

    whole = square(lag_of_velocity(drive, 0.002))
    assert square(lag_of_velocity(drive, 0.0013)) @ square(lag_of_velocity(drive, 0.0007)) == pytest.approx(
        whole
    )
    late = lag_of_velocity(drive, 10.0) @ [0.0, 0.0, 0.0, 1.0]
    assert late[0] == pytest.approx(10.0 - 0.010)  # a ramp is followed with the lag
    assert late[1:] == pytest.approx([1.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("mobility", [0.0, 1.0 / 150.0])
def test_the_fit_is_the_least_squares_that_it_says(mobility: float) -> None:
    """All samples and both rows as numpy solves them."""
    rng = np.random.default_rng(7)
    s, c = np.zeros(1, STATE), packed(setup(position_noise=0.0))
    n, k, d, zero, sigma, mass = 30, 4e4, 300.0, 1.3e-5, 0.06, 50.0
    t = np.arange(n) * 0.002
    depth, rate = 2e-4 * np.sin(40 * t) + 1e-5, 8e-3 * np.cos(40 * t)
    first, second = 2.0 * t, t * t
    force = k * (depth - zero) + d * rate + sigma * rng.standard_normal(n)
    s["touch_rate"] = 0.008
    rows = np.zeros(n, ROW)
    rows["c"], rows["rate"], rows["force"] = depth + mobility * second, rate + mobility * first, force
    rows["first"], rows["second"] = first, second
    for row in rows:
        take_sample(c[0], s[0], row)
    got = fit(c[0], s[0], s[0]["sums"], mass, mobility)
    most = np.argmax(np.abs(force))
    k_ref = abs(force[most]) / max(abs(depth[most]), 0.008 * 0.002)
    touch = k_ref * 0.008 * 0.002 / math.sqrt(12.0) + sigma
    wide = 1.4 * math.sqrt(k_ref * mass)
    A = np.vstack(
        (
            np.column_stack((depth, rate, np.ones(n))) / sigma,
            [[0.0, 0.0, 1.0 / touch], [0.0, 1.0 / wide, 0.0]],
        )
    )
    b = np.concatenate((force / sigma, [0.0, 0.0]))
    best, squares = np.linalg.lstsq(A, b, rcond=None)[:2]
    assert got[0] == pytest.approx(best[0], rel=1e-6)
    assert got[1] == pytest.approx(best[1], rel=1e-6)
    assert got[2] == pytest.approx(-best[2] / best[0], rel=1e-6, abs=1e-10)
    spread = np.sqrt(np.diag(np.linalg.inv(A.T @ A)))
    assert got[3:5] == pytest.approx(spread[:2], rel=1e-6)
    assert got[5] == pytest.approx(squares[0] * sigma**2, rel=1e-5)


def test_the_cap_cuts_to_the_energy_it_is_given() -> None:
    """Random bodies and impulses: what is kept has just this energy, or the least that can be had."""
    rng, c = np.random.default_rng(11), packed(setup())[0]
    cut = 0
    for _ in range(200):
        v, L, push, twist = rng.standard_normal((4, 3))
        quat = rng.standard_normal(4)
        quat /= np.linalg.norm(quat)
        body = Body((0.0, 0.0, 0.0), tuple(quat), tuple(v), tuple(L))

        def energy(share: float) -> float:
            less = share - 1.0
            changed = Body(body.p, body.q, tuple(v + less * push / 60.0), tuple(L + less * twist))  # noqa: B023
            return kinetic_energy(changed, 60.0, c["inverse_inertia"])

        limit = 0.95 * energy(1.0)
        share = momentum_kept(c, body, tuple(push), tuple(twist), limit)
        assert momentum_kept(c, body, tuple(push), tuple(twist), 1.05 * energy(1.0)) == 1.0
        shares = np.linspace(0.0, 1.0, 101)
        assert not any(energy(x) <= 0.999 * limit for x in shares[shares > share + 0.01]), (
            "more could be kept"
        )
        if share in (0.0, 1.0):  # all of it gone, or it takes energy even so
            continue
        cut += 1
        least = min(energy(x) for x in shares)
        assert energy(share) == pytest.approx(max(limit, least), rel=1e-3)
    assert cut > 30


def test_what_a_hand_gives_unseen_is_granted_for_a_short_while() -> None:
    """10 N on a body whose arm has not moved yet: T times the integral of f2 / m over 0.15 s, no longer."""
    c, state, rows = packed(setup())[0], np.zeros(1, STATE), np.zeros(1, ROW)
    s, row = state[0], rows[0]
    s["driven"], row["wrench"][:3], row["inverse_mass"] = 1, (0.0, 10.0, 0.0), 0.01
    late = c["phase_lead"] + c["step"]
    for n in range(200):
        s["n"] = n
        watch_port(c, s, row, row)
        lasted = min((n + 1) * c["step"], 0.15)
        of_the_last = 0.5 * (10.0 * late) ** 2 / 60.0
        expected = late * 100.0 / 60.0 * lasted + of_the_last
        assert granted_to_drive(c, s, row) == pytest.approx(expected, rel=0.01)
