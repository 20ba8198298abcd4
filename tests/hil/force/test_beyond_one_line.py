"""Contacts beyond one line at a port that stands, beside the same bodies integrated by scipy."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bench.contact_beyond import (
    foot_trial,
    latch_trial,
    memory_trial,
    on_a_foot,
    resonant_trial,
    straight_meeting,
    twist_trial,
)
from bench.contact_bodies import Meeting
from bench.contact_meetings import TwoBodyPlant, ideal_meeting
from bench.contact_plant import Port
from bench.contact_trials import MASS, SPEED, STEP, Rig, ideal_restitution
from bench.contact_twin import twin_trial
from hil.common.errors import ConfigurationError
from hil.force.contact_fit import fit, take_sample
from hil.force.contact_loop import ContactLoop
from hil.force.drift import eliminate_time, speed_left
from hil.force.identification import identify
from hil.force.rows import ROW, STATE
from hil.force.setup import ContactSetup, DriveModel, packed

UP = np.array([[0.0, 0.0, 1.0]])


def test_the_ideal_is_the_closed_form() -> None:
    """Two bodies of scipy's: a fixed port by its restitution, a free one with momentum and energy kept."""
    z = 0.1
    end = ideal_meeting(straight_meeting(Rig(), 1.0, z, 1), 0.4)
    assert end.twist[2] == pytest.approx(SPEED * ideal_restitution(z), rel=1e-4)
    foot, heavy = np.array([0.1, 0.05, -0.15]), 90.0
    port = Port(foot[None], np.zeros((1, 3)), UP, 5e4)
    start = np.array([0.01, 0.005, -0.03, 0.03, -0.05, 0.07])
    centre = np.array([-0.15, 0.1, -0.2])
    meeting = Meeting(
        np.array([0.0, 0.0, 1e-4]) - foot, start, port, centre=centre, port_mass=heavy, port_inertia=4.0
    )
    end = ideal_meeting(meeting, 0.3)
    # the impulse along z at the foot that keeps the energy of both bodies (e = 1), levers as at the touch
    own, other = np.cross(foot, UP[0]), np.cross(-centre, UP[0])
    shown = 1.0 / MASS + own @ own / 3.0 + 1.0 / heavy + other @ other / 4.0
    impulse = -2.0 * (start[2] + np.cross(start[3:], foot)[2]) / shown
    assert end.twist[:3] == pytest.approx(start[:3] + impulse / MASS * UP[0], abs=2e-4)
    assert end.twist[3:] == pytest.approx(start[3:] + impulse / 3.0 * own, abs=2e-3)


@pytest.mark.parametrize(("mass", "turns"), [(30.0, True), (500.0, False)])
def test_a_free_port_off_centre(mass: float, turns: bool) -> None:
    """A port that goes, and one that turns as well, met by a foot off the mock-up's centre."""
    met = foot_trial(Rig(), 1.0, 0.1, 1, mass=mass, turns=turns)
    assert met.velocity < 0.03 and met.spin < 0.03


@pytest.mark.parametrize("speed", [-0.005, 0.005])
def test_a_port_that_drifts(speed: float) -> None:
    """Coming and going at 5 mm/s, at a speed that is not known; a port that comes gives energy."""
    told = Rig(settings={"port_speed": 0.005})
    drift = (0.0, 0.0, speed, 0.0, 0.0, 0.0)
    assert foot_trial(told, 1.0, 0.0, 0, drift=drift).velocity < 0.03
    if speed > 0.0:
        assert foot_trial(Rig(), 1.0, 0.0, 0, drift=drift).velocity > 0.1


def test_a_port_that_stands_is_not_thought_to_drift() -> None:
    """The cap holds as before: no energy is granted to a port that only might move."""
    told = Rig(settings={"port_speed": 0.005})
    met = foot_trial(told, 1.0, 0.0, 2)
    assert met.velocity < 0.03
    assert met.flown.track[-1, 10] <= 0.006 * 0.5 * MASS * 0.03**2 * 1.4


