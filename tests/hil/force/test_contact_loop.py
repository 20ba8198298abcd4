"""The contact loop: free flight and bookkeeping exactly, contacts beside what they are without any delay."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from bench.contact_plant import QUIET
from bench.contact_trials import (
    MASS,
    STEP,
    Rig,
    bounce,
    fly_trial,
    land,
    latched_energy,
    on_its_way,
    pressed,
    straight_port,
)
from hil.common.errors import ConfigurationError
from hil.force.contact_loop import ContactLoop
from hil.force.setup import ContactSetup, DriveModel

LEVEL = np.array([1.0, 0.0, 0.0, 0.0])
STILL = np.zeros(6)
INERTIA = np.array([[3.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 4.0]])
TWIST = np.array([0.02, -0.01, 0.03, 0.3, -0.4, 0.2])


def loop(**more: object) -> ContactLoop:
    settings = {"lead": 0.012, "drive": DriveModel(0.002, 0.010), **more}
    return ContactLoop(ContactSetup(step=STEP, mass=MASS, inertia=INERTIA, **settings))  # type: ignore[arg-type]


def tumbled(
    p: np.ndarray, quat: np.ndarray, twist: np.ndarray, wrench: np.ndarray, seconds: float
) -> np.ndarray:
    """Position, quaternion (x y z w), momenta of a body under a wrench in world axes, by scipy."""
    R0 = Rotation.from_quat(np.roll(quat, -1)).as_matrix()

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        R = Rotation.from_quat(y[3:7]).as_matrix()
        w = R @ np.linalg.solve(INERTIA, R.T @ y[10:])
        turn = 0.5 * np.concatenate((y[6] * w + np.cross(w, y[3:6]), [-w @ y[3:6]]))
        return np.concatenate((y[7:10] / MASS, turn, wrench))

    start = np.concatenate((p, np.roll(quat, -1), MASS * twist[:3], R0 @ INERTIA @ R0.T @ twist[3:]))
    return np.asarray(solve_ivp(rates, (0.0, seconds), start, rtol=1e-10, atol=1e-12).y[:, -1])


@pytest.mark.parametrize("known", [np.zeros(6), np.array([3.0, 0.0, -1.0, 0.5, -0.2, 0.1])])
def test_a_body_flies_as_rigid_bodies_do(known: np.ndarray) -> None:
    """Under nothing and under a known wrench: pose, twist and what is led beside an integrator of scipy."""
    contact = loop()
    contact.begin(np.array([1.0, 2.0, 3.0]), LEVEL, TWIST, STILL)
    for _ in range(150):
        state = contact.step(np.zeros(3), LEVEL, np.zeros(6), False, known)
    for seconds, p, quat in ((0.3, state.p, state.quat), (0.312, state.led_p, state.led_quat)):
        ideal = tumbled(np.array([1.0, 2.0, 3.0]), LEVEL, TWIST, known, seconds)
        assert p == pytest.approx(ideal[:3], abs=1e-9)
        assert np.roll(quat, -1) == pytest.approx(ideal[3:7], abs=3e-7)
    assert state.led_twist[:3] == pytest.approx(ideal[7:10] / MASS, abs=1e-9)
    assert state.led_acceleration[:3] == pytest.approx(known[:3] / MASS, abs=1e-8)
    R = Rotation.from_quat(ideal[3:7]).as_matrix()
    I = R @ INERTIA @ R.T  # noqa: E741
    w = np.linalg.solve(I, ideal[10:])
    assert state.led_acceleration[3:] == pytest.approx(
        np.linalg.solve(I, known[3:] - np.cross(w, ideal[10:])), abs=1e-4
    )


def test_a_push_that_is_told_late_acts_from_its_cycle_on() -> None:
    """The body flies anew from there; impulses of the contact stay as they were."""
    contact = loop()
    contact.begin(np.zeros(3), LEVEL, np.zeros(6), STILL)
    for _ in range(40):
        contact.step(np.zeros(3), LEVEL, np.zeros(6))
    contact.other_impulse(10, np.array([0.6, 0.0, 0.0, 0.0, 0.0, 0.03]))
    state = contact.step(np.zeros(3), LEVEL, np.zeros(6))
    assert state.revision == 10 and len(state.impulses) == 31
    assert not state.impulses.any()
    assert state.twist[0] == pytest.approx(0.01)
    assert state.p[0] == pytest.approx(0.01 * 31 * STEP)
    assert state.states[0, 0] == pytest.approx(0.01 * STEP)
    state = contact.step(np.zeros(3), LEVEL, np.zeros(6))
    assert state.revision == 41 and state.twist[0] == pytest.approx(0.01)
    for _ in range(1100):  # round the ring, in which the push must not be met again
        state = contact.step(np.zeros(3), LEVEL, np.zeros(6))
    assert state.twist[0] == pytest.approx(0.01)


@pytest.mark.parametrize(("scheme", "cap"), [("S", True), ("none", True), ("passivity", True), ("S", False)])
def test_the_impulses_are_all_that_the_contact_gave(scheme: str, cap: bool) -> None:
    """A book kept by cycle and revised where that is said holds the change of momentum, cap and push too."""
    rig = Rig(settings={"scheme": scheme, "energy_cap": cap})
    plant, p, quat, twist = on_its_way(rig, straight_port(MASS * (0.7 / rig.delay) ** 2, 0.05), 0.02, 5e-4, 1)
    contact = rig.loop()
    contact.begin(p, quat, twist, STILL)
    book, push = np.zeros((90, 6)), np.array([0.3, 0.0, -0.1, 0.0, 0.01, 0.0])
    revised = 0
    for n in range(90):
        if n == 25:
            contact.other_impulse(20, push)
        state = contact.step(*plant.packet())
        book[state.revision : n + 1] = state.impulses
        revised += state.revision < n
        contact.command(plant.command(state))
    assert book[:, 2].sum() > 1.0, "there was a contact"
    assert book[:, :3].sum(0) + push[:3] == pytest.approx(MASS * (state.twist[:3] - twist[:3]), abs=1e-10)
    assert book[:, 3:].sum(0) + push[3:] == pytest.approx(3.0 * state.twist[3:], abs=1e-10)
    assert revised >= (3 if scheme == "S" else 1)


@pytest.mark.parametrize(
    ("wT", "z", "most"), [(0.5, 0.0, 0.005), (0.5, 0.3, 0.006), (1.0, 0.1, 0.008), (1.5, 0.0, 0.01)]
)
def test_without_noise_a_bounce_is_the_ideal_one(wT: float, z: float, most: float) -> None:
    """Restitution beside the closed form, stiffness and damping beside the port's, time and peak of it."""
    rig = Rig(noise=QUIET)
    trial = bounce(rig, wT, z, 1)
    assert abs(trial.error) < most
    assert trial.flown.restitutions[0] == pytest.approx(-trial.flown.twist[2] / -0.02, abs=2e-3)
    k = MASS * (wT / rig.delay) ** 2
    assert trial.flown.track[-1, 8] == pytest.approx(k, rel=0.02)
    assert trial.flown.track[-1, 9] / (2.0 * math.sqrt(k * MASS)) == pytest.approx(z, abs=0.01)
    assert abs(trial.time) < 0.05
    assert abs(trial.peak) < (0.1 if wT <= 1.0 else 0.3)


