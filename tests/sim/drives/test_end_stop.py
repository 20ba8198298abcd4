"""End stops beside closed forms: where a joint rests on one, how it bounces, what the account says."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from bench.drive_cases import NO_GRAVITY, START, driven, light_weight_arm, plain_motor, slide, there_and_back
from hil.common.errors import DriveError
from sim.chain.serial_chain import serial_chain
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.drives.end_stop import EndStop
from sim.drives.gear import Gear

G = np.array([0.0, 0.0, -9.81])
ROTOR = 1e-9  # [kg m2] next to nothing, so that the bodies alone count
MASS, LEVER, INERTIA = 3.0, 0.5, 0.2


def on_stops(stop: EndStop, gravity: np.ndarray = G, dt: float = 1e-3, turns: bool = False) -> DrivenArm:
    """A mass on a slide along z, or on a lever that turns about y from the horizontal, without current."""
    chain = slide(MASS)
    if turns:
        chain = serial_chain(
            [False], [np.eye(4)], [np.array([0.0, 1.0, 0.0])], np.eye(4), [1.0, MASS],
            [np.zeros(3), np.array([LEVER, 0.0, 0.0])], [np.zeros((3, 3)), INERTIA * np.eye(3)],
        )  # fmt: skip
    return DrivenArm(chain, [DriveParameters(plain_motor(ROTOR), Gear(1.0), end_stop=stop)], gravity, dt)


def carried_on(arm: DrivenArm, seconds: float) -> np.ndarray:
    """The joint's positions behind each step."""
    nothing = np.zeros((round(seconds / arm.dt), 1))
    return arm.run(nothing, nothing).q[:, 0]


@pytest.mark.parametrize("down", [1.0, -1.0])
def test_a_slide_rests_on_its_stop_at_weight_by_stiffness(down: float) -> None:
    """Either end: it falls 0.2 m and rests m g/k beyond it; what held it in the end is its weight."""
    arm = on_stops(EndStop(-0.2, 0.2, 5e3, 20.0), down * G)
    carried_on(arm, 6.0)
    depth = MASS * 9.81 / 5e3
    assert arm.q[0] == pytest.approx(-down * (0.2 + depth), abs=1e-9)
    assert arm.variables()["joint_1.end_stop_n"] == pytest.approx(down * MASS * 9.81, rel=1e-6)
    account = arm.energy_account()
    assert abs(account.missing) < 1e-9 * account.turned_over
    assert account.damping == pytest.approx(MASS * 9.81 * (0.2 + 0.5 * depth), rel=1e-6)


def test_an_arm_rests_on_its_stop_where_weight_and_spring_agree() -> None:
    """A lever falls by its weight: k p = m g l cos(end + p); the account is kept within 1e-6."""
    k, end = 3e3, 0.6
    arm = on_stops(EndStop(-1.0, end, k, 10.0), turns=True)
    carried_on(arm, 6.0)
    depth = brentq(lambda p: k * p - MASS * 9.81 * LEVER * math.cos(end + p), 0.0, 0.1, xtol=1e-14)
    assert arm.q[0] == pytest.approx(end + depth, abs=1e-9)
    account = arm.energy_account()
    assert abs(account.missing) < 1e-6 * account.turned_over
    assert account.springs == pytest.approx(0.5 * k * depth**2, rel=1e-6)


def test_a_stop_without_damping_gives_all_back() -> None:
    """Half a swing of the mass on the spring, and off again at the speed that it came with."""
    k, speed = 4e3, 0.7
    arm = on_stops(EndStop(-1.0, 0.1, k), NO_GRAVITY, 1e-4)
    arm.reset(dq=np.array([speed]))
    q = carried_on(arm, 0.4)
    assert arm.dq[0] == pytest.approx(-speed, rel=1e-12)
    beyond = np.count_nonzero(q > 0.1) * arm.dt
    assert beyond == pytest.approx(math.pi * math.sqrt(MASS / k), abs=2.0 * arm.dt)
    assert q.max() - 0.1 == pytest.approx(speed * math.sqrt(MASS / k), rel=1e-4)


