"""Drives against closed forms: dry friction, backlash, heat, current, springs, brakes, losses."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from bench.drive_cases import (
    NO_GRAVITY,
    backlash_period,
    friction_oscillator,
    heating_error,
    one_step,
    plain_motor,
    slide,
    stick_slip_period,
)
from hil.common.arrays import frozen_array
from sim.chain.dynamics import inverse_dynamics
from sim.drives import robot_r3
from sim.drives.brake import Brake
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.drives.friction import Friction
from sim.drives.gear import Gear, TorqueSensor
from sim.drives.motor import Heating
from tests.sim.chain.chains import random_chain

WEIGHT = np.array([0.0, 0.0, -9.81])
STOPPED = np.zeros(1)
HEATING = Heating(0.8, 1.2, 60.0, 500.0)


def test_an_oscillator_sticks_where_it_must() -> None:
    """A mass on a spring with dry friction ends at 2 - (sqrt(205) - 13), and stands there exactly."""
    found, closed = friction_oscillator(1e-3)
    assert found == pytest.approx(closed, abs=1e-5)


def test_stick_and_slip_have_their_period() -> None:
    """A mass drawn by a spring over a ground that holds more than it brakes."""
    found, closed = stick_slip_period(5e-4)
    assert found == pytest.approx(closed, rel=5e-4)


def test_a_gap_is_crossed_freely_and_flanks_give_back_all() -> None:
    """Period of a mass between two flanks; its speed is the same after twelve bounces."""
    found, closed, drift = backlash_period(2e-4)
    assert found == pytest.approx(closed, rel=2e-4)
    assert drift < 1e-12


def test_two_nodes_warm_as_their_equations_do() -> None:
    """By the eigenvalues of the two nodes' matrix, of the final warmth."""
    assert heating_error(300.0, 0.1) < 1e-6


def test_a_rotor_sticks_as_a_joint_does() -> None:
    """The same oscillator: the rotor swings on the gear's spring and rubs, the link is too heavy to move."""
    drive = DriveParameters(plain_motor(1.0, Friction(1.0)), Gear(1.0, (1.0,) * 3))
    arm = DrivenArm(slide(1e12), [drive], np.array([0.0, 0.0, -12e-12]))
    arm.reset(motor_speed=np.array([6.0]))  # twisted by 12
    arm.set_parameter("gravity.z_m_s2", 0.0)
    for _ in range(30_000):
        one_step(arm)
    assert arm.motor_angle[0] == pytest.approx(2.0 - (math.sqrt(205.0) - 13.0), abs=1e-5)
    assert arm.variables()["joint_1.motor_speed_rad_s"] == 0.0


def test_a_rotor_that_stands_holds_more_than_one_that_slides() -> None:
    """Behind a gear of ratio 10: 5 N keep it sliding, 7.8 N do not move it while it stands, 9 N do."""
    friction = Friction(0.5, 0.0, 0.8)
    drive = DriveParameters(plain_motor(1e-3, friction), Gear(10.0, (2e4,) * 3, damping=200.0))
    arm = DrivenArm(slide(2.0), [drive], NO_GRAVITY)
    for force in np.linspace(0.0, 9.0, 1801):
        arm.step(STOPPED, STOPPED, np.array([0.0, 0.0, force, 0.0, 0.0, 0.0]))
        assert force > 7.9 or arm.motor_angle[0] == 0.0
    assert arm.motor_angle[0] > 0.0


@pytest.mark.parametrize("elastic", [False, True])
def test_what_coasts_stops_in_its_way(elastic: bool) -> None:
    """Speed v against dry friction c stops after M v^2/(2 c), stands exactly, and has become heat."""
    c, v, ratio, rotor = 4.0, 0.6, 50.0, 2e-3
    gear = Gear(ratio, (1e8,) * 3 if elastic else None)
    friction = Friction(c / ratio)
    arm = DrivenArm(slide(3.0), [DriveParameters(plain_motor(rotor, friction), gear)], NO_GRAVITY, 2e-4)
    arm.reset(dq=np.array([v]))
    mass = 3.0 + rotor * ratio**2
    for _ in range(round(1.5 * mass * v / c / 2e-4)):
        one_step(arm)
        assert (
            arm.variables()["joint_1.motor_speed_rad_s"] >= 0.0
        )  # friction stops it, and turns nothing back
    assert arm.q[0] == pytest.approx(mass * v**2 / (2.0 * c), rel=1e-4)
    assert abs(arm.dq[0]) < (1e-3 if elastic else 1e-300)  # on its gear's spring the mass still trembles
    account = arm.energy_account()
    assert account.friction == pytest.approx(0.5 * mass * v**2, rel=1e-4)
    assert abs(account.missing) < 1e-12 * account.friction + 1e-12


