"""Cases of drives whose outcome is known in closed form, and the arms that are measured.

For `bench.drives` and the tests of sim/drives.
"""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import load_database
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.serial_chain import SerialChain, serial_chain
from sim.drives import robot_r3
from sim.drives.arm_simulation import ArmSimulation
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.drives.friction import Friction
from sim.drives.gear import Gear
from sim.drives.motor import CurrentLoop, Heating, Motor

ASSEMBLIES = Path(__file__).parent.parent / "configs" / "assemblies"
FIXED = 1e12  # [kg m2] a rotor that nothing moves
NO_GRAVITY = np.zeros(3)
DATABASE = load_database()


def slide(mass: float) -> SerialChain:
    """Return one body that slides along z."""
    return serial_chain(
        [True], [np.eye(4)], [np.array([0.0, 0.0, 1.0])], np.eye(4), [1.0, mass], [np.zeros(3)] * 2,
        [np.zeros((3, 3))] * 2,
    )  # fmt: skip


def plain_motor(rotor: float, friction: Friction | None = None, heating: Heating | None = None) -> Motor:
    """Return a motor of round numbers."""
    loop = CurrentLoop.of_bandwidth(1.0, 1e-3, 3000.0)
    return Motor(0.1, 1.0, 1e-3, rotor, loop, friction or Friction(), heating)


def on_a_spring(
    mass: float, stiffness: float, friction: Friction | None = None, backlash: float = 0.0, dt: float = 1e-3
) -> DrivenArm:
    """Return a body on the spring of a gear whose rotor does not move, or moves as it did."""
    gear = Gear(1.0, (stiffness,) * 3, backlash=backlash)
    drive = DriveParameters(plain_motor(FIXED), gear, friction or Friction())
    return DrivenArm(slide(mass), [drive], NO_GRAVITY, dt)


def one_step(arm: DrivenArm) -> None:
    """Carry a case on: nothing is asked of it."""
    arm.step(np.zeros(arm.joints), np.zeros(arm.joints))


def friction_oscillator(dt: float) -> tuple[float, float]:
    """Return where a mass on a spring sticks (m = k = friction = 1, from 12 at speed 6), and its closed form.

    Each half swing is a circle about 1 or -1 in the plane of place and speed; it sticks at the first turn
    within the friction's reach: `2 - (sqrt(205) - 13)`.
    """
    arm = on_a_spring(1.0, 1.0, Friction(1.0), dt=dt)
    arm.set_parameter("gravity.z_m_s2", -12.0)
    arm.reset(dq=np.array([-6.0]), motor_speed=np.zeros(1))  # bent by 12, for the weight
    arm.set_parameter("gravity.z_m_s2", 0.0)
    begin = arm.motor_angle[0]
    for _ in range(round(30.0 / dt)):
        one_step(arm)
    assert arm.dq[0] == 0.0
    return abs(float(arm.q[0] - begin)), 2.0 - (math.sqrt(205.0) - 13.0)


def stick_slip_period(dt: float) -> tuple[float, float]:
    """Return the period of a mass that is drawn over a rough ground by a spring, and the closed form.

    With the drawing speed V, `A = (stick - slip)/K` and `w = sqrt(K/m)`:
    `(2 pi - 2 atan(A w/V))/w + 2 A/V` (slip, then stick).
    """
    mass, k, slip, stick, speed = 2.0, 300.0, 3.0, 5.0, 0.05
    arm = on_a_spring(mass, k, Friction(slip, 0.0, stick), dt=dt)
    arm.reset(motor_speed=np.array([speed]))
    begun: list[float] = []
    stood = True
    while len(begun) < 6:
        one_step(arm)
        stands = bool(arm.dq[0] == 0.0)
        if stood and not stands:
            begun.append(arm.t)
        stood = stands
    a, w = (stick - slip) / k, math.sqrt(k / mass)
    closed = (2.0 * math.pi - 2.0 * math.atan(a * w / speed)) / w + 2.0 * a / speed
    return (begun[-1] - begun[1]) / (len(begun) - 2), closed


def backlash_period(dt: float) -> tuple[float, float, float]:
    """Return the period of a mass between a gear's flanks, its closed form, and the speed's drift.

    `2 b/v + 2 pi sqrt(m/K)`: the gap b twice, and half a swing on either flank; nothing is lost.
    """
    mass, k, gap, speed = 0.5, 2e4, 0.02, 0.3
    arm = on_a_spring(mass, k, backlash=gap, dt=dt)
    arm.reset(dq=np.array([speed]), motor_speed=np.zeros(1))
    crossed: list[float] = []
    before, drift = 0.0, 0.0
    while len(crossed) < 12:
        one_step(arm)
        q, v = float(arm.q[0]), float(arm.dq[0])
        if before < 0.0 <= q:
            crossed.append(arm.t - q / v)
            drift = max(drift, abs(v / speed - 1.0))
        before = q
    closed = 2.0 * gap / speed + 2.0 * math.pi * math.sqrt(mass / k)
    return (crossed[-1] - crossed[0]) / (len(crossed) - 1), closed, drift


