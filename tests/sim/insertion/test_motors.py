"""Drives in a robot for mating: its numbers, motors at their limits, integrals, springs of three lines."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.common.arrays import Array, frozen_array
from hil.common.errors import InsertionError
from sim.chain.dynamics import bias
from sim.chain.kinematics import jacobian
from sim.complementarity.step_work import step_work
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters
from sim.drives.friction import Friction
from sim.drives.gear import Gear, TorqueSensor
from sim.drives.motor import CurrentLoop, Motor
from sim.insertion.assembled_robot import assembled_robot
from sim.insertion.elastic_dynamics import bend_springs, gear_and_servo, viscous_friction
from sim.insertion.elastic_robot import ElasticRobot, puma_robot, tuned_at
from sim.insertion.insertion import WHY, HeldPart, simulate
from sim.insertion.instant import Instant
from sim.insertion.joint_drives import Servo, gains_of, greatest_torque, numbers_of, spring_at
from sim.insertion.motors import motors_at_rest
from sim.insertion.pegs import pair_of
from sim.insertion.puma import GRAVITY, ROUND_POSITION, TORQUES, puma
from sim.insertion.reach import nominal_path
from sim.insertion.robot_step import GOING, UNSETTLED, advance, no_law
from sim.mating.wrench import Derivative, Wrench

ROOT = Path(__file__).resolve().parents[3]
SERVO = Servo((10.0, 10.0, 10.0, 25.0, 25.0, 25.0), 0.7)
NO_PAIR = pair_of(None, np.eye(4), np.eye(4), (0.0, 0.0, 1e-3))
MOTOR = Motor(0.05, 1.0, 1e-3, 2e-4, CurrentLoop(1.0, 1.0, current_max=4.0), Friction(viscous=1e-4))


def robot(servo: Servo = SERVO, limited: bool = False) -> ElasticRobot:
    return puma_robot(ROUND_POSITION, 0.3, 3.0, 0.15, np.array([6e4, 6e4, 2e4]), 0.04, servo, limited)


def test_numbers_are_those_of_the_drives() -> None:
    """Torques as published; of an assembled arm springs in series, rotors by the square of the ratio."""
    made = robot(limited=True)
    assert made.numbers.limits == pytest.approx(TORQUES) and made.torques == pytest.approx(TORQUES)
    assert np.isinf(robot().numbers.limits).all() and (made.numbers.ki == 0.0).all()
    arm = assembled_robot(ROOT / "configs/assemblies/lwr4.toml", None, SERVO, True)
    weight = bias(arm.chain, arm.position, np.zeros(7), arm.numbers.gravity)
    for k, drive in enumerate(arm.drives):
        gear, motor = drive.gear, drive.motor
        assert gear.stiffness is not None
        line = 0 if abs(weight[k]) < gear.torque_limits[0] else 1
        soft = 1.0 / gear.stiffness[line] + (1.0 / drive.sensor.stiffness if drive.sensor else 0.0)
        assert arm.numbers.stiffness[k] == pytest.approx(1.0 / soft)
        assert arm.numbers.rotors[k] == pytest.approx(motor.rotor_inertia * gear.ratio**2)
        most = gear.ratio * motor.torque_constant * motor.loop.current_max * gear.efficiency
        assert arm.numbers.limits[k] == pytest.approx(abs(most))


def test_a_drive_on_the_joints_side() -> None:
    """By hand: ratio 100 forwards or backwards, three lines, a sensor, losses, both controllers."""
    gear = Gear(-100.0, (1e4, 2e4, 4e4), (5.0, 9.0), 3.0, efficiency=0.8)
    drive = DriveParameters(MOTOR, gear, Friction(viscous=0.7), TorqueSensor(1e4))
    assert greatest_torque(drive) == pytest.approx(100.0 * 0.05 * 4.0 * 0.8)
    springs = [spring_at(drive, torque) for torque in (-4.0, -6.0, 10.0)]
    assert springs == pytest.approx([5e3, 2e4 / 3.0, 8e3])
    through = 0.05 * 100.0**2
    for control, gains in (
        (Impedance(70.0, 5.0), (70.0, 5.0, 0.0)),
        # torque = through kv (kp (e + integral of e / T) + e' + e / T)
        (Cascade(8.0, 0.03, 0.2, True), (through * 0.03 * 13.0, through * 0.03, through * 0.03 * 40.0)),
    ):
        assert gains_of(replace(drive, controller=control), 0) == pytest.approx(gains)
    for other in (None, Impedance(70.0, 5.0, 2.0), Cascade(8.0, 0.03, 0.2)):
        with pytest.raises(InsertionError, match=r"^joint 3: controller = "):
            gains_of(replace(drive, controller=other), 2)


def test_a_cascade_is_the_spring_and_damper_with_an_integral() -> None:
    """Of the frequencies' gains; retuning keeps the frequencies."""
    plain, both = robot().numbers, robot(replace(SERVO, integral_time=0.5)).numbers
    assert both.kd == pytest.approx(plain.kd) and both.ki == pytest.approx(plain.kp / 0.5)
    assert both.kp == pytest.approx(plain.kp + plain.kd / 0.5)
    away = ROUND_POSITION + 0.3
    moved = tuned_at(robot(), away)
    fresh = puma_robot(away, 0.3, 3.0, 0.15, np.array([6e4, 6e4, 2e4]), 0.04, SERVO)
    assert moved.numbers.kp == pytest.approx(fresh.numbers.kp) and moved.limited is False