def test_viscous_friction_is_an_exponential() -> None:
    """v = v0 exp(-b t/M), of the motor's shaft and the joint's bearing together."""
    ratio, rotor = 20.0, 1e-3
    motor = plain_motor(rotor, Friction(0.0, 2e-3))
    arm = DrivenArm(slide(2.0), [DriveParameters(motor, Gear(ratio), Friction(0.0, 0.3))], NO_GRAVITY)
    arm.reset(dq=np.array([1.0]))
    for _ in range(1000):
        one_step(arm)
    rate = (0.3 + 2e-3 * ratio**2) / (2.0 + rotor * ratio**2)
    assert arm.dq[0] == pytest.approx(math.exp(-rate * arm.t), rel=1e-6)


def test_the_current_follows_its_closed_loop() -> None:
    """RobotR3's circuit: a step of the reference gives that of w^2/(s^2 + 2 D w s + w^2), the rotor held."""
    w, damping, asked = 4590.0, 0.6, 3.0
    motor = replace(robot_r3.motor(0), friction=Friction(1e6))
    control = Impedance(asked * motor.torque_constant, 0.0, gravity_model=False)
    arm = DrivenArm(slide(1.0), [DriveParameters(motor, Gear(1.0), controller=control)], NO_GRAVITY, 1e-5)
    root = math.sqrt(1.0 - damping**2)
    for _ in range(200):
        arm.step(np.ones(1), np.zeros(1))
        s, phase = math.exp(-damping * w * arm.t), root * w * arm.t
        closed = asked * (1.0 - s * (math.cos(phase) + damping / root * math.sin(phase)))
        assert arm.current[0] == pytest.approx(closed, abs=2e-3)


def test_a_step_is_the_midpoint_rule() -> None:
    """Arms that swing: the equations of motion hold in the middle of the step, rotors included."""
    rng, ratio, rotor, h = np.random.default_rng(4), 20.0, 2e-3, 5e-3
    for _ in range(10):
        chain = random_chain(rng, 3)._replace(armatures=frozen_array(np.zeros(3)))
        drives = [DriveParameters(plain_motor(rotor), Gear(ratio))] * 3
        q, dq = rng.uniform(-1.0, 1.0, 3), rng.uniform(-2.0, 2.0, 3)
        arm = DrivenArm(chain, drives, WEIGHT, h, q_start=q)
        arm.reset(dq=dq)
        one_step(arm)
        ddq = (arm.dq - dq) / h
        np.testing.assert_allclose(arm.q - q, 0.5 * h * (dq + arm.dq), atol=1e-12)
        force, _ = inverse_dynamics(chain, 0.5 * (q + arm.q), 0.5 * (dq + arm.dq), ddq, WEIGHT, np.zeros(6))
        np.testing.assert_allclose(force, -rotor * ratio**2 * ddq, rtol=1e-7, atol=1e-7)


def test_a_cascade_follows_its_equations() -> None:
    """A step of the speed: the matrix exponential of winding, both integrators and mass; of second order."""
    mass, rotor, k_v, T, end = 2.0, 0.5, 100.0, 0.02, 0.08
    motor = plain_motor(rotor)
    k, R, L = motor.torque_constant, motor.resistance, motor.inductance
    P, P_i = motor.loop.proportional, motor.loop.integral
    asked = np.array([-k_v, 0.0, 0.0, k_v])  # of the current, by speed, current, its integral, z
    error = asked - [0.0, 1.0, 0.0, 0.0]
    A = np.array([[0.0, k / (mass + rotor), 0.0, 0.0], ([-k, -R, P_i, 0.0] + P * error) / L, error,
                  [-1.0 / T, 0.0, 0.0, 0.0]])  # fmt: skip
    b = np.array([0.0, P * k_v / L, k_v, 1.0 / T])  # of the speed asked for, 1 m/s
    rest = np.linalg.solve(A, b)
    speed = (expm(A * end) @ rest - rest)[0]
    errors = []
    for dt in (5e-4, 2.5e-4):
        drive = DriveParameters(motor, Gear(1.0), controller=Cascade(0.0, k_v, T))
        arm = DrivenArm(slide(mass), [drive], NO_GRAVITY, dt)
        for _ in range(round(end / dt)):
            arm.step(STOPPED, np.ones(1))
        errors.append(abs(arm.dq[0] - speed))
    assert errors[0] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize("torque_gain", [0.0, 4.0])
def test_an_impedance_gives_way_as_springs_in_series(torque_gain: float) -> None:
    """Force by stiffness of the controller, and by that of the gear's line; weight is carried unseen."""
    force, stiffness = 40.0, 2e3
    gear = Gear(100.0, (2e4, 5e4, 6e4), (14.0, 48.0), damping=30.0)
    drive = DriveParameters(plain_motor(1e-4), gear, controller=Impedance(stiffness, 150.0, torque_gain))
    arm = DrivenArm(slide(2.0), [drive], WEIGHT)
    for _ in range(4000):
        arm.step(STOPPED, STOPPED, np.array([0.0, 0.0, force, 0.0, 0.0, 0.0]))
    weight = 2.0 * 9.81

    def twist(torque: float) -> float:
        return 14.0 / 2e4 + (torque - 14.0) / 5e4 if torque > 14.0 else torque / 2e4

    # the gear carries weight less force; the motor's spring gives way by the force
    carried = weight - force
    assert arm.torque[0] == pytest.approx(carried, abs=1e-6)
    assert arm.q[0] == pytest.approx(force / stiffness + twist(weight) + twist(-carried), rel=1e-5)