@pytest.mark.parametrize("hard", [0.2, 1.0, 5.0])
def test_a_bounce_loses_what_hunt_and_crossley_say(hard: float) -> None:
    """`m v dv/(1 + c v) = -k p dp` on the way in and out: `u - ln(1 + u)` is the same for both, u = c v."""
    speed = 0.5
    arm = on_stops(EndStop(-10.0, 0.1, 4e3, hard / speed), NO_GRAVITY, 1e-4)
    arm.reset(dq=np.array([speed]))
    carried_on(arm, 1.0)
    taken = hard - math.log(1.0 + hard)
    back = brentq(lambda u: -u - math.log(1.0 - u) - taken, 0.0, 1.0 - 1e-15)
    assert -arm.dq[0] * hard / speed == pytest.approx(back, rel=2e-4)
    account = arm.energy_account()
    assert account.damping == pytest.approx(0.5 * MASS * (speed**2 - arm.dq[0] ** 2), rel=1e-9)


def test_an_arm_of_seven_falls_onto_its_stops() -> None:
    """Without current: it comes to rest on them, none further than its load asks; the account within 1e-6."""
    arm = driven(1e-3, controller="off")
    made, rest = light_weight_arm(), np.tile(START, (4000, 1))
    arm.run(rest, np.zeros_like(rest))
    account = arm.energy_account()
    assert abs(account.missing) < 1e-6 * account.turned_over
    over = np.maximum(arm.q - made.upper, made.lower - arm.q)
    met = [drive.end_stop for drive in arm.drive_parameters]
    pushes = [abs(arm.variables()[f"joint_{i + 1}.end_stop_n_m"]) for i in range(7)]
    assert over.max() > 0.0
    for i in np.flatnonzero(over > 0.0):
        assert met[i] is not None and pushes[i] == pytest.approx(
            met[i].stiffness * over[i], rel=1e-3, abs=1e-3
        )


def test_within_the_range_nothing_is_changed() -> None:
    """Bit by bit: the arm with stops, and the same without."""
    q, dq = there_and_back(0.5, 1e-3, 1.0)
    arm = driven(1e-3)
    bare = DrivenArm(
        light_weight_arm().chain, [replace(drive, end_stop=None) for drive in arm.drive_parameters],
        light_weight_arm().gravity, 1e-3, q_start=START,
    )  # fmt: skip
    first, second = arm.run(q, dq), bare.run(q, dq)
    assert (first.q == second.q).all() and (first.current == second.current).all()
    assert (arm.base_wrench == bare.base_wrench).all()
    for name, value in arm.variables().items():
        assert bare.variables()[name] == value


def test_stops_are_at_the_ends_of_the_assemblys_joints() -> None:
    """And say that their numbers are assumed; stiffness and damping can be changed in the running model."""
    made, arm = light_weight_arm(), driven(1e-3)
    for drive, lower, upper in zip(arm.drive_parameters, made.lower, made.upper, strict=True):
        assert drive.end_stop is not None and (drive.end_stop.lower, drive.end_stop.upper) == (lower, upper)
        assert any("end stops" in text for text in drive.assumed)
    arm.set_parameter("joint_2.stop_stiffness_n_m_per_rad", 123.0)
    assert arm.parameters()["joint_2.stop_stiffness_n_m_per_rad"] == 123.0


@pytest.mark.parametrize(
    "wrong", [(1.0, 1.0, 1e3, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 1.0, math.inf, 0.0), (0.0, 1.0, 1e3, -1.0)]
)
def test_what_is_no_stop_is_refused(wrong: tuple[float, float, float, float]) -> None:
    """In one line."""
    with pytest.raises(DriveError, match=r"^end stop: "):
        EndStop(*wrong)