def test_schemes_differ_as_theory_has_it() -> None:
    """Uncompensated by its fit of the loop, lead by its residual; passivity lasts; a model alone is late."""
    rig = {name: Rig(settings={"scheme": name, "energy_cap": False}) for name in ("none", "lead", "model")}
    y = 0.5
    uncompensated = math.exp(y * (1.414 + 0.435 * y - 0.542 * y * y)) - 1.0
    assert bounce(rig["none"], y, 0.0, 2).error == pytest.approx(uncompensated, rel=0.05)
    assert bounce(rig["lead"], y, 0.0, 2).error == pytest.approx(0.043, abs=0.01)
    assert bounce(rig["model"], y, 0.0, 2).error == pytest.approx(0.19, abs=0.03)
    slow = bounce(Rig(settings={"scheme": "passivity"}), y, 0.0, 2)
    assert abs(slow.error) < 0.02 and slow.time > 0.5
    ahead = bounce(Rig(settings={"scheme": "phase-lead", "energy_cap": False}), y, 0.0, 2)
    assert ahead.error == pytest.approx(0.32, abs=0.06)


@pytest.mark.parametrize(
    ("what", "rig", "wT", "z", "more", "most"),
    [
        ("noise", Rig(), 0.5, 0.1, {}, 0.02),
        ("noise", Rig(), 1.0, 0.3, {}, 0.03),
        ("delay", Rig(interface=0.1), 1.0, 0.0, {}, 0.03),
        ("wrong lead", Rig(lead_error=1.3), 1.0, 0.1, {}, 0.03),
        ("wrong delay", Rig(delay_error=0.002), 0.5, 0.1, {}, 0.03),
        ("hybrid", Rig(), 2.0, 0.1, {"share": 0.1}, 0.02),
        ("free port", Rig(), 1.0, 0.0, {"mass": 60.0}, 0.03),
        ("lost packets", Rig(lost=0.05), 1.0, 0.0, {}, 0.03),
        ("wrong bias", Rig(bias=-0.1), 0.5, 0.1, {}, 0.03),
        ("wrong bias that keeps the gate open", Rig(bias=0.3), 0.5, 0.1, {}, 0.03),
    ],
)
def test_a_bounce_in_the_wild(what: str, rig: Rig, wT: float, z: float, more: dict, most: float) -> None:
    assert abs(bounce(rig, wT, z, 3, **more).error) < most, what