class Wall:
    """A spring along z of the counterpart, from its origin on."""

    def load(self, T: Array, twist: Array) -> tuple[Wrench, Derivative]:
        """Return its load, with some damping."""
        K, D = np.zeros((6, 6)), np.zeros((6, 6))
        K[2, 2], D[2, 2] = 5e4, 2e3
        at = np.concatenate([T[:3, 3], np.zeros(3)])
        return Wrench(-K @ at - D @ twist, ""), Derivative(-K, -D)


@pytest.mark.parametrize("limited", [False, True])
def test_torques_are_those_of_statics(limited: bool) -> None:
    """Pressed on a spring, at rest: weight less the load by the Jacobian, and no more than a motor can."""
    made = robot(limited=limited)
    nominal = nominal_path(made, np.array([0.0, 0.0, -1.0]), 0.02)
    way = 0.02 * np.clip(np.arange(400) * 2e-3 / 0.2, 0.0, 1.0)
    held = HeldPart(
        Wall(), np.eye(4), np.block([[np.eye(3), nominal.T_begin[:3, 3:]], [np.zeros((1, 3)), 1.0]])
    )
    run = simulate(made, nominal, way, 2e-3, NO_PAIR, [held], "nonlinear")
    joints = run.rows.deviations[-1, 3:] + nominal.q[-2, 3:]
    load = np.concatenate([run.loads[-1, 0, :3], np.cross(np.zeros(3), run.loads[-1, 0, :3])])
    asked = bias(made.chain, joints, np.zeros(6), GRAVITY) - jacobian(made.chain, joints).T @ load
    assert run.rows.torques[-1] == pytest.approx(asked, abs=0.3)
    share = np.abs(run.rows.torques).max(axis=0) / TORQUES
    assert share.max() > 1.2 if not limited else share.max() == pytest.approx(1.0, abs=1e-12)
    if limited:
        assert (share > 1.0 - 1e-12).sum() >= 1 and run.loads[-1, 0, 2] < 900.0


