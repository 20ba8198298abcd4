"""What a driven arm shows, what can be changed in it, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from bench.drive_cases import NO_GRAVITY, START, driven, plain_motor, slide
from hil.common.errors import DriveError, SimulationError
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.drives.friction import Friction
from sim.drives.gear import Gear


def test_variables_say_what_the_properties_say() -> None:
    """By dotted names with units, all finite."""
    arm = driven(1e-3)
    for _ in range(5):
        arm.step(START + 0.01, np.zeros(7))
    found = arm.variables()
    assert all(np.isfinite(value) for value in found.values())
    shown = {"position_rad": arm.q, "speed_rad_s": arm.dq, "torque_n_m": arm.torque, "power_w": arm.power}
    for name, of_all in {**shown, "current_a": arm.current, "winding_k": arm.winding_k}.items():
        assert [found[f"joint_{i + 1}.{name}"] for i in range(7)] == of_all.tolist()
    assert found["base.force_z_n"] == arm.base_wrench[2] and found["tip.x_m"] == arm.T_base_tip[0, 3]
    assert found["time_s"] == pytest.approx(0.005)
    sensor = arm.drive_parameters[1].sensor
    assert sensor is not None
    assert found["joint_2.sensor_twist_rad"] == pytest.approx(arm.torque[1] / sensor.stiffness)
    assert found["joint_2.sensor_twist_rad"] * found["joint_2.gear_twist_rad"] > 0.0


def test_names_have_the_units_of_joints_that_slide() -> None:
    """Metres and newtons, of what is on the joint's side; the motor turns as ever."""
    arm = DrivenArm(slide(2.0), [DriveParameters(plain_motor(1e-3), Gear(10.0))], np.array([0.0, 0.0, -9.81]))
    found = arm.variables()
    assert found["joint_1.force_n"] == pytest.approx(2.0 * 9.81)
    assert {"joint_1.position_m", "joint_1.motor_angle_rad"} <= found.keys()
    assert {"joint_1.k1_n_per_m", "joint_1.motor_viscous_n_m_s_per_rad"} <= arm.parameters().keys()


def test_a_parameter_is_changed_in_the_running_model() -> None:
    """Gravity taken away: the gears let go of the weight; a stiffer impedance gives way less."""
    arm = driven(1e-3, controller="impedance")
    assert arm.parameters()["gravity.z_m_s2"] == -9.81
    arm.set_parameter("gravity.z_m_s2", 0.0)
    assert arm.parameters()["gravity.z_m_s2"] == 0.0
    for _ in range(1500):
        arm.step(START, np.zeros(7))
    assert np.abs(arm.torque).max() < 0.5
    ways = []
    for stiffness in (1000.0, 4000.0):
        drive = DriveParameters(plain_motor(1e-3), Gear(10.0), controller=Impedance(500.0, 40.0))
        one = DrivenArm(slide(1.0), [drive], NO_GRAVITY)
        one.set_parameter("joint_1.impedance_stiffness_n_per_m", stiffness)
        for _ in range(3000):
            one.step(np.zeros(1), np.zeros(1), np.array([0.0, 0.0, 20.0, 0.0, 0.0, 0.0]))
        ways.append(one.q[0])
    np.testing.assert_allclose(ways, [0.02, 0.005], rtol=1e-3)


def test_a_rotor_changed_while_it_runs_is_in_the_rigid_bodies() -> None:
    """Of a rigid gear the rotor's inertia moves with the joint: less of it, more acceleration."""
    rates = []
    for rotor in (1e-3, 3e-3):
        arm = DrivenArm(slide(2.0), [DriveParameters(plain_motor(1e-3), Gear(10.0))], NO_GRAVITY)
        arm.set_parameter("joint_1.rotor_inertia_kg_m2", rotor)
        arm.step(np.zeros(1), np.zeros(1), np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]))
        rates.append(arm.dq[0] / 1e-3)
    np.testing.assert_allclose(rates, [1.0 / (2.0 + 0.1), 1.0 / (2.0 + 0.3)], rtol=1e-9)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("joint_1.resistance_ohm", 0.0, "must be above 0"),
        ("joint_1.efficiency", 1.5, "at most 1"),
        ("joint_1.k1_n_m_per_rad", float("nan"), "nan"),
        ("joint_1.motor_coulomb_n_m", -1.0, "at least 0"),
        ("joint_1.resistence_ohm", 1.0, r"near: joint_\d.resistance_ohm"),
        ("joint_8.resistance_ohm", 1.0, "there is no parameter 'joint_8.resistance_ohm'"),
    ],
)
def test_a_parameter_out_of_its_bounds_is_refused(name: str, value: float, words: str) -> None:
    """With name, value and bound; and nothing is changed."""
    arm = driven(1e-3)
    before = arm.parameters()
    with pytest.raises(DriveError, match=words):
        arm.set_parameter(name, value)
    assert arm.parameters() == before


def test_what_does_not_fit_together_is_refused() -> None:
    """Drives for joints, step, satellite, friction, motor, gear, place."""
    drive = DriveParameters(plain_motor(1e-3), Gear(10.0))
    chain = slide(1.0)
    for make, words in (
        (lambda: DrivenArm(chain, [drive, drive], NO_GRAVITY), "2 drives for 1 joints"),
        (lambda: DrivenArm(chain, [drive], NO_GRAVITY, 0.0), "dt = 0.0 s must be above 0"),
        (lambda: DrivenArm(chain, [drive], NO_GRAVITY, base_mass=-1.0), "base_mass = -1.0 kg"),
        (lambda: DrivenArm(chain, [drive], NO_GRAVITY, base_mass=1.0), "base_inertia must"),
        (lambda: DrivenArm(chain, [drive], NO_GRAVITY, base_twist=np.zeros(6)), "base_twist is for"),
        (lambda: DrivenArm(chain, [drive], NO_GRAVITY, q_start=np.zeros(2)), "1 finite joint positions"),
        (lambda: Friction(2.0, stick=1.0), "stick = 1.0 must be 0"),
        (lambda: Friction(-2.0), "coulomb = -2.0"),
        (lambda: DrivenArm(chain, [DriveParameters(plain_motor(0.0), Gear(1.0))], NO_GRAVITY), "rotor_inert"),
        (lambda: DrivenArm(chain, [DriveParameters(plain_motor(1.0), Gear(0.0))], NO_GRAVITY), "ratio = 0.0"),
        (lambda: DrivenArm(chain, [replace(drive, controller=Impedance(1.0, 1.0, 2.0))], NO_GRAVITY),
         "needs a spring"),
        (lambda: DrivenArm(chain, [DriveParameters(plain_motor(1.0), Gear(1.0, efficiency=1.2))], NO_GRAVITY),
         "efficiency = 1.2"),
    ):  # fmt: skip
        with pytest.raises(DriveError, match=words):
            make()


def test_a_step_without_a_solution_is_told_and_leaves_the_arm() -> None:
    """A push beyond all numbers; the state is the one before it."""
    control = Cascade(10.0, 1.0, 0.1)
    arm = DrivenArm(
        slide(1.0), [DriveParameters(plain_motor(1e-3), Gear(10.0), controller=control)], NO_GRAVITY
    )
    before = arm.q
    with pytest.raises(SimulationError, match="has no solution"):
        arm.step(np.zeros(1), np.zeros(1), np.array([0.0, 0.0, 1e30, 0.0, 0.0, 0.0]))
    assert (arm.q == before).all() and arm.t == 0.0
    with pytest.raises(SimulationError, match="has no solution"):
        arm.step(np.array([np.nan]), np.zeros(1))
    assert (arm.q == before).all()