def test_a_free_port_is_weighed() -> None:
    """A port of 100 kg is found as such, a fixed one as fixed."""
    rig = Rig()
    for mass, least, most in ((100.0, 80.0, 125.0), (math.inf, math.inf, math.inf)):
        plant, p, quat, twist = on_its_way(rig, straight_port(5e4, 0.0, mass=mass), 0.02, 1e-3, 1)
        contact = rig.loop()
        contact.begin(p, quat, twist, STILL)
        for _ in range(120):
            state = contact.step(*plant.packet())
            contact.command(plant.command(state))
        assert least <= state.port_mass <= most


@pytest.mark.parametrize(("case", "friction", "seed"), [("A", 0.3, 1), ("C", 0.0, 0)])
def test_a_landing_in_six_dimensions(case: str, friction: float, seed: int) -> None:
    """Lever, several feet, slanted planes, friction: all by the line of force."""
    landing = land(Rig(), case, 1.0, 0.1, seed, friction)
    assert landing.velocity < 0.03 and landing.spin < 0.02 and abs(landing.energy) < 0.03


def test_a_contact_that_holds_swings_on() -> None:
    """Nine periods of an undamped spring that pulls as well keep their energy; uncompensated they explode."""
    assert latched_energy(Rig(noise=QUIET), 0.5, 0, 1.5) == pytest.approx(1.0, abs=0.02)
    uncompensated = Rig(noise=QUIET, settings={"scheme": "none", "energy_cap": False})
    assert latched_energy(uncompensated, 0.5, 0, 1.5) > 100.0


def test_noise_neither_drives_nor_damps_a_contact_that_holds() -> None:
    """Eighteen periods through an arm's noise; a residual that is carried as it is loses 8 %."""
    assert latched_energy(Rig(), 0.5, 0, 3.0) == pytest.approx(1.0, abs=0.03)


def test_a_body_pressed_on_a_port_comes_to_rest() -> None:
    """Its last bounces are too slow to tell a port from a hand by; the spring is found all the same."""
    highest, unrest = pressed(Rig(), 0.5, 0.1, 0)
    assert highest < 1.05 and unrest < 3e-4


def test_a_contact_that_was_none_is_let_go() -> None:
    """A bias that comes for a moment opens a contact; where the arm then feels nothing, the body flies on."""
    contact = Rig(noise=QUIET, settings={"gate": 0.3}).loop()
    contact.begin(np.zeros(3), LEVEL, np.array([0.0, 0.0, 0.02, 0.0, 0.0, 0.0]), STILL)
    for n in range(150):
        wrench = np.array([0.0, 0.0, -0.1 * (n - 19) if 20 <= n < 26 else 0.0, 0.0, 0.0, 0.0])
        state = contact.step(np.array([0.0, 0.0, 0.02 * n * STEP]), LEVEL, wrench)
        contact.command(np.array([0.0, 0.0, 0.02, 0.0, 0.0, 0.0]))
    assert not state.in_contact
    assert state.twist[2] == pytest.approx(0.02, abs=2e-4)