def test_the_drift_is_the_least_squares_that_it_says() -> None:
    """Time taken out beforehand: speed, stiffness and zero beside numpy's solution of the whole problem."""
    rng = np.random.default_rng(7)
    setup = ContactSetup(STEP, MASS, 3.0 * np.eye(3), 0.012, DriveModel(0.002, 0.01), position_noise=0.0)
    s, c = np.zeros(1, STATE), packed(setup)
    n, k, d, zero, u, sigma = 30, 4e4, 300.0, 1.3e-5, -0.004, 0.06
    t = np.arange(n) * STEP
    depth, rate = 2e-4 * np.sin(40 * t) + 1e-5, 8e-3 * np.cos(40 * t)
    rows = np.zeros(n, ROW)
    rows["c"], rows["rate"], rows["since"] = depth, rate, t
    rows["force"] = k * (depth - u * t - zero) + d * (rate - u) + sigma * rng.standard_normal(n)
    s["touch_rate"] = 0.008
    for row in rows:
        take_sample(c[0], s[0], row)
    weight = 4e4 * 0.005  # the spread of the slope with time
    expected = (sigma / weight) ** 2
    eliminate_time(s[0], u, expected)
    got = fit(c[0], s[0], s[0]["timeless"], 50.0, 0.0)
    force = np.abs(rows["force"])
    k_ref = force.max() / depth[force.argmax()]
    touch = k_ref * 0.008 * STEP / math.sqrt(12.0) + sigma
    A = np.vstack(
        (
            np.column_stack((depth, rate - u, np.ones(n), t)) / sigma,
            [[0, 0, 1 / touch, 0], [0, 1 / (1.4 * math.sqrt(k_ref * 50.0)), 0, 0], [0, 0, 0, 1 / weight]],
        )
    )  # fmt: skip
    best = np.linalg.lstsq(A, np.concatenate((rows["force"] / sigma, np.zeros(3))), rcond=None)[0]
    assert got[0] == pytest.approx(best[0], rel=1e-6) and got[1] == pytest.approx(best[1], rel=1e-6)
    assert got[2] == pytest.approx(-best[2] / best[0], rel=1e-6)
    speed = speed_left(s[0], got[0], got[1], -got[0] * got[2], expected)
    assert speed == pytest.approx(-best[3] / best[0], rel=1e-6)
    assert speed == pytest.approx(u, rel=0.1)


@pytest.mark.parametrize("declared", [True, False])
def test_a_latch_off_centre(declared: bool) -> None:
    """Three periods on a foot that holds along its line: velocity and energy, both ways."""
    velocity, energy = latch_trial(Rig(), 1.0, 0.0, 1, declared=declared)
    assert velocity < 0.05 and abs(energy) < 0.05


@pytest.mark.parametrize("declared", [True, False])
def test_a_latch_that_holds_in_all_directions(declared: bool) -> None:
    """Three periods on a ball: the force turns, and its line with it."""
    velocity, energy = latch_trial(Rig(), 0.5, 0.0, 0, ball=True, declared=declared)
    assert velocity < 0.1 and abs(energy) < 0.05


def test_a_hybrid_off_centre() -> None:
    """A tenth of the stiffness real: the body comes back as from the whole of it."""
    met = foot_trial(Rig(), 2.0, 0.1, 1, share=0.1)
    assert met.velocity < 0.03 and met.spin < 0.03


def test_a_twist_lock() -> None:
    """A torque without a force turns the body back; without a gate for torques nothing does."""
    met = twist_trial(Rig(), 0.5, 0.1, 1)
    assert met.spin < 0.03 and abs(met.peak) < 0.2
    assert twist_trial(Rig(), 0.5, 0.1, 1, math.inf).spin > 1.5


def test_a_torque_with_its_force_opens_no_twist() -> None:
    """What has a lever is a line of force, also where torques have a gate."""
    rig, meeting, seconds = on_a_foot(Rig(settings={"gate_torque": 0.06}), 0.5, 0.1, 1)
    loop, plant, touched = rig.loop(), TwoBodyPlant(rig, meeting, 1), 0
    plant.start(meeting.p, meeting.quat, meeting.twist)
    loop.begin(meeting.p, meeting.quat, meeting.twist, np.zeros(6))
    for _ in range(round(seconds / STEP)):
        state = loop.step(*plant.packet())
        loop.command(plant.command(state))
        touched += state.in_contact
        assert not state.twisted
    assert touched > 20
    assert state.twist == pytest.approx(ideal_meeting(meeting, seconds).twist, abs=0.01)


def test_a_contact_is_remembered() -> None:
    """With 113 ms of delay the first meeting presses too hard; the second, at the same place, does not."""
    far = Rig(interface=0.1)
    first, second = memory_trial(far, 1.5, 0.1, 1)
    assert first.peak > 0.6 and abs(second.peak) < 0.1
    assert first.velocity < 0.03 and second.velocity < 0.03