@pytest.mark.parametrize(
    ("ki", "limit", "load"), [(0.0, np.inf, 30.0), (2500.0, np.inf, 30.0), (2500.0, 60.0, 30.0)]
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_one_joint_against_an_ode(ki: float, limit: float, load: float, sign: float) -> None:
    """I q'' = -clip(kp q + kd q' + ki s - w) ...: an integrator of high order, s standing at the limit."""
    inertia, kp, kd, weight, h = 2.0, 800.0, 50.0, 12.0, 2.5e-4
    gear = DriveParameters(MOTOR, Gear(10.0), controller=Impedance(kp, kd))
    chain = puma(0.3, 3.0, 0.15)
    six = numbers_of(chain, GRAVITY, ROUND_POSITION, [gear] * 6, False)
    one = {"kp": [kp], "kd": [kd], "ki": [ki], "limits": [limit]}
    numbers = six._replace(
        motors=frozen_array([-1], np.int64), **{name: frozen_array(value) for name, value in one.items()}
    )

    def torque(x: Array) -> float:
        return sign * weight - kp * x[0] - kd * x[1] - ki * x[2]

    def rate(t: float, x: Array) -> list[float]:
        asked = torque(x)
        given = float(np.clip(asked, -limit, limit))
        return [x[1], (given - sign * (weight + load)) / inertia, x[0] if given == asked else 0.0]

    begin = [0.1 * sign, 0.0, 0.0]
    exact = solve_ivp(rate, (0.0, 1.0), begin, rtol=1e-9, atol=1e-11, max_step=1e-3, t_eval=[0.1, 0.3, 1.0])
    q, V, motors, room_torques = np.array(begin[:1]), np.zeros(1), motors_at_rest(1), []
    room, law, advanced = step_work(1, 0, 3), no_law(1), np.zeros(1)
    law.force[0] = -sign * load
    seen = []
    for k in range(round(1.0 / h)):
        now = Instant(
            np.array([[inertia]]), np.array([[kd]]), np.array([[kp]]), np.zeros((6, 1)), np.eye(4),
            np.zeros(1), np.array([sign * weight]),
        )  # fmt: skip
        before = V[0]
        status, touch, room = advance(numbers, motors, now, NO_PAIR, law, advanced, q, V, h, room)
        assert status == GOING
        acts = touch.torques[0] - sign * (weight + load)
        assert inertia * (V[0] - before) / h == pytest.approx(acts, abs=1e-6)
        room_torques.append(touch.torques[0])
        if k + 1 in [round(t / h) for t in exact.t]:
            seen.append(q[0])
    assert seen == pytest.approx(exact.y[0].tolist(), abs=1e-3)
    assert np.abs(room_torques).max() <= limit
    if np.isfinite(limit):
        assert np.abs(room_torques).max() == limit and np.abs(room_torques[-1]) < limit
    if ki:
        assert abs(exact.y[0, -1]) < 0.02


@pytest.mark.parametrize(("limit", "given"), [(0.5, 0.5), (1.5, None), (2.5, -2.0)])
def test_a_motor_that_fits_neither_at_its_limit_nor_below_it(limit: float, given: float | None) -> None:
    """By hand: under 1 N m a controller that drives, kd = -2 m/h, asks for -2 N m; held at -L, 2 (1 - L)."""
    mass, h = 2.0, 1e-3
    drive = DriveParameters(MOTOR, Gear(10.0), controller=Impedance(1.0, 0.0))
    numbers = numbers_of(puma(0.3, 3.0, 0.15), GRAVITY, ROUND_POSITION, [drive] * 6, False)._replace(
        motors=frozen_array([-1], np.int64), kp=frozen_array([0.0]), kd=frozen_array([-2.0 * mass / h]),
        ki=frozen_array([0.0]), limits=frozen_array([limit]),
    )  # fmt: skip
    now = Instant(
        np.array([[mass]]), numbers.kd[:, None].copy(), np.zeros((1, 1)), np.zeros((6, 1)), np.eye(4),
        np.zeros(1), np.zeros(1),
    )  # fmt: skip
    law, q, V = no_law(1), np.zeros(1), np.zeros(1)
    law.force[0] = 1.0
    status, touch, _ = advance(
        numbers, motors_at_rest(1), now, NO_PAIR, law, np.zeros(1), q, V, h, step_work(1, 0, 3)
    )
    assert status == (UNSETTLED if given is None else GOING)
    if given is None:
        assert V[0] == 0.0 and "limits" in WHY[status]
    else:
        assert touch.torques[0] == pytest.approx(given) and V[0] == pytest.approx((1.0 + given) * h / mass)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("away", [0.0, 4e-4, 2e-3, -6e-4, -3e-3])
def test_springs_of_three_lines(away: float, sign: float) -> None:
    """What they pull with, by the makers' diagram; their slope by differences; flanks apart do not damp."""
    gear = Gear(50.0, (1e4, 2e4, 4e4), (5.0, 15.0), 3.0, backlash=1e-3)
    drive = DriveParameters(MOTOR, gear, controller=Impedance(100.0, 10.0))
    chain = puma(0.3, 3.0, 0.15)
    numbers = numbers_of(chain, GRAVITY, ROUND_POSITION, [drive] * 6, False)
    numbers = numbers._replace(drives=numbers.drives.view(np.recarray))
    P, Q = gear_and_servo(numbers)
    still = P.copy()
    rest, q = np.zeros(12), np.zeros(12)
    rest[1], q[1], q[7] = sign * 8e-4, sign * away, 0.0

    def pull(twist: float) -> float:
        x = [0.0, 5e-4, 1e-3, 1.5e-3, 1e-2]
        return float(np.sign(twist) * np.interp(abs(twist), x, [0.0, 0.0, 5.0, 15.0, 355.0]))

    force = np.zeros(12)
    bend_springs(numbers, P, Q, force, rest, q)
    servo = Q.copy()
    servo[1, 1] -= 100.0
    twist = sign * (8e-4 + away)
    wanted = pull(twist) - pull(sign * 8e-4)
    assert (force - servo @ q)[1] == pytest.approx(-wanted) and (force - servo @ q)[7] == pytest.approx(
        wanted
    )
    slope = (pull(twist + 1e-7) - pull(twist - 1e-7)) / 2e-7
    assert servo[1, 1] == pytest.approx(slope) and servo[1, 7] == pytest.approx(-slope)
    assert servo[7, 7] == pytest.approx(slope)
    loose = 3.0 if abs(twist) < 5e-4 else 0.0
    assert P[1, 1] == pytest.approx(still[1, 1] - loose) and P[1, 7] == pytest.approx(still[1, 7] + loose)


def test_viscous_friction_is_where_it_rubs() -> None:
    """Of motors by the square of the ratio on their coordinates, of joints on theirs."""
    springy = DriveParameters(
        MOTOR, Gear(50.0, (1e4, 1e4, 1e4)), Friction(viscous=0.7), controller=Impedance(1.0, 0.0)
    )
    rigid = replace(springy, gear=Gear(50.0))
    numbers = numbers_of(puma(0.3, 3.0, 0.15), GRAVITY, ROUND_POSITION, [springy, rigid] * 3, False)
    rubs = viscous_friction(numbers)
    assert rubs == pytest.approx([0.25] * 3 + [0.7, 0.95] * 3)
    assert np.diag(gear_and_servo(numbers)[0]) == pytest.approx(rubs)