def heating_error(duration: float, dt: float) -> float:
    """Return the worst error of two warming nodes beside their closed form, by the final warmth.

    A motor holds a weight. The closed form is that of two linear equations: by the eigenvalues of
    `[[-a/Cw, a/Cw], [a/Ch, -(a + b)/Ch]]`.
    """
    rwh, rha, cw, ch = 0.8, 1.2, 60.0, 500.0
    heating = Heating(rwh, rha, cw, ch, winding_limit=1e6)
    drive = DriveParameters(
        plain_motor(1e-4, heating=heating), Gear(100.0), controller=robot_r3.drives()[0].controller
    )
    drive = replace(drive, controller=replace(drive.controller, gravity_model=True))  # type: ignore[arg-type]
    arm = DrivenArm(slide(10.0), [drive], np.array([0.0, 0.0, -9.81]), dt)
    power = float(arm.current[0]) ** 2
    a, b = 1.0 / rwh, 1.0 / rha
    values, vectors = np.linalg.eig(np.array([[-a / cw, a / cw], [a / ch, -(a + b) / ch]]))
    final = power * np.array([rwh + rha, rha])
    parts = np.linalg.solve(vectors, -final)
    worst = 0.0
    for _ in range(round(duration / dt)):
        arm.step(np.zeros(1), np.zeros(1))
        closed = final + vectors @ (parts * np.exp(values * arm.t))
        found = np.array([arm.winding_k[0], arm.housing_k[0]])
        worst = max(worst, float(np.abs(found - closed).max() / final[0]))
    return worst


def light_weight_arm() -> Manipulator:
    """Return the light-weight arm of the database, seven joints."""
    return manipulator_of(load_assembly(ASSEMBLIES / "lwr4.toml", DATABASE))


START = np.radians([0.0, 40.0, 0.0, -80.0, 0.0, 50.0, 0.0])
WAY = np.radians([60.0, -30.0, 40.0, 50.0, -60.0, 40.0, 90.0])


def there_and_back(duration: float, dt: float, period: float = 4.0) -> tuple[Array, Array]:
    """Return a smooth path of seven joints to and fro: positions and speeds in the middle of each step."""
    t = (np.arange(round(duration / dt)) + 0.5) * dt
    w = 2.0 * math.pi / period
    part, rate = 0.5 - 0.5 * np.cos(w * t), 0.5 * w * np.sin(w * t)
    return START + part[:, None] * WAY, rate[:, None] * WAY


def driven(dt: float, **options: object) -> ArmSimulation:
    """Return the light-weight arm as a running model, at the path's start."""
    return ArmSimulation(light_weight_arm(), DATABASE, dt, q_start=START, **options)  # type: ignore[arg-type]


def swinging(dt: float) -> DrivenArm:
    """Return the light-weight arm without currents, friction, damping, stops, let go at the path's start."""
    made = light_weight_arm()
    drives = []
    for drive in driven(dt).drive_parameters:
        drives.append(
            replace(
                drive,
                motor=replace(drive.motor, friction=Friction()),
                gear=replace(drive.gear, damping=0.0, efficiency=1.0),
                controller=None,
                end_stop=None,
            )
        )
    return DrivenArm(made.chain, drives, made.gravity, dt, q_start=START)


def swing_error(duration: float, dt: float) -> float:
    """Return the worst change of the energy of a swinging arm, by its greatest kinetic energy."""
    arm = swinging(dt)
    nothing = np.zeros((round(0.02 / dt), arm.joints))
    begun, worst, kinetic = arm.energy_account().stored, 0.0, 0.0
    for _ in range(round(duration / 0.02)):
        arm.run(nothing, nothing)
        account = arm.energy_account()
        worst, kinetic = max(worst, abs(account.stored - begun)), max(kinetic, account.kinetic)
    return worst / kinetic


def balance_error(duration: float, dt: float, **options: object) -> float:
    """Return what the account of a driven arm misses at the end, by what was turned over."""
    arm = driven(dt, **options)
    arm.run(*there_and_back(duration, dt))
    account = arm.energy_account()
    return abs(account.missing) / account.turned_over


def robot_r3_run(dt: float) -> tuple[Array, DrivenArm]:
    """Return RobotR3's joint positions every 10 ms, the start's first, shape (186, 6), and its arm."""
    arm = DrivenArm(robot_r3.chain(), robot_r3.drives(), robot_r3.GRAVITY, dt, q_start=robot_r3.START)
    every, count = round(0.01 / dt), round(robot_r3.DURATION / dt)
    run = arm.run(*robot_r3.reference((np.arange(count) + 0.5) * dt))
    return np.vstack([robot_r3.START, run.q[every - 1 :: every]]), arm