@pytest.mark.parametrize(("moved", "stiffer"), [(0.002, 1.0), (-0.002, 1.0), (0.0, 2.0), (0.0, 0.5)])
def test_a_wrong_memory_costs_no_truth(moved: float, stiffer: float) -> None:
    """The port has moved or is another one: the body comes back right all the same."""
    met = memory_trial(Rig(interface=0.1), 1.0, 0.0, 1, moved, stiffer)[1]
    assert met.velocity < 0.03


def test_where_nothing_is_felt_a_contact_is_forgotten() -> None:
    """A port taken away: the body flies on, and the arm is with it again after the delay."""
    rig = Rig(interface=0.1, settings={"remembers": True})
    loop = rig.loop()
    near, gone = straight_meeting(rig, 1.0, 0.0, 1), straight_meeting(rig, 1.0, 0.0, 1, at=-1.0)
    for meeting in (near, gone):
        plant = TwoBodyPlant(rig, meeting, 1)
        plant.start(meeting.p, meeting.quat, meeting.twist)
        loop.begin(meeting.p, meeting.quat, meeting.twist, np.zeros(6))
        for _ in range(300):
            state = loop.step(*plant.packet())
            loop.command(plant.command(state))
        if meeting is near:
            assert state.twist[2] > 0.9 * SPEED
    assert state.twist[2] == pytest.approx(-SPEED)
    assert plant.packet()[0][2] == pytest.approx(state.p[2], abs=1e-4)
    assert not state.foresees


def test_resonance_far_above_the_contact_does_no_harm() -> None:
    """5 kg that swing at 200 Hz on the arm, contact at 6 Hz: within what a rigid arm may err by."""
    assert resonant_trial(Rig(), 0.5, 0.1, 1, 200.0).velocity < 0.02


def test_a_gate_of_torque_that_makes_no_sense_is_refused() -> None:
    setup = ContactSetup(STEP, MASS, 3.0 * np.eye(3), 0.012, DriveModel(0.002, 0.01))
    for wrong in ({"gate_torque": 0.0}, {"gate_torque": math.nan}, {"port_speed": -1.0}):
        with pytest.raises(ConfigurationError):
            ContactLoop(replace(setup, **wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("case", ["A", "C"])
def test_a_known_port_is_registered_by_a_landing_and_carries_the_next(case: str) -> None:
    """To micrometres from touches of scheme S; the model then needs no identification, unless it is wrong."""
    twin = twin_trial(Rig(), case, 1.0, 0.1, 0)
    assert twin.offset < 1e-5 and abs(twin.stiffness) < 0.05
    assert twin.after.velocity < 0.012 and twin.after.spin < 0.01


def test_a_model_that_is_registered_wrong_costs_more() -> None:
    """Two planes at once, 0.2 mm too deep: what is measured is then hardly carried at all."""
    assert twin_trial(Rig(), "C", 1.0, 0.1, 0, deeper=2e-4).after.velocity > 0.02


@pytest.mark.parametrize(("other", "plain"), [(0.0, 0), (0.1, 0), (0.6, 1)])
def test_what_no_one_spring_explains_is_not_identified(other: float, plain: int) -> None:
    """A second side that presses with its own rhythm, as a share of the first; a bump may be a tenth."""
    setup = ContactSetup(STEP, MASS, 3.0 * np.eye(3), 0.012, DriveModel(0.002, 0.01), force_noise=0.06)
    s, c = np.zeros(1, STATE), packed(setup)
    t = np.arange(60) * STEP
    rows = np.zeros(len(t), ROW)
    rows["c"], rows["rate"], rows["since"] = 2e-4 * np.sin(40 * t), 8e-3 * np.cos(40 * t), t
    rows["force"] = 8.0 * (1.2 + np.sin(40 * t) + other * np.sin(170 * t + 1.0))
    rows["inverse_mass"], rows["q"], rows["body_q"] = 1.0 / MASS, np.eye(4)[0], np.eye(4)[0]
    s["touch_rate"] = 0.008
    for s["n"], row in enumerate(rows):
        take_sample(c[0], s[0], row)
        identify(c[0], s[0], rows, row)
    assert s["plain"][0] == plain and s["known"][0] == 1 - plain
    assert (s["k"][0] == pytest.approx(4e4, rel=0.1)) is not bool(plain)