def test_a_sensor_on_a_rigid_gear_is_the_only_spring() -> None:
    """A weight bends it by weight/stiffness; the rotor stands where the joint would without."""
    drive = DriveParameters(plain_motor(1e-4), Gear(100.0), sensor=TorqueSensor(3e4))
    arm = DrivenArm(slide(4.0), [drive], WEIGHT)
    assert arm.motor_angle[0] / 100.0 - arm.q[0] == pytest.approx(4.0 * 9.81 / 3e4)
    assert arm.variables()["joint_1.sensor_twist_m"] == pytest.approx(4.0 * 9.81 / 3e4)


def test_a_motor_at_a_step_of_speed_has_a_link_that_rings() -> None:
    """A link on its gear swings about a rotor at rest with sqrt(K/M), and its damper takes d/(2 M) of it."""
    mass, k, d = 2.0, 800.0, 2.0
    gear = Gear(1.0, (k,) * 3, damping=d)
    arm = DrivenArm(slide(mass), [DriveParameters(plain_motor(1e12), gear)], NO_GRAVITY, 5e-4)
    arm.reset(dq=np.array([1.0]), motor_speed=np.zeros(1))
    decay = d / (2.0 * mass)
    w = math.sqrt(k / mass - decay**2)
    for _ in range(2000):
        one_step(arm)
        closed = math.exp(-decay * arm.t) * math.sin(w * arm.t) / w
        assert arm.q[0] == pytest.approx(closed, abs=1e-5)


def test_a_brake_bites_after_its_time_and_holds() -> None:
    """A weight falls while the brake closes, is braked, and then does not creep."""
    ratio, rotor, torque, closing = 10.0, 1e-3, 4.0, 0.05
    drive = DriveParameters(plain_motor(rotor), Gear(ratio), brake=Brake(torque, closing))
    arm = DrivenArm(slide(2.0), [drive], WEIGHT, 1e-4)
    arm.close_brakes(np.array([True]))
    mass, weight = 2.0 + rotor * ratio**2, 2.0 * 9.81
    fall, stop = weight / mass, (ratio * torque - weight) / mass
    way = 0.5 * fall * closing**2 + (fall * closing) ** 2 / (2.0 * stop)
    for _ in range(3000):
        one_step(arm)
    assert arm.q[0] == pytest.approx(-way, rel=5e-3)
    held = arm.q[0]
    for _ in range(1000):
        one_step(arm)
    assert arm.q[0] == held
    arm.close_brakes(np.array([False]))
    one_step(arm)
    assert arm.dq[0] < 0.0


@pytest.mark.parametrize("speed", [0.2, -0.2])
@pytest.mark.parametrize("elastic", [False, True])
def test_a_gear_loses_what_its_efficiency_says(speed: float, elastic: bool) -> None:
    """Lifting takes weight/(ratio eta) of the motor, lowering gives it eta weight/ratio."""
    ratio, eta, k = 100.0, 0.7, 0.1
    gear = Gear(ratio, (5e4,) * 3 if elastic else None, damping=100.0, efficiency=eta)
    drive = DriveParameters(plain_motor(1e-4), gear, controller=Cascade(10.0, 0.5, 0.1))
    arm = DrivenArm(slide(5.0), [drive], WEIGHT)
    for step in range(3000):
        arm.step(np.array([speed * (step + 0.5) * 1e-3]), np.array([speed]))
    weight = 5.0 * 9.81 / ratio
    assert k * arm.current[0] == pytest.approx(weight / eta if speed > 0.0 else weight * eta, rel=1e-5)


def test_a_hot_winding_bounds_the_current() -> None:
    """At 0.95 of the limit half way from the largest to the continuous current; no more is asked for."""
    motor = plain_motor(1e-4, Friction(1e6))
    loop = replace(motor.loop, current_max=20.0, current_continuous=4.0)
    heating = replace(HEATING, winding_limit=50.0)
    control = Impedance(1e9, 0.0, gravity_model=False)
    drive = DriveParameters(replace(motor, loop=loop, heating=heating), Gear(1.0), controller=control)
    arm = DrivenArm(slide(1.0), [drive], NO_GRAVITY, 0.01)
    asked = []
    for _ in range(3000):
        arm.step(np.ones(1), np.zeros(1))
        asked.append(arm.variables()["joint_1.current_reference_a"])
    assert asked[0] == 20.0
    share = min(max((50.0 - arm.winding_k[0]) / 5.0, 0.0), 1.0)
    assert asked[-1] == pytest.approx(4.0 + 16.0 * share, rel=1e-2)
    assert 4.0 <= asked[-1] < 8.0 and arm.winding_k[0] < 50.0