def test_a_contact_that_turns_out_to_hold() -> None:
    """A port that pulls is noticed, and the body swings about it instead of leaving."""
    rig = Rig(noise=QUIET)
    plant, p, quat, twist = on_its_way(rig, straight_port(5e4, 0.0, holds=True), 0.02, 0.0, 1)
    contact = rig.loop()
    contact.begin(p, quat, twist, STILL)
    speeds = []
    for _ in range(600):
        state = contact.step(*plant.packet())
        contact.command(plant.command(state))
        speeds.append(state.twist[2])
    assert state.latched and state.in_contact
    assert max(speeds[-120:]) == pytest.approx(0.02, rel=0.1)
    assert min(speeds[-120:]) == pytest.approx(-0.02, rel=0.1)


@pytest.mark.parametrize("scheme", ["none", "S"])
def test_the_cap_is_the_last_line(scheme: str) -> None:
    """At 1e6 N/m and 63 ms (w T = 8) nothing comes back faster than it came."""
    rig = Rig(interface=0.05, settings={"scheme": scheme})
    trial = bounce(rig, math.sqrt(1e6 / MASS) * rig.delay, 0.0, 1)
    assert np.abs(trial.flown.track[:, 3]).max() < 1.01 * 0.02
    assert trial.flown.twist[2] > 0.5 * 0.02


def test_the_cap_grants_what_others_do() -> None:
    """A wrench that draws the body away while it touches may give it energy: the cap cuts nothing then."""
    known, twists = np.array([0.0, 0.0, 30.0, 0.0, 0.0, 0.0]), []
    for cap in (True, False):
        rig = Rig(noise=QUIET, settings={"energy_cap": cap})
        plant, p, quat, twist = on_its_way(rig, straight_port(2e4, 0.0), 0.05, 5e-4, 1)
        twists.append(fly_trial(rig.loop(), plant, p, quat, twist, 0.3, known).twist[2])
    assert twists[0] == pytest.approx(twists[1], rel=0.01) and twists[0] > 0.12


def test_what_is_not_finite_is_missing() -> None:
    """In flight and in contact, pose and wrench: the body flies on and all that is said is finite."""
    rig = Rig()
    plant, p, quat, twist = on_its_way(rig, straight_port(5e4, 0.1), 0.02, 1e-3, 1)
    contact = rig.loop()
    contact.begin(p, quat, twist, STILL)
    for n in range(150):
        p, quat, wrench, usable = plant.packet()
        if n in (3, 40, 41):
            wrench = np.full(6, np.nan)
        if n in (4, 44):
            p, quat = np.full(3, np.inf), np.full(4, np.nan)
        state = contact.step(p, quat, wrench, usable)
        for said in (state.p, state.quat, state.twist, state.led_p, state.led_quat, state.led_acceleration):
            assert np.isfinite(said).all(), n
        contact.command(plant.command(state))
    assert 0.7 < state.twist[2] / 0.02 < 0.85  # e of this damping: 0.73


def test_a_bias_is_learned_before_anything_can_open() -> None:
    """A loop that is told no bias finds it, follows its drift, and opens no contact for it."""
    contact, rng = loop(gate=0.3), np.random.default_rng(5)
    contact.begin(np.zeros(3), LEVEL, np.zeros(6))
    bias = np.array([2.0, -1.0, 0.5, 0.1, 0.0, -0.2])
    for n in range(2000):
        drift = np.array([1e-4 * n, 0.0, 0.0, 0.0, 0.0, 0.0])
        state = contact.step(np.zeros(3), LEVEL, bias + drift + 0.03 * rng.standard_normal(6))
        assert not state.in_contact
    assert state.bias == pytest.approx(bias + drift, abs=0.03)
    for n in range(3):
        hit = np.array([0.0, 0.0, 0.5 if n == 0 else 0.0, 0.0, 0.0, 0.0])
        assert not contact.step(np.zeros(3), LEVEL, bias + drift + hit).in_contact, "one sample is no contact"
    strong = np.array([0.0, 0.0, 1.2, 0.0, 0.0, 0.0])
    assert contact.step(np.zeros(3), LEVEL, bias + drift + strong).in_contact


def test_a_setup_that_makes_no_sense_is_refused() -> None:
    for wrong in ({"scheme": "T"}, {"gate": 0.0}, {"lead": -1.0}, {"force_noise": math.nan}):
        with pytest.raises(ConfigurationError):
            loop(**wrong)
